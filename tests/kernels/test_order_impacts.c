/** @file tests/kernels/test_order_impacts.c
 *  Theory: with located events and a dense output that is good enough, impacts leave the order of a
 *  method as it is (Shampine & Thompson 2000).  A mass that bounces on a damped spring, with the
 *  exact solution chained through its touchdowns and lift-offs.
 */
#include "bounces.h"
#include "order.h"
#include "sal_test.h"

enum { MESH = 300, EVENTS = 7, MOST = 25000 };
static const double span = 12, param[] = {1, 10, 0.2}, initial[] = {1, 0};

static const bounces *exact(void)
{
  static bounces b;
  if (b.n == 0) b = bounces_solve(param, initial[0], initial[1], span);
  return &b;
}

static double error_of(const sal_method *method, int max_order, int n_step)
{
  static double   state[(MESH + 1) * 2];
  sal_samples     samples = {.n_mesh = MESH, .state = state};
  const sal_setup setup   = {.model      = sal_registry_model("linear-ground"),
                             .method     = method,
                             .strategy   = sal_registry_strategy("event"),
                             .rtol       = 1e-13,
                             .atol       = 1e-13,
                             .t_end      = span,
                             .max_step   = span,
                             .fixed_step = span / n_step,
                             .max_order  = max_order};
  sal_record      out     = run_one(&setup, param, initial, &samples, NULL);
  double          worst   = 0;

  if (outcome(&out) != SAL_OUT_DONE || n_event(&out) != EVENTS) return NAN;
  for (int j = 0; j <= MESH; ++j) {
    long double right[2];
    bounces_at(exact(), (long double)span * j / MESH, right);
    for (int i = 0; i < 2; ++i) worst = fmax(worst, fabs((double)(state[2 * j + i] - right[i])));
  }
  return worst;
}

static void the_exact_solution_bounces(void)
{
  const bounces *b = exact();

  CU_ASSERT_EQUAL(b->n, EVENTS + 1);
  CU_ASSERT_DOUBLE_EQUAL((double)b->phase[1].t, sqrt(2), 1e-15);
  for (int i = 1; i < b->n; ++i) {
    long double before[2], after[2];
    bounces_in_phase(b, &b->phase[i - 1], b->phase[i].t - b->phase[i - 1].t, before);
    bounces_in_phase(b, &b->phase[i], 0, after);
    CU_ASSERT_DOUBLE_EQUAL((double)before[0], 0, 1e-17);
    CU_ASSERT_DOUBLE_EQUAL((double)(before[1] - after[1]), 0, 1e-17);
    CU_ASSERT(fabsl(after[1]) > 0.3L && b->phase[i].closed == (after[1] < 0));
  }
}

/* A located root is as sharp as the rounding of t, a root that a step ends on far sharper.  Behind
 * each event a multistep method starts from tiny steps; from order 8 on it has met rounding before
 * it reaches a size where an order could be seen. */
static void impacts_leave_the_order_as_it_is(void)
{
  order_member member[64];
  const int    n    = order_members(64, member);
  int          seen = 0;

  printf("\n");
  for (int i = 0; i < n; ++i) {
    const order_member *m = &member[i];
    if (m->max_order > 0 && m->theory >= 8) continue;
    const double floor = m->method->restep ? 5e-14 : 3e-12;
    CU_ASSERT(fabs(order_off(error_of, m, MOST, floor)) < 0.35);
    ++seen;
  }
  CU_ASSERT(seen >= 17);
}

static void high_orders_meet_rounding_across_impacts(void)
{
  order_member member[64];
  const int    n = order_members(64, member);

  for (int i = 0; i < n; ++i)
    if (member[i].theory >= 8) {
      CU_ASSERT(error_of(member[i].method, member[i].max_order, 3000) < 5e-12);
      CU_ASSERT(error_of(member[i].method, member[i].max_order, 24) > 5e-11);
    }
}

SAL_TEST_MAIN("order across impacts", NULL,
              {"the exact solution bounces", the_exact_solution_bounces},
              {"impacts leave the order as it is", impacts_leave_the_order_as_it_is},
              {"high orders meet rounding across impacts",
               high_orders_meet_rounding_across_impacts})
