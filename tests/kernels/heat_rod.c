/** y_i' = a (y_i-1 - 2 y_i + y_i+1) - a / 4 (y_i-2 - y_i) - b y_i^3, with 1 ahead of the rod and 0
 *  after it.
 */
#include "heat_rod.h"
#include "stages.h"

enum { N = HEAT_ROD_PIECES };

static sal_v heat_rod_at(const sal_v y[], int i)
{
  return i < 0 ? sal_set(1) : i < N ? y[i] : sal_set(0);
}

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  (void)t;
  for (int i = 0; i < N; ++i) {
    const sal_v spread = heat_rod_at(y, i - 1) - 2.0 * y[i] + heat_rod_at(y, i + 1);
    const sal_v drift = 0.25 * (heat_rod_at(y, i - 2) - y[i]);
    dy[i] = s->p[0] * (spread - drift) - s->p[1] * y[i] * y[i] * y[i];
  }
}

SAL_FLOW(heat_rod, N);

#if SAL_LANES == 1
extern const struct sal_flow_w4 heat_rod_w4;
extern const struct sal_flow_w8 heat_rod_w8;

#define HEAT_ROD(other, ...)                                                                       \
  const sal_model other = {.name = #other,                                                         \
                           .n_state = N,                                                           \
                           .n_param = 2,                                                           \
                           .w1 = &heat_rod_w1,                                                     \
                           .w4 = SAL_W4(&heat_rod_w4),                                             \
                           .w8 = SAL_W8(&heat_rod_w8),                                             \
                           __VA_ARGS__}
HEAT_ROD(heat_rod_full, .watch = 0);
HEAT_ROD(heat_rod_banded, .band = {HEAT_ROD_LOWER, HEAT_ROD_UPPER});
#endif
