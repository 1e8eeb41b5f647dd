/** Flow and descriptor. */
#include "lift.h"
#include "stages.h"

enum { Y, V, N_STATE };

static sal_v floor_height(const sal_phase *s, sal_v t)
{
  return (s->p[LIFT_C] + 0.5 * s->p[LIFT_A] * t) * t;
}

static sal_v floor_speed(const sal_phase *s, sal_v t) { return s->p[LIFT_C] + s->p[LIFT_A] * t; }

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  (void)t;
  dy[Y] = y[V];
  dy[V] = -s->p[LIFT_G];
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  gap[0] = y[Y] - floor_height(s, t);
  rate[0] = dy[Y] - floor_speed(s, t);
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  const sal_m lands = lanes & s->closed[k];
  const sal_v up = floor_speed(s, t);

  y[Y] = sal_sel(lands, floor_height(s, t), y[Y]);
  y[V] = sal_sel(lands, up - s->p[LIFT_E] * (y[V] - up), y[V]);
  s->closed[k] &= ~lands;
}

SAL_FLOW(lift_flow, N_STATE, .guard = guard, .jump = jump);

#if SAL_LANES == 1
extern const struct sal_flow_w4 lift_flow_w4;
extern const struct sal_flow_w8 lift_flow_w8;
const sal_model lift = {
    .name = "lift",
    .title = "a ball above a rising floor",
    .source = "closed form",
    .n_state = N_STATE,
    .n_guard = 1,
    .n_param = LIFT_PARAMS,
    .resets = true,
    .span = 1,
    .contact = {{"impact", "release"}},
    .w1 = &lift_flow_w1,
    .w4 = SAL_W4(&lift_flow_w4),
    .w8 = SAL_W8(&lift_flow_w8),
};
#endif
