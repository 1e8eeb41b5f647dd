/** @file src/study/work_precision.h
 *  Work against precision: what configurations achieve and cost, as medians over several starts.
 */
#ifndef SAL_WORK_PRECISION_H
#define SAL_WORK_PRECISION_H

#include "certified_run.h"

/** A configuration's medians: the middle value, or the geometric mean of the middle two. */
typedef struct {
  double rms;     /* over all starts; infinite when it ended early on most of them */
  double rhs;     /* evaluations of f, over the starts it finished; NaN when there is none */
  double seconds; /* thread CPU time at width 1, likewise */
  int failed;     /* starts on which it ended early */
} sal_work_precision_point;

/** Measures n configurations of one model and t_end from n_start initial states start
 *  [n_start][n_state]; `used` receives the number of starts whose certified trajectory reached the
 *  end, the others are left out.  watch, n_mesh and repeats: see certified_run.h. */
SAL_MUST_CHECK sal_err sal_work_precision_run(int n, const sal_setup config[], const double param[],
                                              int n_start, const double start[], int watch,
                                              int64_t n_mesh, int repeats,
                                              sal_work_precision_point out[], int *used);

/** Random initial state number i: uniform in [lo, hi] of each state that is NaN in `given`, the
 *  others as given; depends on seed and i, not on how many are drawn. */
void sal_work_precision_start(const sal_model *model, const double given[], uint64_t seed, int i,
                              double start[]);

#endif
