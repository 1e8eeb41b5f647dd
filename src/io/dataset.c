/** Reading a labelled dataset. */
#include "dataset.h"
#include "raw.h"
#include <string.h>

enum {
  MAX_RATIO = 4096, /* bytes of values for one in the file: deflate reaches 1032 */
  MAX_GAP = 7,      /* rows read for nothing between two chosen ones */
  BLOCK = 1 << 20,  /* bytes of a block of rows */
  CACHE_SLOT = 521
};
static const double most_cached = 256e6; /* bytes of unpacked chunks */

sal_err sal_dataset_access(const sal_h5 *file, hid_t access)
{
  SAL_TRY_H5(file, sal_h5_append_driver_set(access, &(sal_h5_append_driver){.size = 0}));
  SAL_TRY_H5(file, H5Pset_cache(access, 0, CACHE_SLOT, 0, 1));
  SAL_TRY_H5(file, H5Pset_sieve_buf_size(access, 256));
  return SAL_OK;
}

static sal_datatype type_of_whole(hid_t held)
{
  const size_t size = H5Tget_size(held);

  if (H5Tget_sign(held) == H5T_SGN_NONE && size <= 2)
    return size == 1 ? SAL_DATATYPE_BYTE : SAL_DATATYPE_SHORT;
  return size == 1 ? SAL_DATATYPE_FLAG : SAL_DATATYPE_WHOLE;
}

/* The type of its numbers; variables have no other types. */
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
  const double stored = (double)H5Dget_storage_size(d->set);

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
  const uint64_t rows = d->n_dim ? d->size[0] : 1, block = d->checksum.block;
  if (d->checksum.run && ((uint64_t)d->n % d->checksum.run || block > rows ||
                          (block && d->checksum.run * rows != (uint64_t)d->n)))
    return sal_fail(SAL_ERR_INPUT, "%s: the checksum of dataset '%s' is of other runs or blocks",
                    file->path, d->name);
  return SAL_OK;
}

/* Unpacked chunks of a block of rows and of the next: all that lie side by side, twice. */
static double cache_bytes(const sal_dataset *d, const hsize_t chunk[], size_t each)
{
  double bytes = 2 * (double)each;

  for (int i = 0; i < d->n_dim; ++i) {
    const hsize_t beside = i ? (d->size[i] + chunk[i] - 1) / chunk[i] : 1;
    bytes *= (double)chunk[i] * (double)beside;
  }
  return bytes < most_cached ? bytes : most_cached;
}

/* How it is cut into chunks.  One with filters is opened anew, with a cache that holds them. */
static sal_err find_chunks(const sal_h5 *file, sal_dataset *d, hid_t held)
{
  hsize_t chunk[H5S_MAX_RANK] = {0};
  SAL_HID list = H5Dget_create_plist(d->set);

  SAL_TRY_H5(file, list);
  if (H5Pget_layout(list) != H5D_CHUNKED) return SAL_OK;
  SAL_TRY_H5(file, H5Pget_chunk(list, d->n_dim, chunk));
  d->chunk = (int64_t)chunk[0];
  d->filtered = H5Pget_nfilters(list) > 0;
  if (!d->filtered) return SAL_OK;
  SAL_HID access = H5Pcreate(H5P_DATASET_ACCESS);
  SAL_TRY_H5(file, H5Pset_chunk_cache(access, CACHE_SLOT,
                                      (size_t)cache_bytes(d, chunk, H5Tget_size(held)), 1));
  sal_dataset_close(d);
  SAL_TRY_H5(file, d->set = H5Dopen2(file->id, d->name, access));
  return SAL_OK;
}

/* Texts count, not their characters. */
static void take_texts_for_values(sal_dataset *d)
{
  const size_t length = d->type == SAL_DATATYPE_TEXT ? sal_h5_text_length(d->set) : 0;

  if (length == 0) return;
  d->n /= (int64_t)length;
  d->n_dim = 1;
}

static bool is_ours(H5Z_filter_t filter)
{
  return filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE ||
         filter == H5Z_FILTER_FLETCHER32;
}

