/** M = diag(1, 1, 0), f = (v, -v + force, x - sin t). */
#include "guided.h"
#include "lane_math.h"
#include "stages.h"

enum { X, V, FORCE, N_STATE };

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  sal_v sine, cosine;

  (void)s;
  sal_lane_sincos(t, &sine, &cosine);
  dy[X] = y[V];
  dy[V] = y[FORCE] - y[V];
  dy[FORCE] = y[X] - sine;
}

static void mass(const sal_phase *s, sal_v M[])
{
  (void)s;
  for (int i = 0; i < N_STATE * N_STATE; ++i) M[i] = sal_set(0);
  M[X * N_STATE + X] = M[V * N_STATE + V] = sal_set(1);
}

SAL_FLOW(guided, N_STATE, .mass = mass);

#if SAL_LANES == 1
extern const struct sal_flow_w4 guided_w4;
extern const struct sal_flow_w8 guided_w8;

#define GUIDED(other, ...)                                                                         \
  const sal_model other = {.name = #other,                                                         \
                           .n_state = N_STATE,                                                     \
                           .w1 = &guided_w1,                                                       \
                           .w4 = SAL_W4(&guided_w4),                                               \
                           .w8 = SAL_W8(&guided_w8),                                               \
                           __VA_ARGS__}
GUIDED(guided_undeclared, .watch = X);
GUIDED(guided, .state = {[V] = {.index = 2}, [FORCE] = {.index = 3}});
#endif
