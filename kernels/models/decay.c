/** @file kernels/models/decay.c
 *  y' = -lambda y: no contacts, and the solution y(0) exp(-lambda t).
 */
#include "stages.h"

enum { Y, N_STATE };
enum { LAMBDA, N_PARAM };
enum { N_GUARD };

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  (void)t;
  dy[Y] = -s->p[LAMBDA] * y[Y];
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  (void)t, (void)y;
  J[Y] = -s->p[LAMBDA];
}

/* There is no contact, so neither does anything; the types are sal_flow's.
 * NOLINTBEGIN(readability-non-const-parameter) */
static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  (void)s, (void)t, (void)y, (void)dy, (void)gap, (void)rate;
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v y[])
{
  (void)s, (void)k, (void)lanes, (void)y;
}
/* NOLINTEND(readability-non-const-parameter) */

SAL_FLOW(sal_decay, N_STATE);

#if SAL_LANES == 1
static bool rest(const double p[], sal_rest which, double y[])
{
  (void)p, (void)which;
  y[Y] = 0;
  return true;
}

SAL_DECLARE_FLOWS(decay)
const sal_model sal_decay = {
    .name    = "decay",
    .title   = "exponential decay, closed form",
    .source  = "textbook: y(t) = y(0) exp(-lambda t)",
    .closes  = "none",
    .opens   = "none",
    .n_state = N_STATE,
    .n_guard = N_GUARD,
    .n_param = N_PARAM,
    .watch   = Y,
    .state   = {{"y", "1", "what decays", 1, -1, 1, -1e6, 1e6}},
    .param   = {{"lambda", "1/s", "rate of decay", 1, 0.1, 1e3, 0, 1e9}},
    .rest    = rest,
    SAL_FLOWS(decay),
};
#endif
