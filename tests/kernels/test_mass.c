/** M dy/dt = f by every method that supports it: order, tolerance, the same bits at every
 *  width, and what the index of a state is for.
 */
#include "guided.h"
#include "order.h"
#include "sal_test.h"
#include "weighted.h"
#include <string.h>

enum { JOBS = 8, MESH = 40, N = WEIGHTED_STATES };
static const double span = 4, start[] = {1, 0.5, 0.5};

static sal_setup solve(const sal_model *model, const sal_method *method, double tol)
{
  return (sal_setup){.model = model,
                     .method = method,
                     .strategy = sal_registry_strategy("event"),
                     .rtol = tol,
                     .atol = tol,
                     .t_end = span,
                     .jacobian = SAL_JACOBIAN_ANALYTIC,
                     .max_attempts = 100000};
}

static double error_at_end(const double end[])
{
  double right[N], worst = 0;

  weighted_exact(span, right);
  for (int i = 0; i < N; ++i) worst = fmax(worst, fabs(end[i] - right[i]));
  return worst;
}

/* With fixed steps, the algebraic state included. */
static double error_of(const sal_method *method, int max_order, int n_step)
{
  static const double m = 3;
  sal_setup setup = solve(&weighted, method, 1e-13);
  double end[N];
  const sal_job job = {.param = &m, .initial = start, .end = end};
  sal_record out;

  setup.fixed_step = span / n_step;
  setup.max_step = span;
  setup.max_order = max_order;
  run_batch(&setup, 1, 1, &job, &out);
  return outcome(&out) == SAL_OUT_DONE ? error_at_end(end) : NAN;
}

static void the_order_is_kept(void)
{
  order_member member[64];
  const int n = order_members(64, member);
  int seen = 0;

  printf("\n");
  for (int i = 0; i < n; ++i) {
    if (!member[i].method->mass) continue;
    CU_ASSERT(fabs(order_off(error_of, &member[i], member[i].theory, 2000, 1e-13)) < 0.3);
    ++seen;
  }
  CU_ASSERT(seen > 0);
}

typedef struct {
  double end[JOBS][N], state[JOBS][(MESH + 1) * N];
  sal_record record[JOBS];
} harvest;

/* Eight masses side by side. */
static void reap(const sal_method *method, double tol, int width, harvest *out)
{
  static const double m[JOBS] = {1, 1e-4, 100, 3, 0.5, 10, 1e-3, 7};
  const sal_setup setup = solve(&weighted, method, tol);
  sal_samples samples[JOBS];
  sal_job job[JOBS];

  memset(out, 0, sizeof *out);
  for (int k = 0; k < JOBS; ++k) {
    samples[k] = (sal_samples){.n_mesh = MESH, .state = out->state[k]};
    job[k] =
        (sal_job){.param = &m[k], .initial = start, .samples = &samples[k], .end = out->end[k]};
  }
  run_batch(&setup, width, JOBS, job, out->record);
}

static harvest narrow, wide;

static double worst_of(const harvest *h)
{
  double worst = 0;

  for (int k = 0; k < JOBS; ++k) {
    CU_ASSERT_EQUAL(outcome(&h->record[k]), SAL_OUT_DONE);
    for (int j = 0; j <= MESH; ++j) {
      double right[N];
      weighted_exact(span * j / MESH, right);
      for (int i = 0; i < N; ++i) worst = fmax(worst, fabs(h->state[k][j * N + i] - right[i]));
    }
  }
  return worst;
}

static void the_error_follows_the_tolerance_at_every_width(void)
{
  for (int i = 0; sal_registry_methods[i]; ++i) {
    if (!sal_registry_methods[i]->mass) continue;
    double last = 1;
    for (double tol = 1e-4; tol > 1e-11; tol /= 100) {
      reap(sal_registry_methods[i], tol, 1, &narrow);
      const double worst = worst_of(&narrow);
      CU_ASSERT(worst < 20 * tol && worst > 1e-3 * tol && worst < 0.2 * last);
      last = worst;
      for (int width = 4; width <= sal_integrate_widest(); width *= 2) {
        reap(sal_registry_methods[i], tol, width, &wide);
        CU_ASSERT_EQUAL(memcmp(&narrow, &wide, offsetof(harvest, record)), 0);
        for (int k = 0; k < JOBS; ++k)
          CU_ASSERT_EQUAL(narrow.record[k].value[SAL_METRIC_RHS],
                          wide.record[k].value[SAL_METRIC_RHS]);
      }
    }
  }
}

/* States of higher index are measured in powers of h; measured like the others they are never good
 * enough. */
static void a_higher_index_is_declared(void)
{
  static const double on_the_guide[] = {0, 1, 1};

  for (int i = 0; sal_registry_methods[i]; ++i) {
    if (!sal_registry_methods[i]->mass) continue;
    const sal_setup known = solve(&guided, sal_registry_methods[i], 1e-5);
    const sal_setup blind = solve(&guided_undeclared, sal_registry_methods[i], 1e-5);
    double end[N];
    const sal_job job = {.param = on_the_guide, .initial = on_the_guide, .end = end};
    sal_record out;
    run_batch(&known, 1, 1, &job, &out);
    CU_ASSERT_EQUAL(outcome(&out), SAL_OUT_DONE);
    CU_ASSERT(out.value[SAL_METRIC_STEPS] > 8 && out.value[SAL_METRIC_STEPS] < 100);
    CU_ASSERT(fabs(end[0] - sin(span)) < 1e-5 && fabs(end[1] - cos(span)) < 1e-3);
    CU_ASSERT(fabs(end[2] - (cos(span) - sin(span))) < 1e-2);
    const double steps = out.value[SAL_METRIC_STEPS];
    run_batch(&blind, 1, 1, &job, &out);
    CU_ASSERT(outcome(&out) != SAL_OUT_DONE || out.value[SAL_METRIC_STEPS] > 10 * steps);
  }
}

SAL_TEST_MAIN("mass matrices", NULL, {"the order is kept", the_order_is_kept},
              {"the error follows the tolerance at every width",
               the_error_follows_the_tolerance_at_every_width},
              {"a higher index is declared", a_higher_index_is_declared})
