/** A force that acts for a while: y' = 1 in the contact (t - middle)^2 <= half^2, else 0. */
#include "models.h"
#include "stages.h"

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const sal_v since = t - s->p[PULSE_MIDDLE], half = s->p[PULSE_HALF];
  const sal_m on = sal_model_closed(s, 0, since * since - half * half);

  (void)y;
  dy[0] = sal_sel(on, sal_set(1), sal_set(0));
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  (void)s, (void)t, (void)y;
  J[0] = sal_set(0);
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  const sal_v since = t - s->p[PULSE_MIDDLE], half = s->p[PULSE_HALF];

  (void)y, (void)dy;
  gap[0] = since * since - half * half;
  rate[0] = 2.0 * since;
}

SAL_FLOW(sal_pulse, 1, .jac = jac, .guard = guard);

#if SAL_LANES == 1
SAL_DECLARE_FLOWS(pulse)
const sal_model pulse = {
    .name = "pulse",
    .n_state = 1,
    .n_guard = 1,
    .n_param = PULSE_PARAMS,
    SAL_FLOWS(pulse),
};
#endif
