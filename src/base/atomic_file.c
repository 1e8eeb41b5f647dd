/** A file appears whole or not at all. */
#include "atomic_file.h"
#include "base.h"
#include "plain_file.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* A link that leads nowhere stands for itself; false: the name is too long. */
static bool find_place(const char *path, const char *end, char place[])
{
  char real[PATH_MAX];
  struct stat found;
  const bool leads = lstat(path, &found) == 0 && S_ISLNK(found.st_mode) && realpath(path, real);

  return snprintf(place, PATH_MAX, "%s%s", leads ? real : path, end) < PATH_MAX;
}

sal_err sal_atomic_file_place(const char *path, char place[])
{
  if (find_place(path, "", place)) return SAL_OK;
  return sal_fail(SAL_ERR_IO, "%s: the name is too long", path);
}

sal_err sal_atomic_file_name(const char *path, char part[])
{
  if (find_place(path, ".part", part)) return SAL_OK;
  return sal_fail(SAL_ERR_IO, "%s: the name is too long", path);
}

/* Fills dir [PATH_MAX] with the directory of a path that is known to fit. */
static void directory_of(const char *path, char dir[])
{
  const char *slash = strrchr(path, '/');

  if (!slash)
    snprintf(dir, PATH_MAX, ".");
  else
    snprintf(dir, PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

sal_err sal_atomic_file_fail(const char *path)
{
  const int why = errno;
  char dir[PATH_MAX];
  struct stat found;

  directory_of(path, dir);
  if (why == ENOENT && stat(dir, &found) != 0)
    return sal_fail(SAL_ERR_IO,
                    "%s: cannot be written: the folder %s is missing; make it: mkdir -p %s", path,
                    dir, dir);
  return sal_fail(SAL_ERR_IO, "%s: cannot be written: %s", path, strerror(why));
}

/* Claims n bytes from offset `from`, the end of the file, on.  Where the file system cannot (Lustre,
 * some network ones), the file gets its length and is not written, for one process would write all
 * of it alone: then only the free space of the file system is checked, and writes may fail later. */
static int claim_room(int fd, off_t from, off_t n)
{
  struct statvfs found;
  struct stat is;

  if (n == 0 || fallocate(fd, 0, from, n) == 0) return 0;
  if (errno != EOPNOTSUPP && errno != ENOSYS) return -1;
  if (fstatvfs(fd, &found)) return -1;
  if ((double)found.f_bavail * (double)found.f_frsize < (double)n) {
    errno = ENOSPC;
    return -1;
  }
  if (fstat(fd, &is)) return -1;
  return is.st_size < from + n ? ftruncate(fd, from + n) : 0; /* what lies further on stays */
}

/* A new path.part, open for writing; -1 with errno.  An existing file is removed first and never
 * followed, since it may be a link to another file. */
static int open_new(const char *part)
{
  if (unlink(part) && errno != ENOENT) return -1;
  return open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

/* Begins path.part, open in fd or not at all. */
static sal_err fill_part(const char *path, const char *part, int fd, const void *data, size_t size,
                         int64_t room)
{
  if (fd < 0) return sal_atomic_file_fail(path);
  sal_err err = !sal_plain_file_write(fd, -1, data, size) ||
                        claim_room(fd, (off_t)size, (off_t)room) || fsync(fd)
                    ? sal_atomic_file_fail(path)
                    : SAL_OK;
  if (close(fd) && err == SAL_OK) err = sal_atomic_file_fail(path);
  if (err != SAL_OK) unlink(part);
  return err;
}

sal_err sal_atomic_file_begin(const char *path, const void *data, size_t size, int64_t room)
{
  char part[PATH_MAX];

  SAL_TRY(sal_atomic_file_name(path, part));
  return fill_part(path, part, open_new(part), data, size, room);
}

sal_err sal_atomic_file_fill(const char *path, const void *data, size_t size, int64_t room)
{
  char part[PATH_MAX];

  SAL_TRY(sal_atomic_file_name(path, part));
  return fill_part(path, part, open(part, O_WRONLY | O_NOFOLLOW | O_CLOEXEC), data, size, room);
}

/* Copies all of `from` to `to`; its size, or -1 with errno. */
static off_t copy_all(int from, int to)
{
  static char block[1 << 20];
  off_t size = 0;
  ssize_t n;

  while ((n = read(from, block, sizeof block)) != 0) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 || !sal_plain_file_write(to, -1, block, (size_t)n)) return -1;
    size += n;
  }
  return size;
}

/* A copy has the permissions of its original. */
static int keep_mode(int from, int to)
{
  struct stat found;

  return fstat(from, &found) || fchmod(to, found.st_mode & 0777) ? -1 : 0;
}

sal_err sal_atomic_file_copy(const char *path, int64_t room)
{
  char part[PATH_MAX];

  SAL_TRY(sal_atomic_file_name(path, part));
  /* not read-only, though nothing is written: a file that may not be changed is not replaced */
  const int from = open(path, O_RDWR | O_CLOEXEC);
  if (from < 0) return sal_atomic_file_fail(path);
  const int to = open_new(part);
  const off_t size = to < 0 || keep_mode(from, to) ? -1 : copy_all(from, to);
  sal_err err = size < 0 || claim_room(to, size, (off_t)room) ? sal_atomic_file_fail(path) : SAL_OK;
  if (to >= 0 && close(to) && err == SAL_OK) err = sal_atomic_file_fail(path);
  close(from);
  if (err != SAL_OK) sal_atomic_file_discard(path);
  return err;
}

/* Claims room after an open file, which is closed; its name in messages is `path`. */
static sal_err claim_after(const char *path, int fd, int64_t room)
{
  struct stat found;
  sal_err err = SAL_OK;

  if (fd < 0) return sal_atomic_file_fail(path);
  if (fstat(fd, &found)) {
    err = sal_atomic_file_fail(path);
  } else if (claim_room(fd, found.st_size, (off_t)room)) {
    err = sal_atomic_file_fail(path);
    if (ftruncate(fd, found.st_size)) err = SAL_ERR_IO; /* the reason is known already */
  }
  return close(fd) && err == SAL_OK ? sal_atomic_file_fail(path) : err;
}

sal_err sal_atomic_file_room(const char *path, int64_t room)
{
  char part[PATH_MAX];

  SAL_TRY(sal_atomic_file_name(path, part));
  return claim_after(path, open(part, O_WRONLY | O_NOFOLLOW | O_CLOEXEC), room);
}

sal_err sal_atomic_file_room_after(const char *path, int64_t room)
{
  return claim_after(path, open(path, O_WRONLY | O_CLOEXEC), room);
}

static int sync_path(const char *path, int flags)
{
  const int fd = open(path, flags | O_CLOEXEC);

  if (fd < 0) return -1;
  const int status = fsync(fd);
  const int reason = errno;
  close(fd);
  errno = reason;
  return status;
}

sal_err sal_atomic_file_sync_name(const char *path)
{
  char place[PATH_MAX], dir[PATH_MAX];

  SAL_TRY(sal_atomic_file_place(path, place));
  directory_of(place, dir);
  /* some file systems cannot sync a folder */
  return sync_path(dir, O_RDONLY | O_DIRECTORY) && errno != EINVAL ? sal_atomic_file_fail(path)
                                                                   : SAL_OK;
}

/* Brings path.part to the disk, has `move` give it its name, and brings the name to the disk. */
static sal_err commit_by(const char *path, int (*move)(const char *, const char *))
{
  char part[PATH_MAX], place[PATH_MAX];

  SAL_TRY(sal_atomic_file_name(path, part));
  SAL_TRY(sal_atomic_file_place(path, place));
  if (sync_path(part, O_RDWR | O_NOFOLLOW)) return sal_atomic_file_fail(path);
  if (move(part, place))
    return errno == EEXIST
               ? sal_fail(SAL_ERR_EXISTS, "%s: has appeared meanwhile; --force overwrites it", path)
               : sal_atomic_file_fail(path);
  return sal_atomic_file_sync_name(path);
}

/* rename, but EEXIST where there is something.  File systems that know neither way of doing this
 * at once (some network ones) leave a moment between the look and the rename. */
static int rename_to_new(const char *part, const char *path)
{
  struct stat found;

  if (renameat2(AT_FDCWD, part, AT_FDCWD, path, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (link(part, path) == 0) return unlink(part);
  if (errno == EEXIST) return -1;
  if (lstat(path, &found) == 0) {
    errno = EEXIST;
    return -1;
  }
  return rename(part, path);
}

sal_err sal_atomic_file_commit(const char *path) { return commit_by(path, rename); }

sal_err sal_atomic_file_commit_new(const char *path) { return commit_by(path, rename_to_new); }

sal_err sal_atomic_file_open(const char *path, FILE **out)
{
  char part[PATH_MAX];

  SAL_TRY(sal_atomic_file_name(path, part));
  const int fd = open_new(part);
  if (fd < 0) return sal_atomic_file_fail(path);
  *out = fdopen(fd, "w");
  if (*out) return SAL_OK;
  const sal_err err = sal_atomic_file_fail(path);
  close(fd);
  unlink(part);
  return err;
}

sal_err sal_atomic_file_close(const char *path, FILE *out)
{
  const bool bad = fflush(out) != 0 || ferror(out) != 0;

  if (fclose(out) == 0 && !bad) return sal_atomic_file_commit(path);
  const sal_err err = sal_atomic_file_fail(path);
  sal_atomic_file_discard(path);
  return err;
}

void sal_atomic_file_discard(const char *path)
{
  char part[PATH_MAX];

  if (find_place(path, ".part", part)) unlink(part);
}

sal_err sal_atomic_file_claim(const char *path, const char *output, bool force)
{
  char part[PATH_MAX], place[PATH_MAX], folder[PATH_MAX];
  struct stat found;

  if (!path[0]) return sal_fail(SAL_ERR_USAGE, "%s: the name of the file is empty", output);
  if (stat(path, &found) != 0 && lstat(path, &found) == 0)
    return sal_fail(SAL_ERR_IO, "%s: is a symbolic link %s; create that file, or name it", path,
                    errno == ELOOP ? "in a circle of links" : "to a file that does not exist");
  SAL_TRY(sal_atomic_file_name(path, part));
  SAL_TRY(sal_file_role_write(path, output));
  if (stat(path, &found) == 0) {
    if (S_ISDIR(found.st_mode)) return sal_fail(SAL_ERR_IO, "%s: is a directory", path);
    if (!S_ISREG(found.st_mode)) return sal_fail(SAL_ERR_IO, "%s: is not a regular file", path);
    if (!force) return sal_fail(SAL_ERR_EXISTS, "%s: exists; --force overwrites", path);
  }
  /* only an attempt shows whether a file can be made there: quotas, read-only mounts,
   * permissions */
  const int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EEXIST) {
    SAL_TRY(sal_atomic_file_place(path, place));
    directory_of(place, folder);
    return access(folder, W_OK | X_OK) ? sal_atomic_file_fail(path) : SAL_OK;
  }
  const sal_err err = fd < 0 || close(fd) ? sal_atomic_file_fail(path) : SAL_OK;
  if (fd >= 0) unlink(part);
  return err;
}
