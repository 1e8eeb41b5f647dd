/** Links by which an object of a file may be reached. */
#include "array.h"
#include "base.h"
#include "h5.h"

static sal_err refuse(const sal_h5 *at, const char *name, const char *what)
{
  return sal_fail(SAL_ERR_INPUT, "%s: '%s' is %s; allowed: objects of this file", at->path, name,
                  what);
}

/* Does a soft link in the group lead to the object of its own name in the root group? */
static sal_err check_soft(const sal_h5 *at, const char *name, size_t size)
{
  char target[SAL_LINK_NAME];
  const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;

  if (size > sizeof target) return refuse(at, name, "a link");
  SAL_TRY_H5(at, H5Lget_val(at->id, name, target, sizeof target, H5P_DEFAULT));
  target[sizeof target - 1] = '\0';
  if (target[0] == '/' && strcmp(target + 1, last) == 0) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: '%s' is a link to '%s'; allowed: to '/%s'", at->path, name,
                  target, last);
}

static sal_err check_one(const sal_h5 *at, const char *name)
{
  H5L_info_t about;

  SAL_TRY_H5(at, H5Lget_info(at->id, name, &about, H5P_DEFAULT));
  if (about.type == H5L_TYPE_HARD) return SAL_OK;
  if (about.type == H5L_TYPE_SOFT) return check_soft(at, name, about.u.val_size);
  return refuse(at, name,
                about.type == H5L_TYPE_EXTERNAL ? "a link to another file"
                                                : "a link of a kind that is not HDF5's own");
}

sal_err sal_link_check(const sal_h5 *at, const char *name)
{
  char group[SAL_LINK_NAME];
  const char *slash = strchr(name + (*name == '/'), '/');

  if (slash) {
    snprintf(group, sizeof group, "%.*s", (int)(slash - name), name);
    SAL_TRY(check_one(at, group));
  }
  return check_one(at, name);
}

sal_err sal_link_is_soft(const sal_h5 *at, const char *name, bool *soft)
{
  H5L_info_t about;

  SAL_TRY_H5(at, H5Lget_info(at->id, name, &about, H5P_DEFAULT));
  *soft = about.type == H5L_TYPE_SOFT;
  return SAL_OK;
}

sal_err sal_link_has_group(const sal_h5 *at, const char *name, bool *there)
{
  H5L_info_t about;
  H5O_info_t object;

  SAL_TRY(sal_h5_has(at, name, there));
  if (!*there) return SAL_OK;
  SAL_TRY_H5(at, H5Lget_info(at->id, name, &about, H5P_DEFAULT));
  if (about.type != H5L_TYPE_HARD) return refuse(at, name, "a link");
  SAL_TRY_H5(at, H5Oget_info_by_name2(at->id, name, &object, H5O_INFO_BASIC, H5P_DEFAULT));
  return object.type == H5O_TYPE_GROUP ? SAL_OK : refuse(at, name, "no group");
}

typedef struct {
  int64_t n, room;
  bool starved; /* no memory for a name, which HDF5 would report as its own failure */
  char **name;
} list;

static bool add_name(list *l, const char *name)
{
  char **more = sal_array_grow(l->name, l->n, 2, &l->room, sizeof *more);

  if (more) l->name = more; /* the last one stays NULL */
  l->starved = !more || !(more[l->n] = sal_text_copy(name));
  if (!l->starved) ++l->n;
  return !l->starved;
}

static herr_t take_link(hid_t group, const char *name, const H5L_info_t *about, void *with)
{
  (void)group, (void)about;
  return add_name(with, name) ? 0 : -1;
}

static herr_t take_attribute(hid_t at, const char *name, const H5A_info_t *about, void *with)
{
  (void)at, (void)about;
  return add_name(with, name) ? 0 : -1;
}

static int by_name(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static sal_err end_list(const sal_h5 *file, herr_t done, const list *l, int *n, char ***name)
{
  *n = (int)l->n;
  *name = l->name;
  if (l->starved) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", file->path);
  SAL_TRY_H5(file, done);
  if (l->n) qsort(l->name, (size_t)l->n, sizeof *l->name, by_name);
  return SAL_OK;
}

sal_err sal_link_list(const sal_h5 *group, int *n, char ***name)
{
  list l = {0};
  const herr_t done = H5Literate(group->id, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, take_link, &l);

  return end_list(group, done, &l, n, name);
}

sal_err sal_link_attributes(const sal_h5 *file, hid_t at, int *n, char ***name)
{
  list l = {0};
  const herr_t done = H5Aiterate2(at, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, take_attribute, &l);

  return end_list(file, done, &l, n, name);
}
