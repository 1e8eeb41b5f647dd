/** @file src/answers/stencil.h
 *  The interpolation stencil of a point: the cells that surround it, and the weight of each.
 *
 *  Each axis gives points with shares that sum to 1; the cells are all combinations, and weigh the
 *  product.  A linear, log or list axis gives the two points on either side, with shares linear in
 *  the value (in its logarithm on a log axis, and on a list of values above 0).  An axis of options
 *  gives the option.  An axis of rows, random or Sobol points gives the nearest ones, one more than
 *  it has columns, with shares inverse to the distance; columns that span a decade or more are
 *  taken by their logarithm, and all by their range.
 *
 *  A scattered cell has a hat: the product over the axes of 1 minus the distance over the reach,
 *  which is half the gap between the points of the axis, or the way to the end of the gap where
 *  that is shorter.  With hats h_i at the point the cells of the grid share the product of 1 - h_i,
 *  and the rest goes to the scattered ones by h_i / (1 - h_i), after Shepard, "A two-dimensional
 *  interpolation function for irregularly-spaced data", Proc. 23rd ACM Nat. Conf. (1968).  So the
 *  weights are continuous, also from box to box; each cell, scattered or not, has all of the weight
 *  at its own point; and without scattered cells near the point the grid answers alone.
 */
#ifndef SAL_STENCIL_H
#define SAL_STENCIL_H

#include "parameter_column.h"
#include "parameter_point.h"

/** The surrounding cells; the caller frees it. */
typedef struct {
  int      n;
  int64_t *cell;   /* [n] ascending, scattered ones last */
  double  *weight; /* [n] above 0, sum 1 */
  /* Quantities in which the point lies outside the map; there the nearest edge answers. */
  int    n_outside, outside[SAL_MAX_QUANTITY];       /* column: as in sal_axis */
  double lo[SAL_MAX_QUANTITY], hi[SAL_MAX_QUANTITY]; /* of outside[i] in the map */
} sal_stencil;

/** Finds them for a point, value [n_param + n_option + n_state]: of what the axes vary.  Fails for
 *  want of memory, or when an option is not in the map. */
SAL_MUST_CHECK sal_err sal_stencil_find(const sal_sweep *sweep, const double value[],
                                        sal_stencil *out);
void                   sal_stencil_free(sal_stencil *stencil);

#endif
