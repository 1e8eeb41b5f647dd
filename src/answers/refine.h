/** @file src/answers/refine.h
 *  Where a map is worth more cells: halfway between neighbours that disagree.
 *
 *  Neighbours are cells next to each other on an axis of the grid, and pairs with a scattered cell
 *  among them such that no cell lies in the ball between the two (Gabriel and Sokal, "A new
 *  statistical approach to geographic variation analysis", Syst. Zool. 18, 1969).  Distances count
 *  gaps of the axes, in the measure of each axis.
 *
 *  The score of a pair is the cost, in the mean over the questions and both ways, of using the
 *  winner of one cell in the other: the share of work it takes beyond the best there, 1 when it
 *  misses the asked error or when only one of the two has an answer, and never more than 1.  A thin
 *  lead of a winner, over the runner-up or below the asked error, adds up to 1 / 50 each.  All of
 *  that counts by the distance of the pair: this is how far a wrong answer may reach.
 */
#ifndef SAL_REFINE_H
#define SAL_REFINE_H

#include "performance_table.h"

/** A cell to be added, between cells a and b. */
typedef struct {
  double  value[SAL_MAX_AXIS]; /* one for each axis */
  int64_t a, b;
  double  score; /* as above, less what points chosen before take away */
} sal_refine_point;

/** Chooses at most `budget` points, best first, into point [budget]; *n of them.  A point counts
 *  by the square of its distance to the nearest one chosen before, where that is less than 1, so
 *  that they do not pile up; equal scores go by the order of the cells.  The axes have one quantity
 *  each; those of options and of whole numbers are not divided.  map: of the table, by error. */
SAL_MUST_CHECK sal_err sal_refine_choose(const sal_performance_table *table, const sal_map *map,
                                         int64_t budget, sal_refine_point point[], int64_t *n);

#endif
