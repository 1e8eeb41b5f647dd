/** The hopper on a massless spring against its closed form. */
#include "kernels/run_one.h"
#include "sal_test.h"
#include <math.h>

enum { MESH = 400 };

static const double param[] = {9.81, 200, 1, 1}; /* g, k, m, l0 */
static const double start[] = {2, 0};

/* Fall from rest, half a turn and more of the oscillator about its sunken middle, and back. */
typedef struct {
  double fall, stance, period, speed, omega;
} cycle;

static cycle cycle_of(void)
{
  cycle c = {.fall = sqrt(2 * (start[0] - param[3]) / param[0]),
             .omega = sqrt(param[1] / param[2])};

  c.speed = param[0] * c.fall;
  c.stance = (2 * M_PI - 2 * atan(c.omega * c.speed / param[0])) / c.omega;
  c.period = 2 * c.fall + c.stance;
  return c;
}

static double height(double t)
{
  const cycle c = cycle_of();
  const double u = fmod(t, c.period), v = u - c.fall, w = c.omega;

  if (u <= c.fall) return start[0] - 0.5 * param[0] * u * u;
  if (v < c.stance)
    return param[3] - param[0] / (w * w) * (1 - cos(w * v)) - c.speed / w * sin(w * v);
  return start[0] - 0.5 * param[0] * (u - c.period) * (u - c.period);
}

static void check(const char *method, double tolerance)
{
  const sal_setup setup = config("hopper1d", method, "event", tolerance, 2);
  static double state[MESH + 1][2];
  sal_samples mesh = {.n_mesh = MESH, .state = state[0]};
  sal_event event[4];
  sal_events log = {.event = event, .capacity = 4};
  const sal_record r = run_one(&setup, param, start, &mesh, &log);
  const cycle c = cycle_of();
  double worst = 0, lowest = 9;

  CU_ASSERT_FATAL(outcome(&r) == SAL_OUT_DONE && log.n == 4);
  for (int j = 0; j <= MESH; ++j) {
    worst = fmax(worst, fabs(state[j][0] - height(2.0 * j / MESH)));
    lowest = fmin(lowest, state[j][0]);
  }
  CU_ASSERT(worst < 1e-10);
  CU_ASSERT(lowest < 0.64); /* it has been compressed by 0.366 */
  CU_ASSERT_DOUBLE_EQUAL(event[0].t, c.fall, 1e-10);
  CU_ASSERT_DOUBLE_EQUAL(event[1].t, c.fall + c.stance, 1e-10);
  CU_ASSERT_DOUBLE_EQUAL(event[2].t, c.fall + c.period, 1e-10);
  CU_ASSERT_DOUBLE_EQUAL(event[3].t, c.fall + c.period + c.stance, 1e-10);
  for (int i = 0; i < 4; ++i) CU_ASSERT(event[i].closes == (i % 2 == 0));
}

static void ode45_follows_the_closed_form(void) { check("ode45", 1e-13); }
static void dop853_follows_the_closed_form(void) { check("dop853", 1e-13); }

static void a_hopper_without_leg_or_body_is_refused(void)
{
  const sal_model *m = sal_registry_model("hopper1d");

  CU_ASSERT_PTR_NULL(m->flaw(m->inner, param));
  CU_ASSERT_PTR_NOT_NULL(m->flaw(m->inner, (double[]){9.81, 0, 1, 1}));
  CU_ASSERT_PTR_NOT_NULL(m->flaw(m->inner, (double[]){9.81, 200, 0, 1}));
}

SAL_TEST_MAIN("hopper1d", NULL, {"ode45 follows the closed form", ode45_follows_the_closed_form},
              {"dop853 follows the closed form", dop853_follows_the_closed_form},
              {"a hopper without leg or body is refused", a_hopper_without_leg_or_body_is_refused})
