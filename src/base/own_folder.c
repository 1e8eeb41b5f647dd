/** Folders that bear a mark. */
#include "base.h"
#include "environment.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH = 8 /* of folders in it */ };
static const char mark[] = "made-by-saltus";
static const char marked[] =
    "saltus has made this folder to work in, and removes it once its process has ended.\n";

static sal_err fail_at(const char *path, const char *what)
{
  return sal_fail(SAL_ERR_IO, "%s: %s: %s", path, what, strerror(errno));
}

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

/* Removes folders left by a run that was killed. */
static void remove_abandoned(const char *path, const char *prefix)
{
  DIR *folder = opendir(path);

  for (const struct dirent *e; folder && (e = readdir(folder));) {
    if (strncmp(e->d_name, prefix, strlen(prefix)) != 0) continue;
    const int lock = take_over(dirfd(folder), e->d_name);
    if (lock < 0) continue;
    remove_all(dirfd(folder), e->d_name, DEPTH);
    close(lock);
  }
  if (folder) closedir(folder);
}

/* Marks a folder as made by this process, which holds the lock until it ends.  The mark gets its name once it is locked.  Where the
 * file system has no locks no mark is made, and no other process removes the folder. */
static sal_err put_mark(sal_own_folder *f)
{
  char fresh[PATH_MAX + 16], name[PATH_MAX + 16];

  snprintf(fresh, sizeof fresh, "%s/mark", f->path);
  snprintf(name, sizeof name, "%s/%s", f->path, mark);
  f->lock = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (f->lock < 0 || write(f->lock, marked, sizeof marked - 1) != (ssize_t)sizeof marked - 1)
    return fail_at(fresh, "cannot be written");
  if (flock(f->lock, LOCK_EX | LOCK_NB) == 0 && rename(fresh, name) != 0)
    return fail_at(name, "cannot be written");
  return SAL_OK;
}

sal_err sal_own_folder_open(const char *in, const char *prefix, sal_own_folder *f)
{
  f->lock = -1;
  remove_abandoned(in, prefix);
  if (snprintf(f->path, PATH_MAX, "%s/%sXXXXXX", in, prefix) >= PATH_MAX) {
    f->path[0] = '\0';
    return sal_fail(SAL_ERR_IO, "%s: the name is too long", in);
  }
  if (mkdtemp(f->path)) return put_mark(f);
  f->path[0] = '\0';
  return fail_at(in, "no folder can be made in it");
}

void sal_own_folder_close(sal_own_folder *f)
{
  if (f->path[0]) remove_all(AT_FDCWD, f->path, DEPTH);
  if (f->lock >= 0) close(f->lock);
  *f = (sal_own_folder){.lock = -1};
}
