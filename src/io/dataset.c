/** @file src/io/dataset.c
 *  Reading a labelled dataset.
 */
#include "dataset.h"
#include "h5_text.h"

enum { MAX_RATIO = 4096 }; /* bytes of values for one in the file: deflate reaches 1032 */

static sal_datatype type_of_whole(hid_t held)
{
  const size_t size = H5Tget_size(held);

  if (H5Tget_sign(held) == H5T_SGN_NONE && size <= 2)
    return size == 1 ? SAL_DATATYPE_BYTE : SAL_DATATYPE_SHORT;
  return size == 1 ? SAL_DATATYPE_FLAG : SAL_DATATYPE_WHOLE;
}

/* The type of its numbers; what else there is no variable has. */
static sal_err find_type(const sal_h5 *file, sal_dataset *d, hid_t held)
{
  const H5T_class_t class = H5Tget_class(held);

  if (class == H5T_STRING)
    d->type = SAL_DATATYPE_TEXT;
  else if (class == H5T_FLOAT)
    d->type = H5Tget_size(held) == sizeof(float) ? SAL_DATATYPE_SINGLE : SAL_DATATYPE_REAL;
  else if (class == H5T_INTEGER)
    d->type = type_of_whole(held);
  else
    return sal_fail(SAL_ERR_INPUT, "%s: dataset '%s' holds neither numbers nor text", file->path,
                    d->name);
  return SAL_OK;
}

/* Memory is asked for by the size a dataset claims; one that is not written takes no bytes. */
static sal_err check_storage(const sal_h5 *file, const sal_dataset *d, hid_t held)
{
  const double claimed = (double)d->n * (double)H5Tget_size(held);
  const double stored  = (double)H5Dget_storage_size(d->set);

  if (claimed <= MAX_RATIO * stored) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT,
                  "%s: dataset '%s' claims to hold %lld values, for which the file has %.0f bytes",
                  file->path, d->name, (long long)d->n, stored);
}

/* Values of another order of bytes or length are converted; their checksum is of what they were. */
static sal_err find_checksum(const sal_h5 *file, sal_dataset *d, hid_t held)
{
  SAL_TRY(sal_checksum_get(file, d->set, &d->checksum));
  if (d->checksum.run == 0 || d->type == SAL_DATATYPE_TEXT) return SAL_OK;
  SAL_HID here = sal_datatype_hdf5(d->type);
  if (H5Tequal(held, here) <= 0) d->checksum.run = 0;
  if (d->checksum.run && (uint64_t)d->n % d->checksum.run)
    return sal_fail(SAL_ERR_INPUT, "%s: the checksum of dataset '%s' is of runs of another length",
                    file->path, d->name);
  return SAL_OK;
}

static sal_err describe_dataset(const sal_h5 *file, sal_dataset *d)
{
  SAL_HID held = H5Dget_type(d->set);
  SAL_TRY_H5(file, held);
  SAL_HID space = H5Dget_space(d->set);
  SAL_TRY_H5(file, space);

  SAL_TRY_H5(file, d->n_dim = H5Sget_simple_extent_dims(space, d->size, NULL));
  SAL_TRY_H5(file, d->n = H5Sget_simple_extent_npoints(space));
  SAL_TRY(find_type(file, d, held));
  SAL_TRY(check_storage(file, d, held));
  return find_checksum(file, d, held);
}

sal_err sal_dataset_open(const sal_h5 *file, const char *name, sal_dataset *d)
{
  bool there;

  *d = (sal_dataset){.name = name, .set = -1};
  SAL_TRY(sal_h5_has(file, name, &there));
  if (!there) return sal_fail(SAL_ERR_INPUT, "%s: has no dataset '%s'", file->path, name);
  SAL_TRY_H5(file, d->set = H5Dopen2(file->id, name, H5P_DEFAULT));
  const sal_err err = describe_dataset(file, d);
  if (err != SAL_OK) sal_dataset_close(d);
  return err;
}

void sal_dataset_close(sal_dataset *d)
{
  if (d->set >= 0) H5Dclose(d->set);
  d->set = -1;
}

