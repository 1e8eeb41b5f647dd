/** The projecting strategies: order in the width of the zone on a piecewise affine system with an
 *  exact end state, accuracy and work on the plate, and an overshoot that leads nowhere.
 */
#include "kernels/run_one.h"
#include "plate_cases.h"
#include "registry.h"
#include "sal_test.h"
#include <math.h>

/* Anderson & Revzen, Table 1: start, and the exact state at t = 0.5. */
static const double start[] = {-0.4, -0.15, 0.3};
static const double end[] = {0.269850417833359896, 0.337890438217039129, -0.346637698427866003};

enum { N = 3, MESH = 1000 };

/* The trajectory on a mesh, as located events give it. */
static const double *affine_reference(void)
{
  static double state[(MESH + 1) * N];
  sal_samples mesh = {.n_mesh = MESH, .state = state};
  const sal_setup setup = config("affine3", "dop853", "event", 1e-13, 0.5);

  run_one(&setup, (double[]){0}, start, &mesh, NULL);
  for (int i = 0; i < N; ++i) CU_ASSERT_DOUBLE_EQUAL(state[MESH * N + i], end[i], 1e-13);
  return state;
}

/* RMS of the error over the trajectory with fixed steps that are cut where a zone begins. */
static double affine_error(const char *strategy, double zone)
{
  double state[(MESH + 1) * N], sum = 0;
  const double *right = affine_reference();
  sal_setup setup = config("affine3", "ode45", strategy, 1e-10, 0.5);
  sal_samples mesh = {.n_mesh = MESH, .state = state};

  setup.fixed_step = 0.002;
  setup.zone = zone;
  setup.zone_in_time = false;
  const sal_record r = run_one(&setup, (double[]){0}, start, &mesh, NULL);
  CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
  CU_ASSERT_EQUAL(n_event(&r), setup.strategy->held ? 3 : 0);
  CU_ASSERT_EQUAL(r.value[SAL_METRIC_PROJECTIONS], 3);
  for (int i = 0; i < (MESH + 1) * N; ++i) sum += (state[i] - right[i]) * (state[i] - right[i]);
  return sqrt(sum / (MESH + 1));
}

/* Slope of log error against log zone over [10^lo, 10^hi]. */
static double slope_over(const char *strategy, double lo, double hi)
{
  enum { POINTS = 9 };
  double xy = 0, xx = 0, x[POINTS], y[POINTS], mx = 0, my = 0;

  for (int i = 0; i < POINTS; ++i) {
    x[i] = hi - (hi - lo) * i / (POINTS - 1);
    y[i] = log10(affine_error(strategy, pow(10, x[i])));
    mx += x[i] / POINTS;
    my += y[i] / POINTS;
  }
  for (int i = 0; i < POINTS; ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
  }
  printf("\n    %-5s %.3f, error %.1e .. %.1e", strategy, xy / xx, pow(10, y[0]),
         pow(10, y[POINTS - 1]));
  return xy / xx;
}

static double slope(const char *strategy) { return slope_over(strategy, -4, -2); }

static void ess_is_of_second_order_in_the_zone(void)
{
  CU_ASSERT_DOUBLE_EQUAL(slope("ess"), 2.00, 0.02);
  CU_ASSERT(affine_error("ess", 1e-2) > 1e-5); /* else the slope would mean nothing */
}

static void ess2_is_of_third_order_in_the_zone(void)
{
  CU_ASSERT_DOUBLE_EQUAL(slope("ess2"), 3.00, 0.03);
  CU_ASSERT(affine_error("ess2", 1e-2) > 1e-7);
}

/* Effect of the corrections: the printed listing has a slope of 2.16 over a window that is not
 * yet asymptotic, and errors hundreds of times too large where it reads the wrong side. */
static void the_listing_as_printed_has_spikes(void)
{
  double worst = 0;

  CU_ASSERT_DOUBLE_EQUAL(slope_over("ess-listing1", -2, -1), 2.2, 0.2);
  CU_ASSERT(affine_error("ess-listing1", 1e-2) < 2 * affine_error("ess", 1e-2));
  for (double zone = 1e-4; zone < 2e-3; zone *= 2)
    worst = fmax(worst, affine_error("ess-listing1", zone) / affine_error("ess", zone));
  CU_ASSERT(worst > 100);
}

/* With sides read from the state and receding guards in the pool, contacts that touch and leave
 * lose the plate. */
