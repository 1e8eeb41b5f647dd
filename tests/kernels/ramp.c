/** x' = -2 x + t. */
#include "ramp.h"
#include "stages.h"

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  (void)s;
  dy[0] = -2.0 * y[0] + t;
}

SAL_FLOW(ramp, 1);

#if SAL_LANES == 1
extern const struct sal_flow_w4 ramp_w4;
extern const struct sal_flow_w8 ramp_w8;
const sal_model ramp = {
    .name = "ramp",
    .title = "relaxation under a growing force",
    .n_state = 1,
    .w1 = &ramp_w1,
    .w4 = SAL_W4(&ramp_w4),
    .w8 = SAL_W8(&ramp_w8),
};
#endif
