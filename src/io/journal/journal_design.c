/** Cells that a sweep has from a file (design.h), beside its journals. */
#include "atomic_file.h"
#include "base.h"
#include "design.h"
#include "journal_private.h"
#include "plain_file.h"
#include <dirent.h>
#include <errno.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x3f81c06d9be254a7)
#define PREFIX "design-"

typedef struct {
  uint64_t magic;
  int64_t n_column, n_point;
} design_head;

static sal_err path_of(const char *folder, const char *sum, char path[])
{
  return snprintf(path, PATH_MAX, "%s/" PREFIX "%s", folder, sum) < PATH_MAX
             ? SAL_OK
             : sal_fail(SAL_ERR_IO, "%s: the name is too long", folder);
}

/* Opens a file of ours; *file stays NULL where it is none, and none of ours. */
static sal_err open_design(const char *path, FILE **file, design_head *head)
{
  int fd;

  *file = NULL;
  SAL_TRY(sal_plain_file_open(path, "a file of cells", &fd));
  FILE *opened = fdopen(fd, "rb");
  if (!opened) close(fd);
  if (!opened) return sal_journal_name_fail(path, "read");
  if (fread(head, sizeof *head, 1, opened) == 1 && head->magic == MAGIC)
    *file = opened;
  else
    fclose(opened);
  return SAL_OK;
}

sal_err sal_journal_design_keep(const char *folder, const sal_sweep *sweep)
{
  const sal_design *d = sweep->design;
  char path[PATH_MAX];
  FILE *file;

  if (!d) return SAL_OK;
  SAL_TRY(path_of(folder, d->sum, path));
  if (access(path, F_OK) == 0) return SAL_OK;
  const design_head head = {MAGIC, d->n_column, d->n_point};
  SAL_TRY(sal_atomic_file_open(path, &file));
  fwrite(&head, sizeof head, 1, file);
  fwrite(d->value, sizeof *d->value, (size_t)(d->n_point * d->n_column), file);
  return sal_atomic_file_close(path, file);
}

static sal_err read_values(const char *path, FILE *file, const design_head *head,
                           const sal_design_lack *lack)
{
  if (head->n_point != lack->n_point || head->n_column != lack->n_column)
    return sal_fail(SAL_ERR_IO, "%s: holds other cells than its journals", path);
  sal_design *d = sal_design_create(lack->n_column, lack->n_point);
  if (!d) return sal_fail(SAL_ERR_MEMORY, "%s: no memory for its cells", path);
  const size_t n = (size_t)(d->n_point * d->n_column);
  if (fread(d->value, sizeof *d->value, n, file) == n) return sal_design_give(path, lack, &d);
  sal_design_drop(&d);
  return sal_fail(SAL_ERR_IO, "%s: is cut off", path);
}

sal_err sal_journal_design_give(const char *folder, const char *text)
{
  SAL_OWN_BY(sal_design_lack_free) sal_design_lack lack;
  design_head head;
  char path[PATH_MAX];
  FILE *file = NULL;

  SAL_TRY(sal_design_find_lack(text, &lack));
  if (lack.n_point == 0) return SAL_OK;
  SAL_TRY(path_of(folder, lack.sum, path));
  SAL_TRY(open_design(path, &file, &head));
  if (!file) return sal_fail(SAL_ERR_IO, "%s: does not hold the cells of its journals", path);
  const sal_err err = read_values(path, file, &head, &lack);
  fclose(file);
  return err;
}

static void remove_file(const char *folder, const char *name)
{
  char path[PATH_MAX];
  design_head head;
  FILE *file = NULL;

  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return;
  if (open_design(path, &file, &head) != SAL_OK) sal_err_clear();
  if (!file) return; /* somebody else's of such a name */
  fclose(file);
  unlink(path);
}

void sal_journal_design_remove(const char *folder)
{
  DIR *dir = opendir(folder);

  for (const struct dirent *e; dir && (e = readdir(dir));)
    if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) == 0) remove_file(folder, e->d_name);
  if (dir) closedir(dir);
}
