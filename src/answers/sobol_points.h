/** @file src/answers/sobol_points.h
 *  The points of Sobol's sequence in a dyadic box: how many there are, and which.
 *
 *  Numbers are linear in Gray codes, so those of a box are a sum of vectors again.  With one leading bit for each vector, which no
 *  other has, they are counted and found in ascending order by bits.
 */
#ifndef SAL_SOBOL_POINTS_H
#define SAL_SOBOL_POINTS_H

#include "err.h"
#include "sobol_equations.h"

/** A box: a bit for each level that it has been halved at, the first one lowest; 1: the upper half. */
typedef struct {
  int depth;
  uint32_t bits;
} sal_sobol_box;

static inline sal_sobol_box sal_sobol_box_half(sal_sobol_box whole, bool upper)
{
  return (sal_sobol_box){whole.depth + 1, whole.bits | (uint32_t)upper << whole.depth};
}

typedef struct sal_sobol_points sal_sobol_points;

/** Creates n_point points, in boxes that are halved along these columns of the sequence, [depth].  Freed by sal_free. */
SAL_MUST_CHECK sal_err sal_sobol_points_create(int64_t n_point, int depth, const int column[],
                                               sal_sobol_points **points);

int64_t sal_sobol_points_count(const sal_sobol_points *points, sal_sobol_box box);
/** The k-th point of a box that has so many, ascending, and which one a point of the box is. */
int64_t sal_sobol_points_number(const sal_sobol_points *points, sal_sobol_box box, int64_t k);
int64_t sal_sobol_points_rank(const sal_sobol_points *points, sal_sobol_box box, int64_t point);
/** The bits of the deepest box that a point is in; the lowest ones are those of the larger boxes around it. */
uint32_t sal_sobol_points_boxes(const sal_sobol_points *points, int64_t point);

#endif
