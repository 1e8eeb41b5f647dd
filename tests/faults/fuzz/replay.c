/** replay TRIALS SEED FOLDER: a target over its corpus and over TRIALS inputs made from it, always the same ones.
 *  What libFuzzer does for hours by what it sees of the code, any compiler can repeat for seconds by chance.
 */
#include "fuzz.h"
#include "scramble.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHANGES = 4, GROWTH = 256, HANG = 120 /* [s] of CPU of one input, sanitizers included */ };

typedef struct {
  uint8_t *data;
  size_t size;
} input;

static uint64_t seed, drawn;

static uint64_t draw(uint64_t n) { return sal_scramble(seed ^ ++drawn) % n; }

static input read_input(const char *path)
{
  FILE *file = fopen(path, "rb");
  input in = {malloc(FUZZ_MOST), 0};

  if (!file || !in.data) {
    fprintf(stderr, "replay: %s: cannot be read\n", path);
    exit(2);
  }
  in.size = fread(in.data, 1, FUZZ_MOST, file);
  fclose(file);
  return in;
}

static void change_byte(input *in)
{
  static const uint8_t words[] = {0,   1,   0x7f, 0x80, 0xff, '\n', ' ', '-',
                                  ':', '[', '{',  '9',  '.',  'e',  '=', '"'};
  uint8_t *at = in->data + draw(in->size);

  switch (draw(3)) {
  case 0:
    *at ^= (uint8_t)(1u << draw(8));
    break;
  case 1:
    *at = words[draw(sizeof words)];
    break;
  default:
    *at = (uint8_t)draw(256);
  }
}

static void cut_piece(input *in)
{
  const size_t at = draw(in->size), n = 1 + draw(in->size - at);

  memmove(in->data + at, in->data + at + n, in->size - at - n);
  in->size -= n;
}

/* A piece of another input, or of the same one, at any place. */
static void add_piece(input *in, const input *other)
{
  const size_t at = draw(in->size + 1), from = draw(other->size);
  size_t n = 1 + draw(other->size - from);

  if (n > GROWTH) n = GROWTH;
  if (in->size + n > FUZZ_MOST) return;
  memmove(in->data + at + n, in->data + at, in->size - at);
  memcpy(in->data + at, other->data + from, n);
  in->size += n;
}

static void write_over(input *in, const input *other)
{
  const size_t at = draw(in->size), from = draw(other->size);
  size_t n = 1 + draw(GROWTH);

  if (n > in->size - at) n = in->size - at;
  if (n > other->size - from) n = other->size - from;
  memcpy(in->data + at, other->data + from, n);
}

static void change(input *in, const input *other)
{
  for (uint64_t i = 1 + draw(CHANGES); i > 0; --i) {
    if (in->size == 0 || other->size == 0) return;
    switch (draw(6)) {
    case 0:
      cut_piece(in);
      break;
    case 1:
      add_piece(in, other);
      break;
    case 2:
      write_over(in, other);
      break;
    default:
      change_byte(in);
    }
  }
}

static int is_file(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* In the order of the names; the caller frees them. */
static input *read_folder(const char *folder, int *n)
{
  struct dirent **entry;
  char path[4096];

  *n = scandir(folder, &entry, is_file, alphasort);
  input *corpus = *n > 0 ? calloc((size_t)*n, sizeof *corpus) : NULL;
  if (!corpus) {
    fprintf(stderr, "replay: %s: no inputs there\n", folder);
    exit(2);
  }
  for (int i = 0; i < *n; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
    corpus[i] = read_input(path);
    free(entry[i]);
  }
  free(entry);
  return corpus;
}

int main(int argc, char *argv[])
{
  if (argc != 4) {
    fprintf(stderr, "usage: replay TRIALS SEED FOLDER\n");
    return 2;
  }
  int n;
  const long trials = strtol(argv[1], NULL, 10);
  input *corpus = read_folder(argv[3], &n);
  input one = {malloc(FUZZ_MOST), 0};

  if (!one.data) return 2;
  seed = sal_scramble(strtoull(argv[2], NULL, 10));
  for (int i = 0; i < n; ++i) LLVMFuzzerTestOneInput(corpus[i].data, corpus[i].size);
  for (long i = 0; i < trials; ++i) {
    const input *from = &corpus[draw((uint64_t)n)];
    memcpy(one.data, from->data, from->size);
    one.size = from->size;
    change(&one, &corpus[draw((uint64_t)n)]);
    alarm(HANG);
    LLVMFuzzerTestOneInput(one.data, one.size);
  }
  for (int i = 0; i < n; ++i) free(corpus[i].data);
  free(corpus);
  free(one.data);
  printf("%d inputs of the corpus and %ld made from them\n", n, trials);
  return 0;
}
