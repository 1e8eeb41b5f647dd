/** The files of a command. */
#include "base.h"
#include "plain_file.h"
#include <limits.h>
#include <sys/stat.h>

enum { MOST = 256 /* of them; a sweep names a model, its tables and some solvers */ };

typedef struct {
  dev_t device;
  ino_t inode;
  char name[NAME_MAX + 1]; /* in the folder of that inode; "": the file itself */
  const char *output;      /* what is written there; NULL: it is read */
} role;

static _Thread_local struct {
  bool begun;
  int n;
  role role[MOST];
} list;

void sal_file_role_begin(void)
{
  list.begun = true;
  list.n = 0;
}

static bool is_same(const role *a, const role *b)
{
  return a->device == b->device && a->inode == b->inode && strcmp(a->name, b->name) == 0;
}

/* Adds it, unless it conflicts. */
static sal_err note(const role *r, const char *path)
{
  for (int i = 0; i < list.n; ++i) {
    const role *other = &list.role[i];
    if (!is_same(other, r) || (!other->output && !r->output)) continue;
    if (!other->output || !r->output)
      return sal_fail(SAL_ERR_USAGE,
                      "%s: %s would overwrite a file that this command reads; choose another file",
                      path, r->output ? r->output : other->output);
    if (strcmp(other->output, r->output) != 0)
      return sal_fail(SAL_ERR_USAGE,
                      "%s: %s and %s write the same file; choose another file for one of them",
                      path, other->output, r->output);
  }
  if (list.n < MOST) list.role[list.n++] = *r;
  return SAL_OK;
}

sal_err sal_file_role_read(int fd, const char *path)
{
  struct stat is;

  if (!list.begun || fstat(fd, &is) != 0) return SAL_OK;
  return note(&(role){.device = is.st_dev, .inode = is.st_ino}, path);
}

sal_err sal_file_role_read_at(const char *path)
{
  struct stat is;

  if (!list.begun || stat(path, &is) != 0) return SAL_OK;
  return note(&(role){.device = is.st_dev, .inode = is.st_ino}, path);
}

/* By its place: it may not be there yet. */
static sal_err note_place(const char *path, const char *output)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  char folder[PATH_MAX] = ".";
  role r = {.output = output};
  struct stat is;

  if (slash) snprintf(folder, sizeof folder, "%.*s", (int)(slash == path ? 1 : slash - path), path);
  if (stat(folder, &is) != 0) return SAL_OK; /* the attempt to write it reports that */
  r.device = is.st_dev;
  r.inode = is.st_ino;
  snprintf(r.name, sizeof r.name, "%s", name);
  return note(&r, path);
}

sal_err sal_file_role_write(const char *path, const char *output)
{
  struct stat is;

  if (!list.begun) return SAL_OK;
  SAL_TRY(note_place(path, output));
  if (stat(path, &is) != 0) return SAL_OK;
  return note(&(role){.device = is.st_dev, .inode = is.st_ino, .output = output}, path);
}
