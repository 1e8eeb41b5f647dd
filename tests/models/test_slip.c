/** The runner: energy, footholds, steps and falls. */
#include "kernels/run_one.h"
#include "sal_test.h"

enum { X, Y, VX, VY, FOOT, SET, STEPS, N_STATE };
enum { LEG, APEX, BODY };
enum { MOST = 400, MESH = 2000 };

static const double runs[] = {25.5, 68}; /* k, alpha */
static const double falls[] = {25.5, 60};
static const double start[] = {0, 1, 1.6, 0, 0, 1, 0};
static const double span = 30;

typedef struct {
  sal_event event[MOST];
  double at_events[MOST][2 * N_STATE];
  sal_events log;
  sal_record record;
  double state[MESH + 1][N_STATE];
} logged;

static void run(const char *method, double tol, const double p[], logged *out)
{
  const sal_setup setup = config("slip", method, "event", tol, span);
  sal_samples mesh = {.n_mesh = MESH, .state = out->state[0]};

  out->log = (sal_events){
      .event = out->event, .capacity = MOST, .state = *out->at_events, .n_state = N_STATE};
  out->record = run_one(&setup, p, start, &mesh, &out->log);
}

static double sine(const double p[]) { return sin(p[1] * M_PI / 180); }
static double cosine(const double p[]) { return cos(p[1] * M_PI / 180); }

/* Drift falls with the tolerance, by every method, and is there. */
static void energy_drifts_as_the_tolerance(void)
{
  static logged found;

  for (int i = 0; sal_registry_methods[i]; ++i) {
    double before = INFINITY, tol = 1e-4;
    for (int k = 0; k < 3; ++k, tol *= 1e-2) {
      run(sal_registry_methods[i]->name, tol, runs, &found);
      const double drift = found.record.value[SAL_METRIC_ENERGY_DRIFT];
      CU_ASSERT_EQUAL(outcome(&found.record), SAL_OUT_DONE);
      CU_ASSERT(drift > 1e-5 * tol && drift < 3e3 * tol);
      CU_ASSERT(drift < 0.5 * before);
      before = drift;
    }
  }
}

/* The run begins at an apex.  Each touchdown sets the foot under the angle of attack and counts; each liftoff is at the rest
 * length, and the leg is set again at the apex. */
static void footholds_follow_from_the_angle_of_attack(void)
{
  static logged found;
  int steps = 0, apexes = 0;

  run("dop853", 1e-12, runs, &found);
  CU_ASSERT_FATAL(outcome(&found.record) == SAL_OUT_DONE && found.log.n < MOST);
  CU_ASSERT(found.event[0].guard == APEX && found.event[0].closes && found.event[0].t == 0);
  for (int i = 0; i + 1 < found.log.n; ++i) {
    const sal_event *e = &found.event[i + 1];
    const double *y = e->y;
    CU_ASSERT(e->guard == (i % 3 == 2 ? APEX : LEG) && e->closes == (i % 3 != 1));
    if (i % 3 == 0) {
      CU_ASSERT_EQUAL(y[STEPS], ++steps);
      CU_ASSERT_DOUBLE_EQUAL(y[Y], sine(runs), 1e-15);
      CU_ASSERT_DOUBLE_EQUAL(y[FOOT], y[X] + cosine(runs), 1e-14);
    } else if (i % 3 == 1) {
      CU_ASSERT_DOUBLE_EQUAL(hypot(y[X] - y[FOOT], y[Y]), 1, 1e-12);
      CU_ASSERT(y[SET] == 0 && y[VY] > 0.1);
    } else {
      ++apexes;
      CU_ASSERT(y[SET] == 1 && y[VY] == 0 && y[Y] > sine(runs));
    }
  }
  CU_ASSERT(steps >= 30 && apexes >= 30);
}

