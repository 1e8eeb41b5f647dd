/** @file src/plan/pair.c
 *  Which methods, strategies and models go together.
 */
#include "pair.h"
#include <stdio.h>

const char *sal_pair_flaw(const sal_model *model, const sal_method *method,
                          const sal_strategy *strategy, char text[SAL_PAIR_TEXT])
{
  if (!sal_pair_works(method, strategy))
    snprintf(text, SAL_PAIR_TEXT, "strategy %s works with one-step methods only, and %s is none",
             strategy->name, method->name);
  else if (!sal_strategy_meets(strategy, model))
    snprintf(text, SAL_PAIR_TEXT,
             "model %s resets its state at contacts, and strategy %s meets none", model->name,
             strategy->name);
  else
    return NULL;
  return text;
}
