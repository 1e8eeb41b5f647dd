/** Caps: the keys, and the rule that makes a cutoff of the runs of a cell. */
#include "config.h"
#include "cutoff.h"
#include "refuse.h"
#include <math.h>

#define TWO(tail)                                                                                  \
  "model: monopod\nt_end: 5\nsolvers: [ode45, dop853, ode23s, ode113]\nstrategies: [switch, "      \
  "event]\nrtol: [1e-3, 1e-6]\n" tail

enum { N = 16, ODE45 = 0, DOP853, ODE23S, ODE113 };

static void keys_are_checked(void)
{
  refuse_text(TWO("cutoff: {baselines: [dop852]}\n"), "s.yaml:6", "cutoff.baselines",
              "unknown solver of this sweep 'dop852'", "did you mean 'dop853'?");
  refuse_text(TWO("cutoff: {baselines: [tsit5]}\n"), "s.yaml:6", "'tsit5'",
              "allowed: ode45, dop853");
  refuse_text(TWO("cutoff: {baselines: dop853}\n"), "s.yaml:6", "a list of solvers");
  refuse_text(TWO("cutoff:\n  baselines: [dop853]\n  second_baselines: [dop853]\n"), "s.yaml:8",
              "cutoff.second_baselines: 'dop853' is there already");
  refuse_text(TWO("cutoff: {factor: 0.5}\n"), "s.yaml:6", "cutoff.factor = 0.5", "from 1");
  refuse_text(TWO("cutoff: {error: 0}\n"), "s.yaml:6", "cutoff.error = 0", "greater than 0");
  refuse_text(TWO("cutoff: {reference: -1}\n"), "s.yaml:6", "cutoff.reference = -1", "from 0");
  refuse_text(TWO("cutoff: {baselines: [dop853], exempt: [dop853]}\n"), "s.yaml:6",
              "cutoff.exempt: 'dop853' is there already");
  refuse_text(TWO("cutoff: {order: tolerance}\n"), "s.yaml:6", "'tolerance'",
              "did you mean 'tolerances'?");
  refuse_text(TWO("cutoff: {near_factor: 3}\n"), "s.yaml:6", "cutoff.near_factor = 3",
              "allowed: 0, or from cutoff.factor = 4");
  refuse_text(TWO("cutoff: {loosest: 1e-7}\n"), "s.yaml:6", "cutoff.loosest = 1e-07",
              "allowed: 0, or from cutoff.error = 1e-06");
  refuse_text(TWO("cutoff: {pace: 1}\n"), "s.yaml:6", "pace", "baselines");
}

static void without_the_key_nothing_is_stopped(void)
{
  sal_sweep plain = accept_with(TWO(""), 0, NULL),
            empty = accept_with(TWO("cutoff: {}\n"), 0, NULL);

  CU_ASSERT(sal_cutoff_keeps_points(&plain) && sal_cutoff_keeps_points(&empty));
  CU_ASSERT_PTR_NULL(strstr(plain.settled, "cutoff"));
  CU_ASSERT(empty.cutoff.factor == 4 && empty.cutoff.error == 1e-6);
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
  return c->record[sal_config_encode(s, (sal_config){tolerance, strategy, method})].value;
}

/* Baseline of the cell once so many phases are over; its reference takes 100. */
static sal_cutoff_baseline pace_after(const sal_sweep *s, int phases, const made_up_cell *c)
{
  sal_cutoff_baseline baseline = sal_cutoff_begin(s, 100, &c->cell);

  for (int k = 0; k < sal_config_count(s); ++k)
    if (sal_cutoff_phase_of(s, k) < phases) sal_cutoff_add(s, 1, &k, c->record, &baseline);
  return baseline;
}

/* A configuration that has no role. */
enum { SOME = ODE45 };

/* Cutoff of a run without an error yet, when so many phases are over; infinite: none. */
static double cap_after(const sal_sweep *s, int phases, const made_up_cell *c)
{
  const sal_cutoff_baseline baseline = pace_after(s, phases, c);
  const double most = sal_cutoff_of_run(s, SOME, &baseline, c->record).most_work;
  return most > 0 ? most : INFINITY;
}

