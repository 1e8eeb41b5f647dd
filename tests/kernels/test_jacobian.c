/** Jacobians by differences: one evaluation of f for each state, or for each colour of a band; for
 *  models without a Jacobian of their own, by every implicit method.
 */
#include "heat_rod.h"
#include "run_one.h"
#include "sal_test.h"
#include <string.h>

enum { JOBS = 8, N = HEAT_ROD_PIECES, COLOURS = HEAT_ROD_LOWER + HEAT_ROD_UPPER + 1 };
static double param[JOBS][2], initial[JOBS][N], end[JOBS][N];
static sal_record record[JOBS];

/* Rods of different stiffness side by side. */
static void run_rods(const sal_model *model, const sal_method *method, sal_jacobian jacobian,
                     int width)
{
  const sal_setup setup = {.model = model,
                           .method = method,
                           .strategy = sal_registry_strategy("event"),
                           .rtol = 1e-5,
                           .atol = 1e-5,
                           .t_end = 2,
                           .jacobian = jacobian,
                           .max_attempts = 100000};
  sal_job job[JOBS];

  for (int k = 0; k < JOBS; ++k) {
    param[k][0] = 40 * (k + 1), param[k][1] = 0.5 * k;
    for (int i = 0; i < N; ++i) initial[k][i] = (double)((i * 5 + k) % 7) / 7;
    job[k] = (sal_job){.param = param[k], .initial = initial[k], .end = end[k]};
  }
  run_batch(&setup, width, JOBS, job, record);
}

/* A model whose f is marked as independent of t saves the evaluations for df/dt, which is 0 to the last
 * bit by differences, too: in ode23s one for each Jacobian, elsewhere that of the start. */
static void without_time_its_derivative_is_free(void)
{
  const sal_setup told = config("monopod", "ode23s", "switch", 1e-5, 6);
  const double at[SAL_MAX_P] = {2000, 4, 20, 0.05}, start[] = {0.2, 0, 1.2, 0};
  sal_model silent = *told.model;

  silent.autonomous = false;
  for (int m = 0; sal_registry_methods[m]; ++m) {
    const sal_method *method = sal_registry_methods[m];
    const bool each = method == told.method;
    sal_setup one = told, other = told;
    if (!method->implicit || method->second_order) continue;
    one.method = other.method = method;
    other.model = &silent;
    sal_record a = run_one(&one, at, start, NULL, NULL);
    const sal_record b = run_one(&other, at, start, NULL, NULL);
    CU_ASSERT_EQUAL(b.value[SAL_METRIC_RHS] - a.value[SAL_METRIC_RHS],
                    each ? b.value[SAL_METRIC_JACOBIANS] : 1);
    CU_ASSERT(outcome(&a) == SAL_OUT_DONE && a.value[SAL_METRIC_STEPS] > 20);
    a.value[SAL_METRIC_RHS] = b.value[SAL_METRIC_RHS];
    for (int k = 0; k < SAL_N_METRIC; ++k)
      CU_ASSERT(a.value[k] == b.value[k] || (isnan(a.value[k]) && isnan(b.value[k])));
  }
}

/* Both kinds see the same numbers, so all but the evaluations is the same to the last bit. */
static void a_band_costs_its_colours(void)
{
  static double full_end[JOBS][N];
  static sal_record full[JOBS];

  for (int m = 0; sal_registry_methods[m]; ++m) {
    const sal_method *method = sal_registry_methods[m];
    if (!method->implicit || !sal_method_solves(method, &heat_rod_full)) continue;
    run_rods(&heat_rod_full, method, SAL_JACOBIAN_DIFFERENCES, 1);
    memcpy(full_end, end, sizeof end);
    memcpy(full, record, sizeof record);
    run_rods(&heat_rod_banded, method, SAL_JACOBIAN_DIFFERENCES, 1);
    CU_ASSERT_EQUAL(memcmp(full_end, end, sizeof end), 0);
    for (int k = 0; k < JOBS; ++k) {
      const double jacobians = record[k].value[SAL_METRIC_JACOBIANS];
      CU_ASSERT_EQUAL(outcome(&record[k]), SAL_OUT_DONE);
      CU_ASSERT(jacobians >= 1 && jacobians == full[k].value[SAL_METRIC_JACOBIANS]);
      CU_ASSERT_EQUAL(full[k].value[SAL_METRIC_RHS] - record[k].value[SAL_METRIC_RHS],
                      jacobians * (N - COLOURS));
    }
    CU_ASSERT(fabs(end[0][0] - initial[0][0]) > 0.1 && fabs(end[0][0] - end[7][0]) > 1e-3);
  }
}

/* A model without a Jacobian: a method that requests it gets differences. */
static void without_a_jacobian_differences_are_taken(void)
{
  double asked[JOBS][N], worst = 0;

  for (int m = 0; sal_registry_methods[m]; ++m) {
    if (!sal_method_solves(sal_registry_methods[m], &heat_rod_banded)) continue;
    run_rods(&heat_rod_banded, sal_registry_methods[m], SAL_JACOBIAN_DIFFERENCES, 1);
    memcpy(asked, end, sizeof end);
    run_rods(&heat_rod_banded, sal_registry_methods[m], SAL_JACOBIAN_ANALYTIC, 1);
    CU_ASSERT_EQUAL(memcmp(asked, end, sizeof end), 0);
    run_rods(&heat_rod_banded, sal_registry_method("dop853"), SAL_JACOBIAN_DIFFERENCES, 1);
    for (int k = 0; k < JOBS; ++k)
      for (int i = 0; i < N; ++i) worst = fmax(worst, fabs(end[k][i] - asked[k][i]));
  }
  CU_ASSERT(worst < 3e-3 && worst > 1e-9);
}

static void every_width_gives_the_same_bits(void)
{
  double narrow[JOBS][N];

  for (int m = 0; sal_registry_methods[m]; ++m) {
    if (!sal_registry_methods[m]->implicit ||
        !sal_method_solves(sal_registry_methods[m], &heat_rod_banded))
      continue;
    run_rods(&heat_rod_banded, sal_registry_methods[m], SAL_JACOBIAN_DIFFERENCES, 1);
    memcpy(narrow, end, sizeof end);
    for (int width = 4; width <= sal_integrate_widest(); width *= 2) {
      run_rods(&heat_rod_banded, sal_registry_methods[m], SAL_JACOBIAN_DIFFERENCES, width);
      CU_ASSERT_EQUAL(memcmp(narrow, end, sizeof end), 0);
    }
  }
}

SAL_TEST_MAIN("Jacobians by differences", NULL,
              {"a band costs its colours", a_band_costs_its_colours},
              {"without time its derivative is free", without_time_its_derivative_is_free},
              {"without a Jacobian differences are taken",
               without_a_jacobian_differences_are_taken},
              {"every width gives the same bits", every_width_gives_the_same_bits})
