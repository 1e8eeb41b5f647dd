/** The counts that the MATLAB ODE suite prints for its own example problems (Shampine & Reichelt,
 *  SIAM J. Sci. Comput. 18 (1997) 1-22), met exactly: relative tolerance 1e-3, absolute 1e-6, steps
 *  of at most a tenth of the interval.  Its failed attempts include those given up for a new
 *  Jacobian.
 */
#include "ramp.h"
#include "run_one.h"
#include "sal_test.h"
#include "van_der_pol.h"

/* A count below 0 is not looked at. */
typedef struct {
  const char *method;
  const sal_model *model;
  double param, initial[2], span;
  int steps, failed, rhs, jacobians, factorisations, solves;
} figures;

static const figures published[] = {
    {"ode15s", &van_der_pol, 1000, {2, 0}, 3000, 591, 225, 1749, 45, 289, 1747},
    {"ode23s", &van_der_pol, 1000, {2, 0}, 3000, 741, 13, -1, 741, 754, 2262},
    {"ode45", &ramp, 0, {0}, 10, 14, 2, 97, 0, 0, 0},
};

static void the_counts_of_the_suite_are_met(void)
{
  for (size_t i = 0; i < sizeof published / sizeof *published; ++i) {
    const figures *f = &published[i];
    const sal_setup setup = {.model = f->model,
                             .method = sal_registry_method(f->method),
                             .strategy = sal_registry_strategy("switch"),
                             .rtol = 1e-3,
                             .atol = 1e-6,
                             .t_end = f->span,
                             .jacobian = SAL_JACOBIAN_ANALYTIC};
    const sal_record out = run_one(&setup, &f->param, f->initial, NULL, NULL);
    CU_ASSERT_EQUAL(outcome(&out), SAL_OUT_DONE);
    CU_ASSERT_EQUAL(out.value[SAL_METRIC_STEPS], f->steps);
    CU_ASSERT_EQUAL(out.value[SAL_METRIC_FAILED], f->failed);
    CU_ASSERT(f->rhs < 0 || out.value[SAL_METRIC_RHS] == f->rhs);
    CU_ASSERT_EQUAL(out.value[SAL_METRIC_JACOBIANS], f->jacobians);
    CU_ASSERT_EQUAL(out.value[SAL_METRIC_FACTORISATIONS], f->factorisations);
    CU_ASSERT_EQUAL(out.value[SAL_METRIC_SOLVES], f->solves);
  }
}

SAL_TEST_MAIN("published counts", NULL,
              {"the counts of the suite are met", the_counts_of_the_suite_are_met})
