/** x'' = -cos t - (r_0 + r_1) (x' + sin t) - r_0 r_1 (x - cos t). */
#include "stiff_swing.h"
#include "lane_math.h"
#include "stages.h"

enum { X, V, N_STATE };

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  sal_v sine, cosine;

  sal_lane_sincos(t, &sine, &cosine);
  dy[X] = y[V];
  dy[V] = -cosine - (s->p[0] + s->p[1]) * (y[V] + sine) - s->p[0] * s->p[1] * (y[X] - cosine);
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  (void)t, (void)y;
  J[X * N_STATE + X] = sal_set(0);
  J[X * N_STATE + V] = sal_set(1);
  J[V * N_STATE + X] = -s->p[0] * s->p[1];
  J[V * N_STATE + V] = -(s->p[0] + s->p[1]);
}

SAL_FLOW(stiff_swing, N_STATE, .jac = jac);

#if SAL_LANES == 1
extern const struct sal_flow_w4 stiff_swing_w4;
extern const struct sal_flow_w8 stiff_swing_w8;
const sal_model stiff_swing = {
    .name = "stiff-swing",
    .title = "a position that follows cos t",
    .n_state = N_STATE,
    .n_param = 2,
    .velocity = {[X] = 1 + V},
    .w1 = &stiff_swing_w1,
    .w4 = SAL_W4(&stiff_swing_w4),
    .w8 = SAL_W8(&stiff_swing_w8),
};
#endif
