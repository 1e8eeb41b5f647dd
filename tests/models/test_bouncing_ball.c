/** The first bounces against their closed form, before the impacts accumulate. */
#include "kernels/run_one.h"
#include "sal_test.h"
#include <math.h>

enum { BOUNCES = 6 };

static const double param[] = {9.81, 0.8}; /* g, e */
static const double start[] = {1, 0};

/* Each bounce has e times the speed and the length of the one before. */
static void check(const char *method)
{
  const double g = param[0], e = param[1], fall = sqrt(2 * start[0] / g);
  double v = g * fall, t = fall;
  sal_setup setup = config("bouncing-ball", method, "event", 1e-10, 0);
  sal_event event[BOUNCES + 1];
  double at_events[BOUNCES + 1][2 * 2];
  sal_events log = {.event = event, .capacity = BOUNCES + 1, .state = *at_events, .n_state = 2};
  double state[4];
  sal_samples mesh = {.n_mesh = 1, .state = state};
  double when[BOUNCES], speed[BOUNCES];

  for (int i = 0; i < BOUNCES; ++i, t += 2 * v / g) {
    when[i] = t;
    v *= e;
    speed[i] = v;
  }
  setup.t_end = when[BOUNCES - 1] + speed[BOUNCES - 1] / g; /* the last apex */
  const sal_record r = run_one(&setup, param, start, &mesh, &log);
  CU_ASSERT_FATAL(outcome(&r) == SAL_OUT_DONE && log.n == BOUNCES);
  for (int i = 0; i < BOUNCES; ++i) {
    CU_ASSERT_DOUBLE_EQUAL(event[i].t, when[i], 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(event[i].y[1], speed[i], 1e-8);
    CU_ASSERT_EQUAL(event[i].y[0], 0);
  }
  CU_ASSERT_DOUBLE_EQUAL(state[2], v * v / (2 * g), 1e-8);
  CU_ASSERT_DOUBLE_EQUAL(state[3], 0, 1e-8);
  CU_ASSERT(state[2] > 0.05);
}

static void ode45_bounces_as_the_closed_form(void) { check("ode45"); }
static void dop853_bounces_as_the_closed_form(void) { check("dop853"); }
static void ode23t_bounces_as_the_closed_form(void) { check("ode23t"); }

/* An elastic ball within the tolerance of the ground rests after some thousand flights in a small part of the run; the same
 * ball goes on where they are most of it, or where the tolerance resolves them. */
static void flights_within_the_tolerance_end(void)
{
  static const double elastic[] = {9.81, 1}, low[] = {1e-10, 0};
  sal_setup setup = config("bouncing-ball", "ode45", "event", 1e-6, 400);

  setup.max_attempts = 100000;
  sal_record r = run_one(&setup, elastic, low, NULL, NULL);
  CU_ASSERT(outcome(&r) == SAL_OUT_DONE && n_event(&r) > 4000 && n_event(&r) < 5000);
  setup.t_end = 0.1;
  r = run_one(&setup, elastic, low, NULL, NULL);
  CU_ASSERT(outcome(&r) == SAL_OUT_DONE && n_event(&r) > 7000);
  setup.t_end = 400;
  setup.rtol = setup.atol = 1e-11;
  r = run_one(&setup, elastic, low, NULL, NULL);
  CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_STEP_CAP);
}

/* A jump opens the contact that has just closed, and only in its lanes. */
static void the_contact_is_open_again_at_once(void)
{
  const sal_model *m = sal_registry_model("bouncing-ball");
  double y[2] = {-1e-12, -3};
  sal_m closed = ~sal_none();
  sal_phase phase = {.n_guard = 1, .p = param, .closed = &closed, .held = ~sal_none()};

  m->w1->jump(&phase, 0, sal_none(), 0, y);
  CU_ASSERT(y[1] == -3 && closed != 0);
  m->w1->jump(&phase, 0, ~sal_none(), 0, y);
  CU_ASSERT(y[0] == 0 && y[1] == 0.8 * 3 && closed == 0);
  y[0] = 1e-12;
  m->w1->jump(&phase, 0, ~sal_none(), 0, y); /* opening leaves the velocity alone */
  CU_ASSERT(y[0] == 0 && y[1] == 0.8 * 3 && closed == 0);
}

static void a_closed_contact_carries_the_ball(void)
{
  double dy[2];

  sal_model_rhs(sal_registry_model("bouncing-ball"), param, 0, (double[]){0, 0}, dy);
  CU_ASSERT(dy[0] == 0 && dy[1] == 0);
  sal_model_rhs(sal_registry_model("bouncing-ball"), param, 0, (double[]){1e-9, -2}, dy);
  CU_ASSERT(dy[0] == -2 && dy[1] == -9.81);
}

SAL_TEST_MAIN("bouncing ball", NULL,
              {"ode45 bounces as the closed form", ode45_bounces_as_the_closed_form},
              {"dop853 bounces as the closed form", dop853_bounces_as_the_closed_form},
              {"ode23t bounces as the closed form", ode23t_bounces_as_the_closed_form},
              {"flights within the tolerance end", flights_within_the_tolerance_end},
              {"the contact is open again at once", the_contact_is_open_again_at_once},
              {"a closed contact carries the ball", a_closed_contact_carries_the_ball})
