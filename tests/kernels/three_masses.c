/** y_k'' = -g, and in contact (y_k <= 0) y_k'' = -g - k y_k - d y_k', for three masses. */
#include "three_masses.h"
#include "stages.h"

enum { G, K, D, N_PARAM };
enum { N_STATE = 2 * MASSES };

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  (void)t;
  for (int k = 0; k < MASSES; ++k) {
    const sal_v height = y[2 * k], speed = y[2 * k + 1];
    const sal_v push = s->p[K] * height + s->p[D] * speed;
    dy[2 * k] = speed;
    dy[2 * k + 1] = -(s->p[G] + sal_sel(sal_model_closed(s, k, height), push, sal_set(0)));
  }
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  (void)t;
  for (int i = 0; i < N_STATE * N_STATE; ++i) J[i] = sal_set(0);
  for (int k = 0; k < MASSES; ++k) {
    const sal_m closed = sal_model_closed(s, k, y[2 * k]);
    sal_v *row = J + (2 * k + 1) * N_STATE + 2 * k;
    J[2 * k * N_STATE + 2 * k + 1] = sal_set(1);
    row[0] = sal_sel(closed, -s->p[K], sal_set(0));
    row[1] = sal_sel(closed, -s->p[D], sal_set(0));
  }
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  (void)s, (void)t;
  for (int k = 0; k < MASSES; ++k) {
    gap[k] = y[2 * k];
    rate[k] = dy[2 * k];
  }
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  (void)s, (void)t;
  y[2 * k] = sal_sel(lanes, sal_set(0), y[2 * k]);
}

SAL_FLOW(three_masses, N_STATE, .jac = jac, .guard = guard, .jump = jump);

#if SAL_LANES == 1
extern const struct sal_flow_w4 three_masses_w4;
extern const struct sal_flow_w8 three_masses_w8;
const sal_model three_masses = {
    .name = "three-masses",
    .title = "three masses on linear ground",
    .contact = {{"touchdown", "liftoff"}},
    .n_state = N_STATE,
    .velocity = {1 + 1, 0, 1 + 3, 0, 1 + 5},
    .n_guard = MASSES,
    .n_param = N_PARAM,
    .w1 = &three_masses_w1,
    .w4 = SAL_W4(&three_masses_w4),
    .w8 = SAL_W8(&three_masses_w8),
};
#endif