static void the_listing_as_printed_loses_the_plate(void)
{
  plate_case row[PLATE_MOST];
  const int n = read_plate_cases("final_setA_nc50.csv", row);
  int lost = 0;

  for (int i = 0; i < n; ++i) {
    double state[2 * PLATE_STATES];
    sal_samples mesh = {.n_mesh = 1, .state = state};
    sal_setup setup = config("plate", "ode45", "ess-listing1", 1e-7, 2);
    setup.n_guard = sal_model_guards(setup.model, row[i].param);
    setup.zone = 0.02;
    setup.zone_in_time = false;
    setup.max_attempts = 100000;
    const sal_record r = run_one(&setup, row[i].param, row[i].start, &mesh, NULL);
    double error = 0;
    for (int j = 0; j < PLATE_STATES; ++j)
      error = fmax(error, fabs(state[PLATE_STATES + j] - row[i].end[j]));
    lost += outcome(&r) != SAL_OUT_DONE || error > 0.1;
  }
  CU_ASSERT(n >= 5 && lost >= n / 2);
}

/* A zone that holds every contact at the start is useless but no trap. */
static void a_zone_wider_than_the_drop_ends_all_the_same(void)
{
  CU_ASSERT(affine_error("ess", 0.5) > 1e-3);
  CU_ASSERT(affine_error("ess2", 0.5) > 1e-4);
  CU_ASSERT(affine_error("ess-listing1", 0.5) > 1e-3);
}

static sal_setup projecting(const double param[])
{
  sal_setup setup = config("plate", "ode45", "ess2", 1e-7, 2);
  setup.max_step = 0.02;
  setup.zone = 5e-4;
  setup.zone_in_time = true;
  setup.n_guard = sal_model_guards(setup.model, param);
  return setup;
}

/* Largest error of the final states of a file, and the mean work. */
static double plate_error(const char *file, bool project, double *work)
{
  plate_case row[PLATE_MOST];
  const int n = read_plate_cases(file, row);
  double worst = 0;

  *work = 0;
  for (int i = 0; i < n; ++i) {
    double state[2 * PLATE_STATES];
    sal_samples mesh = {.n_mesh = 1, .state = state};
    sal_setup setup = projecting(row[i].param);
    if (!project) {
      setup.strategy = sal_registry_strategy("event");
      setup.rtol = setup.atol = 1e-6;
    }
    const sal_record r = run_one(&setup, row[i].param, row[i].start, &mesh, NULL);
    CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
    CU_ASSERT_EQUAL(n_event(&r), row[i].n_touch + row[i].n_release);
    *work += r.value[SAL_METRIC_RHS] / n;
    for (int j = 0; j < PLATE_STATES; ++j)
      worst = fmax(worst, fabs(state[PLATE_STATES + j] - row[i].end[j]));
  }
  return worst;
}

static void ess2_lands_the_plate_as_certified(void)
{
  static const struct {
    const char *file;
    double bound;
  } cases[] = {{"final_setA_nc2.csv", 5e-7},
               {"final_setA_nc10_simultaneous.csv", 5e-7},
               {"final_setA_nc50.csv", 2e-6}};

  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    double work;
    const double error = plate_error(cases[i].file, true, &work);
    printf("\n    %-34s %.1e, %.0f evaluations", cases[i].file, error, work);
    CU_ASSERT(error < cases[i].bound && error > 1e-10);
  }
}

static void ess2_needs_less_work_than_events_when_contacts_are_many(void)
{
  double projected, located;

  plate_error("final_setA_nc50.csv", true, &projected);
  plate_error("final_setA_nc50.csv", false, &located);
  CU_ASSERT(projected < located && projected > 100);
}

/* A plate on one spring tips over; a projection once led it back in time without end. */
static void time_does_not_run_backwards(void)
{
  double param[SAL_MAX_PARAM] = {0};
  const double tips[] = {0, 2.202539234565283, 0.089286728814119198, 0, 0, 0};
  const sal_model *m = sal_registry_model("plate");

  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  param[0] = 1;
  sal_setup setup = projecting(param);
  setup.max_attempts = 100000;
  const sal_record r = run_one(&setup, param, tips, NULL, NULL);
  CU_ASSERT(outcome(&r) != SAL_OUT_STEP_CAP);
  CU_ASSERT(r.value[SAL_METRIC_T_REACHED] > 1);
}

SAL_TEST_MAIN("projection", NULL,
              {"ess is of second order in the zone", ess_is_of_second_order_in_the_zone},
              {"ess2 is of third order in the zone", ess2_is_of_third_order_in_the_zone},
              {"the listing as printed has spikes", the_listing_as_printed_has_spikes},
              {"the listing as printed loses the plate", the_listing_as_printed_loses_the_plate},
              {"a zone wider than the drop ends all the same",
               a_zone_wider_than_the_drop_ends_all_the_same},
              {"ess2 lands the plate as certified", ess2_lands_the_plate_as_certified},
              {"ess2 needs less work than events when contacts are many",
               ess2_needs_less_work_than_events_when_contacts_are_many},
              {"time does not run backwards", time_does_not_run_backwards})
