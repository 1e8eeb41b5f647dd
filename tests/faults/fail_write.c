/** A library to be loaded ahead of others: calls that write to one file fail from a number on, or once.
 *
 *  FAIL_PATH: what the file's path has in it; FAIL_AT: the number of the first call that fails, from 1; FAIL_ALL: those after it as
 *  well; FAIL_WITH: errno; FAIL_TOLD: a file that gets the number of calls there were, and how many of them failed.
 *  SYNC_TOLD: a file that gets a line for each folder that is made and each file or folder that is synced, in order.
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int calls, failed;

static int number_of(const char *name)
{
  const char *text = getenv(name);

  return text ? atoi(text) : 0;
}

static const char *path_of(int fd, char path[PATH_MAX])
{
  char link[64];

  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t n = readlink(link, path, PATH_MAX - 1);
  path[n < 0 ? 0 : n] = '\0';
  return path;
}

static bool is_meant(int fd)
{
  const char *wanted = getenv("FAIL_PATH");
  char path[PATH_MAX];

  return wanted && strstr(path_of(fd, path), wanted);
}

static void note(const char *what, const char *path)
{
  const char *told = getenv("SYNC_TOLD");
  FILE *file = told ? fopen(told, "a") : NULL;

  if (file) fprintf(file, "%s %s\n", what, path);
  if (file) fclose(file);
}

/* Does this call fail?  Then errno has the reason. */
static bool fails(int fd)
{
  const int saved = errno, at = number_of("FAIL_AT");
  const bool meant = is_meant(fd);

  errno = saved;
  if (!meant) return false;
  const int n = atomic_fetch_add(&calls, 1) + 1;
  if (at == 0 || n < at || (n > at && !number_of("FAIL_ALL"))) return false;
  atomic_fetch_add(&failed, 1);
  errno = number_of("FAIL_WITH");
  return true;
}

__attribute__((destructor)) static void tell(void)
{
  const char *path = getenv("FAIL_TOLD");
  FILE *file = path && atomic_load(&calls) > 0 ? fopen(path, "w") : NULL;

  if (file) fprintf(file, "%d %d\n", atomic_load(&calls), atomic_load(&failed));
  if (file) fclose(file);
}

#define FAILING(type, name, parameters, ...)                                                       \
  type name parameters                                                                             \
  {                                                                                                \
    static type(*real) parameters;                                                                 \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                          \
    return fails(fd) ? -1 : real(__VA_ARGS__);                                                     \
  }

FAILING(ssize_t, write, (int fd, const void *data, size_t n), fd, data, n)
FAILING(ssize_t, pwrite, (int fd, const void *data, size_t n, off_t at), fd, data, n, at)
FAILING(ssize_t, pwrite64, (int fd, const void *data, size_t n, off64_t at), fd, data, n, at)
FAILING(int, ftruncate, (int fd, off_t n), fd, n)
FAILING(int, ftruncate64, (int fd, off64_t n), fd, n)

#define SYNCING(name)                                                                              \
  int name(int fd)                                                                                 \
  {                                                                                                \
    static int (*real)(int fd);                                                                    \
    char path[PATH_MAX];                                                                           \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                          \
    const int status = fails(fd) ? -1 : real(fd);                                                  \
    if (status == 0) note("sync", path_of(fd, path));                                              \
    return status;                                                                                 \
  }

SYNCING(fsync)
SYNCING(fdatasync)

int mkdir(const char *path, mode_t mode)
{
  static int (*real)(const char *path, mode_t mode);

  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "mkdir");
  const int status = real(path, mode);
  if (status == 0) note("mkdir", path);
  return status;
}
