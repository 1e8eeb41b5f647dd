/** @file src/io/variable.h
 *  A labelled dataset: a netCDF-4 variable as xarray expects it.
 */
#ifndef SAL_VARIABLE_H
#define SAL_VARIABLE_H

#include "h5.h"
#include "metric.h"
#include "model.h"
#include <stdbool.h>

/** How values are kept: float64 with NaN for missing, int64 with -1, int8 with -1, UTF-8 text. */
typedef enum { SAL_STORE_REAL, SAL_STORE_WHOLE, SAL_STORE_FLAG, SAL_STORE_TEXT } sal_store;

enum { SAL_MAX_DIM = 5, SAL_MAX_FLAG = 40 };

/** A dimension: the name of its scale, and its size. */
typedef struct {
  const char *name;
  hsize_t     size;
} sal_dim;

typedef struct {
  const char    *name, *unit, *what;
  const char    *kind; /* attribute: "coordinate", or the kind of metric */
  sal_store      store;
  bool           missing;     /* values may be missing: tell so by _FillValue */
  bool           at_once;     /* its room in the file is given out when it is created */
  bool           scale;       /* this is the scale of its own dimension */
  int            n_dim;       /* 0: a single value */
  const sal_dim *dim;         /* [n_dim] whose scales exist already */
  const char    *coordinates; /* names of further coordinates, or NULL */
  int            n_flag;
  const char    *flag[SAL_MAX_FLAG]; /* word of each value, SAL_STORE_FLAG only */
} sal_variable;

/** Creates the variable with its labels.  Writes `data`, in C order, unless it is NULL. */
SAL_MUST_CHECK sal_err sal_variable_create(const sal_h5 *file, const sal_variable *v,
                                           const void *data);

/** Chunks of at most 1 MB of values of `each` bytes: whole runs of the last dimensions, as many as
 *  fit.  No size is 0. */
void sal_variable_cut(int n_dim, const hsize_t size[], size_t each, hsize_t chunk[]);

/** A model's parameter or state, and its option, along `dim`. */
sal_variable sal_variable_of_field(const sal_field *field, const char *name, int n_dim,
                                   const sal_dim *dim);
sal_variable sal_variable_of_option(const sal_option *option, int n_dim, const sal_dim *dim);
/** A metric; flags are outcomes. */
sal_variable sal_variable_of_metric(const sal_metric *metric, int n_dim, const sal_dim *dim);

/** Names of a model's parameters and options, and of its initial states if wanted, for the
 * attribute `coordinates`.  The caller frees it; NULL when there is no memory. */
char *sal_variable_coordinates(const sal_model *model, bool with_initial);

/** Type of a value in memory and in the file; a new type, to be closed. */
hid_t sal_store_type(sal_store store);
/** How a kind of metric is kept, and its name. */
sal_store   sal_store_of(sal_metric_kind kind);
const char *sal_kind_name(sal_metric_kind kind);
/** Bytes of a value in memory. */
size_t sal_store_size(sal_store store);
/** Converts n numbers, `stride` apart, into that store; missing ones become the fill value. */
void sal_store_pack(sal_store store, int64_t n, const double *from, int64_t stride, void *to);

#endif