sal_err sal_dataset_check_kept(const sal_h5 *file, const char *name, hid_t set)
{
  SAL_HID list = H5Dget_create_plist(set);
  SAL_TRY_H5(file, list);
  const H5D_layout_t layout = H5Pget_layout(list);
  const int files = H5Pget_external_count(list), n = H5Pget_nfilters(list);

  SAL_TRY_H5(file, layout);
  SAL_TRY_H5(file, files);
  SAL_TRY_H5(file, n);
  if (layout == H5D_VIRTUAL || files > 0)
    return sal_fail(SAL_ERR_INPUT, "%s: the values of dataset '%s' are in other files", file->path,
                    name);
  for (int i = 0; i < n; ++i) {
    unsigned flags, settings;
    size_t none = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(list, (unsigned)i, &flags, &none, NULL, 0, NULL, &settings);
    SAL_TRY_H5(file, filter);
    if (!is_ours(filter))
      return sal_fail(
          SAL_ERR_INPUT,
          "%s: dataset '%s' has filter number %d; allowed: shuffle, deflate, fletcher32",
          file->path, name, (int)filter);
  }
  return SAL_OK;
}

static sal_err describe_dataset(const sal_h5 *file, sal_dataset *d)
{
  SAL_TRY(sal_dataset_check_kept(file, d->name, d->set)); /* before HDF5 looks for other files */
  SAL_HID held = H5Dget_type(d->set);
  SAL_TRY_H5(file, held);
  SAL_HID space = H5Dget_space(d->set);
  SAL_TRY_H5(file, space);

  SAL_TRY_H5(file, d->n_dim = H5Sget_simple_extent_dims(space, d->size, NULL));
  SAL_TRY_H5(file, d->n = H5Sget_simple_extent_npoints(space));
  SAL_TRY(find_type(file, d, held));
  SAL_TRY(check_storage(file, d, held));
  take_texts_for_values(d);
  SAL_TRY(find_chunks(file, d, held));
  return find_checksum(file, d, held);
}

sal_err sal_dataset_open(const sal_h5 *file, const char *name, sal_dataset *d)
{
  bool there;

  *d = (sal_dataset){.name = name, .set = -1};
  SAL_TRY(sal_h5_has(file, name, &there));
  if (!there) return sal_fail(SAL_ERR_INPUT, "%s: has no dataset '%s'", file->path, name);
  SAL_TRY(sal_link_check(file, name));
  SAL_TRY_H5(file, d->set = H5Dopen2(file->id, name, H5P_DEFAULT));
  const sal_err err = describe_dataset(file, d);
  if (err != SAL_OK) sal_dataset_close(d);
  return err;
}

void sal_dataset_close(sal_dataset *d)
{
  sal_h5_drop(&d->set);
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
  hsize_t start[H5S_MAX_RANK] = {(hsize_t)first}, size[H5S_MAX_RANK];
  const int64_t row = d->n / (int64_t)d->size[0];

  for (int i = 0; i < d->n_dim; ++i) size[i] = i ? d->size[i] : (hsize_t)count;
  SAL_HID type = sal_datatype_hdf5(d->type);
  /* of the same shape: HDF5 goes from value to value between shapes that differ */
  SAL_HID space = H5Dget_space(d->set), memory = H5Screate_simple(d->n_dim, size, NULL);
  SAL_TRY_H5(file, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL));
  SAL_TRY_H5(file, H5Dread(d->set, type, memory, space, H5P_DEFAULT, value));
  if (sum) *sum += sum_values(d, first * row, count * row, sal_datatype_size(d->type), value);
  return SAL_OK;
}

/* Values of a row; there are rows. */
static int64_t row_values(const sal_dataset *d) { return d->n / (int64_t)d->size[0]; }

int64_t sal_dataset_block(const sal_dataset *d)
{
  if (d->n_dim == 0 || d->n == 0) return 1;
  const int64_t bytes = row_values(d) * (int64_t)sal_datatype_size(d->type);
  const int64_t run = (int64_t)d->checksum.run / row_values(d); /* whole ones are verified */
  const int64_t least = run > 1 ? run : 1, most = BLOCK / bytes > least ? BLOCK / bytes : least;
  int64_t rows = d->chunk > 0 && d->chunk <= most ? most / d->chunk * d->chunk : most;

  rows = rows / least * least;
  return rows < (int64_t)d->size[0] ? rows : (int64_t)d->size[0];
}

