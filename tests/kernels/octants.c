/** Three surfaces through the origin and eight fields (lane half). */
#include "octants.h"
#include "lane_math.h"
#include "stages.h"

enum { N = OCTANTS_N };

static void surfaces(const sal_phase *s, const sal_v x[], sal_v h[])
{
  sal_v square = sal_set(0);

  for (int i = 0; i < N; ++i) square += x[i] * x[i];
  for (int k = 0; k < N; ++k) h[k] = x[k] + s->p[OCTANTS_CURVATURE] * square;
}

static void rhs(const sal_phase *s, sal_v t, const sal_v x[], sal_v dx[])
{
  sal_v octant = sal_set(0), h[N], cosine;

  (void)t;
  surfaces(s, x, h);
  for (int k = 0; k < N; ++k)
    octant += sal_sel(sal_model_closed(s, k, -h[k]), sal_set(1 << k), sal_set(0));
  for (int k = 0; k < N; ++k) {
    sal_lane_sincos(17.0 * s->p[OCTANTS_SEED] + 5.3 * octant + 2.1 * k, &dx[k], &cosine);
    dx[k] = 1.0 + s->p[OCTANTS_SWING] * dx[k];
  }
}

static void jac(const sal_phase *s, sal_v t, const sal_v x[], sal_v J[])
{
  (void)s, (void)t, (void)x;
  for (int i = 0; i < N * N; ++i) J[i] = sal_set(0);
}

static void guard(const sal_phase *s, sal_v t, const sal_v x[], const sal_v dx[], sal_v gap[],
                  sal_v rate[])
{
  sal_v h[N], turn = sal_set(0);

  (void)t;
  surfaces(s, x, h);
  for (int i = 0; i < N; ++i) turn += 2.0 * s->p[OCTANTS_CURVATURE] * x[i] * dx[i];
  for (int k = 0; k < N; ++k) {
    gap[k] = -h[k];
    rate[k] = -(dx[k] + turn);
  }
}

/* No jump: several surfaces may be crossed together, and a gap made 0 would undo another. */

SAL_FLOW(octants, N, .jac = jac, .guard = guard);

#if SAL_LANES == 1
extern const struct sal_flow_w4 octants_w4;
extern const struct sal_flow_w8 octants_w8;
const sal_model octants = {
    .name = "octants",
    .title = "eight constant fields between three surfaces",
    .contact = {{"crossing", "return"}},
    .n_state = N,
    .n_guard = N,
    .n_param = OCTANTS_N_PARAM,
    .w1 = &octants_w1,
    .w4 = SAL_W4(&octants_w4),
    .w8 = SAL_W8(&octants_w8),
};
#endif
