/** @file src/answers/choose.h
 *  The choice itself: contenders ranked at a point, from the cells around it.
 *
 *  Between cells work and error are interpolated geometrically, points linearly, with the weights
 *  of stencil.h; in a single cell they are its own.  Only a contender that counts in every one of
 *  the cells (performance_table.h) is ranked.
 *
 *  By error: of those whose error, times e to the power of `caution` standard deviations of its
 *  logarithm among the cells, is at most the asked one, least work first.  Errors scatter from cell
 *  to cell (dispersion, replicates.h), so that without caution an answer between cells often
 *  misses.
 *
 *  By points: of those at the asked tolerance, the largest p_tot of (36) first.
 *
 *  Ties are broken by less work, the smaller error, and the order of the cube: never by chance.
 */
#ifndef SAL_CHOOSE_H
#define SAL_CHOOSE_H

#include "performance_table.h"
#include "question.h"

/** A contender that answers the question, and its expected figures at the point. */
typedef struct {
  int    contender;
  double work, work_lo, work_hi;    /* interpolated; least and most in the cells */
  double error, error_lo, error_hi; /* likewise */
  double bound;                     /* the error with caution */
  double sd, dt, iae, total;        /* points, NaN where the table has none; p_tot */
} sal_choose_candidate;

/** May this contender answer the question, whatever it takes?  By methods, strategies, tolerance. */
bool sal_choose_allows(const sal_sweep *sweep, const sal_question *question, int contender);

/** Ranks the contenders at the point that the n cells surround with weights [n], best first, into
 *  out [table->n_contender], and returns how many there are. */
int sal_choose(const sal_performance_table *table, int n, const int64_t cell[],
               const double weight[], const sal_question *question, sal_choose_candidate out[]);

/** The place of the first candidate behind `from` with a pair of method and strategy that no
 *  candidate before it has; n when there is none.  sal_choose_next(.., -1) is the answer, its
 *  successor the runner-up. */
int sal_choose_next(const sal_performance_table *table, int n, const sal_choose_candidate list[],
                    int from);

/** Of n > 0 candidates the one with the least bound on its error, the nearest where none is
 *  accurate enough. */
const sal_choose_candidate *sal_choose_most_accurate(int n, const sal_choose_candidate list[]);

/** Which criterion puts `a` before `b`; b may be NULL. */
sal_reason sal_choose_reason(const sal_question *question, const sal_choose_candidate *a,
                             const sal_choose_candidate *b);

#endif
