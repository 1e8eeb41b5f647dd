/** @file src/study/model_along.h
 *  What events of a run say of a model (model_verdicts.h asks).
 */
#ifndef SAL_MODEL_ALONG_H
#define SAL_MODEL_ALONG_H

#include "model_drawn.h"
#include "trajectory.h"

/** Says where the gap of a contact leaps below 0 instead of reaching it, where a jump leaves a discrete state what it is
 *  not allowed to be, and where events bring energy in, if the model has one. */
void sal_model_along_events(sal_model_inquiry *inquiry, const sal_trajectory *trajectory);

#endif
