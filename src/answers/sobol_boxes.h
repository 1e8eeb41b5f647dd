/** @file src/answers/sobol_boxes.h
 *  Points of Sobol's sequence near a place, without an index.
 *
 *  The leading bits of a point's coordinates are linear in the Gray code of its number, over the field of two elements.
 *  So the points of a box that those bits make are a solution of linear equations and all sums of a few vectors.
 *  Boxes are searched as the leaves of a k-d tree are, and none of it is stored.
 */
#ifndef SAL_SOBOL_BOXES_H
#define SAL_SOBOL_BOXES_H

#include "metric_block.h"
#include "surrogate_coordinates.h"

/** The points of a sequence from which coordinates are made; plain data. */
typedef struct {
  int n; /* coordinates; 0: the points are not such a sequence */
  int64_t n_point;
  int column[SAL_SURROGATE_MOST_COORDINATES];  /* of the sequence */
  double at_0[SAL_SURROGATE_MOST_COORDINATES], /* coordinate where the sequence has 0 */
      range[SAL_SURROGATE_MOST_COORDINATES];   /* and how far it is from there to 1 */
} sal_sobol_boxes;

/** The boxes of an axis, whose column c[k] is coordinate at[k], k < n: n is 0 where its points are not the sequence's, whole numbers among
 *  them. */
sal_sobol_boxes sal_sobol_boxes_of(const sal_axis *axis, int n, const sal_surrogate_coordinate at[],
                                   const int c[]);

/** Calls near(with, point) for all points whose square may stay within the limit, which may become less on the way.  slack [n]:
 *  by how much each x of the place may differ; NULL: not at all. */
void sal_sobol_boxes_search(const sal_sobol_boxes *boxes, const sal_metric_block *block,
                            const double slack[], const double *limit,
                            void (*near)(void *with, int64_t point), void *with);

#endif
