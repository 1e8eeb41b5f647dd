/** @file src/native/native_folder.c
 *  The folder of images.  A program that can write to it decides what is run, so it is the user's alone, and it has
 *  nothing but what this program has put there.
 */
#include "memory.h"
#include "native_parts.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  MOST_BYTES = 1 << 26,
  MOST_IMAGES = 64,
  DEPTH = 3 /* of folders in one that is worked in */
};
static const char working[] = "saltus-build.", mark[] = "saltus-build", suffix[] = ".so";
static const char marked[] =
    "saltus has made this folder to compile in it, and removes it once that has ended.\n";

/* ---- finding it ---- */

static sal_err fail_at(const char *path, const char *what)
{
  return sal_fail(SAL_ERR_IO, "%s: %s: %s", path, what, strerror(errno));
}

static bool named(char folder[PATH_MAX], const char *variable, const char *below)
{
  const char *value = getenv(variable);

  return value && *value == '/' && snprintf(folder, PATH_MAX, "%s%s", value, below) < PATH_MAX - 64;
}

/* Makes what is missing of a path. */
static sal_err make_all(const char *folder)
{
  char path[PATH_MAX];

  snprintf(path, sizeof path, "%s", folder);
  for (char *at = path + 1; *at; ++at) {
    if (*at != '/') continue;
    *at = '\0';
    if (mkdir(path, 0700) != 0 && errno != EEXIST) return fail_at(path, "cannot be made");
    *at = '/';
  }
  if (mkdir(path, 0700) != 0 && errno != EEXIST) return fail_at(path, "cannot be made");
  return SAL_OK;
}

/* Could others put another folder in the place of this one?  A group that is the user's own is no other. */
static bool others_may_replace(const char *folder)
{
  struct stat st;
  char parent[PATH_MAX];

  snprintf(parent, sizeof parent, "%.*s", (int)(strrchr(folder, '/') - folder), folder);
  if (stat(*parent ? parent : "/", &st) != 0 || st.st_mode & S_ISVTX) return false;
  return st.st_mode & S_IWOTH || (st.st_mode & S_IWGRP && st.st_gid != getegid());
}

sal_err sal_native_folder_find(bool make, char folder[PATH_MAX])
{
  struct stat st;

  if (!named(folder, "SALTUS_CACHE", "/saltus") && !named(folder, "XDG_CACHE_HOME", "/saltus") &&
      !named(folder, "HOME", "/.cache/saltus"))
    return sal_fail(SAL_ERR_IO, "there is no folder to keep what is compiled: SALTUS_CACHE names "
                                "one, from the root");
  if (make) SAL_TRY(make_all(folder));
  if (stat(folder, &st) != 0) return fail_at(folder, "cannot be looked at");
  if (!S_ISDIR(st.st_mode)) return sal_fail(SAL_ERR_IO, "%s: this is no folder", folder);
  if (st.st_uid != geteuid())
    return sal_fail(SAL_ERR_IO, "%s: the folder is that of another user", folder);
  if (st.st_mode & (S_IWGRP | S_IWOTH) || others_may_replace(folder))
    return sal_fail(SAL_ERR_IO,
                    "%s: other users may write to the folder, or to that it is in; chmod go-w "
                    "mends it",
                    folder);
  return SAL_OK;
}

/* ---- working in it ---- */

/* Removes what a folder has, its mark last: a kill meanwhile leaves a folder that is still marked. */
static void remove_all(int at, const char *name, int depth)
{
  const int fd = depth > 0 ? openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
  DIR *folder = fd < 0 ? NULL : fdopendir(fd);

  for (const struct dirent *e; folder && (e = readdir(folder));) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || strcmp(e->d_name, mark) == 0)
      continue;
    if (unlinkat(fd, e->d_name, 0) != 0) remove_all(fd, e->d_name, depth - 1);
  }
  if (folder) unlinkat(fd, mark, 0);
  if (folder) closedir(folder);
  if (fd >= 0 && !folder) close(fd);
  unlinkat(at, name, AT_REMOVEDIR);
}

