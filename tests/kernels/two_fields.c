/** y' = open where the contact is open, y' = closed where it is closed. */
#include "two_fields.h"
#include "stages.h"

enum { OPEN, CLOSED, N_PARAM };

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  (void)t;
  dy[0] = sal_sel(sal_model_closed(s, 0, y[0]), s->p[CLOSED], s->p[OPEN]);
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  (void)s, (void)t, (void)y;
  J[0] = sal_set(0);
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  (void)s, (void)t;
  gap[0] = y[0];
  rate[0] = dy[0];
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  (void)s, (void)k, (void)t;
  y[0] = sal_sel(lanes, sal_set(0), y[0]);
}

SAL_FLOW(two_fields, 1, .jac = jac, .guard = guard, .jump = jump);

#if SAL_LANES == 1
extern const struct sal_flow_w4 two_fields_w4;
extern const struct sal_flow_w8 two_fields_w8;
const sal_model two_fields = {
    .name = "two-fields",
    .title = "one field above 0, one below",
    .contact = {{"crossing", "return"}},
    .n_state = 1,
    .n_guard = 1,
    .n_param = N_PARAM,
    .w1 = &two_fields_w1,
    .w4 = SAL_W4(&two_fields_w4),
    .w8 = SAL_W8(&two_fields_w8),
};
#endif
