/** x'' = mu (1 - x^2) x' - x. */
#include "van_der_pol.h"
#include "stages.h"

enum { X, V, N_STATE };

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  (void)t;
  dy[X] = y[V];
  dy[V] = s->p[0] * (1.0 - y[X] * y[X]) * y[V] - y[X];
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  (void)t;
  J[X * N_STATE + X] = sal_set(0);
  J[X * N_STATE + V] = sal_set(1);
  J[V * N_STATE + X] = -2.0 * s->p[0] * y[X] * y[V] - 1.0;
  J[V * N_STATE + V] = s->p[0] * (1.0 - y[X] * y[X]);
}

SAL_FLOW(van_der_pol, N_STATE, .jac = jac);

#if SAL_LANES == 1
extern const struct sal_flow_w4 van_der_pol_w4;
extern const struct sal_flow_w8 van_der_pol_w8;
const sal_model van_der_pol = {
    .name = "van-der-pol",
    .title = "relaxation oscillator",
    .n_state = N_STATE,
    .n_param = 1,
    .velocity = {[X] = 1 + V},
    .w1 = &van_der_pol_w1,
    .w4 = SAL_W4(&van_der_pol_w4),
    .w8 = SAL_W8(&van_der_pol_w8),
};
#endif
