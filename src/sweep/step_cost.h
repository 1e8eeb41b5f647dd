/** @file src/sweep/step_cost.h
 *  What a step takes beside its evaluations of f, by solver, strategy and number of states: measured
 *  by `saltus calibrate-work` at width 1 (step_costs.def), linear algebra included.
 */
#ifndef SAL_STEP_COST_H
#define SAL_STEP_COST_H

#include "method.h"
#include "strategy.h"
#include "work.h"

/** Numbers of states that are measured, ascending. */
enum { SAL_STEP_COST_SIZES = 3 };
extern const int sal_step_cost_states[SAL_STEP_COST_SIZES];

/** One evaluation of f may be said to take up to this [s]. */
#define SAL_STEP_COST_MOST 1e6

/** On which machine the table was measured, "CPU, compiler". */
extern const char sal_step_cost_machine[];

/** The time of a tried step, accepted or not, for n states [s]; NaN: neither the solver nor its library is
 *  measured with such a strategy.  Strategies that freeze the mode take the steps of `event`, all others
 *  those of `switch`. */
double sal_step_cost(const sal_method *method, const sal_strategy *strategy, int n);

/** The same from times [SAL_STEP_COST_SIZES] in ns, 0: not measured: by powers of n between those that are, and
 *  beyond the last by that of the last two, at least 0. */
double sal_step_cost_at(const double ns[SAL_STEP_COST_SIZES], int n);

/** Work of a run as a time, of evaluations and of tried steps of `step` s each. */
double sal_step_cost_work(const sal_work_weights *weights, double step, const sal_error_metric *by,
                          const sal_record *record);

#endif
