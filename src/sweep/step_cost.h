/** @file src/sweep/step_cost.h
 *  Work as a time: of evaluations of f, and of what the steps of a sweep's configurations take beside them
 *  (step_table.h), linear algebra included.
 */
#ifndef SAL_STEP_COST_H
#define SAL_STEP_COST_H

#include "config.h"
#include "step_table.h"
#include "work.h"

/** One evaluation of f may be said to take up to this [s]. */
#define SAL_STEP_COST_MOST 1e6

/** Times that make up the work in the answers of a sweep where work is a time (sal_work_weights.time). */
typedef struct sal_step_cost {
  double field; /* an evaluation of f [s] */
  int lanes;    /* trajectories that advance at once; times are of each */
  char machine[SAL_STEP_MACHINE];
  int n_method;
  double step[]; /* [n_strategy][n_method] a tried step, accepted or not [s]; NaN: not known */
} sal_step_cost;

/** Times of all pairs of a sweep, which is not needed afterwards; *out is freed with sal_free. */
SAL_MUST_CHECK sal_err sal_step_cost_make(const sal_step_table *table, const sal_sweep *sweep,
                                          int lanes, double field, sal_step_cost **out);

enum { SAL_STEP_COST_LANES = 32 };
/** ", 4 lanes"; of one nothing. */
const char *sal_step_cost_lanes(const sal_step_cost *cost, char text[SAL_STEP_COST_LANES]);

/** Time of a step of a pair of the sweep [s]. */
static inline double sal_step_cost_of(const sal_step_cost *cost, int strategy, int method)
{
  return cost->step[strategy * cost->n_method + method];
}

/** Work of a run of a configuration of the sweep: in evaluations of f, or as a time [s] where the weights have one. */
double sal_step_cost_work(const sal_work_weights *weights, const sal_error_metric *by,
                          sal_config config, const sal_record *record);

#endif
