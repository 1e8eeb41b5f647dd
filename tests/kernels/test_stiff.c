/** The use of implicit methods: on a problem with rates 2 and 10^4 they take few steps, with
 *  either kind of Jacobian, where the explicit ones are held by stability; and what a failed
 *  iteration leaves behind.
 */
#include "run_one.h"
#include "sal_test.h"
#include "stiff_chase.h"
#include "stiff_swing.h"
#include "van_der_pol.h"
#include <math.h>

static const double span = 3, tol = 1e-6;

/* Runs and sets the error at the end. */
static sal_record chase(const sal_method *method, sal_jacobian jacobian, double fast, double *error)
{
  const double param[] = {2, fast}, initial[] = {1, method->second_order ? 0 : 1};
  double state[4];
  sal_samples samples = {.n_mesh = 1, .state = state};
  const sal_setup setup = {.model = method->second_order ? &stiff_swing : &stiff_chase,
                           .method = method,
                           .strategy = sal_registry_strategy("switch"),
                           .rtol = tol,
                           .atol = tol,
                           .t_end = span,
                           .jacobian = jacobian,
                           .max_attempts = 100000};
  const sal_record out = run_one(&setup, param, initial, &samples, NULL);

  *error = fmax(fabs(state[2] - cos(span)),
                fabs(state[3] - (method->second_order ? -sin(span) : cos(span))));
  return out;
}

static void implicit_methods_take_few_steps(void)
{
  for (int m = 0; sal_registry_methods[m]; ++m)
    for (double fast = 1e4; sal_registry_methods[m]->implicit && fast < 1e9; fast *= 100) {
      double error;
      const sal_record out = chase(sal_registry_methods[m], SAL_JACOBIAN_DIFFERENCES, fast, &error);
      const double steps = out.value[SAL_METRIC_STEPS];
      CU_ASSERT_EQUAL(outcome(&out), SAL_OUT_DONE);
      CU_ASSERT(steps < (is_frugal(sal_registry_methods[m]) ? 2500 : 6000) && steps > 20);
      CU_ASSERT(error < 20 * tol && error > 0);
    }
}

static void explicit_methods_are_held_by_stability(void)
{
  for (int m = 0; sal_registry_methods[m]; ++m) {
    double error;
    if (sal_registry_methods[m]->implicit) continue;
    const sal_record out = chase(sal_registry_methods[m], SAL_JACOBIAN_DIFFERENCES, 1e4, &error);
    CU_ASSERT_EQUAL(outcome(&out), SAL_OUT_DONE);
    CU_ASSERT(out.value[SAL_METRIC_STEPS] > 4000);
    CU_ASSERT(error < 20 * tol && error > 0);
    CU_ASSERT(out.value[SAL_METRIC_JACOBIANS] == 0 && out.value[SAL_METRIC_FACTORISATIONS] == 0);
  }
}

/* f is linear in y: differences and the analytic Jacobian are the same but for rounding. */
static void an_analytic_jacobian_saves_its_differences(void)
{
  for (int m = 0; sal_registry_methods[m]; ++m) {
    double error[2];
    if (!sal_registry_methods[m]->implicit) continue;
    const sal_record by = chase(sal_registry_methods[m], SAL_JACOBIAN_DIFFERENCES, 1e4, &error[0]);
    const sal_record from = chase(sal_registry_methods[m], SAL_JACOBIAN_ANALYTIC, 1e4, &error[1]);
    const double n = from.value[SAL_METRIC_JACOBIANS];
    CU_ASSERT(n >= 1 && from.value[SAL_METRIC_FACTORISATIONS] >= 2);
    CU_ASSERT(from.value[SAL_METRIC_SOLVES] >= from.value[SAL_METRIC_STEPS]);
    CU_ASSERT_DOUBLE_EQUAL(error[1], error[0], 0.5 * error[0]);
    CU_ASSERT_DOUBLE_EQUAL(from.value[SAL_METRIC_STEPS], by.value[SAL_METRIC_STEPS],
                           0.02 * by.value[SAL_METRIC_STEPS]);
    CU_ASSERT(from.value[SAL_METRIC_RHS] < by.value[SAL_METRIC_RHS]);
  }
}

/* Where an iteration does not converge, a fixed step is made of shorter ones; those after it are as long
 * as before. */
static void a_failed_iteration_shortens_one_step(void)
{
  static const double mu = 80, rest[] = {2, 0}, all = 400;
  double failed = 0;

  for (int m = 0; sal_registry_methods[m]; ++m) {
    const sal_method *method = sal_registry_methods[m];
    const sal_setup setup = {.model = &van_der_pol,
                             .method = method,
                             .strategy = sal_registry_strategy("switch"),
                             .rtol = 1e-3,
                             .atol = 1e-6,
                             .t_end = 3 * mu,
                             .max_step = 3 * mu,
                             .fixed_step = 3 * mu / all,
                             .jacobian = SAL_JACOBIAN_ANALYTIC,
                             .max_attempts = 100000};
    if (!method->implicit || method->min_order < method->order) continue;
    const sal_record out = run_one(&setup, &mu, rest, NULL, NULL);
    failed += out.value[SAL_METRIC_FAILED];
    CU_ASSERT_EQUAL(outcome(&out), SAL_OUT_DONE);
    CU_ASSERT(out.value[SAL_METRIC_STEPS] >= all && out.value[SAL_METRIC_STEPS] < 1.5 * all);
  }
  CU_ASSERT(failed > 100);
}

SAL_TEST_MAIN("a stiff problem", NULL,
              {"implicit methods take few steps", implicit_methods_take_few_steps},
              {"explicit methods are held by stability", explicit_methods_are_held_by_stability},
              {"an analytic Jacobian saves its differences",
               an_analytic_jacobian_saves_its_differences},
              {"a failed iteration shortens one step", a_failed_iteration_shortens_one_step})
