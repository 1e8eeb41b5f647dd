/** @file src/sweep/compatibility.c
 *  Which methods, strategies and models go together.
 */
#include "compatibility.h"
#include "integrate.h"
#include <math.h>
#include <stdio.h>

const char *sal_compatibility_flaw(const sal_model *model, const sal_method *method,
                                   const sal_strategy *strategy, char text[SAL_COMPATIBILITY_TEXT])
{
  if (!sal_strategy_drives(strategy, method))
    snprintf(text, SAL_COMPATIBILITY_TEXT,
             "strategy %s works with one-step methods only, and %s is none", strategy->name,
             method->name);
  else if (!sal_strategy_meets_jumps(strategy, model))
    snprintf(text, SAL_COMPATIBILITY_TEXT,
             "model %s resets its state at contacts, and strategy %s meets none", model->name,
             strategy->name);
  else
    return NULL;
  return text;
}

/* The widest gap at the start; 0 when no contact is open. */
static double widest_gap(const sal_model *model, const double param[], const double initial[])
{
  double gap[SAL_MAX_GUARD], widest = 0;

  sal_model_gaps(model, param, 0, initial, gap);
  for (int k = 0; k < sal_model_guards(model, param); ++k) widest = fmax(widest, gap[k]);
  return widest;
}

const char *sal_compatibility_zone_flaw(const sal_model *model, const double param[],
                                        const double initial[], double zone, bool in_time,
                                        double t_end, char text[SAL_COMPATIBILITY_TEXT])
{
  const double limit = in_time ? t_end : widest_gap(model, param, initial);

  if (zone < limit || (!in_time && limit == 0)) return NULL;
  if (in_time)
    snprintf(text, SAL_COMPATIBILITY_TEXT,
             "a zone of %g in time; allowed: shorter than the run, %g", zone, t_end);
  else
    snprintf(text, SAL_COMPATIBILITY_TEXT,
             "a zone of %g holds every contact at the start; allowed: narrower than the drop, %g",
             zone, limit);
  return text;
}
