/** @file src/io/variable.c
 *  A labelled dataset: a netCDF-4 variable as xarray expects it.
 */
#include "variable.h"
#include <hdf5_hl.h>
#include <math.h>
#include <string.h>

/* One chunk, and the largest dataset kept in one piece: what HDF5 caches by default. */
static const hsize_t chunk_bytes = (hsize_t)1 << 20;

hid_t sal_store_type(sal_store store)
{
  const hid_t type[] = {[SAL_STORE_REAL]  = H5T_NATIVE_DOUBLE,
                        [SAL_STORE_WHOLE] = H5T_NATIVE_INT64,
                        [SAL_STORE_FLAG]  = H5T_NATIVE_INT8};

  return store == SAL_STORE_TEXT ? sal_h5_text_type() : H5Tcopy(type[store]);
}

size_t sal_store_size(sal_store store)
{
  static const size_t size[] = {[SAL_STORE_REAL]  = sizeof(double),
                                [SAL_STORE_WHOLE] = sizeof(int64_t),
                                [SAL_STORE_FLAG]  = sizeof(int8_t),
                                [SAL_STORE_TEXT]  = sizeof(char *)};

  return size[store];
}

sal_store sal_store_of(sal_metric_kind kind)
{
  static const sal_store store[] = {[SAL_COUNT]  = SAL_STORE_WHOLE,
                                    [SAL_REAL]   = SAL_STORE_REAL,
                                    [SAL_FLAG]   = SAL_STORE_FLAG,
                                    [SAL_TIMING] = SAL_STORE_REAL};

  return store[kind];
}

const char *sal_kind_name(sal_metric_kind kind)
{
  static const char *const name[] = {
      [SAL_COUNT] = "count", [SAL_REAL] = "real", [SAL_FLAG] = "flag", [SAL_TIMING] = "timing"};

  return name[kind];
}

void sal_store_pack(sal_store store, int64_t n, const double *from, int64_t stride, void *to)
{
  double  *real  = to;
  int64_t *whole = to;
  int8_t  *flag  = to;

  for (int64_t i = 0; i < n; ++i) {
    const double v = from[i * stride];
    if (store == SAL_STORE_REAL) real[i] = v;
    if (store == SAL_STORE_WHOLE) whole[i] = isnan(v) ? -1 : (int64_t)v;
    if (store == SAL_STORE_FLAG) flag[i] = isnan(v) ? -1 : (int8_t)v;
  }
}

sal_variable sal_variable_of_field(const sal_field *field, const char *name, int n_dim,
                                   const sal_dim *dim)
{
  return (sal_variable){.name  = name,
                        .unit  = field->unit,
                        .what  = field->what,
                        .kind  = "coordinate",
                        .store = SAL_STORE_REAL,
                        .n_dim = n_dim,
                        .dim   = dim};
}

sal_variable sal_variable_of_option(const sal_option *option, int n_dim, const sal_dim *dim)
{
  sal_variable v = {.name  = option->name,
                    .what  = option->what,
                    .kind  = "coordinate",
                    .store = SAL_STORE_FLAG,
                    .n_dim = n_dim,
                    .dim   = dim};

  while (v.n_flag < SAL_MAX_CHOICE && option->choice[v.n_flag]) {
    v.flag[v.n_flag] = option->choice[v.n_flag];
    ++v.n_flag;
  }
  return v;
}

sal_variable sal_variable_of_metric(const sal_metric *metric, int n_dim, const sal_dim *dim)
{
  sal_variable v = {.name    = metric->name,
                    .unit    = metric->unit,
                    .what    = metric->what,
                    .kind    = sal_kind_name(metric->kind),
                    .store   = sal_store_of(metric->kind),
                    .missing = metric->kind != SAL_FLAG,
                    .n_dim   = n_dim,
                    .dim     = dim};

  if (metric->kind == SAL_FLAG)
    for (v.n_flag = 0; v.n_flag < SAL_N_OUTCOME; ++v.n_flag)
      v.flag[v.n_flag] = sal_metric_outcomes[v.n_flag].label;
  return v;
}

