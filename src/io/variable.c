/** A labelled dataset: a netCDF-4 variable as xarray expects it. */
#include "variable.h"
#include "checksum.h"
#include "parameter_column.h"
#include <hdf5_hl.h>

/* One chunk, and the largest dataset kept in one piece: what HDF5 caches by default. */
static const hsize_t chunk_bytes = (hsize_t)1 << 20;

sal_variable sal_variable_of_field(const sal_field *field, const char *name, int n_dim,
                                   const sal_variable_dim *dim)
{
  return (sal_variable){.name = name,
                        .unit = field->unit,
                        .what = field->what,
                        .kind = "coordinate",
                        .type = SAL_DATATYPE_REAL,
                        .n_dim = n_dim,
                        .dim = dim};
}

static sal_variable of_option(const sal_option *option, int n_dim, const sal_variable_dim *dim)
{
  sal_variable v = {.name = option->name,
                    .what = option->what,
                    .kind = "coordinate",
                    .type = SAL_DATATYPE_FLAG,
                    .n_dim = n_dim,
                    .dim = dim};

  while (v.n_flag < SAL_MAX_CHOICE && option->choice[v.n_flag]) {
    v.flag[v.n_flag] = option->choice[v.n_flag];
    ++v.n_flag;
  }
  return v;
}

sal_variable sal_variable_of_quantity(const sal_model *m, int i, int n_dim,
                                      const sal_variable_dim *dim)
{
  const sal_field *field = sal_parameter_column_field(m, i);

  return field ? sal_variable_of_field(field, field->name, n_dim, dim)
               : of_option(&m->option[i - m->n_param], n_dim, dim);
}

sal_variable sal_variable_of_metric(const sal_metric *metric, const sal_model *model,
                                    char unit[SAL_UNITS_TEXT], int n_dim,
                                    const sal_variable_dim *dim)
{
  sal_variable v = {.name = metric->name,
                    .unit = sal_units_of_metric(metric, model, unit),
                    .what = metric->what,
                    .kind = sal_datatype_kind_name(metric->kind),
                    .type = sal_datatype_of(metric->kind),
                    .missing = sal_datatype_of(metric->kind) == SAL_DATATYPE_REAL,
                    .n_dim = n_dim,
                    .dim = dim};

  const sal_metric_word *word = sal_metric_words(metric->kind, &v.n_flag);
  for (int i = 0; i < v.n_flag; ++i) v.flag[i] = word[i].label;
  return v;
}

char *sal_variable_coordinates(const char *first, const sal_model *model, bool with_initial)
{
  sal_text text = {0};
  const char *blank = first ? " " : "";

  if (first) sal_text_add(&text, "%s", first);
  for (int i = 0; i < model->n_param; ++i, blank = " ")
    sal_text_add(&text, "%s%s", blank, model->param[i].name);
  for (int i = 0; i < model->n_option; ++i, blank = " ")
    sal_text_add(&text, "%s%s", blank, model->option[i].name);
  for (int i = 0; with_initial && i < model->n_state; ++i, blank = " ")
    sal_text_add(&text, "%sinitial_%s", blank, model->state[i].name);
  return sal_text_take(&text);
}

/* flag_values and flag_meanings of the CF conventions. */
static sal_err put_flags(const sal_h5 *file, hid_t at, const sal_variable *v)
{
  int8_t value[SAL_MAX_FLAG];
  sal_text words = {0};

  for (int i = 0; i < v->n_flag; ++i) {
    value[i] = (int8_t)i;
    sal_text_add(&words, "%s%s", i ? " " : "", v->flag[i]);
  }
  SAL_TRY(sal_h5_text_put_words(file, at, "flag_meanings", &words));
  return sal_h5_put(file, at, "flag_values", H5T_NATIVE_INT8, v->n_flag, value);
}

static sal_err put_labels(const sal_h5 *file, hid_t at, const sal_variable *v)
{
  const struct {
    const char *name, *text;
  } label[] = {{"long_name", v->what},
               {"units", v->unit},
               {"kind", v->kind},
               {"coordinates", v->coordinates}};

  for (size_t i = 0; i < sizeof label / sizeof label[0]; ++i)
    if (label[i].text) SAL_TRY(sal_h5_text_put(file, at, label[i].name, label[i].text));
  return v->n_flag ? put_flags(file, at, v) : SAL_OK;
}