/* On a mesh the foothold, the leg and the count are those of the last event, to the bit. */
static void discrete_states_change_in_jumps_alone(void)
{
  static logged found;

  for (int m = 0; sal_registry_methods[m]; ++m) {
    int i = 0, compared = 0;
    run(sal_registry_methods[m]->name, 1e-5, runs, &found);
    for (int j = 0; j <= MESH; ++j) {
      const double t = span * j / MESH;
      const double *then = start;
      while (i < found.log.n && found.event[i].t < t - 1e-9) ++i;
      if (i < found.log.n && found.event[i].t < t + 1e-9) continue;
      if (i > 0) then = found.event[i - 1].y;
      for (int k = FOOT; k <= STEPS; ++k) CU_ASSERT_EQUAL(found.state[j][k], then[k]);
      ++compared;
    }
    CU_ASSERT(compared > MESH / 2 && found.state[MESH][STEPS] > 30);
  }
}

/* A leg that is too flat: all methods end it at the same time, with the body on the ground. */
static void a_fall_ends_the_run(void)
{
  static logged exact, found;

  run("dop853", 1e-13, falls, &exact);
  CU_ASSERT_EQUAL(outcome(&exact.record), SAL_OUT_ENDED);
  const double t = exact.record.value[SAL_METRIC_T_REACHED];
  CU_ASSERT(t > 5 && t < 15);
  for (int i = 0; sal_registry_methods[i]; ++i) {
    run(sal_registry_methods[i]->name, 1e-9, falls, &found);
    CU_ASSERT_EQUAL(outcome(&found.record), SAL_OUT_ENDED);
    CU_ASSERT_DOUBLE_EQUAL(found.record.value[SAL_METRIC_T_REACHED], t, 1e-4);
    CU_ASSERT_EQUAL(found.log.n, exact.log.n);
    const sal_event *last = &found.event[found.log.n - 1];
    CU_ASSERT(last->guard == BODY && last->closes && last->y[Y] == 0 && last->y[VY] < -0.5);
    CU_ASSERT_EQUAL(found.state[MESH][Y], 0); /* held to the end of the mesh */
    CU_ASSERT_EQUAL(found.state[MESH][STEPS], exact.state[MESH][STEPS]);
  }
}

/* An apex below the leg's height leaves no leg to land on: free fall from there. */
static void without_a_leg_it_falls_freely(void)
{
  static logged found;
  const double low[] = {0, 0.9, 1.6, 0.1, 0, 0, 0}; /* alpha = 68: the leg needs 0.927 */
  const sal_setup setup = config("slip", "ode45", "event", 1e-10, span);

  found.log = (sal_events){
      .event = found.event, .capacity = MOST, .state = *found.at_events, .n_state = N_STATE};
  const sal_record r = run_one(&setup, runs, low, NULL, &found.log);
  const double lands = 0.1 + sqrt(2 * (0.9 + 0.005));
  CU_ASSERT_FATAL(outcome(&r) == SAL_OUT_ENDED && found.log.n == 2);
  CU_ASSERT(found.event[0].guard == APEX && found.event[0].y[SET] == 0);
  CU_ASSERT_DOUBLE_EQUAL(found.event[0].t, 0.1, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(found.event[1].t, lands, 1e-12);
}

static void the_dimensionless_stiffness_follows_from_a_runner(void)
{
  const sal_model *m = sal_registry_model("slip");
  const double value[] = {80, 20e3, 1, 9.81};
  double p[] = {0, 68};
  sal_scales scales;

  m->physical->from_physical(m->inner, value, p, &scales);
  CU_ASSERT_DOUBLE_EQUAL(p[0], 20e3 / (80 * 9.81), 1e-12);
  CU_ASSERT_EQUAL(p[1], 68);
  CU_ASSERT_DOUBLE_EQUAL(5 * scales.second / scales.metre, 1.596, 1e-3); /* 5 m/s */
}

SAL_TEST_MAIN("slip", NULL, {"energy drifts as the tolerance", energy_drifts_as_the_tolerance},
              {"footholds follow from the angle of attack",
               footholds_follow_from_the_angle_of_attack},
              {"discrete states change in jumps alone", discrete_states_change_in_jumps_alone},
              {"a fall ends the run", a_fall_ends_the_run},
              {"without a leg it falls freely", without_a_leg_it_falls_freely},
              {"the dimensionless stiffness follows from a runner",
               the_dimensionless_stiffness_follows_from_a_runner})
