/** @file src/study/model_along.h
 *  Checks of a model by events of a run (called for model_verdicts.h).
 */
#ifndef SAL_MODEL_ALONG_H
#define SAL_MODEL_ALONG_H

#include "model_drawn.h"
#include "trajectory.h"

/** Reports where the gap of a contact leaps below 0 instead of reaching it, where a jump leaves a discrete state what it is
 *  not allowed to be, and where events bring energy in, if the model has one. */
void sal_model_along_events(sal_model_inquiry *inquiry, const sal_trajectory *trajectory);

#endif
