/** Flow and descriptor. */
#include "courier.h"
#include "stages.h"

enum { G, U, X, N_PARAM };
enum { N_GUARD = 2, CONTINUOUS = COURIER_N };

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  (void)t;
  dy[COURIER_Y] = y[COURIER_V];
  dy[COURIER_V] = -s->p[G];
  dy[COURIER_X] = s->p[U];
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  (void)t;
  gap[COURIER_FLOOR] = y[COURIER_Y];
  rate[COURIER_FLOOR] = dy[COURIER_Y];
  gap[COURIER_WALL] = s->p[X] - y[COURIER_X];
  rate[COURIER_WALL] = -dy[COURIER_X];
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  const sal_m lands = k == COURIER_FLOOR ? lanes & s->closed[k] : sal_none();

  (void)t;
  y[COURIER_Y] = sal_sel(lands, sal_set(0), y[COURIER_Y]);
  y[COURIER_V] = sal_sel(lands, -y[COURIER_V], y[COURIER_V]);
  y[COURIER_N] = sal_sel(lands, y[COURIER_N] + 1.0, y[COURIER_N]);
  s->closed[k] &= ~lands;
}

SAL_FLOW(courier_flow, CONTINUOUS, .guard = guard, .jump = jump);

#if SAL_LANES == 1
extern const struct sal_flow_w4 courier_flow_w4;
extern const struct sal_flow_w8 courier_flow_w8;
const sal_model courier = {
    .name = "courier",
    .title = "a ball that bounces along until it hits a wall",
    .source = "closed form",
    .n_state = COURIER_STATES,
    .n_discrete = 1,
    .n_guard = N_GUARD,
    .n_param = N_PARAM,
    .resets = true,
    .watch = COURIER_Y,
    .span = 10,
    .contact = {{"impact", "rebound"}, {"arrival", "departure", .ends = true}},
    .state = {{"y", "m", "height", 1, 0, 2, 0, 100},
              {"v", "m/s", "velocity", 0, -5, 5, -100, 100},
              {"x", "m", "way", 0, 0, 5, -100, 100},
              {"n", "1", "impacts so far", 0, 0, 10, 0, 1000, .whole = true}},
    .param = {{"g", "m/s^2", "gravity", 8, 1, 20, 0, 100},
              {"u", "m/s", "speed", 1, 0, 5, 0, 100},
              {"X", "m", "where the wall stands", 4, 0, 10, -100, 100}},
    .w1 = &courier_flow_w1,
    .w4 = SAL_W4(&courier_flow_w4),
    .w8 = SAL_W8(&courier_flow_w8),
};
#endif
