/** How many steps time stepping takes (methods that capture impacts). */
#pragma once

#include "setup.h"

/** Runs that need more are refused. */
enum { SAL_CAPTURE_STEPS = 10000000 };

/** Steps in a span, before they are rounded up to whole ones: of rtol times the model's unit, none longer than `longest`. */
static inline double sal_capture_steps(const sal_setup *s, double span, double longest)
{
  const double unit = s->model->capture_unit > 0 ? s->model->capture_unit : 1;
  const double step = s->rtol * unit < longest ? s->rtol * unit : longest;

  return span / step * (1 - 1e-12);
}