/* Chunks of at most 1 MB of values of `each` bytes: whole runs of the last dimensions, as many as
 * fit.  No size is 0. */
static void cut_chunks(int n_dim, const hsize_t size[], size_t each, hsize_t chunk[])
{
  hsize_t room = chunk_bytes / each;

  for (int i = n_dim - 1; i >= 0; --i) {
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): there are n_dim */
    chunk[i] = size[i] < room ? size[i] : room;
    room /= chunk[i];
  }
}

/* The value of a number that is missing. */
static const void *missing_of(sal_datatype type)
{
  static const double real = NAN;
  static const float single = NAN;

  return type == SAL_DATATYPE_REAL ? (const void *)&real : &single;
}

/* Whole rows, `packed` of them in a chunk. */
static sal_err lay_out_packed(const sal_h5 *file, const sal_variable *v, hid_t list)
{
  hsize_t chunk[SAL_MAX_DIM] = {(hsize_t)v->packed};

  for (int i = 1; i < v->n_dim; ++i) chunk[i] = v->dim[i].size;
  SAL_TRY_H5(file, H5Pset_chunk(list, v->n_dim, chunk));
  SAL_TRY_H5(file, H5Pset_shuffle(list));
  SAL_TRY_H5(file, H5Pset_deflate(list, SAL_VARIABLE_LEVEL));
  return SAL_OK;
}

/* Fill value and storage.  Large data are cut along the first dimensions, without filters unless asked for. */
static sal_err lay_out(const sal_h5 *file, const sal_variable *v, hid_t type, hid_t list)
{
  const int64_t minus = -1; /* its first byte, or all of it: -1 in either width */
  hsize_t size[SAL_MAX_DIM], chunk[SAL_MAX_DIM], bytes;

  SAL_TRY_H5(file, H5Pset_obj_track_times(list, false)); /* the same bytes at any time */
  if (v->type == SAL_DATATYPE_TEXT) return SAL_OK;
  bytes = sal_datatype_size(v->type);
  SAL_TRY_H5(file, H5Pset_fill_value(list, type,
                                     sal_datatype_is_real(v->type) ? missing_of(v->type) : &minus));
  /* every value is written once; filling the space first would double the traffic */
  SAL_TRY_H5(file, H5Pset_fill_time(list, H5D_FILL_TIME_NEVER));
  if (v->at_once) SAL_TRY_H5(file, H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY));
  if (v->packed) return lay_out_packed(file, v, list);
  for (int i = 0; i < v->n_dim; ++i) bytes *= size[i] = v->dim[i].size;
  if (v->in_one || bytes <= chunk_bytes) return SAL_OK;
  cut_chunks(v->n_dim, size, sal_datatype_size(v->type), chunk);
  SAL_TRY_H5(file, H5Pset_chunk(list, v->n_dim, chunk));
  return SAL_OK;
}

/* Says of which dimensions a new dataset is; makes it the scale of its own one, if it is that. */
static sal_err attach_scales(const sal_h5 *file, const sal_variable *v, hid_t set)
{
  char length[SAL_DIMENSION_NAME];
  const bool text = v->n_dim > 0 && v->type == SAL_DATATYPE_TEXT;

  if (v->scale) {
    SAL_TRY_H5(file, H5DSset_scale(set, v->name));
    SAL_TRY(sal_dimension_number(file, set));
  }
  if (text) SAL_TRY(sal_dimension_of_text(file, sal_h5_text_length(set), length));
  if (v->scale) return text ? sal_dimension_put_both(file, set, length) : SAL_OK;
  for (int i = 0; i < v->n_dim + text; ++i) {
    SAL_HID scale = H5Dopen2(file->id, i < v->n_dim ? v->dim[i].name : length, H5P_DEFAULT);
    SAL_TRY_H5(file, scale);
    SAL_TRY_H5(file, H5DSattach_scale(set, scale, (unsigned)i));
  }
  return SAL_OK;
}

