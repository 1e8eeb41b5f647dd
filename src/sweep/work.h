/** The work of a run: what is compared by answers, and what cutoffs bound. */
#pragma once

#include "sweep.h"

/** Weights of the work of a run for a model of n states, in evaluations of f: an analytic
 *  Jacobian like the differences it stands for, a factorisation of 2/3 n^3 and a solve of 2 n^2
 *  operations beside an f of 10 n. */
sal_work_weights sal_work_of_model(const sal_model *model, sal_jacobian jacobian);
/** Weights of a sweep's model. */
sal_work_weights sal_work_presets(const sal_sweep *sweep);

/** The weight of counts of one kind, SAL_WORK_RHS and so on. */
double sal_work_weight(const sal_work_weights *weights, int kind);

/** Work of a run by the counts of an error metric, in evaluations of f; NaN when a count that
 *  matters is missing. */
double sal_work_of(const sal_work_weights *weights, const sal_error_metric *by,
                   const sal_record *record);