/* Cutoff of a run that has this error already. */
static double cap_at_error(const sal_sweep *s, const made_up_cell *c, double error)
{
  const sal_cutoff_baseline baseline = pace_after(s, 1, c);
  const sal_cutoff_of_job cutoff = sal_cutoff_of_run(s, SOME, &baseline, c->record);
  double most = cutoff.most_work > 0 ? cutoff.most_work : INFINITY;

  for (int i = 0; i < cutoff.stairs.n; ++i) {
    CU_ASSERT(i == 0 || (cutoff.stairs.error[i] > cutoff.stairs.error[i - 1] &&
                         cutoff.stairs.work[i] <= cutoff.stairs.work[i - 1]));
    if (error > cutoff.stairs.error[i]) most = fmin(most, cutoff.stairs.work[i]);
  }
  return most;
}

static void the_least_work_that_reaches_the_error_is_the_pace(void)
{
  sal_sweep s = accept_with(
      TWO("cutoff: {baselines: [dop853], second_baselines: [ode113], error: 1e-6, factor: 2}\n"), 0,
      NULL);
  made_up_cell c = make_cell(50, 1);

  CU_ASSERT(!sal_cutoff_keeps_points(&s) && sal_config_count(&s) == N);
  CU_ASSERT(isinf(cap_after(&s, 1, &c))); /* no run reaches it: no cutoff */
  run_of(&s, &c, 1, 0, DOP853)[SAL_METRIC_MAX_ERROR] = 5e-7;
  run_of(&s, &c, 1, 0, DOP853)[SAL_METRIC_RHS] = 900;
  CU_ASSERT(cap_after(&s, 1, &c) == 1800);
  run_of(&s, &c, 1, 1, DOP853)[SAL_METRIC_MAX_ERROR] = 1e-7; /* another strategy, and cheaper */
  run_of(&s, &c, 1, 1, DOP853)[SAL_METRIC_RHS] = 700;
  CU_ASSERT(cap_after(&s, 1, &c) == 1400);
  run_of(&s, &c, 0, 0, ODE45)[SAL_METRIC_MAX_ERROR] = 1e-8;  /* no baseline: of no consequence */
  run_of(&s, &c, 0, 1, ODE113)[SAL_METRIC_MAX_ERROR] = 1e-8; /* one in reserve: later */
  CU_ASSERT(cap_after(&s, 1, &c) == 1400);
  CU_ASSERT(cap_after(&s, 2, &c) == 100);
  sal_sweep_free(&s);
}

/* The error is what answers count: measured, and the reference's own. */
static void only_runs_that_answer_set_a_pace(void)
{
  sal_sweep s =
      accept_with(TWO("cutoff: {baselines: [dop853], error: 1e-6, factor: 1}\n"), 0, NULL);
  made_up_cell c = make_cell(50, 1);
  double *v = run_of(&s, &c, 1, 0, DOP853);

  v[SAL_METRIC_MAX_ERROR] = 9.995e-7;
  CU_ASSERT(isinf(cap_after(&s, 1, &c)));
  v[SAL_METRIC_MAX_ERROR] = 9.985e-7;
  CU_ASSERT(cap_after(&s, 1, &c) == 50);
  v[SAL_METRIC_OUTCOME] = SAL_OUT_STEP_CAP;
  CU_ASSERT(isinf(cap_after(&s, 1, &c)));
  v[SAL_METRIC_OUTCOME] = SAL_OUT_ENDED;
  CU_ASSERT(cap_after(&s, 1, &c) == 50);
  c.cell.value[SAL_CELL_REFERENCE_OUTCOME] = SAL_OUT_STUCK; /* no question has an answer */
  v[SAL_METRIC_RHS] = 80;
  CU_ASSERT(cap_after(&s, 1, &c) == 80);
  sal_sweep_free(&s);
}

/* Stairs lie at 1e-6, 3.2e-6, 1e-5, ..: a run that is worse than one of them has lost what is below. */
static void a_cap_falls_with_the_error(void)
{
  sal_sweep s =
      accept_with(TWO("cutoff: {baselines: [dop853], error: 1e-6, factor: 2}\n"), 0, NULL);
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
  sal_sweep s = accept_with(TWO("cutoff: {baselines: [ode23s], factor: 1}\n"), 0, NULL);
  made_up_cell c = make_cell(50, 1e-8);

  for (int k = 0; k < N; ++k) {
    c.record[k].value[SAL_METRIC_FACTORISATIONS] = 15;
    c.record[k].value[SAL_METRIC_SOLVES] = 5;
  }
  CU_ASSERT(fabs(cap_after(&s, 1, &c) - (50 + 16 + 4)) < 1e-12);
  sal_sweep_free(&s);
}

