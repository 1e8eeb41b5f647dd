/** Names of journals, and what lies in a folder. */
#include "array.h"
#include "atomic_file.h"
#include "base.h"
#include "journal_private.h"
#include "quantiles.h"
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HUNDRED = 100 };

typedef struct {
  sal_journal_name **name;
  int64_t *n, *room;
  int64_t folder;
} name_list;

sal_err sal_journal_name_fail(const char *path, const char *what)
{
  return sal_fail(SAL_ERR_IO, "%s: cannot be %s: %s", path, what, strerror(errno));
}

static sal_err check_length(const char *folder, int length)
{
  return length < PATH_MAX ? SAL_OK : sal_fail(SAL_ERR_IO, "%s: the name is too long", folder);
}

static sal_err hundred_path(const char *folder, int64_t number, char path[])
{
  return check_length(folder,
                      snprintf(path, PATH_MAX, "%s/%02lld", folder, (long long)(number / HUNDRED)));
}

sal_err sal_journal_name_path(const char *folder, const sal_journal_name *name, char path[])
{
  char hundred[PATH_MAX];

  SAL_TRY(hundred_path(folder, name->number, hundred));
  return check_length(folder,
                      snprintf(path, PATH_MAX, "%s/%04lld.sal", hundred, (long long)name->number));
}

sal_err sal_journal_name_make_hundred(const char *folder, const sal_journal_name *name)
{
  char path[PATH_MAX];

  SAL_TRY(hundred_path(folder, name->number, path));
  if (mkdir(path, 0777) == 0) return sal_atomic_file_sync_name(path);
  return errno == EEXIST ? SAL_OK : sal_journal_name_fail(path, "made");
}

void sal_journal_name_drop_hundred(const char *folder, const sal_journal_name *name)
{
  char path[PATH_MAX];

  if (hundred_path(folder, name->number, path) == SAL_OK)
    rmdir(path); /* fails, as it should, when there is something in it */
}

/* A whole number at *text, which moves after it; -1: none. */
static int64_t take_number(const char **text)
{
  char *end;
  const long long n = (*text)[0] >= '0' && (*text)[0] <= '9' ? strtoll(*text, &end, 10) : -1;

  if (n < 0 || n >= INT_MAX) return -1;
  *text = end;
  return n;
}

/* Is a file named like a journal? */
static bool parse_name(const char *text, sal_journal_name *name)
{
  name->number = take_number(&text);
  return name->number >= 0 && strcmp(text, ".sal") == 0;
}

static sal_err add_name(name_list *list, sal_journal_name name)
{
  sal_journal_name *all = sal_array_grow(*list->name, *list->n, 1, list->room, sizeof *all);

  if (!all) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of journals");
  *list->name = all;
  name.folder = list->folder;
  all[(*list->n)++] = name;
  return SAL_OK;
}

static sal_err list_hundred(name_list *list, const char *folder, const char *hundred)
{
  char path[PATH_MAX];
  sal_err err = SAL_OK;

  SAL_TRY(check_length(folder, snprintf(path, sizeof path, "%s/%s", folder, hundred)));
  DIR *dir = opendir(path);
  if (!dir) /* a file, or a folder that a run has just removed */
    return errno == ENOTDIR || errno == ENOENT ? SAL_OK : sal_journal_name_fail(path, "read");
  for (const struct dirent *e; err == SAL_OK && (e = readdir(dir));) {
    sal_journal_name name = {0};
    if (parse_name(e->d_name, &name)) err = add_name(list, name);
  }
  closedir(dir);
  return err;
}

static sal_err list_entry(name_list *list, const char *folder, const char *entry)
{
  const char *rest = entry;

  return take_number(&rest) >= 0 && !*rest ? list_hundred(list, folder, entry) : SAL_OK;
}

sal_err sal_journal_name_list(const char *folder, int64_t f, sal_journal_name **name, int64_t *n,
                              int64_t *room)
{
  name_list list = {name, n, room, f};
  const int64_t before = *n;
  DIR *dir = opendir(folder);
  sal_err err = SAL_OK;

  if (!dir) return sal_journal_name_fail(folder, "read");
  for (const struct dirent *e; err == SAL_OK && (e = readdir(dir));)
    err = list_entry(&list, folder, e->d_name);
  closedir(dir);
  if (*n > before) sal_quantiles_sort_pairs(*n - before, sizeof **name, *name + before);
  return err;
}

sal_err sal_journal_name_set_aside(const char *path)
{
  char to[PATH_MAX];

  for (int i = 1; i < 1000; ++i) {
    char more[16] = "";
    if (i > 1) snprintf(more, sizeof more, "-%d", i);
    if (snprintf(to, sizeof to, "%s" SAL_JOURNAL_ASIDE "%s", path, more) >= (int)sizeof to) break;
    if (access(to, F_OK) == 0) continue;
    return rename(path, to) ? sal_journal_name_fail(path, "renamed") : SAL_OK;
  }
  return sal_fail(SAL_ERR_IO, "%s: its head is damaged, and no unused name is left to set it aside",
                  path);
}