/* The share of n values, the first of them number `first`, in the checksum. */
static uint64_t sum_values(const sal_dataset *d, int64_t first, int64_t n, size_t bytes,
                           const void *value)
{
  const int64_t run = (int64_t)d->checksum.run;

  return run ? sal_checksum_of(first / run, n / run, (size_t)run * bytes, value) : 0;
}

sal_err sal_dataset_read_rows(const sal_h5 *file, const sal_dataset *d, int64_t first,
                              int64_t count, void *value, uint64_t *sum)
{
  hsize_t       start[H5S_MAX_RANK] = {(hsize_t)first}, size[H5S_MAX_RANK];
  const int64_t row                 = d->n / (int64_t)d->size[0];
  const hsize_t n                   = (hsize_t)count * (hsize_t)row;

  for (int i = 0; i < d->n_dim; ++i) size[i] = i ? d->size[i] : (hsize_t)count;
  SAL_HID type  = sal_datatype_hdf5(d->type);
  SAL_HID space = H5Dget_space(d->set), memory = H5Screate_simple(1, &n, NULL);
  SAL_TRY_H5(file, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL));
  SAL_TRY_H5(file, H5Dread(d->set, type, memory, space, H5P_DEFAULT, value));
  *sum += sum_values(d, first * row, count * row, sal_datatype_size(d->type), value);
  return SAL_OK;
}

sal_err sal_dataset_read(const sal_h5 *file, const sal_dataset *d, void *value)
{
  SAL_HID type = sal_datatype_hdf5(d->type);

  SAL_TRY_H5(file, H5Dread(d->set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value));
  return sal_checksum_compare(file, d->name, d->checksum,
                              sum_values(d, 0, d->n, sal_datatype_size(d->type), value));
}

static sal_err read_column(const sal_h5 *file, const sal_dataset *d, int64_t n, int64_t stride,
                           double *value)
{
  void *held;

  if (d->n != n)
    return sal_fail(SAL_ERR_INPUT, "%s: dataset '%s' has %lld values; the dimensions say %lld",
                    file->path, d->name, (long long)d->n, (long long)n);
  if (d->type == SAL_DATATYPE_TEXT)
    return sal_fail(SAL_ERR_INPUT, "%s: dataset '%s' holds no numbers", file->path, d->name);
  held = sal_alloc((size_t)n, sizeof(double));
  if (!held) return sal_h5_full(file);
  const sal_err err = sal_dataset_read(file, d, held);
  if (err == SAL_OK) sal_datatype_unpack(d->type, n, held, stride, value);
  sal_free(held);
  return err;
}

sal_err sal_dataset_read_column(const sal_h5 *file, const char *name, int64_t n, int64_t stride,
                                double *value)
{
  sal_dataset d;

  SAL_TRY(sal_dataset_open(file, name, &d));
  const sal_err err = read_column(file, &d, n, stride, value);
  sal_dataset_close(&d);
  return err;
}

/* Each text is a run, as long as the dataset's type makes it. */
static sal_err verify_texts(const sal_h5 *file, const sal_dataset *d, char *const text[])
{
  SAL_HID      held = H5Dget_type(d->set);
  const size_t size = H5Tget_size(held);
  uint64_t     sum  = 0;

  if (d->checksum.run == 0 || H5Tis_variable_str(held) > 0) return SAL_OK;
  for (int64_t i = 0; i < d->n; ++i) sum += sal_checksum_of(i, 1, size, text[i]);
  return sal_checksum_compare(file, d->name, d->checksum, sum);
}

sal_err sal_dataset_read_texts(const sal_h5 *file, const sal_dataset *d, char ***text)
{
  *text = NULL;
  if (d->type != SAL_DATATYPE_TEXT)
    return sal_fail(SAL_ERR_INPUT, "%s: dataset '%s' holds no text", file->path, d->name);
  SAL_TRY(sal_h5_text_read(file, d->set, d->n, text));
  return verify_texts(file, d, *text);
}
