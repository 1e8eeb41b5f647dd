/** @file src/sweep/scattered.h
 *  Scattered cells: further points between those of the axes.
 *
 *  They need axes of one quantity each, and lie within these.  On an axis a point has a slot: 2 i
 *  where it has the value of point i of the axis, 2 i + 1 between that and the next higher value.
 *  Sorted by their slots on all axes those of a box of the grid stand together: a sample spread over
 *  that order is spread over the grid.
 */
#ifndef SAL_SCATTERED_H
#define SAL_SCATTERED_H

#include "axis.h"

/** Zero is none; sal_scattered_free frees. */
typedef struct {
  sal_axis point;  /* of kind rows, a column for each axis, in any order */
  int64_t *number; /* [n_point] of the points, by their slots on all axes */
} sal_scattered;

/** The column of the quantity that an axis varies. */
int sal_scattered_column(const sal_scattered *scattered, const sal_axis *axis);

/** Sorts the points; false when memory ran out.  *replicate: a point that a cell of the grid or an
 *  earlier point is already; -1: none. */
bool sal_scattered_sort(int n_axis, const sal_axis axis[], sal_scattered *scattered,
                        int64_t *replicate);
void sal_scattered_free(sal_scattered *scattered);

#endif
