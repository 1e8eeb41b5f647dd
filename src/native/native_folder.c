/** The folder of images.  A program that can write to it decides what is run, so it is the user's alone, and it has
 *  nothing but what this program has put there.
 */
#include "base.h"
#include "native_parts.h"
#include "plain_file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { MOST_BYTES = 1 << 26, MOST_IMAGES = 64 };
static const char suffix[] = ".so";

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

/* True where others could put another folder in the place of this one; the user's own group does not count. */
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
    return sal_fail(SAL_ERR_IO, "no folder for compiled models: set SALTUS_CACHE to an "
                                "absolute path");
  if (make) SAL_TRY(make_all(folder));
  if (stat(folder, &st) != 0) return fail_at(folder, "cannot be looked at");
  if (!S_ISDIR(st.st_mode)) return sal_fail(SAL_ERR_IO, "%s: is not a folder", folder);
  if (st.st_uid != geteuid())
    return sal_fail(SAL_ERR_IO, "%s: the folder is that of another user", folder);
  if (st.st_mode & (S_IWGRP | S_IWOTH) || others_may_replace(folder))
    return sal_fail(SAL_ERR_IO,
                    "%s: other users may write to the folder, or to that it is in; chmod go-w "
                    "mends it",
                    folder);
  return SAL_OK;
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
  const bool written = sal_plain_file_write(file, -1, bytes, n);
  const int saved = errno;
  if (close(file) == 0 && written) return SAL_OK;
  if (!written) errno = saved;
  return fail_at(path, "cannot be written");
}

static sal_err read_all(int file, const char *path, char **bytes, size_t *n)
{
  struct stat st;

  if (fstat(file, &st) != 0) return fail_at(path, "cannot be looked at");
  if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_mode & (S_IWGRP | S_IWOTH))
    return sal_fail(SAL_ERR_IO, "%s: is not owned by you, or others may write to it", path);
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

void sal_native_image_sum(const char *bytes, size_t n, char sum[SAL_NATIVE_KEY])
{
  const XXH128_hash_t hash = XXH3_128bits(bytes, n);

  snprintf(sum, SAL_NATIVE_KEY, "%016llx%016llx", (unsigned long long)hash.high64,
           (unsigned long long)hash.low64);
}
