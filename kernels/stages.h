/** @file kernels/stages.h
 *  The stages of an explicit step with a model's right-hand side compiled into them (lane half).
 *
 *  A model puts SAL_STAGES(n_state) below its `rhs` and `stages` into its flow.  The number of
 * states is a constant then, sums stay in registers and f is no call, which is most of what an
 * explicit method has to do.
 */
#ifndef SAL_STAGES_H
#define SAL_STAGES_H

#include "model.h"

typedef void sal_slope(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[]);

/** See sal_flow.stages. */
SAL_INLINE void sal_stages(sal_slope *f, int n, const sal_phase *s, const sal_attempt *step,
                           const sal_stage_table *table, int from, int to, sal_v k[], sal_v x[])
{
  sal_v y[SAL_MAX_STATE], sum[SAL_MAX_STATE], at[SAL_MAX_STATE], slope[SAL_MAX_STATE];
  int   stage = from;

  for (int i = 0; i < n; ++i) y[i] = step->y[i], slope[i] = k[(from - 1) * n + i];
  do {
    const double *a = table->a[stage];
    const double  c = table->c[stage];
    for (int i = 0; i < n; ++i) sum[i] = sal_set(0);
    for (int j = 0; j < stage - 1; ++j)
      if (a[j] != 0)
        for (int i = 0; i < n; ++i) sum[i] += a[j] * k[j * n + i];
    /* the newest slope, not read back from memory: all else waits for it */
    for (int i = 0; i < n; ++i) at[i] = y[i] + step->h * (sum[i] + a[stage - 1] * slope[i]);
    f(s, c == 1.0 ? step->tn : step->t + c * step->h, at, slope);
    for (int i = 0; i < n; ++i) k[stage * n + i] = slope[i];
  } while (++stage <= to);
  for (int i = 0; i < n; ++i) x[i] = at[i];
}

/** Defines the flow NAME of the functions rhs, jac, guard and jump of this file, with n_state
 * states; further members may follow. */
#define SAL_FLOW(name, n_state, ...)                                                               \
  __attribute__((flatten)) static void stages(const sal_phase *s, const sal_attempt *step,         \
                                              const sal_stage_table *table, int from, int to,      \
                                              sal_v k[], sal_v x[])                                \
  {                                                                                                \
    sal_stages(rhs, n_state, s, step, table, from, to, k, x);                                      \
  }                                                                                                \
  const sal_flow SAL_FN(name) = {                                                                  \
      .rhs = rhs, .stages = stages, .jac = jac, .guard = guard, .jump = jump, __VA_ARGS__}

#endif
