/** @file tests/sweep/test_cap.c
 *  Caps: the keys, and the rule that makes a cap of the runs of a cell.
 */
#include "cap.h"
#include "contender.h"
#include "refuse.h"
#include <math.h>

#define TWO(tail)                                                                                  \
  "model: monopod\nt_end: 5\nsolvers: [ode45, dop853, ode23s, ode113]\nstrategies: [switch, "      \
  "event]\nrtol: [1e-3, 1e-6]\n" tail

enum { N = 16, ODE45 = 0, DOP853, ODE23S, ODE113 };

static void keys_are_checked(void)
{
  refuse_text(TWO("cap: {pacemakers: [dop852]}\n"), "s.yaml:6", "cap.pacemakers",
              "unknown solver of this sweep 'dop852'", "did you mean 'dop853'?");
  refuse_text(TWO("cap: {pacemakers: [tsit5]}\n"), "s.yaml:6", "'tsit5'", "allowed: ode45, dop853");
  refuse_text(TWO("cap: {pacemakers: dop853}\n"), "s.yaml:6", "a list of solvers");
  refuse_text(TWO("cap:\n  pacemakers: [dop853]\n  reserve: [dop853]\n"), "s.yaml:8",
              "cap.reserve: 'dop853' is there already");
  refuse_text(TWO("cap: {factor: 0.5}\n"), "s.yaml:6", "cap.factor = 0.5", "from 1");
  refuse_text(TWO("cap: {error: 0}\n"), "s.yaml:6", "cap.error = 0", "greater than 0");
  refuse_text(TWO("cap: {reference: -1}\n"), "s.yaml:6", "cap.reference = -1", "from 0");
  refuse_text(TWO("cap: {pace: 1}\n"), "s.yaml:6", "pace", "pacemakers");
}

/* Does the sweep stop runs at all? */
static bool stops(const sal_sweep *s)
{
  bool any = s->cap.reference > 0;

  for (int m = 0; m < s->n_method; ++m) any = any || s->cap.role[m] != SAL_CAP_OTHERS;
  return any;
}

static void without_the_key_nothing_is_stopped(void)
{
  sal_sweep plain = accept_with(TWO(""), 0, NULL), empty = accept_with(TWO("cap: {}\n"), 0, NULL);

  CU_ASSERT(!stops(&plain) && !stops(&empty));
  CU_ASSERT_PTR_NULL(strstr(plain.settled, "cap"));
  CU_ASSERT(empty.cap.factor == 4 && empty.cap.error == 1e-6);
  sal_sweep_free(&plain);
  sal_sweep_free(&empty);
}

/* A cell in which every run is finished with this work and this error. */
typedef struct {
  sal_cell_record cell;
  sal_record record[N];
} made_up_cell;

static made_up_cell make_cell(double work, double error)
{
  made_up_cell c = {{{0}}, {{{0}}}};

  c.cell.value[SAL_CELL_REFERENCE_OUTCOME] = SAL_OUT_DONE;
  c.cell.value[SAL_CELL_REFERENCE_ERROR_WATCHED] = 1e-9;
  for (int k = 0; k < N; ++k) {
    c.record[k].value[SAL_METRIC_OUTCOME] = SAL_OUT_DONE;
    c.record[k].value[SAL_METRIC_RHS] = work;
    c.record[k].value[SAL_METRIC_MAX_ERROR] = error;
  }
  return c;
}

static double *run_of(const sal_sweep *s, made_up_cell *c, int tolerance, int strategy, int method)
{
  return c->record[sal_contender_encode(s, (sal_contender){tolerance, strategy, method})].value;
}

/* Of a run without an error yet; infinite: none. */
static double cap_behind(const sal_sweep *s, sal_cap_role role, const made_up_cell *c)
{
  const double most = sal_cap_of_cell(s, role, 100, &c->cell, c->record).most_work;
  return most > 0 ? most : INFINITY;
}

/* Of a run whose error is that already. */
static double cap_at_error(const sal_sweep *s, const made_up_cell *c, double error)
{
  const sal_cap_of_job cap = sal_cap_of_cell(s, SAL_CAP_PACEMAKERS, 100, &c->cell, c->record);
  double most = cap.most_work > 0 ? cap.most_work : INFINITY;

  for (int i = 0; i < cap.stairs.n; ++i) {
    CU_ASSERT(i == 0 || (cap.stairs.error[i] > cap.stairs.error[i - 1] &&
                         cap.stairs.work[i] <= cap.stairs.work[i - 1]));
    if (error > cap.stairs.error[i]) most = fmin(most, cap.stairs.work[i]);
  }
  return most;
}