static bool has_blocks(const sal_dataset *d, const sal_dataset *sums)
{
  return sums && d->checksum.run && d->checksum.block;
}

/* Rows that are verified together, at least one. */
static int64_t block_rows(const sal_dataset *d, const sal_dataset *sums)
{
  return has_blocks(d, sums) ? (int64_t)d->checksum.block : 1;
}

/* The chosen rows from number i on that are read at once: `most` rows of blocks of `block` rows. */
static int64_t count_together(int64_t n, const int64_t row[], int64_t i, int64_t block,
                              int64_t most)
{
  const int64_t gap = block > MAX_GAP + 1 ? block : MAX_GAP + 1;
  int64_t end = i + 1;

  while (end < n && row[end] / block * block - row[end - 1] <= gap &&
         (row[end] / block + 1) * block - row[i] / block * block <= most)
    ++end;
  return end - i;
}

sal_err sal_dataset_verify_blocks(const sal_h5 *file, const sal_dataset *d, const sal_dataset *sums,
                                  int64_t first, int64_t count, const void *value)
{
  const int64_t block = block_rows(d, sums), n = (count + block - 1) / block;
  const size_t bytes = (size_t)row_values(d) * sal_datatype_size(d->type);
  const int64_t at = (int64_t)d->checksum.first + first / block;
  SAL_OWN uint64_t *due = NULL;

  if (!has_blocks(d, sums)) return SAL_OK;
  if (at < 0 || at + n > sums->n)
    return sal_fail(SAL_ERR_IO, "%s: dataset '%s' is damaged: it has no sums of its blocks",
                    file->path, d->name);
  SAL_TRY_ROOM(file, due, n);
  SAL_TRY(sal_dataset_read_rows(file, sums, at, n, due, NULL));
  for (int64_t i = 0; i < n; ++i) {
    const int64_t begin = i * block, rows = count - begin < block ? count - begin : block;
    SAL_TRY(sal_checksum_compare(
        file, d->name, (sal_checksum){.sum = due[i], .run = 1},
        sal_checksum_of(first + begin, rows, bytes, (const char *)value + (size_t)begin * bytes)));
  }
  return SAL_OK;
}

/* Rows of `bytes` bytes, with those between them and the rest of their blocks, by way of `spare`. */
static sal_err read_together(const sal_h5 *file, const sal_dataset *d, const sal_dataset *sums,
                             int64_t n, const int64_t row[], char *spare, char *value)
{
  const size_t bytes = (size_t)row_values(d) * sal_datatype_size(d->type);
  const int64_t rows = (int64_t)d->size[0], block = block_rows(d, sums);
  const int64_t first = row[0] / block * block, end = (row[n - 1] / block + 1) * block;
  const int64_t count = (end < rows ? end : rows) - first;

  SAL_TRY(sal_dataset_read_rows(file, d, first, count, spare, NULL));
  SAL_TRY(sal_dataset_verify_blocks(file, d, sums, first, count, spare));
  for (int64_t i = 0; i < n; ++i)
    memcpy(value + (size_t)i * bytes, spare + (size_t)(row[i] - first) * bytes, bytes);
  return SAL_OK;
}

sal_err sal_dataset_read_chosen(const sal_h5 *file, const sal_dataset *d, const sal_dataset *sums,
                                int64_t n, const int64_t row[], void *value)
{
  const int64_t block = block_rows(d, sums), few = sal_dataset_block(d);
  const int64_t most = few > block ? few : block;
  const size_t bytes = (size_t)row_values(d) * sal_datatype_size(d->type);
  SAL_OWN char *spare = NULL;

  SAL_TRY_ROOM(file, spare,
               (size_t)(most < (int64_t)d->size[0] ? most : (int64_t)d->size[0]) * bytes);
  for (int64_t i = 0, now; i < n; i += now) {
    now = count_together(n, row, i, block, most);
    SAL_TRY(read_together(file, d, sums, now, &row[i], spare, (char *)value + (size_t)i * bytes));
  }
  return SAL_OK;
}

