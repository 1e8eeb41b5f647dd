/** @file src/app/score_table.h
 *  Points summed over the cells of a cube, with ranks: what Tables 3-5 of the paper print.
 */
#ifndef SAL_SCORE_TABLE_H
#define SAL_SCORE_TABLE_H

#include "cube.h"
#include "map.h"
#include <stdio.h>

/** Sum over all cells of a points metric for one contender; NaN when a cell has none. */
double sal_sum_points(const sal_cube *cube, int metric, int tolerance, int strategy, int method);

/** Ranks [n], 1 for the largest; equal sums share a rank; NaN gets 0. */
void sal_rank(int n, const double sum[], int rank[]);

/** Tables 3 and 4: sums and ranks of SD, DT, IAE per method, one table per strategy and tolerance.
 */
void sal_print_points(FILE *out, const sal_cube *cube);

/** Table 5: p_tot and ranks, for every strategy and tolerance. */
void sal_print_total(FILE *out, const sal_cube *cube, const sal_weights *weights);

/** Table 5 recomputed from the published points of Table 3, beside the published sums. */
void sal_print_published_total(FILE *out);

/** Table 2: stiffness of every cell, published and corrected. */
void sal_print_stiffness(FILE *out, const sal_cube *cube);

/** Ours beside the published points, with rms difference and correlation per column. */
void sal_print_fit(FILE *out, const sal_cube *cube);

#endif
