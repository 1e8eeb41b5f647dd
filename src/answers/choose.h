/** Choices of cells, and the answers of a map.  The choice in a cell: configurations ranked by their results there.  Only a configuration that counts
 *  (performance_table.h) is ranked.  Between cells the surrogate chooses (surrogate.h).
 *
 *  By error: configurations whose error is at most the requested one, least work first.  By points: configurations at
 *  the requested tolerance, the largest p_tot of (36) first.
 *
 *  Ties are broken by less work, the smaller error, and the order of the cube: never by chance.
 */
#pragma once

#include "performance_table.h"

/** A configuration that answers the question, and its figures in the cell. */
typedef struct {
  int config;
  double work, error;
  double sd, dt, iae, total; /* points, NaN where the table has none; p_tot */
} sal_choose_candidate;

/** Ranks the configurations in a cell, best first, into out [table->n_config], and returns how many
 *  there are: by points none where their scale is not known (sure.h). */
int sal_choose(const sal_performance_table *table, int64_t cell, const sal_question *question,
               sal_choose_candidate out[]);

/** The place of the first candidate after `from` with a pair of method and strategy that no
 *  candidate before it has; n when there is none.  sal_choose_next(.., -1) is the answer, its
 *  successor the runner-up. */
int sal_choose_next(const sal_performance_table *table, int n, const sal_choose_candidate list[],
                    int from);

/** Which criterion puts `a` before `b`; b may be NULL. */
sal_reason sal_choose_reason(const sal_question *question, const sal_choose_candidate *a,
                             const sal_choose_candidate *b);

/* ---- The map of a performance table: every question answered in every cell. ---- */

/** Fills a map whose questions are set: errors, weights, and what may win.  The caller frees it
 *  with sal_map_free, also after a failure. */
sal_err sal_choose_map(const sal_performance_table *table, sal_map *map);
