/** y_i' = -r_i (y_i - cos t) - sin t. */
#include "stiff_chase.h"
#include "lane_math.h"
#include "stages.h"

enum { N_STATE = 2 };

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  sal_v sine, cosine;

  sal_lane_sincos(t, &sine, &cosine);
  for (int i = 0; i < N_STATE; ++i) dy[i] = -s->p[i] * (y[i] - cosine) - sine;
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  (void)t, (void)y;
  J[0] = -s->p[0];
  J[3] = -s->p[1];
  J[1] = J[2] = sal_set(0);
}

SAL_FLOW(stiff_chase, N_STATE, .jac = jac);

#if SAL_LANES == 1
extern const struct sal_flow_w4 stiff_chase_w4;
extern const struct sal_flow_w8 stiff_chase_w8;
const sal_model stiff_chase = {
    .name = "stiff-chase",
    .title = "two states that chase cos t",
    .n_state = N_STATE,
    .n_param = 2,
    .w1 = &stiff_chase_w1,
    .w4 = SAL_W4(&stiff_chase_w4),
    .w8 = SAL_W8(&stiff_chase_w8),
};
#endif
