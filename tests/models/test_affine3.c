/** The piecewise affine flow against its exact solution: matrix exponentials of the augmented
 *  system in extended precision, crossings by bisection.
 */
#include "kernels/run_one.h"
#include "sal_test.h"
#include <math.h>
#include <stdlib.h>

static const struct {
  int plane;
  double t, y[3];
} crossings[] = {
    {1, 0.209588078334644671, {-0.173864417907084697, 0, 0.054193675550456228}},
    {2, 0.262364264467491052, {-0.119478310155418711, 0.060530991871480828, 0}},
    {0, 0.369207153821750016, {0, 0.173864417907084697, -0.125952000094635851}},
};
static const double start[] = {-0.4, -0.15, 0.3};
static const double end[] = {0.269850417833359896, 0.337890438217039129, -0.346637698427866003};

static void check(const char *method, double tolerance)
{
  const sal_setup setup = config("affine3", method, "event", tolerance, 0.5);
  const double none[] = {0};
  sal_event event[4] = {0};
  double at_events[4][2 * 3];
  sal_events log = {.event = event, .capacity = 4, .state = *at_events, .n_state = 3};
  double state[6];
  sal_samples mesh = {.n_mesh = 1, .state = state};
  const sal_record r = run_one(&setup, none, start, &mesh, &log);

  CU_ASSERT_FATAL(outcome(&r) == SAL_OUT_DONE && log.n == 3 && n_event(&r) == 3);
  for (int i = 0; i < 3; ++i) {
    CU_ASSERT(event[i].guard == crossings[i].plane && event[i].closes);
    CU_ASSERT_DOUBLE_EQUAL(event[i].t, crossings[i].t, 1e-12);
    for (int j = 0; j < 3; ++j) CU_ASSERT_DOUBLE_EQUAL(event[i].y[j], crossings[i].y[j], 1e-12);
    CU_ASSERT_EQUAL(event[i].y[crossings[i].plane], 0);
  }
  for (int j = 0; j < 3; ++j) CU_ASSERT_DOUBLE_EQUAL(state[3 + j], end[j], 1e-12);
}

static void crossings_and_end_are_exact_with_ode45(void) { check("ode45", 1e-14); }
static void crossings_and_end_are_exact_with_dop853(void) { check("dop853", 1e-14); }

/* An end some spacings of time after a crossing, or on it: the rest is shorter than any step. */
static void an_end_just_behind_a_crossing_is_reached(void)
{
  int crossed = 0;

  for (int k = -8; k <= 40; ++k) {
    double t_end = crossings[2].t;
    for (int i = 0; i < abs(k); ++i) t_end = nextafter(t_end, k < 0 ? 0 : 1);
    sal_setup setup = config("affine3", "dop853", "event", 1e-13, t_end);
    setup.max_attempts = 10000;
    const sal_record r = run_one(&setup, (double[]){0}, start, NULL, NULL);
    CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
    CU_ASSERT_EQUAL(r.value[SAL_METRIC_T_REACHED], t_end);
    crossed += n_event(&r) == 3;
  }
  CU_ASSERT(crossed >= 30);
}

/* The octants' fields as the table prints them, by the signs of the point. */
static void each_octant_has_its_field(void)
{
  const sal_model *m = sal_registry_model("affine3");

  for (int octant = 0; octant < 8; ++octant) {
    const double x = octant & 1 ? 0.3 : -0.3, y = octant & 2 ? 0.2 : -0.2;
    const double z = octant & 4 ? 0.7 : -0.7;
    const double dx[] = {-y + 1, -2 * y + 1, y + 1, 10 * x + 1};
    const double dy[] = {x + 1, x / 2 + 2, -x + 1, y + 1};
    double slope[3];
    sal_model_rhs(m, NULL, 0, (double[]){x, y, z}, slope);
    CU_ASSERT_DOUBLE_EQUAL(slope[0], dx[octant & 3], 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(slope[1], dy[octant & 3], 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(slope[2], z > 0 ? -z - 1 : 3 * z - 1, 1e-15);
  }
}

SAL_TEST_MAIN("affine3", NULL,
              {"an end just after a crossing is reached", an_end_just_behind_a_crossing_is_reached},
              {"crossings and end are exact with ode45", crossings_and_end_are_exact_with_ode45},
              {"crossings and end are exact with dop853", crossings_and_end_are_exact_with_dop853},
              {"each octant has its field", each_octant_has_its_field})
