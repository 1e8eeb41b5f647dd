/** @file src/io/cube/cube_check.c
 *  Are the values of a cube those that were written?
 */
#include "cube_check.h"
#include "cube_open.h"
#include "dataset.h"
#include "dimension.h"
#include "h5_text.h"

enum { BLOCK = 32 << 20 }; /* bytes that are read at once, but for a dataset with longer rows */

/* What a visit of all objects takes along; the first failure ends it. */
typedef struct {
  const sal_h5 *file;
  int64_t       verified, without;
  sal_err       err;
} visit;

static sal_err check_texts(const sal_h5 *file, const sal_dataset *d)
{
  char        **text;
  const sal_err err = sal_dataset_read_texts(file, d, &text);

  sal_h5_text_free(d->n, &text);
  return err;
}

/* Some rows of the first dimension at a time. */
static sal_err check_rows(const sal_h5 *file, const sal_dataset *d)
{
  const int64_t rows  = (int64_t)d->size[0];
  const int64_t bytes = d->n / rows * (int64_t)sal_datatype_size(d->type);
  const int64_t most  = bytes < BLOCK ? BLOCK / bytes : 1;
  void         *block = sal_alloc((size_t)(most < rows ? most : rows), (size_t)bytes);
  uint64_t      sum   = 0;
  sal_err       err   = block ? SAL_OK : sal_h5_full(file);

  for (int64_t first = 0; first < rows && err == SAL_OK; first += most)
    err = sal_dataset_read_rows(file, d, first, rows - first < most ? rows - first : most, block,
                                &sum);
  sal_free(block);
  return err == SAL_OK ? sal_checksum_compare(file, d->name, d->checksum, sum) : err;
}

/* A single number. */
static sal_err check_scalar(const sal_h5 *file, const sal_dataset *d)
{
  int64_t value;

  return sal_dataset_read(file, d, &value);
}

static sal_err check_dataset(visit *v, const char *name)
{
  sal_dataset d;

  SAL_TRY(sal_dataset_open(v->file, name, &d));
  ++*(d.checksum.run ? &v->verified : &v->without);
  const sal_err err = d.n == 0                      ? SAL_OK
                      : d.type == SAL_DATATYPE_TEXT ? check_texts(v->file, &d)
                      : d.n_dim == 0                ? check_scalar(v->file, &d)
                                                    : check_rows(v->file, &d);
  sal_dataset_close(&d);
  return err;
}

static herr_t check_object(hid_t root, const char *name, const H5O_info_t *about, void *with)
{
  visit *v = with;

  if (about->type != H5O_TYPE_DATASET) return 0;
  SAL_HID set = H5Dopen2(root, name, H5P_DEFAULT);
  if (!sal_dimension_is_bare(set)) v->err = check_dataset(v, name);
  return v->err != SAL_OK;
}

sal_err sal_cube_check(const char *path, int64_t *verified, int64_t *without)
{
  sal_h5 file;

  SAL_TRY(sal_cube_open(path, &file));
  visit        v = {.file = &file};
  const herr_t done =
      H5Ovisit2(file.id, H5_INDEX_NAME, H5_ITER_INC, check_object, &v, H5O_INFO_BASIC);
  const sal_err seen   = done < 0 && v.err == SAL_OK ? sal_h5_fail(&file) : v.err;
  const sal_err closed = sal_h5_close(&file);
  *verified            = v.verified;
  *without             = v.without;
  return seen ? seen : closed;
}
