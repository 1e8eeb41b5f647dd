/** Names of journals, and what lies in a folder. */
#include "array.h"
#include "base.h"
#include "journal_private.h"
#include "quantiles.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <unistd.h>

sal_err sal_journal_name_fail(const char *path, const char *what)
{
  return sal_fail(SAL_ERR_IO, "%s: cannot be %s: %s", path, what, strerror(errno));
}

sal_err sal_journal_name_path(const char *folder, const sal_journal_name *name, char path[])
{
  return snprintf(path, PATH_MAX, "%s/%04lld.sal", folder, (long long)name->number) < PATH_MAX
             ? SAL_OK
             : sal_fail(SAL_ERR_IO, "%s: the name is too long", folder);
}

/* Has this file, or this folder, the name of a journal? */
static bool parse_name(const char *text, const char *suffix, sal_journal_name *name)
{
  char *end;

  if (text[0] < '0' || text[0] > '9') return false;
  name->number = strtoll(text, &end, 10);
  return name->number < INT_MAX && strcmp(end, suffix) == 0;
}

static sal_err refuse_older(const char *folder, const char *entry)
{
  return sal_fail(SAL_ERR_INPUT,
                  "%s/%s: a folder of journals of format 5 or before, which this program does not "
                  "read; go on with the program that began the run, or remove it",
                  folder, entry);
}

static sal_err add_name(sal_journal_name found, sal_journal_name **name, int64_t *n, int64_t *room)
{
  sal_journal_name *all = sal_array_grow(*name, *n, 1, room, sizeof *all);

  if (!all) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of journals");
  *name = all;
  all[(*n)++] = found;
  return SAL_OK;
}

sal_err sal_journal_name_list(const char *folder, int64_t f, sal_journal_name **name, int64_t *n,
                              int64_t *room)
{
  const int64_t before = *n;
  DIR *dir = opendir(folder);
  sal_err err = SAL_OK;

  if (!dir) return sal_journal_name_fail(folder, "read");
  for (const struct dirent *e; err == SAL_OK && (e = readdir(dir));) {
    sal_journal_name found = {.folder = f};
    if (parse_name(e->d_name, ".sal", &found)) err = add_name(found, name, n, room);
    if (parse_name(e->d_name, "", &found)) err = refuse_older(folder, e->d_name);
  }
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
