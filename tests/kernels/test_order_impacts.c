/** Theory: with located events and a dense output that is good enough, impacts leave the order of a
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

static sal_setup fixed_steps(const sal_method *method, int max_order, int n_step)
{
  return (sal_setup){.model = sal_registry_model("linear-ground"),
                     .method = method,
                     .strategy = sal_registry_strategy("event"),
                     .rtol = 1e-13,
                     .atol = 1e-13,
                     .t_end = span,
                     .max_step = span,
                     .fixed_step = span / n_step,
                     .max_order = max_order};
}

static double farther(double worst, long double t, const double state[])
{
  long double right[2];

  bounces_at(exact(), t, right);
  for (int i = 0; i < 2; ++i) worst = fmax(worst, fabs((double)(state[i] - right[i])));
  return worst;
}

/* Everywhere: on a mesh that falls inside the steps. */
static double error_between(const sal_method *method, int max_order, int n_step)
{
  static double state[(MESH + 1) * 2];
  sal_samples samples = {.n_mesh = MESH, .state = state};
  const sal_setup setup = fixed_steps(method, max_order, n_step);
  const sal_record out = run_one(&setup, param, initial, &samples, NULL);
  double worst = 0;

  if (outcome(&out) != SAL_OUT_DONE || n_event(&out) != EVENTS) return NAN;
  for (int j = 0; j <= MESH; ++j)
    worst = farther(worst, (long double)span * j / MESH, state + 2 * j);
  return worst;
}

/* Where steps end: the times of the events, the speeds after them, the state at the end. */
static double error_at_ends(const sal_method *method, int max_order, int n_step)
{
  sal_event event[EVENTS] = {{0}};
  double at_events[EVENTS][2 * 2];
  double end[2], worst = 0;
  sal_events log = {.event = event, .capacity = EVENTS, .state = *at_events, .n_state = 2};
  const sal_setup setup = fixed_steps(method, max_order, n_step);
  const sal_job job = {.param = param, .initial = initial, .events = &log, .end = end};
  sal_record out;

  run_batch(&setup, 1, 1, &job, &out);
  if (outcome(&out) != SAL_OUT_DONE || log.n != EVENTS) return NAN;
  for (int i = 0; i < EVENTS; ++i) {
    long double right[2];
    bounces_in_phase(exact(), &exact()->phase[i + 1], 0, right);
    worst = fmax(worst, fabs((double)(event[i].t - exact()->phase[i + 1].t)));
    worst = fmax(worst, fabs((double)(event[i].y[1] - right[1])));
  }
  return farther(worst, (long double)span, end);
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

/* After each event a multistep method starts from tiny steps; from order 8 on it has met rounding before
 * it reaches a size where an order could be seen.  A window of so high an order reaches down to where
 * the roots of steps that end on them are still sharp. */
static void check_orders(order_error *error_of, bool between)
{
  order_member member[64];
  const int n = order_members(64, member);

  printf("\n");
  for (int i = 0; i < n; ++i) {
    const order_member *m = &member[i];
    const int theory = between ? order_between(m) : m->theory;
    if (m->max_order > 0 && m->theory >= 8) continue;
    CU_ASSERT(fabs(order_off(error_of, m, theory, MOST, theory < 8 ? 3e-12 : 5e-14)) < 0.35);
  }
}

static void impacts_leave_the_order_as_it_is(void) { check_orders(error_at_ends, false); }

static void impacts_leave_the_order_between_steps(void) { check_orders(error_between, true); }

static void high_orders_meet_rounding_across_impacts(void)
{
  order_member member[64];
  const int n = order_members(64, member);

  for (int i = 0; i < n; ++i)
    if (member[i].theory >= 8) {
      CU_ASSERT(error_between(member[i].method, member[i].max_order, 3000) < 5e-12);
      CU_ASSERT(error_between(member[i].method, member[i].max_order, 24) > 5e-11);
    }
}

SAL_TEST_MAIN("order across impacts", NULL,
              {"the exact solution bounces", the_exact_solution_bounces},
              {"impacts leave the order as it is", impacts_leave_the_order_as_it_is},
              {"impacts leave the order between steps", impacts_leave_the_order_between_steps},
              {"high orders meet rounding across impacts",
               high_orders_meet_rounding_across_impacts})