/* The lock on the mark of a folder that a process of this user has made and has left by ending; or -1. */
static int take_over(int at, const char *name)
{
  char path[NAME_MAX + sizeof mark + 1], found[sizeof marked];
  struct stat st;

  if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(st.st_mode)) return -1;
  snprintf(path, sizeof path, "%s/%s", name, mark);
  const int lock = openat(at, path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (lock >= 0 && fstat(lock, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
      pread(lock, found, sizeof found, 0) == sizeof marked - 1 &&
      memcmp(found, marked, sizeof marked - 1) == 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
    return lock;
  if (lock >= 0) close(lock);
  return -1;
}

/* What a run that was killed has left. */
static void remove_abandoned(const char *path)
{
  DIR *folder = opendir(path);

  for (const struct dirent *e; folder && (e = readdir(folder));) {
    if (strncmp(e->d_name, working, strlen(working)) != 0) continue;
    const int lock = take_over(dirfd(folder), e->d_name);
    if (lock < 0) continue;
    remove_all(dirfd(folder), e->d_name, DEPTH);
    close(lock);
  }
  if (folder) closedir(folder);
}

/* Marks a folder as made by this process, which holds the lock until it ends.  The mark gets its name once it is locked.  Where the
 * file system has no locks there is no mark, and no other process removes the folder. */
static sal_err put_mark(sal_native_work *work)
{
  char fresh[PATH_MAX + 16], name[PATH_MAX + 16];

  snprintf(fresh, sizeof fresh, "%s/mark", work->path);
  snprintf(name, sizeof name, "%s/%s", work->path, mark);
  work->lock = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (work->lock < 0 || write(work->lock, marked, sizeof marked - 1) != (ssize_t)sizeof marked - 1)
    return fail_at(fresh, "cannot be written");
  if (flock(work->lock, LOCK_EX | LOCK_NB) == 0 && rename(fresh, name) != 0)
    return fail_at(name, "cannot be written");
  return SAL_OK;
}

sal_err sal_native_folder_open(const char *folder, sal_native_work *work)
{
  work->lock = -1;
  remove_abandoned(folder);
  if (snprintf(work->path, PATH_MAX, "%s/%sXXXXXX", folder, working) >= PATH_MAX)
    return sal_fail(SAL_ERR_IO, "%s: the name is too long", folder);
  if (mkdtemp(work->path)) return put_mark(work);
  work->path[0] = '\0';
  return fail_at(folder, "no folder can be made in it");
}

void sal_native_folder_close(sal_native_work *work)
{
  if (work->path[0]) remove_all(AT_FDCWD, work->path, DEPTH);
  if (work->lock >= 0) close(work->lock);
  *work = (sal_native_work){.lock = -1};
}

sal_err sal_native_folder_write(const char *work, const char *name, const char *bytes, size_t n)
{
  char path[PATH_MAX];
  const char *slash = strchr(name, '/');

  if (slash) {
    snprintf(path, sizeof path, "%s/%.*s", work, (int)(slash - name), name);
    if (mkdir(path, 0700) != 0 && errno != EEXIST) return fail_at(path, "cannot be made");
  }
  if (snprintf(path, sizeof path, "%s/%s", work, name) >= (int)sizeof path)
    return sal_fail(SAL_ERR_IO, "%s: the name is too long", work);
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return fail_at(path, "cannot be written");
  while (n > 0) {
    const ssize_t written = write(file, bytes, n);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    bytes += written;
    n -= (size_t)written;
  }
  const int saved = errno;
  if (close(file) == 0 && n == 0) return SAL_OK;
  if (n > 0) errno = saved;
  return fail_at(path, "cannot be written");
}

/* ---- what is kept ---- */

static sal_err read_all(int file, const char *path, char **bytes, size_t *n)
{
  struct stat st;

  if (fstat(file, &st) != 0) return fail_at(path, "cannot be looked at");
  if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_mode & (S_IWGRP | S_IWOTH))
    return sal_fail(SAL_ERR_IO, "%s: this is no file of the user's alone", path);
  if (st.st_size > MOST_BYTES)
    return sal_fail(SAL_ERR_IO, "%s: %lld bytes; allowed: %d", path, (long long)st.st_size,
                    MOST_BYTES);
  *bytes = sal_alloc((size_t)st.st_size + 1, 1);
  if (!*bytes) return sal_fail(SAL_ERR_MEMORY, "out of memory");
  while (*n < (size_t)st.st_size) {
    const ssize_t got = read(file, *bytes + *n, (size_t)st.st_size - *n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    *n += (size_t)got;
  }
  return SAL_OK;
}

sal_err sal_native_folder_read(const char *folder, const char *name, char **bytes, size_t *n)
{
  char path[PATH_MAX];

  *bytes = NULL;
  *n = 0;
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
    return sal_fail(SAL_ERR_IO, "%s: the name is too long", folder);
  const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return errno == ENOENT ? SAL_OK : fail_at(path, "cannot be read");
  const sal_err err = read_all(file, path, bytes, n);
  close(file);
  return err;
}

/* How many images there are, and the name of the oldest. */
static int look_for_oldest(const char *path, char oldest[NAME_MAX + 1])
{
  char child[PATH_MAX];
  time_t first = 0;
  struct stat st;
  int n = 0;
  DIR *folder = opendir(path);

  for (const struct dirent *e; folder && (e = readdir(folder));) {
    const size_t length = strlen(e->d_name);
    if (length != SAL_NATIVE_KEY - 1 + strlen(suffix) ||
        strcmp(e->d_name + SAL_NATIVE_KEY - 1, suffix) != 0)
      continue;
    if (snprintf(child, sizeof child, "%s/%s", path, e->d_name) >= (int)sizeof child) continue;
    if (lstat(child, &st) != 0) continue;
    if (n++ > 0 && st.st_mtime >= first) continue;
    first = st.st_mtime;
    snprintf(oldest, NAME_MAX + 1, "%s", e->d_name);
  }
  if (folder) closedir(folder);
  return n;
}

sal_err sal_native_folder_keep(const char *folder, const char *work, const char *name)
{
  char from[PATH_MAX], to[PATH_MAX], oldest[NAME_MAX + 1];

  while (look_for_oldest(folder, oldest) >= MOST_IMAGES) {
    if (snprintf(to, sizeof to, "%s/%s", folder, oldest) >= (int)sizeof to || unlink(to) != 0)
      break;
  }
  if (snprintf(from, sizeof from, "%s/%s", work, name) >= (int)sizeof from ||
      snprintf(to, sizeof to, "%s/%s", folder, name) >= (int)sizeof to)
    return sal_fail(SAL_ERR_IO, "%s: the name is too long", folder);
  return rename(from, to) == 0 ? SAL_OK : fail_at(to, "cannot be written");
}
