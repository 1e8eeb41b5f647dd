/** Are the values of a cube those that were written? */
#include "block_sums.h"
#include "cube_info.h"
#include "cube_open.h"
#include "dataset.h"

enum { BLOCK = 32 << 20 }; /* bytes that are read at once, but for a dataset with longer rows */

typedef struct {
  const sal_h5 *file;
  sal_dataset sums; /* of blocks; set is -1 where there are none */
  sal_cube_check_found *found;
} visit;

static sal_err check_texts(const sal_h5 *file, const sal_dataset *d)
{
  SAL_OWN_BY(sal_h5_text_free) char **text = NULL;

  return sal_dataset_read_texts(file, d, &text);
}

/* Some rows of the first dimension at a time. */
static sal_err check_rows(const visit *v, const sal_dataset *d)
{
  const sal_h5 *file = v->file;
  const int64_t least = d->checksum.block ? (int64_t)d->checksum.block : 1;
  const int64_t rows = (int64_t)d->size[0];
  const int64_t bytes = d->n / rows * (int64_t)sal_datatype_size(d->type);
  const int64_t most = (bytes < BLOCK / least ? BLOCK / bytes / least : 1) * least;
  SAL_OWN char *block = NULL;
  uint64_t sum = 0;

  SAL_TRY_ROOM(file, block, (most < rows ? most : rows) * bytes);
  for (int64_t first = 0; first < rows; first += most) {
    const int64_t count = rows - first < most ? rows - first : most;
    SAL_TRY(sal_dataset_read_rows(file, d, first, count, block, &sum));
    SAL_TRY(sal_dataset_verify_blocks(file, d, v->sums.set >= 0 ? &v->sums : NULL, first, count,
                                      block));
  }
  return sal_checksum_compare(file, d->name, d->checksum, sum);
}

/* A single number. */
static sal_err check_scalar(const sal_h5 *file, const sal_dataset *d)
{
  int64_t value;

  return sal_dataset_read(file, d, &value);
}

static sal_err check_dataset(const visit *v, const char *name)
{
  SAL_DATASET(d);

  SAL_TRY(sal_dataset_open(v->file, name, &d));
  ++*(d.checksum.run ? &v->found->verified : &v->found->without);
  return d.n == 0                      ? SAL_OK
         : d.type == SAL_DATATYPE_TEXT ? check_texts(v->file, &d)
         : d.n_dim == 0                ? check_scalar(v->file, &d)
                                       : check_rows(v, &d);
}

/* A member of a group, unless it is a link to a dataset of the root group, or a group. */
static sal_err check_member(const visit *v, const char *group, const char *member)
{
  char name[2 * SAL_LINK_NAME];
  bool soft;
  H5O_info_t about;

  snprintf(name, sizeof name, "%s%s%s", group, *group ? "/" : "", member);
  SAL_TRY(sal_link_check(v->file, name));
  SAL_TRY(sal_link_is_soft(v->file, name, &soft));
  if (soft) return SAL_OK;
  SAL_TRY_H5(v->file, H5Oget_info_by_name2(v->file->id, name, &about, H5O_INFO_BASIC, H5P_DEFAULT));
  if (about.type != H5O_TYPE_DATASET) return SAL_OK;
  SAL_HID set = H5Dopen2(v->file->id, name, H5P_DEFAULT);
  SAL_TRY_H5(v->file, set);
  return sal_dimension_is_bare(set) ? SAL_OK : check_dataset(v, name);
}

static sal_err check_group(const visit *v, const char *group)
{
  SAL_OWN_BY(sal_h5_text_free) char **member = NULL;
  int n;

  SAL_TRY(sal_cube_verify_objects(v->file, group, &n, &member));
  for (int i = 0; i < n; ++i) SAL_TRY(check_member(v, group, member[i]));
  return SAL_OK;
}

static sal_err check_groups(visit *v)
{
  const char *const *group = sal_cube_verify_groups;
  sal_err err = SAL_OK;

  if (v->found->group[SAL_CUBE_BLOCKS])
    err = sal_dataset_open(v->file, SAL_BLOCK_GROUP "/" SAL_BLOCK_SET, &v->sums);
  for (int i = SAL_CUBE_GROUPS - 1; i >= 0 && err == SAL_OK; --i)
    if (v->found->group[i]) err = check_group(v, group[i]);
  sal_dataset_close(&v->sums);
  return err;
}

sal_err sal_cube_check(const char *path, sal_cube_check_found *found)
{
  sal_h5 file;
  visit v = {.file = &file, .sums = {.set = -1}, .found = found};

  *found = (sal_cube_check_found){0};
  SAL_TRY(sal_h5_check_heaps(path)); /* before HDF5 may search them */
  SAL_TRY(sal_cube_open(path, &file));
  sal_err err = sal_cube_verify(&file, found->group, &found->foreign);
  if (err == SAL_OK) err = check_groups(&v);
  err = sal_h5_close(&file, err);
  if (err != SAL_OK) sal_text_free(&found->foreign);
  return err;
}
