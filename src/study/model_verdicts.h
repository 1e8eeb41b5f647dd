/** @file src/study/model_verdicts.h
 *  Is a model what its author means?  One verdict for each question that can be asked of any model: at its
 *  start, at points drawn from the ranges of its parameters and states, in one run, and with every solver.
 */
#ifndef SAL_MODEL_VERDICTS_H
#define SAL_MODEL_VERDICTS_H

#include "lost.h"
#include "model_drawn.h"

/** Takes one verdict after the other. */
typedef void sal_model_verdict_take(void *with, const sal_model_verdict *verdict);

/** Asks all questions.  like: model and t_end; n_guard is made from param; param [n_param + n_option], initial
 *  [n_state]: the start.  *wrong: how many were wrong; *lost: the value that is not finite and ended the run, if one
 *  did.  Fails for want of memory alone. */
SAL_MUST_CHECK sal_err sal_model_verdicts(const sal_setup *like, const double param[],
                                          const double initial[], sal_model_verdict_take *take,
                                          void *with, int *wrong, sal_lost *lost);

#endif
