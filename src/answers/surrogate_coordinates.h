/** Coordinates of cells and points for the surrogate, 0 .. 1 along each quantity that the axes vary:
 *  by the logarithm where the axis is.  Quantities with nothing between two values, such as options,
 *  are words: they divide the cells into samples.
 *
 *  Points of an axis with the same words are a class, and a sample is a class on each axis.
 */
#pragma once

#include "parameter_column.h"
#include "surrogate_metric.h"

/** One coordinate: column c of an axis, and that of the scattered points. */
typedef struct {
  int axis, c, scattered_c;
  int column; /* the quantity, as in sal_axis */
  bool by_log;
  double lo, range; /* of the value or its logarithm */
} sal_surrogate_coordinate;

/** The classes of the points of an axis. */
typedef struct {
  int n;
  int32_t *of;    /* [n_point]; NULL: all of class 0 */
  int64_t *first; /* [n] the first point of each; NULL: point 0 */
} sal_word_classes;

/** Coordinates of some points of an axis by their numbers, each in one of the places where it may be. */
typedef struct {
  int axis;
  int64_t *point; /* 1 + number; 0: nothing is there */
  double *z;
} sal_recent_points;

typedef struct {
  const sal_sweep *sweep; /* borrowed */
  bool twin;              /* of another thread: all but the recent points are borrowed */
  int n;
  sal_surrogate_coordinate at[SAL_MAX_QUANTITY];
  int first[SAL_MAX_AXIS + 1];  /* those of axis a: first[a] .. first[a + 1] - 1 */
  int64_t stride[SAL_MAX_AXIS]; /* of its points in the number of a cell */
  sal_word_classes words[SAL_MAX_AXIS];
  int64_t n_sample;
  int64_t *n_in;             /* [n_sample] cells */
  int32_t *scattered_sample; /* [scattered] of each; NULL: none, or one sample */
  double *kept;              /* [n_cell][n] coordinates of all cells; NULL: found each time */
  sal_recent_points *recent; /* of points asked for last, where all are too many; or NULL */
} sal_surrogate_coordinates;

/** Frees also after a failure. */
sal_err sal_surrogate_coordinates_create(const sal_sweep *sweep,
                                         sal_surrogate_coordinates *coordinates);
void sal_surrogate_coordinates_free(sal_surrogate_coordinates *coordinates);

/** Neighbours that a plane is fitted to, and the cells that a sample has at least. */
static inline int sal_surrogate_neighbours(const sal_surrogate_coordinates *c)
{
  return 4 * (c->n + 1) > 48 ? 4 * (c->n + 1) : 48;
}
static inline int64_t sal_surrogate_least_cells(const sal_surrogate_coordinates *c)
{
  return 3 * ((int64_t)c->n + 1);
}

/** Fails when a sample has fewer, with how many there are. */
sal_err sal_surrogate_coordinates_check(const sal_surrogate_coordinates *coordinates);

/** The coordinate of a value, and the value of a coordinate. */
double sal_surrogate_coordinate_of(const sal_surrogate_coordinate *at, double value);
double sal_surrogate_coordinate_value(const sal_surrogate_coordinate *at, double z);

/** Finds the coordinates of all cells once, where they are few enough to be kept, or keeps those of the points of a sequence that
 *  were asked for last: for many places. */
sal_err sal_surrogate_coordinates_keep(sal_surrogate_coordinates *coordinates);

/** Coordinates of a point of axis a, which is a smooth sequence: z [first[a + 1] - first[a]]. */
void sal_surrogate_coordinates_point(const sal_surrogate_coordinates *coordinates, int a,
                                     int64_t point, double z[]);

/** A place: z [n], the class of its words on each axis, and the sample that these make. */
typedef struct {
  double z[SAL_SURROGATE_MOST_COORDINATES];
  int word[SAL_MAX_AXIS];
  int64_t sample;
} sal_surrogate_place;

void sal_surrogate_place_of_cell(const sal_surrogate_coordinates *coordinates, int64_t cell,
                                 sal_surrogate_place *place);

/** Quantities in which a point lies outside of the sweep by more than rounding. */
typedef struct {
  int n, column[SAL_MAX_QUANTITY];
  double lo[SAL_MAX_QUANTITY], hi[SAL_MAX_QUANTITY]; /* of column[i] in the sweep */
} sal_surrogate_outside;

/** The place of a point, value [n_param + n_option + n_state]; outside of the sweep that of the nearest edge.
 *  Fails when the sweep has no cell with its words. */
sal_err sal_surrogate_place_of_point(const sal_surrogate_coordinates *coordinates,
                                     const double value[], sal_surrogate_place *place,
                                     sal_surrogate_outside *outside);
