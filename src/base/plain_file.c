/** Plain files, opened for reading. */
#include "plain_file.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode)
{
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

sal_err sal_plain_file_open(const char *path, const char *what, int *fd)
{
  struct stat about;

  *fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (*fd >= 0 && fstat(*fd, &about) == 0 && S_ISREG(about.st_mode)) {
    const sal_err err = sal_file_role_read(*fd, path);
    if (err == SAL_OK) return SAL_OK;
    close(*fd);
    *fd = -1;
    return err;
  }
  if (*fd < 0 && (errno != ENXIO || stat(path, &about))) /* ENXIO: a socket */
    return sal_fail(SAL_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
  if (*fd >= 0) close(*fd);
  *fd = -1;
  return sal_fail(SAL_ERR_INPUT, "%s: is %s; %s is expected, as a plain file", path,
                  kind_of(about.st_mode), what);
}

bool sal_plain_file_is_folder(const char *path)
{
  struct stat about;

  return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool sal_plain_file_is_hdf5(const char *path)
{
  char first[4] = "";
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

  if (fd < 0) return false;
  const ssize_t n = read(fd, first, sizeof first);
  close(fd);
  return n == sizeof first && memcmp(first, "\211HDF", sizeof first) == 0;
}

sal_err sal_plain_file_check(const char *path, const char *what)
{
  int fd;

  SAL_TRY(sal_plain_file_open(path, what, &fd));
  close(fd);
  return SAL_OK;
}

bool sal_plain_file_write(int fd, int64_t at, const void *bytes, size_t n)
{
  for (size_t done = 0; done < n;) {
    const char *from = (const char *)bytes + done;
    const ssize_t part = at < 0 ? write(fd, from, n - done)
                                : pwrite(fd, from, n - done, (off_t)(at + (int64_t)done));
    if (part < 0 && errno == EINTR) continue;
    if (part == 0) errno = ENOSPC;
    if (part <= 0) return false;
    done += (size_t)part;
  }
  return true;
}
