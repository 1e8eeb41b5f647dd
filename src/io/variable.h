/** A labelled dataset: a netCDF-4 variable as xarray expects it. */
#pragma once

#include "h5.h"
#include "units.h"

/* ---- How values are kept in a file, and on their way to it. ---- */

/** float64 with NaN for missing, int64 with -1, int8 with -1, UTF-8 text of one length for all; of
 *  maps, which have much to say of each cell, float32 with NaN, and places in a list, counted from 0,
 *  of a byte or two. */
typedef enum {
  SAL_DATATYPE_REAL,
  SAL_DATATYPE_WHOLE,
  SAL_DATATYPE_FLAG,
  SAL_DATATYPE_TEXT,
  SAL_DATATYPE_SINGLE,
  SAL_DATATYPE_BYTE,
  SAL_DATATYPE_SHORT
} sal_datatype;

/** The type of a number in memory and in the file; a new type, to be closed.  Text has none, since
 *  its length is that of the dataset (h5.h). */
hid_t sal_datatype_hdf5(sal_datatype type);
/** Bytes of a number. */
size_t sal_datatype_size(sal_datatype type);

/** The smallest type for places in a list of n. */
sal_datatype sal_datatype_of_place(int64_t n);
/** Is it float64 or float32? */
bool sal_datatype_is_real(sal_datatype type);

/** How a kind of metric is kept, and its name. */
sal_datatype sal_datatype_of(sal_metric_kind kind);
const char *sal_datatype_kind_name(sal_metric_kind kind);

/** Converts n numbers, `stride` apart, into that type; missing ones become the fill value. */
void sal_datatype_pack(sal_datatype type, int64_t n, const double *from, int64_t stride, void *to);
/** The way back; missing ones become NaN. */
void sal_datatype_unpack(sal_datatype type, int64_t n, const void *from, int64_t stride,
                         double *to);

/* ---- variable ---- */

enum { SAL_MAX_DIM = 5, SAL_MAX_FLAG = 40 };

/** Level of deflate. */
enum { SAL_VARIABLE_LEVEL = 4 };

/** A dimension: the name of its scale, and its size. */
typedef struct {
  const char *name;
  hsize_t size;
} sal_variable_dim;

typedef struct {
  const char *name, *unit, *what;
  const char *kind; /* attribute: "coordinate", or the kind of metric */
  sal_datatype type;
  bool missing;         /* numbers that may be NaN: they have a _FillValue */
  int64_t run;          /* values that are written together (checksum.h); 0: each alone */
  int64_t block, first; /* runs in a block, and place of its first sum; 0: none */
  bool at_once;         /* its room in the file is given out when it is created */
  bool in_one;          /* it is not cut into chunks */
  int64_t
      packed; /* places of the first dimension in a chunk, which is shuffled and deflated; 0: it is not */
  bool scale;                  /* this is the scale of its own dimension */
  int n_dim;                   /* 0: a single value */
  const sal_variable_dim *dim; /* [n_dim] whose scales exist already */
  const char *coordinates;     /* names of further coordinates, or NULL */
  int n_flag;
  const char *flag[SAL_MAX_FLAG]; /* word of each value, SAL_DATATYPE_FLAG only */
} sal_variable;

/** Creates the variable with its labels.  Writes `data`, in C order, and its checksum, unless it is
 *  NULL; without data the checksum has the length of the runs and is written anew when all values
 *  are there.  Text needs its data: const char *const [n], along one dimension. */
sal_err sal_variable_create(const sal_h5 *file, const sal_variable *v, const void *data);

/** Creates the variable of a dimension itself, its coordinates: a dimension scale.  unit may be
 *  NULL.  Without data it is in one piece. */
sal_err sal_variable_create_scale(const sal_h5 *file, const sal_variable_dim *dim,
                                  sal_datatype type, const char *unit, const char *what,
                                  const void *data);

/** The same with the numbers from `first` on. */
sal_err sal_variable_create_numbers(const sal_h5 *file, const sal_variable_dim *dim, int64_t first,
                                    const char *unit, const char *what);
/** Creates the variable of a single number. */
sal_err sal_variable_create_value(const sal_h5 *file, const sal_variable *v, double value);

/** Says by _FillValue that counts are missing in a dataset.  One that misses none goes without: of
 *  whole numbers with a _FillValue xarray makes float64. */
sal_err sal_variable_mark_missing(const sal_h5 *file, hid_t set);

/** A model's parameter or state along `dim`. */
sal_variable sal_variable_of_field(const sal_field *field, const char *name, int n_dim,
                                   const sal_variable_dim *dim);
/** Quantity i of the model, counted as sal_axis counts columns. */
sal_variable sal_variable_of_quantity(const sal_model *model, int i, int n_dim,
                                      const sal_variable_dim *dim);
/** A metric of that model, with the words of its kind; `unit` is room for its unit. */
sal_variable sal_variable_of_metric(const sal_metric *metric, const sal_model *model,
                                    char unit[SAL_UNITS_TEXT], int n_dim,
                                    const sal_variable_dim *dim);

/** A first name or NULL, names of a model's parameters and options, and of its initial states if wanted, for the
 *  attribute `coordinates`.  The caller frees it; NULL without memory. */
char *sal_variable_coordinates(const char *first, const sal_model *model, bool with_initial);

/* Attributes of a dimension for netCDF besides HDF5's scale: its number, and the dimensions that
 * hold nothing but a length.
 *
 * A text of netCDF's classic model is an array of characters along a dimension that is its length,
 * "string7".  Where it is the scale of another dimension, HDF5 lets it have no list of scales of
 * its own, and netCDF finds its two dimensions by their numbers. */

enum { SAL_DIMENSION_NAME = 32 };

/** First numbers in the groups that a cube may have.  netCDF numbers the dimensions of all groups of a
 *  file together, in a table: numbers are small. */
enum {
  SAL_DIMENSION_OF_MAP = 1 << 10,
  SAL_DIMENSION_OF_STORED = 2 << 10,
  SAL_DIMENSION_OF_SUMS = 3 << 10,
  SAL_DIMENSION_OF_AXES = 4 << 10
};

/** Numbers the scale `set`, the newest dataset of the group `file`, unlike all others of the file. */
sal_err sal_dimension_number(const sal_h5 *file, hid_t set);

/** Makes a dimension without values, of which only the size counts: readers have no index for it. */
sal_err sal_dimension_create(const sal_h5 *file, const sal_variable_dim *dim);

/** The dimension of texts of `length` bytes, made where the group has none yet; its name. */
sal_err sal_dimension_of_text(const sal_h5 *file, size_t length, char name[SAL_DIMENSION_NAME]);

/** Says that the numbered scale `set` lies along its own dimension and along `second`. */
sal_err sal_dimension_put_both(const sal_h5 *file, hid_t set, const char *second);

/** Is this dataset a dimension without values?  It has nothing to read or to compare. */
bool sal_dimension_is_bare(hid_t set);
