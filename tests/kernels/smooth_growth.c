/** x = 2 u + w, z = u + w with u' = u cos t, w' = -w^2: u = e^(sin t), w = 1 / (2 + t). */
#include "smooth_growth.h"
#include "lane_math.h"
#include "stages.h"

enum { X, Z, N_STATE };

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const sal_v u = y[X] - y[Z], w = 2.0 * y[Z] - y[X];
  sal_v sine, cosine;

  (void)s;
  sal_lane_sincos(t, &sine, &cosine);
  dy[X] = 2.0 * u * cosine - w * w;
  dy[Z] = u * cosine - w * w;
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  const sal_v w = 2.0 * y[Z] - y[X];
  sal_v sine, cosine;

  (void)s;
  sal_lane_sincos(t, &sine, &cosine);
  J[X * N_STATE + X] = 2.0 * cosine + 2.0 * w;
  J[X * N_STATE + Z] = -2.0 * cosine - 4.0 * w;
  J[Z * N_STATE + X] = cosine + 2.0 * w;
  J[Z * N_STATE + Z] = -cosine - 4.0 * w;
}

SAL_FLOW(smooth_growth, N_STATE, .jac = jac);

#if SAL_LANES == 1
void smooth_growth_exact(long double t, long double y[])
{
  const long double u = expl(sinl(t)), w = 1 / (2 + t);

  y[X] = 2 * u + w;
  y[Z] = u + w;
}

extern const struct sal_flow_w4 smooth_growth_w4;
extern const struct sal_flow_w8 smooth_growth_w8;
const sal_model smooth_growth = {
    .name = "smooth-growth",
    .title = "two rates, coupled, known solution",
    .n_state = N_STATE,
    .watch = X,
    .w1 = &smooth_growth_w1,
    .w4 = SAL_W4(&smooth_growth_w4),
    .w8 = SAL_W8(&smooth_growth_w8),
};
#endif