char *sal_variable_coordinates(const sal_model *model, bool with_initial)
{
  sal_text    text  = {0};
  const char *blank = "";

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
  int8_t   value[SAL_MAX_FLAG];
  sal_text words = {0};

  for (int i = 0; i < v->n_flag; ++i) {
    value[i] = (int8_t)i;
    sal_text_add(&words, "%s%s", i ? " " : "", v->flag[i]);
  }
  SAL_TRY(sal_h5_put_words(file, at, "flag_meanings", &words));
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
    if (label[i].text) SAL_TRY(sal_h5_put_text(file, at, label[i].name, label[i].text));
  return v->n_flag ? put_flags(file, at, v) : SAL_OK;
}

void sal_variable_cut(int n_dim, const hsize_t size[], size_t each, hsize_t chunk[])
{
  hsize_t room = chunk_bytes / each;

  for (int i = n_dim - 1; i >= 0; --i) {
    chunk[i] = size[i] < room ? size[i] : room;
    room /= chunk[i];
  }
}

/* Fill value and storage.  Large data are cut along the first dimensions.  No filters: ranks share
 * chunks, and a shared compressed chunk is unpacked and packed again at each write. */
static sal_err lay_out(const sal_h5 *file, const sal_variable *v, hid_t type, hid_t list)
{
  const double  nan   = NAN;
  const int64_t minus = -1; /* its first byte, or all of it: -1 in either width */
  hsize_t       size[SAL_MAX_DIM], chunk[SAL_MAX_DIM], bytes = sal_store_size(v->store);

  if (v->store == SAL_STORE_TEXT) return SAL_OK;
  SAL_TRY_H5(file, H5Pset_fill_value(list, type,
                                     v->store == SAL_STORE_REAL ? (const void *)&nan : &minus));
  /* every value is written once; filling the space first would double the traffic */
  SAL_TRY_H5(file, H5Pset_fill_time(list, H5D_FILL_TIME_NEVER));
  if (v->at_once) SAL_TRY_H5(file, H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY));
  for (int i = 0; i < v->n_dim; ++i) bytes *= size[i] = v->dim[i].size;
  if (bytes <= chunk_bytes) return SAL_OK;
  sal_variable_cut(v->n_dim, size, sal_store_size(v->store), chunk);
  SAL_TRY_H5(file, H5Pset_chunk(list, v->n_dim, chunk));
  return SAL_OK;
}

/* Says of which dimensions a new dataset is; makes it the scale of its own one, if it is that. */
static sal_err attach(const sal_h5 *file, const sal_variable *v, hid_t set)
{
  if (v->scale) {
    SAL_TRY_H5(file, H5DSset_scale(set, v->name));
    return SAL_OK;
  }
  for (int i = 0; i < v->n_dim; ++i) {
    SAL_HID scale = H5Dopen2(file->id, v->dim[i].name, H5P_DEFAULT);
    SAL_TRY_H5(file, scale);
    SAL_TRY_H5(file, H5DSattach_scale(set, scale, (unsigned)i));
  }
  return SAL_OK;
}

sal_err sal_variable_create(const sal_h5 *file, const sal_variable *v, const void *data)
{
  hsize_t size[SAL_MAX_DIM];

  for (int i = 0; i < v->n_dim; ++i) size[i] = v->dim[i].size;
  SAL_HID type  = sal_store_type(v->store);
  SAL_HID list  = H5Pcreate(H5P_DATASET_CREATE);
  SAL_HID space = v->n_dim ? H5Screate_simple(v->n_dim, size, NULL) : H5Screate(H5S_SCALAR);
  SAL_TRY_H5(file, space);
  SAL_TRY(lay_out(file, v, type, list));

  SAL_HID set = H5Dcreate2(file->id, v->name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  SAL_TRY_H5(file, set);
  SAL_TRY(attach(file, v, set));
  SAL_TRY(put_labels(file, set, v));
  if (v->missing && v->store == SAL_STORE_REAL)
    SAL_TRY(sal_h5_put(file, set, "_FillValue", type, 1, &(double){NAN}));
  if (v->missing && v->store == SAL_STORE_WHOLE)
    SAL_TRY(sal_h5_put(file, set, "_FillValue", type, 1, &(int64_t){-1}));
  if (data && H5Sget_simple_extent_npoints(space) > 0)
    SAL_TRY_H5(file, H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  return SAL_OK;
}
