/** How the error follows the tolerance.  Where the step is one order better than its estimate the
 *  two are proportional; a method of order 2 with an estimate of its own error takes steps of size
 *  tol^(1/3), so its error goes like tol^(2/3).
 */
#include "monopod_runs.h"
#include "sal_test.h"
#include "slope.h"
#include "smooth_motion.h"

enum { DECADES = 7 };
static const int well_conditioned[] = {4, 5, 7, 8, 9};
enum { WELL = sizeof well_conditioned / sizeof *well_conditioned };

static set_runs runs;

/* Largest error of the toe on the grid, geometric mean over the sets. */
static double error_at(const sal_method *method, const char *strategy, double tol)
{
  const set_reference *right = set_read();
  double sum = 0;

  set_run_all(method->name, strategy, tol, SET_GRID, &runs);
  for (int i = 0; i < WELL; ++i) {
    const int set = well_conditioned[i] - 1;
    double worst = outcome(&runs.record[set]) == SAL_OUT_DONE ? 0 : NAN;
    for (int j = 0; j <= SET_GRID; ++j)
      worst = fmax(worst, fabs(runs.state[set][j * SET_STATES] - right->grid[set][j][0]));
    sum += log(worst);
  }
  return exp(sum / WELL);
}

static const double span = 16;

static sal_record run_smooth(const sal_method *method, const char *strategy, double tol,
                             sal_samples *samples)
{
  static const double none[] = {0};
  const sal_setup setup = {.model = smooth_problem_for(method).model,
                           .method = method,
                           .strategy = sal_registry_strategy(strategy),
                           .rtol = tol,
                           .atol = tol,
                           .t_end = span};

  return run_one(&setup, none, smooth_problem_for(method).initial, samples, NULL);
}

/* Largest error on a problem that depends on time, where df/dt is part of a stiff step. */
static double smooth_error_at(const sal_method *method, const char *strategy, double tol)
{
  double state[(SET_GRID + 1) * 4], worst = 0;
  const int n = smooth_problem_for(method).n;
  sal_samples samples = {.n_mesh = SET_GRID, .state = state};
  const sal_record out = run_smooth(method, strategy, tol, &samples);

  for (int j = 0; j <= SET_GRID; ++j) {
    long double right[2];
    smooth_growth_exact((long double)span * j / SET_GRID, right);
    worst = fmax(worst, fabs((double)(state[n * j] - right[0])));
  }
  return outcome(&out) == SAL_OUT_DONE ? worst : NAN;
}

/* The order that its estimate has: of the embedded solution, or of the step where it is one of that. */
static int estimate_of(const sal_method *method)
{
  if (method->embedded > 0) return method->embedded;
  return method->order == 2 ? 2 : method->order - 1;
}

typedef double error_function(const sal_method *method, const char *strategy, double tol);

static void check_slopes(error_function *error_of, const char *strategy)
{
  printf("\n");
  for (int m = 0; sal_registry_methods[m]; ++m) {
    const sal_method *method = sal_registry_methods[m];
    const double theory = (double)method->order / (1 + estimate_of(method));
    const double apart = method->embedded == 1 ? 0.5 : 1; /* its steps are many */
    double tol[DECADES], error[DECADES];
    for (int i = 0; i < DECADES; ++i) {
      tol[i] = pow(10, -3 - i * apart);
      error[i] = error_of(method, strategy, tol[i]);
    }
    const double found = slope(DECADES, tol, error);
    printf("    %-8s %.2f   %.1e .. %.1e\n", method->name, found, error[0], error[DECADES - 1]);
    /* a poorer dense output follows the step size with its own order */
    const double between =
        method->dense_order > 0 ? (double)method->dense_order / method->order : 1;
    CU_ASSERT(found > theory * between - 0.25 && found < theory + 0.25);
    CU_ASSERT(error[0] < 1 && error[DECADES - 1] > 1e-12);
  }
}

static void the_error_follows_the_tolerance_with_events(void) { check_slopes(error_at, "event"); }

static void the_error_follows_the_tolerance_with_switching(void)
{
  check_slopes(error_at, "switch");
}

static void the_error_follows_the_tolerance_without_contacts(void)
{
  check_slopes(smooth_error_at, "event");
}

/* An estimate of order q takes steps of size tol^(1/(q+1)).  One with an error in its weights does not
 * vanish with the step, so that below some tolerance the steps become far too short. */
static void the_steps_follow_the_tolerance(void)
{
  for (int m = 0; sal_registry_methods[m]; ++m) {
    const sal_method *method = sal_registry_methods[m];
    const double tight = method->embedded == 1 ? 1e-7 : method->order == 2 ? 1e-9 : 1e-12;
    double tol[DECADES], steps[DECADES];
    for (int i = 0; i < DECADES; ++i) {
      tol[i] = tight * pow(10, 0.5 * i);
      const sal_record out = run_smooth(method, "event", tol[i], NULL);
      steps[i] = outcome(&out) == SAL_OUT_DONE ? out.value[SAL_METRIC_STEPS] : NAN;
    }
    const double found = slope(DECADES, tol, steps);
    printf("%s %.3f ", method->name, found);
    const double slowest = method->embedded > 0 ? -1.0 / (1 + method->embedded) - 0.03 : -0.36;
    CU_ASSERT(found > slowest && found < -0.04);
  }
}

SAL_TEST_MAIN("error and tolerance", NULL,
              {"the error follows the tolerance without contacts",
               the_error_follows_the_tolerance_without_contacts},
              {"the steps follow the tolerance", the_steps_follow_the_tolerance},
              {"the error follows the tolerance with events",
               the_error_follows_the_tolerance_with_events},
              {"the error follows the tolerance with switching",
               the_error_follows_the_tolerance_with_switching})