static void the_reference_bounds_all(void)
{
  sal_sweep s = accept_with(TWO("cutoff: {reference: 3}\n"), 0, NULL);
  sal_sweep b = accept_with(TWO("cutoff: {reference: 3, baselines: [dop853]}\n"), 0, NULL);
  made_up_cell c = make_cell(50, 1e-8);

  CU_ASSERT(!sal_cutoff_keeps_points(&s));
  CU_ASSERT(cap_after(&s, 0, &c) == 300);
  CU_ASSERT(cap_after(&s, 1, &c) == 300);
  CU_ASSERT(cap_after(&b, 1, &c) == 200); /* 4 x 50 */
  for (int k = 0; k < N; ++k) c.record[k].value[SAL_METRIC_RHS] = 90;
  CU_ASSERT(cap_after(&b, 1, &c) == 300);
  sal_sweep_free(&s);
  sal_sweep_free(&b);
}

/* Budget of the first runs of a cell whose reference had this outcome and this work. */
static double budget_by(const sal_sweep *s, sal_outcome outcome, double work)
{
  made_up_cell c = make_cell(50, 1);

  c.cell.value[SAL_CELL_REFERENCE_OUTCOME] = outcome;
  const sal_cutoff_baseline baseline = sal_cutoff_begin(s, work, &c.cell);
  return sal_cutoff_of_run(s, SOME, &baseline, c.record).budget;
}

/* Relative to an accurate run, but at least budget.least and at most budget.work. */
static void a_budget_is_relative_to_an_accurate_run(void)
{
  sal_sweep plain = accept_with(TWO(""), 0, NULL);
  sal_sweep s = accept_with(TWO("budget: {factor: 10, least: 50, work: 4000}\n"), 0, NULL);

  CU_ASSERT_EQUAL(budget_by(&s, SAL_OUT_DONE, 100), 1000);
  CU_ASSERT_EQUAL(budget_by(&s, SAL_OUT_ENDED, 2), 50);
  CU_ASSERT_EQUAL(budget_by(&s, SAL_OUT_DONE, 1e6), 4000);
  CU_ASSERT_EQUAL(budget_by(&s, SAL_OUT_STEP_CAP, 100), 4000);
  CU_ASSERT_EQUAL(budget_by(&plain, SAL_OUT_DONE, 1e6), 1e9);
  CU_ASSERT_EQUAL(budget_by(&plain, SAL_OUT_DONE, 100), 1e7);
  CU_ASSERT_EQUAL(budget_by(&plain, SAL_OUT_UNDERFLOW, 100), 0);
  refuse_text(TWO("budget: {factor: -1}\n"), "s.yaml:6", "budget.factor = -1", "from 0");
  sal_sweep_free(&plain);
  sal_sweep_free(&s);
}

/* ---- by tolerance ---- */

#define RUNGS                                                                                      \
  "model: monopod\nt_end: 5\nsolvers: [ode45, dop853]\nstrategies: [switch]\nrtol: [1e-5, 1e-3, "  \
  "1e-4]\n"
enum { PAIRS = 2, TIGHT = 0, LOOSE = 2, MIDDLE = 4 }; /* of ode45; dop853 is the next */

static void loose_tolerances_come_first_whatever_their_order(void)
{
  sal_sweep s = accept_with(RUNGS "cutoff: {baselines: [dop853], order: tolerances}\n", 0, NULL);
  static const int phase[] = {8, 2, 6, 0, 7, 1},
                   looser[] = {MIDDLE, MIDDLE + 1, -1, -1, LOOSE, LOOSE + 1};

  CU_ASSERT(sal_cutoff_phases(&s) == 9 && sal_config_count(&s) == 3 * PAIRS);
  for (int k = 0; k < 6; ++k) {
    CU_ASSERT_EQUAL(sal_cutoff_phase_of(&s, k), phase[k]);
    CU_ASSERT_EQUAL(sal_cutoff_looser(&s, k), looser[k]);
  }
  sal_sweep_free(&s);
}

static void set_run(made_up_cell *c, int config, sal_outcome outcome, double work, double error)
{
  c->record[config].value[SAL_METRIC_OUTCOME] = outcome;
  c->record[config].value[SAL_METRIC_RHS] = work;
  c->record[config].value[SAL_METRIC_MAX_ERROR] = error;
}

