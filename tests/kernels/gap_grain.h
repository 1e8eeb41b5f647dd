/** The change of a model's gaps by rounding of time and states, from its rates alone. */
#pragma once

#include "model_point.h"
#include <math.h>

/** A gap is 0 within so many grains where a state comes from several operations. */
enum { GAP_GRAIN_ROUNDINGS = 8 };

static inline double gap_grain_spacing(double x) { return nextafter(fabs(x), INFINITY) - fabs(x); }

/** Gaps [n_guard] in a mode, and their grains: by their rates along time and each of the states. */
static inline void gap_grain_measure(const sal_model *m, const double param[], const bool closed[],
                                     double t, const double y[], double gap[], double gap_noise[])
{
  double slope[SAL_MAX_STATE] = {0}, by_t[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];

  sal_model_rates(m, param, closed, t, y, slope, gap, by_t);
  for (int k = 0; k < sal_model_guards(m, param); ++k)
    gap_noise[k] = fabs(by_t[k]) * gap_grain_spacing(t);
  for (int i = 0; i < sal_model_continuous(m); ++i) {
    slope[i] = gap_grain_spacing(y[i]);
    sal_model_rates(m, param, closed, t, y, slope, gap, rate);
    for (int k = 0; k < sal_model_guards(m, param); ++k) gap_noise[k] += fabs(rate[k] - by_t[k]);
    slope[i] = 0;
  }
}
