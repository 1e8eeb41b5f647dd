/** B-derivatives through impacts with a surface that moves, against the closed form, and of discrete
 *  states: footholds.
 */
#include "bderiv_differences.h"
#include "kernels/run_one.h"
#include "lift.h"
#include "memory.h"
#include "sal_test.h"
#include <math.h>

static const double initial[] = {1, 0.3}, t_end = 1.3;

/* d (height, speed) above the floor at t_end / d (height, speed) at 0, under gravity G, row by row;
 * *impacts: how many there are.  The floor's own motion depends on no state. */
static void closed_form(double G, double e, double r, double v, double D[4], int *impacts)
{
  double t = 0;

  D[0] = D[3] = 1;
  D[1] = D[2] = 0;
  for (*impacts = 0;; ++*impacts) {
    const double until = (v + sqrt(v * v + 2 * G * r)) / G;
    const double s = t + until < t_end ? until : t_end - t;
    for (int j = 0; j < 2; ++j) D[j] += s * D[2 + j];
    v -= G * s;
    if (until != s) return;
    /* tau = -dr / v;  dr+ = dr + (v - v+) tau = -e dr,  dv+ = -e (dv - G tau) + G tau */
    for (int j = 0; j < 2; ++j) {
      const double tau = -D[j] / v;
      D[2 + j] = -e * (D[2 + j] - G * tau) + G * tau;
      D[j] = -e * D[j];
    }
    r = 0;
    v = -e * v;
    t += s;
  }
}

static void check_floor(double c, double a, int wanted)
{
  const double param[LIFT_PARAMS] = {9.81, 0.7, c, a};
  sal_setup setup = config("decay", "dop853", "event", 1e-13, t_end);
  sal_bderiv b;
  double D[4], to[2];
  int impacts;

  setup.model = &lift;
  setup.n_guard = 1;
  closed_form(9.81 + a, 0.7, initial[0], initial[1] - c, D, &impacts);
  CU_ASSERT_EQUAL(impacts, wanted);
  CU_ASSERT_EQUAL_FATAL(sal_bderiv_create(&setup, param, initial, &b), SAL_OK);
  CU_ASSERT_EQUAL(b.n_instant, impacts);
  for (int j = 0; j < 2; ++j) {
    const double from[] = {j == 0, j == 1};
    difference_row row[DIFFERENCE_STEPS];
    CU_ASSERT_EQUAL_FATAL(sal_bderiv_map(&b, from, to, NULL), SAL_OK);
    for (int i = 0; i < 2; ++i) {
      CU_ASSERT(fabs(to[i] - D[2 * i + j]) < 1e-8 * fmax(1, fabs(D[2 * i + j])));
    }
    CU_ASSERT(hypot(D[j], D[2 + j]) > 0.5);
    CU_ASSERT_EQUAL_FATAL(check_differences(&b, 1, from, to, row), SAL_OK);
    CU_ASSERT(row[3].worst < 1e-2 && row[4].worst < 1e-3 && row[1].worst > row[3].worst);
  }
  sal_bderiv_free(&b);
}

static void a_floor_at_rest(void) { check_floor(0, 0, 2); }
static void a_floor_at_constant_speed(void) { check_floor(0.8, 0, 2); }
static void a_floor_that_accelerates(void) { check_floor(0.5, 3, 2); }
/* A runner over four steps, whose force in stance depends on where the foot was set: differences fall in
 * proportion to the step. */
static void a_runner_with_footholds(void)
{
  enum { X, Y, VX, VY, FOOT, SET, STEPS, STATES };
  const double param[] = {25.5, 68}, start[STATES] = {0, 1, 1.6, 0.1, 0, 1, 0};
  const double from[STATES] = {[Y] = 1, [VX] = 0.3};
  sal_setup setup = config("slip", "dop853", "event", 1e-12, 3);
  double to[STATES];
  sal_bderiv b;
  difference_row row[DIFFERENCE_STEPS];

  setup.every_contact = true;
  setup.n_guard = setup.model->n_guard;
  CU_ASSERT_EQUAL_FATAL(sal_bderiv_create(&setup, param, start, &b), SAL_OK);
  CU_ASSERT_EQUAL(b.n_instant, 9);
  CU_ASSERT_EQUAL_FATAL(sal_bderiv_map(&b, from, to, NULL), SAL_OK);
  CU_ASSERT(fabs(to[FOOT]) > 1 && to[STEPS] == 0);
  CU_ASSERT_EQUAL_FATAL(check_differences(&b, 1, from, to, row), SAL_OK);
  for (int s = 0; s < DIFFERENCE_STEPS; ++s) CU_ASSERT(row[s].worst < 5 * row[s].step);
  sal_bderiv_free(&b);
}
static void memory_comes_back(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

SAL_TEST_MAIN("B-derivatives and moving surfaces", NULL, {"a floor at rest", a_floor_at_rest},
              {"a floor at constant speed", a_floor_at_constant_speed},
              {"a floor that accelerates", a_floor_that_accelerates},
              {"a runner with footholds", a_runner_with_footholds},
              {"memory comes back", memory_comes_back})
