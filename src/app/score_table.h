/** @file src/app/score_table.h
 *  Points summed over the cells of a cube, with ranks: what Tables 3-5 of the paper print.
 *
 *  Points for a measured solution duration differ from run to run.  The spread of such a sum is
 *  what it would lose, on the same scale, if each run took the median of its timed repeats instead
 *  of the least.  Two sums are tied when they differ by no more than the larger of their spreads.
 */
#ifndef SAL_SCORE_TABLE_H
#define SAL_SCORE_TABLE_H

#include "cube.h"
#include "map.h"
#include <stdio.h>

/** Sum over all cells of a points metric for one contender; NaN when a cell has none. */
double sal_score_table_sum(const sal_cube *cube, int metric, int tolerance, int strategy,
                           int method);

/** Spread of the sum of the points for solution duration; NaN when it is not known: without time,
 *  with one repeat, or in a cube that was made before spreads were kept. */
double sal_score_table_spread(const sal_cube *cube, int tolerance, int strategy, int method);

/** How many times as long as they computed the threads took by the clock; above 1 where they waited
 *  for a processor.  NaN when it is not known. */
double sal_score_table_busy(const sal_cube *cube);

/** Ranks [n], 1 for the largest; tied sums share a rank.  spread [n]; NULL, or NaN for a sum: only
 *  equal sums are tied.  A sum that is NaN gets 0. */
void sal_score_table_rank(int n, const double sum[], const double spread[], int rank[]);

/** Tables 3 and 4: sums and ranks per method, one table per strategy and tolerance. */
void sal_score_table_points(FILE *out, const sal_cube *cube);

/** Table 5: p_tot and ranks, for every strategy and tolerance. */
void sal_score_table_total(FILE *out, const sal_cube *cube, const sal_weights *weights);

/** Table 5 recomputed from the published points of Table 3, beside the published sums. */
void sal_score_table_published(FILE *out);

/** Tables 2 to 5, of all cells, as one line of JSON. */
void sal_score_table_json(FILE *out, const sal_cube *cube, const sal_weights *weights);

#endif
