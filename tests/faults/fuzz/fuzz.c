/** One input after the other, each with its memory counted. */
#include "fuzz.h"
#include "err.h"
#include "memory.h"
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];
static pid_t owner;

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *at)
{
  (void)s, (void)type, (void)at;
  return remove(path);
}

static void remove_folder(void)
{
  if (getpid() == owner) nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_folder(void)
{
  if (*folder) return folder;
  const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  snprintf(folder, sizeof folder, "%s/saltus-fuzz-XXXXXX", parent);
  if (!mkdtemp(folder)) abort();
  owner = getpid();
  atexit(remove_folder);
  return folder;
}

char *fuzz_text(const uint8_t *data, size_t size)
{
  char *text = malloc(size + 1);

  if (!text) abort();
  if (size) memcpy(text, data, size);
  text[size] = '\0';
  return text;
}

void fuzz_write(const char *path, const uint8_t *data, size_t size)
{
  const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

  if (file < 0 || write(file, data, size) != (ssize_t)size || close(file) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static int warm; /* libraries that are started with the first input keep some memory */

  if (size > FUZZ_MOST) return 0;
  const long before = sal_memory_live();
  sal_err_clear();
  fuzz_input(data, size);
  if (warm++ && sal_memory_live() > before) {
    fprintf(stderr, "%ld pieces of memory were kept\n", sal_memory_live() - before);
    abort();
  }
  return 0;
}
