/** @file src/plan/pair.h
 *  Which methods, strategies and models go together.
 */
#ifndef SAL_PAIR_H
#define SAL_PAIR_H

#include "method.h"
#include "model.h"
#include "strategy.h"

enum { SAL_PAIR_TEXT = 160 };

/** NULL when this strategy can drive this method on this model, else a sentence that says why not,
 *  written into text. */
const char *sal_pair_flaw(const sal_model *model, const sal_method *method,
                          const sal_strategy *strategy, char text[SAL_PAIR_TEXT]);

#endif
