/** @file src/plan/pair.h
 *  Which methods, strategies and models go together, and which zones with which starts.
 */
#ifndef SAL_PAIR_H
#define SAL_PAIR_H

#include "method.h"
#include "model.h"
#include "strategy.h"

enum { SAL_PAIR_TEXT = 200 };

/** NULL when this strategy can drive this method on this model, else a sentence that says why not,
 *  written into text. */
const char *sal_pair_flaw(const sal_model *model, const sal_method *method,
                          const sal_strategy *strategy, char text[SAL_PAIR_TEXT]);

/** The same for a zone: one in units of the gap must leave some open contact outside at the start
 *  (be narrower than the drop height), one in time must be shorter than the run. */
const char *sal_zone_flaw(const sal_model *model, const double param[], const double initial[],
                          double zone, bool in_time, double t_end, char text[SAL_PAIR_TEXT]);

#endif
