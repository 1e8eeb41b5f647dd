/** A pointer that turns at the rate w: c' = -w s, s' = w c.  Contact k watches the height s over a
 *  level of its own and does nothing to the motion, so that every crossing has a closed form.
 */
#include "models.h"
#include "stages.h"

enum { C, S, N_STATE };

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  (void)t;
  dy[C] = -s->p[ROTOR_RATE] * y[S];
  dy[S] = s->p[ROTOR_RATE] * y[C];
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  (void)t, (void)y;
  J[C * N_STATE + C] = J[S * N_STATE + S] = sal_set(0);
  J[C * N_STATE + S] = -s->p[ROTOR_RATE];
  J[S * N_STATE + C] = s->p[ROTOR_RATE];
}

/* Smooth: the height over the level, times the scale.  Boolean: its sign, without a rate. */
static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  const sal_m boolean = sal_gt(s->p[ROTOR_BOOLEAN], sal_set(0));

  (void)t;
  for (int k = 0; k < ROTOR_LEVELS; ++k) {
    const sal_v over = y[S] - s->p[ROTOR_LEVEL + k];
    const sal_v sign = sal_sel(sal_gt(over, sal_set(0)), sal_set(1), sal_set(-1));
    gap[k] = sal_sel(boolean, sign, s->p[ROTOR_SCALE] * over);
    rate[k] = sal_sel(boolean, sal_set(0), s->p[ROTOR_SCALE] * dy[S]);
  }
}

/* Leaves the pointer where it was found, but for a residue on either side of the level. */
static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  const sal_v residue = s->p[ROTOR_RESIDUE], level = s->p[ROTOR_LEVEL + k];

  (void)t;
  y[S] = sal_sel(lanes & ~sal_eq(residue, sal_set(0)), level + residue, y[S]);
}

SAL_FLOW(sal_rotor, N_STATE, .jac = jac, .guard = guard, .jump = jump);

#if SAL_LANES == 1
SAL_DECLARE_FLOWS(rotor)
const sal_model rotor = {
    .name = "rotor",
    .n_state = N_STATE,
    .n_guard = ROTOR_LEVELS,
    .n_param = ROTOR_PARAMS,
    .watch = S,
    SAL_FLOWS(rotor),
};
#endif
