/** The stages of an explicit step with a model's right-hand side compiled into them (lane half).
 *
 *  A model puts SAL_FLOW(name, n_state) below its functions.  The number of states is a constant
 *  then, sums stay in registers and f is inlined: these make up most of the work of an explicit
 *  method.
 */
#pragma once

#include "pair_steps.h"

/** See sal_flow.stages. */
SAL_INLINE void sal_stages(sal_stages_rhs *f, int n, const sal_phase *s, const sal_step *step,
                           const sal_stage_table *table, int from, int to, sal_v k[], sal_v x[])
{
  sal_v y[SAL_MAX_STATE], sum[SAL_MAX_STATE], at[SAL_MAX_STATE], slope[SAL_MAX_STATE];
  int stage = from;

  for (int i = 0; i < n; ++i) y[i] = step->y[i], slope[i] = k[(from - 1) * n + i];
  do {
    const double *a = table->a[stage];
    const double c = table->c[stage];
    int j = 0;
    while (j < stage - 1 && a[j] == 0) ++j;
    const bool older = j < stage - 1;
    for (int i = 0; i < n; ++i) sum[i] = older ? a[j] * k[j * n + i] : sal_set(0);
    while (++j < stage - 1)
      if (a[j] != 0)
        for (int i = 0; i < n; ++i) sum[i] += a[j] * k[j * n + i];
    /* the newest slope, not read back from memory: the next stage needs it at once */
    for (int i = 0; i < n; ++i) {
      const sal_v newest = a[stage - 1] * slope[i];
      at[i] = y[i] + step->h * (older ? sum[i] + newest : newest);
    }
    f(s, c == 1.0 ? step->tn : step->t + c * step->h, at, slope);
    for (int i = 0; i < n; ++i) k[stage * n + i] = slope[i];
  } while (++stage <= to);
  for (int i = 0; i < n; ++i) x[i] = at[i];
}

/** out_i = sum_j w_j k[j][i] over `terms` slopes, i < n.  Four states at a time stay in
 *  registers. */
SAL_INLINE void sal_stages_sum(int n, int terms, const double w[], const sal_v k[], sal_v out[])
{
  int i = 0;

  for (; i + 4 <= n; i += 4) {
    sal_v sum[4];
    for (int l = 0; l < 4; ++l) sum[l] = w[0] * k[i + l];
    for (int j = 1; j < terms; ++j)
      if (w[j] != 0)
        for (int l = 0; l < 4; ++l) sum[l] += w[j] * k[j * n + i + l];
    for (int l = 0; l < 4; ++l) out[i + l] = sum[l];
  }
  for (; i < n; ++i) {
    out[i] = w[0] * k[i];
    for (int j = 1; j < terms; ++j) out[i] += w[j] * k[j * n + i];
  }
}

/** Defines the flow NAME of the function rhs of this file, with n continuous states, and of the
 *  members named after it: SAL_FLOW(sal_NAME, N_STATE, .jac = jac, .guard = guard, .jump = jump).
 */
#define SAL_FLOW(name, n, ...)                                                                     \
  SAL_FLOW_STAGES(n)                                                                               \
  const sal_flow SAL_FN(name) = {.rhs = rhs, .stages = stages, __VA_ARGS__}
#define SAL_FLOW_STAGES(n)                                                                         \
  __attribute__((flatten)) static void stages(const sal_phase *s, const sal_step *step,            \
                                              const sal_stage_table *table, int from, int to,      \
                                              sal_v k[], sal_v x[])                                \
  {                                                                                                \
    sal_stages(rhs, n, s, step, table, from, to, k, x);                                            \
  }

/** The same with whole steps of explicit pairs compiled in, of at most SAL_PAIR_STATES states: the same
 *  bits in half of the time, at the cost of seconds of the compiler's.  For models of large sweeps. */
#define SAL_FLOW_WITH_PAIRS(name, n, ...)                                                          \
  SAL_FLOW_STAGES(n)                                                                               \
  SAL_PAIRS(name, n)                                                                               \
  const sal_flow SAL_FN(name) = {.rhs = rhs, .stages = stages, .pair = sal_pairs, __VA_ARGS__}