/* Is ode45 not begun at its tight tolerance, when all before are over?  Pace 100 at factor 4. */
static bool closes(const sal_sweep *s, made_up_cell *c)
{
  const sal_cutoff_baseline baseline = pace_after(s, 8, c);
  sal_record value = {{0}};

  const bool closed = sal_cutoff_closes(s, TIGHT, &baseline, c->record, &value);
  CU_ASSERT(!closed ||
            (value.value[SAL_METRIC_OUTCOME] == SAL_OUT_SKIPPED_OVER_CUTOFF &&
             value.value[SAL_METRIC_RHS] == c->record[MIDDLE].value[SAL_METRIC_RHS] &&
             isnan(value.value[SAL_METRIC_MAX_ERROR]) && value.value[SAL_METRIC_T_REACHED] == 0));
  return closed;
}

/* 4 x 100: 301 after 200 would become 301 (301 / 200)^0.8 = 417, 299 only 373 after 250 and 413 after 200. */
static void a_pair_at_the_cap_is_not_begun_again(void)
{
  sal_sweep s = accept_with(RUNGS "cutoff: {baselines: [dop853], order: tolerances}\n", 0, NULL);
  sal_sweep by_role = accept_with(RUNGS "cutoff: {baselines: [dop853]}\n", 0, NULL);
  made_up_cell c = make_cell(100, 1e-8);

  set_run(&c, LOOSE, SAL_OUT_DONE, 200, 1e-3);
  set_run(&c, MIDDLE, SAL_OUT_DONE, 301, 1e-4);
  CU_ASSERT(closes(&s, &c) && !closes(&by_role, &c));
  set_run(&c, LOOSE, SAL_OUT_DONE, 250, 1e-3);
  CU_ASSERT(!closes(&s, &c));
  set_run(&c, MIDDLE, SAL_OUT_OVER_CUTOFF, 401, NAN);
  CU_ASSERT(closes(&s, &c));
  set_run(&c, MIDDLE, SAL_OUT_SKIPPED_OVER_CUTOFF, 30, NAN);
  CU_ASSERT(closes(&s, &c));
  set_run(&c, MIDDLE, SAL_OUT_INCOMPATIBLE, NAN, NAN);
  CU_ASSERT(!closes(&s, &c));
  sal_sweep_free(&s);
  sal_sweep_free(&by_role);
}

/* It has done little, and its work does not show how work rises. */
static void a_run_stopped_for_its_error_ends_nothing(void)
{
  sal_sweep s = accept_with(RUNGS "cutoff: {baselines: [dop853], order: tolerances}\n", 0, NULL);
  made_up_cell c = make_cell(100, 1e-8);

  set_run(&c, LOOSE, SAL_OUT_TOO_INACCURATE, 20, NAN);
  set_run(&c, MIDDLE, SAL_OUT_DONE, 301, 1e-4);
  CU_ASSERT(!closes(&s, &c));
  set_run(&c, LOOSE, SAL_OUT_DONE, 200, 1e-2);
  set_run(&c, MIDDLE, SAL_OUT_OVER_CUTOFF, 301, NAN); /* by a stair */
  CU_ASSERT(!closes(&s, &c));
  sal_sweep_free(&s);
}

/* A pair that has reached the error within twice the best baseline work. */
static void a_pair_close_to_the_pace_may_take_more(void)
{
  sal_sweep s = accept_with(
      RUNGS "cutoff: {baselines: [dop853], order: tolerances, factor: 2, near_factor: 5}\n", 0,
      NULL);
  made_up_cell c = make_cell(100, 1e-8);
  sal_cutoff_baseline baseline = pace_after(&s, 8, &c);

  set_run(&c, LOOSE, SAL_OUT_DONE, 150, 1e-4);
  set_run(&c, MIDDLE, SAL_OUT_DONE, 199, 9e-7);
  CU_ASSERT(sal_cutoff_of_run(&s, TIGHT, &baseline, c.record).most_work == 500);
  CU_ASSERT(sal_cutoff_of_run(&s, MIDDLE, &baseline, c.record).most_work ==
            200); /* not by itself */
  set_run(&c, MIDDLE, SAL_OUT_DONE, 201, 9e-7);
  CU_ASSERT(sal_cutoff_of_run(&s, TIGHT, &baseline, c.record).most_work == 200);
  set_run(&c, MIDDLE, SAL_OUT_DONE, 199, 2e-6);
  CU_ASSERT(sal_cutoff_of_run(&s, TIGHT, &baseline, c.record).most_work == 200);
  sal_sweep_free(&s);
}