sal_err sal_dataset_read(const sal_h5 *file, const sal_dataset *d, void *value)
{
  SAL_HID type = sal_datatype_hdf5(d->type);

  SAL_TRY_H5(file, H5Dread(d->set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value));
  return sal_checksum_compare(file, d->name, d->checksum,
                              sum_values(d, 0, d->n, sal_datatype_size(d->type), value));
}

sal_err sal_dataset_check_numbers(const sal_h5 *file, const sal_dataset *d, int64_t n)
{
  if (d->n != n)
    return sal_fail(SAL_ERR_INPUT, "%s: dataset '%s' has %lld values; the dimensions say %lld",
                    file->path, d->name, (long long)d->n, (long long)n);
  if (d->type == SAL_DATATYPE_TEXT)
    return sal_fail(SAL_ERR_INPUT, "%s: dataset '%s' holds no numbers", file->path, d->name);
  return SAL_OK;
}

/* All of a dataset with dimensions, by way of a block as it is in the file and one of doubles. */
static sal_err walk_blocks(const sal_h5 *file, const sal_dataset *d, sal_dataset_take *take,
                           void *with)
{
  const int64_t rows = (int64_t)d->size[0], block = sal_dataset_block(d), row = row_values(d);
  SAL_OWN double *held = NULL;
  SAL_OWN double *value = NULL;
  uint64_t sum = 0;

  SAL_TRY_ROOM(file, held, block * row);
  SAL_TRY_ROOM(file, value, block * row);
  for (int64_t at = 0; at < rows; at += block) {
    const int64_t count = rows - at < block ? rows - at : block;
    SAL_TRY(sal_dataset_read_rows(file, d, at, count, held, &sum));
    sal_datatype_unpack(d->type, count * row, held, 1, value);
    take(with, at * row, count * row, value);
  }
  return sal_checksum_compare(file, d->name, d->checksum, sum);
}

static sal_err walk_scalar(const sal_h5 *file, const sal_dataset *d, sal_dataset_take *take,
                           void *with)
{
  double held, value;

  SAL_TRY(sal_dataset_read(file, d, &held));
  sal_datatype_unpack(d->type, 1, &held, 1, &value);
  take(with, 0, 1, &value);
  return SAL_OK;
}

sal_err sal_dataset_walk(const sal_h5 *file, const char *name, int64_t n, sal_dataset_take *take,
                         void *with)
{
  SAL_DATASET(d);

  SAL_TRY(sal_dataset_open(file, name, &d));
  SAL_TRY(sal_dataset_check_numbers(file, &d, n));
  if (d.n == 0) return SAL_OK;
  return (d.n_dim ? walk_blocks : walk_scalar)(file, &d, take, with);
}

/* A column of a table. */
typedef struct {
  double *value;
  int64_t stride;
} column;

static void take_column(void *with, int64_t first, int64_t n, const double value[])
{
  const column *c = with;

  for (int64_t i = 0; i < n; ++i) c->value[(first + i) * c->stride] = value[i];
}

sal_err sal_dataset_read_column(const sal_h5 *file, const char *name, int64_t n, int64_t stride,
                                double *value)
{
  return sal_dataset_walk(file, name, n, take_column, &(column){value, stride});
}

/* Each text is a run, as long as the dataset makes it. */
static sal_err verify_texts(const sal_h5 *file, const sal_dataset *d, char *const text[])
{
  SAL_HID held = H5Dget_type(d->set);
  const size_t length = sal_h5_text_length(d->set), size = length ? length : H5Tget_size(held);
  uint64_t sum = 0;

  if (d->checksum.run == 0) return SAL_OK;
  for (int64_t i = 0; i < d->n; ++i) sum += sal_checksum_of(i, 1, size, text[i]);
  return sal_checksum_compare(file, d->name, d->checksum, sum);
}

sal_err sal_dataset_read_texts(const sal_h5 *file, const sal_dataset *d, char ***text)
{
  *text = NULL;
  if (d->type != SAL_DATATYPE_TEXT)
    return sal_fail(SAL_ERR_INPUT, "%s: dataset '%s' holds no text", file->path, d->name);
  SAL_TRY(sal_h5_text_read(file, d->set, d->n, text));
  SAL_TRY(verify_texts(file, d, *text));
  for (int64_t i = 0; i < d->n; ++i) sal_text_plain((*text)[i]);
  return SAL_OK;
}
