/** A library to be loaded ahead of others: a file system without locks, that may be NFS, and with a quota.
 *
 *  NO_LOCKS: errno of flock and of fcntl's locks; FAKE_NFS: statfs calls all files those of NFS; QUOTA: most bytes that fallocate
 *  gives.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/vfs.h>

static bool fails(void)
{
  const char *why = getenv("NO_LOCKS");

  if (why) errno = atoi(why);
  return why != NULL;
}

int flock(int fd, int operation)
{
  static int (*real)(int, int);

  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "flock");
  return fails() ? -1 : real(fd, operation);
}

static bool is_lock(int command)
{
  return command == F_SETLK || command == F_SETLKW || command == F_GETLK ||
         command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_OFD_GETLK;
}

#define FCNTL(name)                                                                                \
  int name(int fd, int command, ...)                                                               \
  {                                                                                                \
    static int (*real)(int, int, ...);                                                             \
    va_list args;                                                                                  \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                          \
    va_start(args, command);                                                                       \
    void *argument = va_arg(args, void *);                                                         \
    va_end(args);                                                                                  \
    return is_lock(command) && fails() ? -1 : real(fd, command, argument);                         \
  }

FCNTL(fcntl)
FCNTL(fcntl64)

#define FSTATFS(name, type)                                                                        \
  int name(int fd, struct type *about)                                                             \
  {                                                                                                \
    static int (*real)(int, struct type *);                                                        \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                          \
    const int status = real(fd, about);                                                            \
    if (getenv("FAKE_NFS")) about->f_type = 0x6969;                                                \
    return status;                                                                                 \
  }

FSTATFS(fstatfs, statfs)
FSTATFS(fstatfs64, statfs64)

#define FALLOCATE(name, offset)                                                                    \
  int name(int fd, int mode, offset from, offset n)                                                \
  {                                                                                                \
    static int (*real)(int, int, offset, offset);                                                  \
    const char *most = getenv("QUOTA");                                                            \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                          \
    if (most && n > atoll(most)) {                                                                 \
      errno = EDQUOT;                                                                              \
      return -1;                                                                                   \
    }                                                                                              \
    return real(fd, mode, from, n);                                                                \
  }

FALLOCATE(fallocate, off_t)
FALLOCATE(fallocate64, off64_t)
