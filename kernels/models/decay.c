/** y' = -lambda y: no contacts, and the solution y(0) exp(-lambda t). */
#include "stages.h"

enum { Y, N_STATE };
enum { LAMBDA, N_PARAM };
enum { N_GUARD };

SAL_INLINE void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  (void)t;
  dy[Y] = -s->p[LAMBDA] * y[Y];
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  (void)t, (void)y;
  J[Y] = -s->p[LAMBDA];
}

SAL_FLOW(sal_decay, N_STATE, .jac = jac);

#if SAL_LANES == 1
static bool equilibrium(const void *inner, const double p[], sal_equilibrium which, double y[])
{
  (void)inner, (void)p, (void)which;
  y[Y] = 0;
  return true;
}

SAL_DECLARE_FLOWS(decay)
const sal_model sal_decay = {
    .name = "decay",
    .title = "exponential decay, closed form",
    .source = "textbook: y(t) = y(0) exp(-lambda t)",
    .n_state = N_STATE,
    .n_guard = N_GUARD,
    .n_param = N_PARAM,
    .watch = Y,
    .span = 2,
    .time = "s",
    .state = {{"y", "1", "the quantity that decays", 1, -1, 1, -1e6, 1e6}},
    .param = {{"lambda", "1/s", "rate of decay", 1, 0.1, 1e3, 0, 1e9}},
    .equilibrium = equilibrium,
    .natural = {"the time constant is 1", {1 + LAMBDA}},
    SAL_FLOWS(decay),
};
#endif
