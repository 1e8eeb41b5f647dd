/** An axis of the parameter grid: what it varies, and its values.
 *
 *  An axis is a row of points.  A point sets one quantity of the model, or several together.
 *  Values depend on the axis alone, and not on rank, thread or the rest of the sweep.
 */
#pragma once

#include "model.h"

enum { SAL_MAX_AXIS = 16, SAL_MAX_COLUMN = SAL_MAX_QUANTITY };

/** Where the values of an axis come from. */
typedef enum {
  SAL_AXIS_LINEAR, /* equal distances */
  SAL_AXIS_LOG,    /* equal ratios */
  SAL_AXIS_LIST,
  SAL_AXIS_ROWS,
  SAL_AXIS_RANDOM, /* uniform draws, in the value or its logarithm */
  SAL_AXIS_SOBOL,  /* Sobol's sequence */
} sal_axis_kind;

/** column: what each column sets, counted over the parameters, the options (values are numbers of
 *  their words) and the initial states.  Linear and log axes have one column. */
typedef struct {
  sal_axis_kind kind;
  int n_column;
  int column[SAL_MAX_COLUMN];
  int64_t n_point;
  double *value; /* [n_point][n_column]; NULL: drawn when asked for */
  double lo[SAL_MAX_COLUMN], hi[SAL_MAX_COLUMN]; /* of all but lists and rows */
  bool whole[SAL_MAX_COLUMN];                    /* only whole numbers make sense */
  bool log[SAL_MAX_COLUMN]; /* of random and sobol: drawn uniformly in the logarithm */
  uint64_t seed;
} sal_axis;

/** Its word in the sweep file: "linear". */
const char *sal_axis_kind_name(sal_axis_kind kind);

/** Are its points known by their numbers rather than by a value: rows, random, sobol? */
bool sal_axis_joint(const sal_axis *axis);

/** Makes the values of a linear or log axis from the rest of it, and none of a random or sobol axis; false when memory
 *  ran out.
 *
 *  Linear and log axes end at lo and hi exactly, and a value that is a decimal of up to 12 digits
 *  but for rounding is that decimal: 0.3, not 0.30000000000000004.  Whole quantities are rounded
 *  there; in random and sobol axes each whole number from lo to hi has the same share, by the
 *  logarithm that from n - 1/2 to n + 1/2.  Sobol's sequence starts at the middle of the box, its second point: the first is the corner. */
bool sal_axis_fill(sal_axis *axis);
/** The value of column c at a point 0 .. n_point - 1. */
double sal_axis_value(const sal_axis *axis, int64_t point, int c);

/** Points of Sobol's sequence, none of whose columns are whole numbers. */
bool sal_axis_is_smooth_sequence(const sal_axis *axis);

/** Bytes of the values that it keeps. */
double sal_axis_bytes(const sal_axis *axis);

/** The least and the largest value of column c. */
void sal_axis_ends(const sal_axis *axis, int c, double *lo, double *hi);

/** Is what lies between two values of a column measured by its logarithm?  On a log axis, on a list of
 *  values above 0, on a random or sobol axis where it is drawn so, and on rows whose values are above 0
 *  and span a decade or more. */
bool sal_axis_column_by_log(const sal_axis *axis, int c);

/** The points of a linear, log or list axis on either side of a value; below == above where the
 *  value is that of a point. */
typedef struct {
  int64_t below, above;
  double at_below, at_above; /* their values */
} sal_axis_neighbours;
/** False when the value lies outside the axis by more than rounding; then, as for a value outside
 *  by rounding, the neighbours are those of the nearer end.  lo, hi: the ends. */
bool sal_axis_bracket(const sal_axis *axis, double value, double *lo, double *hi,
                      sal_axis_neighbours *out);