/* It sets the pace of others, and is bounded by the reference alone. */
static void a_solver_may_run_whole(void)
{
  sal_sweep s = accept_with(
      RUNGS "cutoff: {exempt: [dop853], order: tolerances, factor: 1, loosest: 1, reference: 40}\n",
      0, NULL);
  made_up_cell c = make_cell(100, 1e-8);
  sal_record value;
  enum { WHOLE = TIGHT + 1, LOOSER = MIDDLE + 1 };

  for (int k = 0; k < 3 * PAIRS; ++k) set_run(&c, k, SAL_OUT_DONE, k % PAIRS ? 3000 : 100, 1e-8);
  set_run(&c, WHOLE, SAL_OUT_DONE, 700, 1e-8);
  const sal_cutoff_baseline baseline = pace_after(&s, 8, &c);
  const sal_cutoff_of_job cutoff = sal_cutoff_of_run(&s, WHOLE, &baseline, c.record);
  CU_ASSERT(cutoff.most_work == 4000 && cutoff.stairs.n == 0);
  CU_ASSERT(!sal_cutoff_closes(&s, WHOLE, &baseline, c.record, &value));
  CU_ASSERT(sal_cutoff_of_run(&s, LOOSER - 1, &baseline, c.record).most_work == 100);
  set_run(&c, LOOSE, SAL_OUT_DONE, 1e9, 1);
  set_run(&c, MIDDLE, SAL_OUT_DONE, 1e9, 1);
  const sal_cutoff_baseline by_whole = pace_after(&s, 6, &c);
  CU_ASSERT(sal_cutoff_of_run(&s, TIGHT, &by_whole, c.record).most_work == 700);
  sal_sweep_free(&s);
}

/* Instead of the stairs above it; none where the reference itself may be off by as much. */
static void above_the_loosest_error_nothing_is_left(void)
{
  sal_sweep s =
      accept_with(TWO("cutoff: {baselines: [dop853], factor: 2, loosest: 0.02}\n"), 0, NULL);
  made_up_cell c = make_cell(50, 1e-4);
  sal_cutoff_baseline baseline = pace_after(&s, 1, &c);
  sal_work_stairs stairs = sal_cutoff_of_run(&s, SOME, &baseline, c.record).stairs;

  CU_ASSERT_FATAL(stairs.n > 2);
  CU_ASSERT(stairs.work[stairs.n - 1] == 0 && stairs.work[stairs.n - 2] == 100);
  CU_ASSERT(fabs(stairs.error[stairs.n - 1] - 1.001 * 0.02) < 1e-8);
  CU_ASSERT(stairs.error[stairs.n - 2] < stairs.error[stairs.n - 1]);
  baseline = sal_cutoff_begin(&s, 100, &c.cell);
  CU_ASSERT(sal_cutoff_of_run(&s, SOME, &baseline, c.record).stairs.n == 1);
  c.cell.value[SAL_CELL_REFERENCE_ERROR_WATCHED] = 0.03;
  baseline = sal_cutoff_begin(&s, 100, &c.cell);
  CU_ASSERT(sal_cutoff_of_run(&s, SOME, &baseline, c.record).stairs.n == 0);
  sal_sweep_free(&s);
}

SAL_TEST_MAIN("cutoff", NULL, {"keys are checked", keys_are_checked},
              {"without the key nothing is stopped", without_the_key_nothing_is_stopped},
              {"the least work that reaches the error is the pace",
               the_least_work_that_reaches_the_error_is_the_pace},
              {"only runs that answer set a pace", only_runs_that_answer_set_a_pace},
              {"a cutoff falls with the error", a_cap_falls_with_the_error},
              {"work is that of answers", work_is_that_of_answers},
              {"the reference bounds all", the_reference_bounds_all},
              {"a budget is relative to an accurate run", a_budget_is_relative_to_an_accurate_run},
              {"loose tolerances come first whatever their order",
               loose_tolerances_come_first_whatever_their_order},
              {"a pair at the cutoff is not begun again", a_pair_at_the_cap_is_not_begun_again},
              {"a run stopped for its error ends nothing",
               a_run_stopped_for_its_error_ends_nothing},
              {"a pair close to the best baseline work may take more",
               a_pair_close_to_the_pace_may_take_more},
              {"a solver may run whole", a_solver_may_run_whole},
              {"above the loosest error nothing is left", above_the_loosest_error_nothing_is_left})
