/** M = P diag(1, m, 0), f = P (u cos t, -m w^2, v - u w). */
#include "weighted.h"
#include "lane_math.h"
#include "stages.h"

enum { U, W, V, N_STATE };

static const double P[N_STATE][N_STATE] = {{1, 2, 0}, {0, 1, 1}, {1, 0, 1}};

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  sal_v sine, cosine;

  sal_lane_sincos(t, &sine, &cosine);
  const sal_v plain[] = {y[U] * cosine, -s->p[0] * y[W] * y[W], y[V] - y[U] * y[W]};
  for (int i = 0; i < N_STATE; ++i)
    dy[i] = P[i][U] * plain[U] + P[i][W] * plain[W] + P[i][V] * plain[V];
}

static void jac(const sal_phase *s, sal_v t, const sal_v y[], sal_v J[])
{
  sal_v sine, cosine;

  sal_lane_sincos(t, &sine, &cosine);
  for (int i = 0; i < N_STATE; ++i) {
    J[i * N_STATE + U] = P[i][U] * cosine - P[i][V] * y[W];
    J[i * N_STATE + W] = -2.0 * P[i][W] * s->p[0] * y[W] - P[i][V] * y[U];
    J[i * N_STATE + V] = sal_set(P[i][V]);
  }
}

static void mass(const sal_phase *s, sal_v M[])
{
  for (int i = 0; i < N_STATE; ++i) {
    M[i * N_STATE + U] = sal_set(P[i][U]);
    M[i * N_STATE + W] = P[i][W] * s->p[0];
    M[i * N_STATE + V] = sal_set(0);
  }
}

SAL_FLOW(weighted, N_STATE, .jac = jac, .mass = mass);

#if SAL_LANES == 1
void weighted_exact(double t, double y[])
{
  y[U] = exp(sin(t));
  y[W] = 1 / (2 + t);
  y[V] = y[U] * y[W];
}

extern const struct sal_flow_w4 weighted_w4;
extern const struct sal_flow_w8 weighted_w8;
const sal_model weighted = {
    .name = "weighted",
    .title = "two rates and a constraint",
    .n_state = N_STATE,
    .n_param = 1,
    .w1 = &weighted_w1,
    .w4 = SAL_W4(&weighted_w4),
    .w8 = SAL_W8(&weighted_w8),
};
#endif