sal_err sal_variable_create_scale(const sal_h5 *file, const sal_variable_dim *dim,
                                  sal_datatype type, const char *unit, const char *what,
                                  const void *data)
{
  const sal_variable v = {.name = dim->name,
                          .unit = unit,
                          .what = what,
                          .kind = "coordinate",
                          .type = type,
                          .scale = true,
                          .in_one = !data,
                          .n_dim = 1,
                          .dim = dim};

  return sal_variable_create(file, &v, data);
}

sal_err sal_variable_create_numbers(const sal_h5 *file, const sal_variable_dim *dim, int64_t first,
                                    const char *unit, const char *what)
{
  SAL_OWN int64_t *number = NULL;

  SAL_TRY_ROOM(file, number, dim->size);
  for (hsize_t i = 0; i < dim->size; ++i) number[i] = first + (int64_t)i;
  return sal_variable_create_scale(file, dim, SAL_DATATYPE_WHOLE, unit, what, number);
}

sal_err sal_variable_create_value(const sal_h5 *file, const sal_variable *v, double value)
{
  double packed = 0;

  sal_datatype_pack(v->type, 1, &value, 1, &packed);
  return sal_variable_create(file, v, &packed);
}

sal_err sal_variable_mark_missing(const sal_h5 *file, hid_t set)
{
  return sal_h5_put(file, set, "_FillValue", H5T_NATIVE_INT64, 1, &(int64_t){-1});
}

/* checksum: its runs and blocks. */
static sal_err put_values(const sal_h5 *file, hid_t set, hid_t type, int64_t n,
                          sal_checksum checksum, const void *value)
{
  const size_t size = H5Tget_size(type);

  if (value && n > 0) {
    SAL_TRY_H5(file, H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value));
    const int64_t each = (int64_t)checksum.run;
    checksum.sum = sal_checksum_of(0, n / each, (size_t)each * size, value);
  }
  return sal_checksum_put(file, set, checksum);
}

/* Each text is a run. */
static sal_err put_texts(const sal_h5 *file, hid_t set, hid_t type, int64_t n, size_t length,
                         const char *const text[])
{
  SAL_OWN char *padded = sal_h5_text_pad(n, text, length);

  if (!padded) return sal_h5_full(file);
  /* xarray makes text of characters by the attribute only */
  SAL_TRY(sal_h5_text_put(file, set, "_Encoding", "utf-8"));
  return put_values(file, set, type, n * (int64_t)length, (sal_checksum){.run = length}, padded);
}

sal_err sal_variable_create(const sal_h5 *file, const sal_variable *v, const void *data)
{
  const bool text = v->type == SAL_DATATYPE_TEXT;
  hsize_t length = 1, size[SAL_MAX_DIM + 1];

  SAL_TRY(sal_h5_is_new(file, v->name));
  for (int i = 0; i < v->n_dim; ++i) size[i] = v->dim[i].size;
  if (text) size[v->n_dim] = length = sal_h5_text_longest((int64_t)size[0], data);
  SAL_HID type = text ? sal_h5_text_character() : sal_datatype_hdf5(v->type);
  SAL_HID list = H5Pcreate(H5P_DATASET_CREATE);
  SAL_HID space = v->n_dim ? H5Screate_simple(v->n_dim + text, size, NULL) : H5Screate(H5S_SCALAR);
  SAL_TRY_H5(file, space);
  SAL_TRY(lay_out(file, v, type, list));

  SAL_HID set = H5Dcreate2(file->id, v->name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  SAL_TRY_H5(file, set);
  SAL_TRY(attach_scales(file, v, set));
  SAL_TRY(put_labels(file, set, v));
  if (v->missing) SAL_TRY(sal_h5_put(file, set, "_FillValue", type, 1, missing_of(v->type)));
  const int64_t n = H5Sget_simple_extent_npoints(space) / (int64_t)length;
  if (text) return put_texts(file, set, type, n, length, data);
  const sal_checksum checksum = {.run = (uint64_t)(v->run ? v->run : 1),
                                 .block = (uint64_t)v->block,
                                 .first = (uint64_t)v->first};
  return put_values(file, set, type, n, checksum, data);
}
