/** Stones in a row.  Stone k stands at x_k > 0 and lies at x_k <= 0, and its contact states which.
 *  All sink, x_k' = -1; a stone that changes sides puts the next one over to its other side: a
 *  cascade at one instant.  In a ring lying stones rise, x_k' = 1, and the last one puts the first
 *  one over again, and so on without end.
 */
#include "models.h"
#include "stages.h"

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const sal_m ring = sal_gt(s->p[0], sal_set(0));

  (void)t;
  for (int k = 0; k < DOMINOES; ++k)
    dy[k] = sal_sel(ring & sal_model_closed(s, k, y[k]), sal_set(1), sal_set(-1));
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  (void)s, (void)t, (void)y;
  for (int i = 0; i < DOMINOES * DOMINOES; ++i) J[i] = sal_set(0);
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  (void)s, (void)t;
  for (int k = 0; k < DOMINOES; ++k) {
    gap[k] = y[k];
    rate[k] = dy[k];
  }
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  const sal_m ring = sal_gt(s->p[0], sal_set(0));
  const sal_m on = k + 1 < DOMINOES ? lanes : lanes & ring;
  const int next = (k + 1) % DOMINOES;

  (void)t;
  y[next] = sal_sel(on, sal_sel(s->closed[next], sal_set(1), sal_set(-1)), y[next]);
}

SAL_FLOW(sal_dominoes, DOMINOES, .jac = jac, .guard = guard, .jump = jump);

#if SAL_LANES == 1
SAL_DECLARE_FLOWS(dominoes)
const sal_model dominoes = {
    .name = "dominoes",
    .resets = true,
    .n_state = DOMINOES,
    .n_guard = DOMINOES,
    .n_param = 1,
    SAL_FLOWS(dominoes),
};
#endif
