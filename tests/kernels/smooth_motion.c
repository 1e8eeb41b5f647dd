/** x = 2 u + w, z = u + w with u'' = u' cos t - u sin t, w'' = -2 w w': u = e^(sin t),
 *  w = 1 / (2 + t).
 */
#include "smooth_motion.h"
#include "lane_math.h"
#include "stages.h"

enum { X, Z, VX, VZ, N_STATE };

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const sal_v u = y[X] - y[Z], w = 2.0 * y[Z] - y[X];
  const sal_v du = y[VX] - y[VZ], dw = 2.0 * y[VZ] - y[VX];
  sal_v sine, cosine;

  (void)s;
  sal_lane_sincos(t, &sine, &cosine);
  const sal_v ddu = du * cosine - u * sine, ddw = -2.0 * w * dw;
  dy[X] = y[VX];
  dy[Z] = y[VZ];
  dy[VX] = 2.0 * ddu + ddw;
  dy[VZ] = ddu + ddw;
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  const sal_v w = 2.0 * y[Z] - y[X], dw = 2.0 * y[VZ] - y[VX];
  sal_v sine, cosine;

  (void)s;
  sal_lane_sincos(t, &sine, &cosine);
  for (int i = 0; i < N_STATE * N_STATE; ++i) J[i] = sal_set(0);
  J[X * N_STATE + VX] = J[Z * N_STATE + VZ] = sal_set(1);
  for (int k = 0; k < 2; ++k) {
    const double of_u = 2 - k; /* x'' = 2 u'' + w'', z'' = u'' + w'' */
    const int row = (VX + k) * N_STATE;
    J[row + X] = -of_u * sine + 2.0 * dw;
    J[row + Z] = of_u * sine - 4.0 * dw;
    J[row + VX] = of_u * cosine + 2.0 * w;
    J[row + VZ] = -of_u * cosine - 4.0 * w;
  }
}

SAL_FLOW(smooth_motion, N_STATE, .jac = jac);

#if SAL_LANES == 1
void smooth_motion_exact(long double t, long double y[])
{
  const long double u = expl(sinl(t)), w = 1 / (2 + t), du = u * cosl(t), dw = -w * w;

  y[X] = 2 * u + w;
  y[Z] = u + w;
  y[VX] = 2 * du + dw;
  y[VZ] = du + dw;
}

extern const struct sal_flow_w4 smooth_motion_w4;
extern const struct sal_flow_w8 smooth_motion_w8;
const sal_model smooth_motion = {
    .name = "smooth-motion",
    .title = "two rates, coupled, known solution, of second order",
    .n_state = N_STATE,
    .velocity = {[X] = 1 + VX, [Z] = 1 + VZ},
    .watch = X,
    .w1 = &smooth_motion_w1,
    .w4 = SAL_W4(&smooth_motion_w4),
    .w8 = SAL_W8(&smooth_motion_w8),
};
#endif
