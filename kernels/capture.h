/** How many steps time stepping takes (methods that capture impacts), and how long they may be. */
#pragma once

#include "setup.h"

/** Runs that need more are refused. */
enum { SAL_CAPTURE_STEPS = 10000000 };

/** Steps are rtol times this. */
static inline double sal_capture_unit(const sal_model *model)
{
  return model->capture_unit > 0 ? model->capture_unit : 1;
}

/** Steps in a span, before they are rounded up to whole ones: of rtol times the model's unit, none longer than `longest`. */
static inline double sal_capture_steps(const sal_setup *s, double span, double longest)
{
  const double asked = s->rtol * sal_capture_unit(s->model);
  const double step = asked < longest ? asked : longest;

  return span / step * (1 - 1e-12);
}

/** The longest step that resolves the compliant contacts of a run that starts at y [n_state]: 0.2 sqrt(m / k) of the stiffest of
 *  those whose force is in proportion to the gap, *contact (-1: none, and any step does). */
double sal_capture_longest(const sal_model *model, const double param[], const double y[],
                           int *contact);
