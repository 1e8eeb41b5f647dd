/** @file src/sweep/scattered.h
 *  Scattered cells: further points between those of the axes, and which of them lie near a point.
 *
 *  They need axes of one quantity each, and lie within these.  On an axis a point has a slot: 2 i
 *  where it has the value of point i of the axis, 2 i + 1 between that and the next higher value.
 *  Points are sorted by their slots on all axes, so that those of a box of the grid are found by
 *  bisection, however many there are.
 */
#ifndef SAL_SCATTERED_H
#define SAL_SCATTERED_H

#include "axis.h"

/** Zero is none; sal_scattered_free frees. */
typedef struct {
  sal_axis point;  /* of kind rows, a column for each axis, in any order */
  int64_t *slots;  /* [n_point] ascending: the slots on all axes as one number */
  int64_t *number; /* [n_point] of the point that has them */
} sal_scattered;

/** The column of the quantity that an axis varies. */
int sal_scattered_column(const sal_scattered *scattered, const sal_axis *axis);

/** Sorts the points; false when memory ran out.  *replicate: a point that a cell of the grid or an
 *  earlier point is already; -1: none. */
bool sal_scattered_sort(int n_axis, const sal_axis axis[], sal_scattered *scattered,
                        int64_t *replicate);
void sal_scattered_free(sal_scattered *scattered);

/** The slot of a value on an axis; options have slots 2 i only. */
int64_t sal_scattered_slot(const sal_axis *axis, double value);

enum { SAL_MAX_SLOT = 9 };
/** Calls found(with, point) for each point whose slot on every axis is one of slot[a]
 *  [n_slot[a]]. */
void sal_scattered_find(const sal_scattered *scattered, int n_axis, const sal_axis axis[],
                        const int n_slot[], int64_t                     slot[][SAL_MAX_SLOT],
                        void (*found)(void *with, int64_t point), void *with);

#endif
