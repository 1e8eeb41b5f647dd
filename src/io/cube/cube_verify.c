/** Is a cube what was written, values aside? */
#include "array.h"
#include "block_sums.h"
#include "cube_open.h"
#include "group_seal.h"
#include "map_frame.h"
#include <stdio.h>

const char *const sal_cube_verify_groups[SAL_CUBE_GROUPS] = {"", SAL_AXES_GROUP, SAL_BLOCK_GROUP,
                                                             SAL_MAP_GROUP, SAL_STORED_GROUP};

/* Groups that come and go in a sealed root group. */
static const char *const added[] = {SAL_MAP_GROUP, SAL_STORED_GROUP, NULL};
static const char *const none[] = {NULL};

static sal_err open_group(const sal_h5 *file, const char *name, sal_h5 *group)
{
  *group = (sal_h5){.id = -1, .path = file->path};
  SAL_TRY_H5(file, group->id = H5Gopen2(file->id, *name ? name : "/", H5P_DEFAULT));
  return SAL_OK;
}

static sal_err verify_group(const sal_h5 *file, const char *name, sal_text *foreign)
{
  sal_h5 group;
  char in[SAL_LINK_NAME];

  SAL_TRY(open_group(file, name, &group));
  snprintf(in, sizeof in, "%s%s", name, *name ? "/" : "");
  const sal_err err = sal_group_seal_verify(&group, in, *name ? none : added, foreign);
  H5Gclose(group.id);
  return err;
}

sal_err sal_cube_verify(const sal_h5 *file, bool there[], sal_text *foreign)
{
  there[SAL_CUBE_ROOT] = true;
  for (int i = 0; i < SAL_CUBE_GROUPS; ++i) {
    const char *name = sal_cube_verify_groups[i];
    if (*name) SAL_TRY(sal_link_has_group(file, name, &there[i]));
    if (there[i]) SAL_TRY(verify_group(file, name, foreign));
  }
  return foreign->lost ? sal_h5_full(file) : SAL_OK;
}

/* The groups that have been added to the root group are among its objects. */
static sal_err add_groups(const sal_h5 *file, int *n, char ***object)
{
  int64_t room = *n;
  char **more = sal_array_grow(*object, *n, SAL_CUBE_GROUPS, &room, sizeof *more);
  bool there;

  if (!more) return sal_h5_full(file);
  *object = more;
  for (int i = 0; added[i]; ++i) {
    SAL_TRY(sal_h5_has(file, added[i], &there));
    if (!there) continue;
    if (!(more[*n] = sal_text_copy(added[i]))) return sal_h5_full(file);
    ++*n;
  }
  return SAL_OK;
}

sal_err sal_cube_verify_objects(const sal_h5 *file, const char *name, int *n, char ***object)
{
  sal_h5 group;

  *n = 0;
  *object = NULL;
  SAL_TRY(open_group(file, name, &group));
  sal_err err = sal_group_seal_objects(&group, n, object);
  if (err == SAL_OK && !*name) err = add_groups(file, n, object);
  H5Gclose(group.id);
  return err;
}
