/** @file src/sweep/model_check.h
 *  Is a model's descriptor one that everything else can believe?
 */
#ifndef SAL_MODEL_CHECK_H
#define SAL_MODEL_CHECK_H

#include "err.h"
#include "model.h"

enum { SAL_MODEL_CHECK_TEXT = 200 };

/** NULL when the descriptor keeps to what model.h says, else a sentence that says where it does
 *  not, in text.  Nothing of it is evaluated: derivatives and rates are for tests. */
const char *sal_model_check(const sal_model *model, char text[SAL_MODEL_CHECK_TEXT]);

/** Fails where the model begins beyond the surface of a contact that resets the state, which has no motion there.  where:
 *  heads the message. */
SAL_MUST_CHECK sal_err sal_model_check_start(const char *where, const sal_model *model,
                                             const double param[], const double initial[]);

#endif
