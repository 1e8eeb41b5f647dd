/** The model linear-ground with its ground in two halves at one height: two contacts whose gaps are
 *  the same function, each with half of the stiffness and damping.
 */
#include "models.h"
#include "stages.h"

enum { Y, V, N_STATE };
enum { G, K, D, N_PARAM };
enum { TWINS = 2 };

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const sal_v push = 0.5 * (s->p[K] * y[Y] + s->p[D] * y[V]);

  (void)t;
  dy[Y] = y[V];
  dy[V] = -s->p[G];
  for (int k = 0; k < TWINS; ++k)
    dy[V] = dy[V] - sal_sel(sal_model_closed(s, k, y[Y]), push, sal_set(0));
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  (void)t;
  J[Y * N_STATE + Y] = J[V * N_STATE + Y] = J[V * N_STATE + V] = sal_set(0);
  J[Y * N_STATE + V] = sal_set(1);
  for (int k = 0; k < TWINS; ++k) {
    const sal_m closed = sal_model_closed(s, k, y[Y]);
    J[V * N_STATE + Y] = J[V * N_STATE + Y] - sal_sel(closed, 0.5 * s->p[K], sal_set(0));
    J[V * N_STATE + V] = J[V * N_STATE + V] - sal_sel(closed, 0.5 * s->p[D], sal_set(0));
  }
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  (void)s, (void)t;
  for (int k = 0; k < TWINS; ++k) {
    gap[k] = y[Y];
    rate[k] = dy[Y];
  }
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  (void)s, (void)k, (void)t;
  y[Y] = sal_sel(lanes, sal_set(0), y[Y]);
}

SAL_FLOW(sal_twin_ground, N_STATE, .jac = jac, .guard = guard, .jump = jump);

#if SAL_LANES == 1
SAL_DECLARE_FLOWS(twin_ground)
const sal_model twin_ground = {
    .name = "twin-ground",
    .n_state = N_STATE,
    .velocity = {[Y] = 1 + V},
    .n_guard = TWINS,
    .n_param = N_PARAM,
    SAL_FLOWS(twin_ground),
};
#endif