static void the_least_work_that_reaches_the_error_is_the_pace(void)
{
  sal_sweep s = accept_with(
      TWO("cap: {pacemakers: [dop853], reserve: [ode113], error: 1e-6, factor: 2}\n"), 0, NULL);
  made_up_cell c = make_cell(50, 1);

  CU_ASSERT(stops(&s) && sal_contender_count(&s) == N);
  CU_ASSERT(isinf(cap_behind(&s, SAL_CAP_PACEMAKERS, &c))); /* no run reaches it: no cap */
  run_of(&s, &c, 1, 0, DOP853)[SAL_METRIC_MAX_ERROR] = 5e-7;
  run_of(&s, &c, 1, 0, DOP853)[SAL_METRIC_RHS] = 900;
  CU_ASSERT(cap_behind(&s, SAL_CAP_PACEMAKERS, &c) == 1800);
  run_of(&s, &c, 1, 1, DOP853)[SAL_METRIC_MAX_ERROR] = 1e-7; /* another strategy, and cheaper */
  run_of(&s, &c, 1, 1, DOP853)[SAL_METRIC_RHS] = 700;
  CU_ASSERT(cap_behind(&s, SAL_CAP_PACEMAKERS, &c) == 1400);
  run_of(&s, &c, 0, 0, ODE45)[SAL_METRIC_MAX_ERROR] = 1e-8;  /* no pacemaker: of no consequence */
  run_of(&s, &c, 0, 1, ODE113)[SAL_METRIC_MAX_ERROR] = 1e-8; /* one in reserve: later */
  CU_ASSERT(cap_behind(&s, SAL_CAP_PACEMAKERS, &c) == 1400);
  CU_ASSERT(cap_behind(&s, SAL_CAP_RESERVE, &c) == 100);
  sal_sweep_free(&s);
}

/* The error is what answers count: measured, and the reference's own. */
static void only_runs_that_answer_set_a_pace(void)
{
  sal_sweep s = accept_with(TWO("cap: {pacemakers: [dop853], error: 1e-6, factor: 1}\n"), 0, NULL);
  made_up_cell c = make_cell(50, 1);
  double *v = run_of(&s, &c, 1, 0, DOP853);

  v[SAL_METRIC_MAX_ERROR] = 9.995e-7;
  CU_ASSERT(isinf(cap_behind(&s, SAL_CAP_PACEMAKERS, &c)));
  v[SAL_METRIC_MAX_ERROR] = 9.985e-7;
  CU_ASSERT(cap_behind(&s, SAL_CAP_PACEMAKERS, &c) == 50);
  v[SAL_METRIC_OUTCOME] = SAL_OUT_STEP_CAP;
  CU_ASSERT(isinf(cap_behind(&s, SAL_CAP_PACEMAKERS, &c)));
  v[SAL_METRIC_OUTCOME] = SAL_OUT_ENDED;
  CU_ASSERT(cap_behind(&s, SAL_CAP_PACEMAKERS, &c) == 50);
  c.cell.value[SAL_CELL_REFERENCE_OUTCOME] = SAL_OUT_STUCK; /* no question has an answer */
  v[SAL_METRIC_RHS] = 80;
  CU_ASSERT(cap_behind(&s, SAL_CAP_PACEMAKERS, &c) == 80);
  sal_sweep_free(&s);
}

/* Stairs lie at 1e-6, 3.2e-6, 1e-5, ..: a run that is worse than one of them has lost what is below. */
static void a_cap_falls_with_the_error(void)
{
  sal_sweep s = accept_with(TWO("cap: {pacemakers: [dop853], error: 1e-6, factor: 2}\n"), 0, NULL);
  made_up_cell c = make_cell(50, 100);

  run_of(&s, &c, 1, 0, DOP853)[SAL_METRIC_MAX_ERROR] = 2e-4;
  run_of(&s, &c, 1, 0, DOP853)[SAL_METRIC_RHS] = 900;
  run_of(&s, &c, 0, 0, DOP853)[SAL_METRIC_MAX_ERROR] = 2e-2;
  run_of(&s, &c, 0, 0, DOP853)[SAL_METRIC_RHS] = 300;
  CU_ASSERT(isinf(cap_at_error(&s, &c, 0)) && isinf(cap_at_error(&s, &c, 3e-4)));
  CU_ASSERT(isinf(cap_at_error(&s, &c, 1.0005 * 3.1623e-4)));
  CU_ASSERT(cap_at_error(&s, &c, 1.002 * 3.1623e-4) == 1800);
  CU_ASSERT(cap_at_error(&s, &c, 0.03) == 1800);
  CU_ASSERT(cap_at_error(&s, &c, 0.032) == 600);
  CU_ASSERT(cap_at_error(&s, &c, 99) == 600);            /* beyond the last stair, too */
  c.cell.value[SAL_CELL_REFERENCE_ERROR_WATCHED] = 1e-4; /* errors count for more */
  CU_ASSERT(isinf(cap_at_error(&s, &c, 2.1e-4)));
  CU_ASSERT(cap_at_error(&s, &c, 2.2e-4) == 1800);
  sal_sweep_free(&s);
}

