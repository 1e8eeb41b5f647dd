/** Files with shared pointers that no run will remove. */
#include "atomic_file.h"
#include "base.h"
#include "hints.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

/* The process that has made a file of this name for `part`; 0 where it is not such a name. */
static int maker_of(const char *name, const char *part)
{
  const size_t n = strlen(part);
  char same[PATH_MAX];
  unsigned job;
  int process;

  if (strncmp(name, part, n) != 0 || sscanf(name + n, "-%u-%d", &job, &process) != 2) return 0;
  snprintf(same, sizeof same, "%s-%u-%d.lock", part, job, process);
  return process > 0 && strcmp(name, same) == 0 ? process : 0;
}

static bool is_left(int folder, const char *name, const char *part)
{
  const int process = maker_of(name, part);
  struct stat found;

  if (process == 0 || kill(process, 0) == 0 || errno != ESRCH) return false;
  return fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(found.st_mode) &&
         found.st_uid == geteuid() && found.st_size <= (off_t)sizeof(long long); /* an offset */
}

void sal_left_pointers_remove(const char *path)
{
  char part[PATH_MAX], folder[PATH_MAX] = ".";
  const struct dirent *entry;

  if (sal_atomic_file_name(path, part) != SAL_OK) {
    sal_err_clear();
    return;
  }
  const char *slash = strrchr(part, '/'), *name = slash ? slash + 1 : part;
  if (slash) snprintf(folder, sizeof folder, "%.*s", (int)(name - part), part);
  DIR *list = opendir(folder);
  while (list && (entry = readdir(list)))
    if (is_left(dirfd(list), entry->d_name, name)) (void)unlinkat(dirfd(list), entry->d_name, 0);
  if (list) closedir(list);
}