/* Factorisations and solves count by the presets of the weights: 16 / 15 and 4 / 5 of f here. */
static void work_is_that_of_answers(void)
{
  sal_sweep s = accept_with(TWO("cap: {pacemakers: [ode23s], factor: 1}\n"), 0, NULL);
  made_up_cell c = make_cell(50, 1e-8);

  for (int k = 0; k < N; ++k) {
    c.record[k].value[SAL_METRIC_FACTORISATIONS] = 15;
    c.record[k].value[SAL_METRIC_SOLVES] = 5;
  }
  CU_ASSERT(fabs(cap_behind(&s, SAL_CAP_PACEMAKERS, &c) - (50 + 16 + 4)) < 1e-12);
  sal_sweep_free(&s);
}

static void the_reference_bounds_all(void)
{
  sal_sweep s = accept_with(TWO("cap: {reference: 3}\n"), 0, NULL);
  sal_sweep b = accept_with(TWO("cap: {reference: 3, pacemakers: [dop853]}\n"), 0, NULL);
  made_up_cell c = make_cell(50, 1e-8);

  CU_ASSERT(stops(&s));
  CU_ASSERT(sal_cap_of_reference(&s, SAL_OUT_DONE, 100).most_work == 300);
  CU_ASSERT(cap_behind(&s, SAL_CAP_PACEMAKERS, &c) == 300);
  CU_ASSERT(cap_behind(&b, SAL_CAP_PACEMAKERS, &c) == 200); /* 4 x 50 */
  for (int k = 0; k < N; ++k) c.record[k].value[SAL_METRIC_RHS] = 90;
  CU_ASSERT(cap_behind(&b, SAL_CAP_PACEMAKERS, &c) == 300);
  sal_sweep_free(&s);
  sal_sweep_free(&b);
}

/* Of a run that is known to be accurate, but no less than the least, nor more than what any run may take. */
static void a_budget_is_relative_to_an_accurate_run(void)
{
  sal_sweep plain = accept_with(TWO(""), 0, NULL);
  sal_sweep s = accept_with(TWO("budget: {factor: 10, least: 50, work: 4000}\n"), 0, NULL);

  CU_ASSERT_EQUAL(sal_cap_of_reference(&s, SAL_OUT_DONE, 100).budget, 1000);
  CU_ASSERT_EQUAL(sal_cap_of_reference(&s, SAL_OUT_ENDED, 2).budget, 50);
  CU_ASSERT_EQUAL(sal_cap_of_reference(&s, SAL_OUT_DONE, 1e6).budget, 4000);
  CU_ASSERT_EQUAL(sal_cap_of_reference(&s, SAL_OUT_STEP_CAP, 100).budget, 4000);
  CU_ASSERT_EQUAL(sal_cap_of_reference(&plain, SAL_OUT_DONE, 1e6).budget, 1e9);
  CU_ASSERT_EQUAL(sal_cap_of_reference(&plain, SAL_OUT_DONE, 100).budget, 1e7);
  CU_ASSERT_EQUAL(sal_cap_of_reference(&plain, SAL_OUT_UNDERFLOW, 100).budget, 0);
  refuse_text(TWO("budget: {factor: -1}\n"), "s.yaml:6", "budget.factor = -1", "from 0");
  sal_sweep_free(&plain);
  sal_sweep_free(&s);
}

SAL_TEST_MAIN("cap", NULL, {"keys are checked", keys_are_checked},
              {"without the key nothing is stopped", without_the_key_nothing_is_stopped},
              {"the least work that reaches the error is the pace",
               the_least_work_that_reaches_the_error_is_the_pace},
              {"only runs that answer set a pace", only_runs_that_answer_set_a_pace},
              {"a cap falls with the error", a_cap_falls_with_the_error},
              {"work is that of answers", work_is_that_of_answers},
              {"the reference bounds all", the_reference_bounds_all},
              {"a budget is relative to an accurate run", a_budget_is_relative_to_an_accurate_run})
