/** Choices in small grids that were filled by hand: which configuration wins, which may not, ties, and
 *  what is interpolated between cells.
 */
#include "choose.h"
#include "memory.h"
#include "parameter_column.h"
#include "sal_test.h"
#include "sweep_read.h"
#include <math.h>
#include <string.h>

/* 4 x 3 cells; 2 methods, 2 strategies, 2 tolerances: configuration = 4 t + 2 s + m. */
#define GRID                                                                                       \
  "model: monopod\n"                                                                               \
  "t_end: 50\n"                                                                                    \
  "solvers: [ode45, ode15s]\n"                                                                     \
  "strategies: [switch, event]\n"                                                                  \
  "rtol: [1e-3, 1e-6]\n"
enum { N_CONFIG = 8, B = 0, K = 2 };
#define AXES                                                                                       \
  "cells: {axes: [{name: b, log: [1000, 8000], points: 4}, {name: k, linear: [10, 30], points: "   \
  "3}]}\n"

static sal_sweep sweep;
static sal_performance_table table;

static void set_up(const char *text)
{
  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", text, 0, NULL, &sweep), SAL_OK);
  const sal_work_weights rhs = {.rhs = 1};
  CU_ASSERT_EQUAL_FATAL(
      sal_performance_create(&sweep, sweep.n_cell, NULL, &rhs, true, false, &table), SAL_OK);
}

static void tear_down(void)
{
  sal_performance_free(&table);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* One cell: work, error, divergence time and IAE of each configuration. */
static void put(int64_t cell, const double work[], const double error[], const double dt[],
                const double iae[])
{
  static sal_record record[N_CONFIG];
  sal_cell_record c = {0};
  const sal_tile_result result = {.first = cell, .count = 1, .cell = &c, .record = record};

  c.value[SAL_CELL_REFERENCE_OUTCOME] = SAL_OUT_DONE;
  for (int i = 0; i < N_CONFIG; ++i) {
    double *v = record[i].value;
    for (int m = 0; m < SAL_N_METRIC; ++m) v[m] = NAN;
    v[SAL_METRIC_OUTCOME] = isnan(work[i]) ? SAL_OUT_STEP_CAP : SAL_OUT_DONE;
    v[SAL_METRIC_RHS] = work[i];
    v[SAL_METRIC_MAX_ERROR] = error[i];
    v[SAL_METRIC_DT] = dt ? dt[i] : 10;
    v[SAL_METRIC_IAE] = iae ? iae[i] : 1;
  }
  sal_performance_add(&table, &result);
}

static int choose_in(int64_t cell, const sal_question *q, sal_choose_candidate out[])
{
  return sal_choose(&table, cell, q, out);
}

static void the_cheapest_that_is_accurate_enough_wins(void)
{
  const double work[] = {100, 200, 110, 210, 300, 250, 310, 260};
  const double error[] = {1e-2, 1e-3, 1e-3, 1e-4, 1e-5, 1e-6, 1e-5, 1e-7};
  const struct {
    double asked;
    int best, second, n;
  } expected[] = {{1, 0, 2, 8},    {1e-2, 0, 2, 8}, {9.9e-3, 2, 1, 7},  {5e-4, 3, 5, 5},
                  {2e-6, 5, 7, 2}, {1e-7, 7, 1, 1}, {0.9e-7, -1, -1, 0}};
  sal_choose_candidate list[N_CONFIG];

  set_up(GRID AXES);
  put(5, work, error, NULL, NULL);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
    const sal_question q = {.error = expected[i].asked};
    const int n = choose_in(5, &q, list);
    CU_ASSERT_EQUAL(n, expected[i].n);
    if (n == 0) continue;
    CU_ASSERT_EQUAL(list[0].config, expected[i].best);
    CU_ASSERT_EQUAL(list[0].work, work[expected[i].best]);
    CU_ASSERT_EQUAL(list[0].error, error[expected[i].best]);
    const int next = sal_choose_next(&table, n, list, 0);
    if (n == 1) CU_ASSERT_EQUAL(next, n);
    if (n > 1) CU_ASSERT_EQUAL(list[next].config, expected[i].second);
    for (int k = 1; k < n; ++k) CU_ASSERT(list[k - 1].work <= list[k].work);
  }
  const sal_question anywhere = {.error = 1};
  CU_ASSERT_EQUAL(choose_in(4, &anywhere, list), 0); /* an empty cell has no winner */
  tear_down();
}

static void the_runner_up_has_another_method_or_strategy(void)
{
  /* ode45 with switch is first and, at the other tolerance, second */
  const double work[] = {100, 200, 300, 400, 110, 210, 310, 410};
  const double error[] = {1, 1, 1, 1, 1, 1, 1, 1};
  const sal_question q = {.error = 1};
  sal_choose_candidate list[N_CONFIG];

  set_up(GRID AXES);
  put(0, work, error, NULL, NULL);
  const int n = choose_in(0, &q, list);
  CU_ASSERT_EQUAL(list[1].config, 4);
  const int next = sal_choose_next(&table, n, list, 0);
  CU_ASSERT_EQUAL(next, 2);
  CU_ASSERT_EQUAL(list[next].config, 1);
  CU_ASSERT_EQUAL(sal_choose_next(&table, n, list, next), 4); /* 2 of the other strategy */
  CU_ASSERT_EQUAL(sal_choose_next(&table, n, list, -1), 0);
  tear_down();
}

static void what_failed_or_cannot_be_verified_never_wins(void)
{
  const double work[] = {NAN, 1, 2, 3, 4, 5, 6, 100};
  const double error[] = {0, NAN, INFINITY, 1e-9, 1e-9, 1e-9, 1e-9, 1e-9};
  const sal_question q = {.error = 1e-8};
  sal_record record[N_CONFIG];
  sal_cell_record cell = {0};
  sal_tile_result result = {.count = 1, .cell = &cell, .record = record};
  sal_choose_candidate list[N_CONFIG];

  set_up(GRID AXES);
  put(0, work, error, NULL, NULL);
  CU_ASSERT_EQUAL(choose_in(0, &q, list), 5);
  CU_ASSERT_EQUAL(list[0].config, 3);
  CU_ASSERT_EQUAL(table.n_counted, 5);

  for (int i = 0; i < N_CONFIG; ++i) {
    for (int m = 0; m < SAL_N_METRIC; ++m) record[i].value[m] = NAN;
    record[i].value[SAL_METRIC_OUTCOME] = i < SAL_OUT_ENDED ? i : SAL_OUT_BAD_JUMP;
    record[i].value[SAL_METRIC_RHS] = 10;
    record[i].value[SAL_METRIC_MAX_ERROR] = 1e-9;
  }
  result.first = 1; /* of all outcomes only `done` counts, and `ended` */
  sal_performance_add(&table, &result);
  CU_ASSERT_EQUAL(choose_in(1, &q, list), 1);
  CU_ASSERT_EQUAL(list[0].config, SAL_OUT_DONE);
  record[N_CONFIG - 1].value[SAL_METRIC_OUTCOME] = SAL_OUT_ENDED;
  result.first = 6;
  cell.value[SAL_CELL_REFERENCE_OUTCOME] = SAL_OUT_ENDED;
  sal_performance_add(&table, &result);
  CU_ASSERT_EQUAL(choose_in(6, &q, list), 2);
  record[N_CONFIG - 1].value[SAL_METRIC_OUTCOME] = SAL_OUT_STUCK;
  cell.value[SAL_CELL_REFERENCE_OUTCOME] = SAL_OUT_DONE;

  result.first = 2; /* the reference's own error counts */
  cell.value[SAL_CELL_REFERENCE_ERROR_WATCHED] = 2e-8;
  sal_performance_add(&table, &result);
  CU_ASSERT_EQUAL(choose_in(2, &q, list), 0);
  CU_ASSERT_EQUAL(choose_in(2, &(sal_question){.error = 3e-8}, list), 1);
  CU_ASSERT_EQUAL(list[0].error, 1e-9 + 2e-8);

  const double bad[][2] = {{SAL_OUT_NOT_FINITE, 0}, {SAL_OUT_DONE, NAN}, {NAN, 0}};
  for (int i = 0; i < 3; ++i) { /* no reference that could be trusted */
    result.first = 3 + i;
    cell.value[SAL_CELL_REFERENCE_OUTCOME] = bad[i][0];
    cell.value[SAL_CELL_REFERENCE_ERROR_WATCHED] = bad[i][1];
    sal_performance_add(&table, &result);
    CU_ASSERT_EQUAL(choose_in(3 + i, &(sal_question){.error = 1}, list), 0);
  }
  tear_down();
}

static void ties_go_by_error_then_by_order(void)
{
  const double work[] = {7, 5, 5, 5, 5, 9, 9, 9};
  const double error[] = {1, 3, 2, 2, 3, 1, 1, 1};
  const int order[] = {2, 3, 1, 4, 0, 5, 6, 7};
  const sal_question q = {.error = 10};
  sal_choose_candidate list[N_CONFIG];

  set_up(GRID AXES);
  put(0, work, error, NULL, NULL);
  CU_ASSERT_EQUAL(choose_in(0, &q, list), N_CONFIG);
  for (int i = 0; i < N_CONFIG; ++i) CU_ASSERT_EQUAL(list[i].config, order[i]);
  CU_ASSERT_EQUAL(sal_choose_reason(&q, &list[0], &list[1]), SAL_REASON_TIE_ORDER);
  CU_ASSERT_EQUAL(sal_choose_reason(&q, &list[1], &list[2]), SAL_REASON_TIE_ERROR);
  CU_ASSERT_EQUAL(sal_choose_reason(&q, &list[3], &list[4]), SAL_REASON_WORK);
  CU_ASSERT_EQUAL(sal_choose_reason(&q, &list[0], NULL), SAL_REASON_ALONE);
  CU_ASSERT_EQUAL(sal_choose_reason(&q, NULL, NULL), SAL_REASON_NO_CONFIG);
  tear_down();
}

/* Points worked out by hand: work 100 .. 300 and IAE 1 .. 5 give 10 .. 1. */
static void points_are_weighed(void)
{
  const double work[] = {100, 300, 200, 150, 1, 1, 1, 1};
  const double error[] = {1, 1, 1, 1, 1, 1, 1, 1};
  const double dt[] = {10, 50, NAN, 20, 1, 1, 1, 1}; /* never: 50 */
  const double iae[] = {5, 1, 2, 3, 1, 1, 1, 1};
  const struct {
    sal_weights weights;
    int best;
    double total;
    sal_reason reason;
  } expected[] = {{{1, 0, 0}, 0, 10, SAL_REASON_SD},
                  {{0, 0, 1}, 1, 10, SAL_REASON_IAE},
                  {{0, 1, 0}, 2, 10, SAL_REASON_TIE_WORK}, /* 1 and 2, and 2 does less work */
                  {{2, 0, 1}, 0, 21, SAL_REASON_TIE_WORK}, /* 3 has 21, too */
                  {{1, 1, 1}, 2, 5.5 + 10 + 7.75, SAL_REASON_SD}};
  sal_choose_candidate list[N_CONFIG];

  for (int scope = 0; scope < 2; ++scope) {
    set_up(GRID AXES);
    put(3, work, error, dt, iae);
    CU_ASSERT_EQUAL(sal_performance_score(&table, (sal_points_scope)scope), SAL_OK);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
      const sal_question q = {.error = NAN, .weights = expected[i].weights};
      const int n = choose_in(3, &q, list);
      CU_ASSERT_EQUAL(n, 4);
      CU_ASSERT_EQUAL(list[0].config, expected[i].best);
      CU_ASSERT_DOUBLE_EQUAL(list[0].total, expected[i].total, 1e-12);
      CU_ASSERT_EQUAL(sal_choose_reason(&q, &list[0], &list[1]), expected[i].reason);
    }
    tear_down();
  }
}

/* Scaled over all cells a cheap cell has all the points, in each by itself only its best. */
static void points_over_all_cells_differ_from_those_in_each(void)
{
  const double error[] = {1, 1, 1, 1, 1, 1, 1, 1};
  const double cheap[] = {1, 2, 3, 4, 1, 1, 1, 1}, dear[] = {101, 102, 103, 104, 1, 1, 1, 1};
  const sal_question q = {.error = NAN, .weights = {1, 0, 0}};
  sal_choose_candidate list[N_CONFIG];
  const double last[] = {10 - 9 * 3 / 103.0, 1};

  for (int scope = 0; scope < 2; ++scope) {
    set_up(GRID AXES);
    put(0, cheap, error, NULL, NULL);
    put(1, dear, error, NULL, NULL);
    CU_ASSERT_EQUAL(sal_performance_score(&table, (sal_points_scope)scope), SAL_OK);
    CU_ASSERT_EQUAL(choose_in(0, &q, list), 4);
    CU_ASSERT_DOUBLE_EQUAL(list[3].total, last[scope], 1e-12);
    tear_down();
  }
}

static void only_those_admitted_may_win(void)
{
  const double work[] = {1, 2, 3, 4, 5, 6, 7, 8};
  const double error[] = {1, 1, 1, 1, 1, 1, 1, 1};
  const bool method[] = {false, true}, strategy[] = {false, true};
  const sal_question by_error = {.error = 1, .method = method, .strategy = strategy};
  const sal_question one_filter = {.error = 1, .method = method};
  sal_choose_candidate list[N_CONFIG];

  set_up(GRID AXES);
  put(0, work, error, NULL, NULL);
  CU_ASSERT_EQUAL(choose_in(0, &by_error, list), 2);
  CU_ASSERT_EQUAL(list[0].config, 3);
  CU_ASSERT_EQUAL(choose_in(0, &one_filter, list), 4);
  CU_ASSERT_EQUAL(list[0].config, 1);
  tear_down();
}

static void a_map_says_which_wins_by_how_much_and_why(void)
{
  const double work[] = {100, 130, 110, 210, 300, 250, 310, 260};
  const double error[] = {1e-2, 1e-3, 1e-1, 1e-4, 1e-5, 1e-6, 1e-5, 1e-7};
  sal_map map = {.n_error = 2, .error = {1e-2, 1e-9}, .n_weights = 1, .weights = {{1, 0, 1}}};

  set_up(GRID AXES);
  for (int i = 0; i < 2; ++i) map.method[i] = map.strategy[i] = true;
  put(7, work, error, NULL, NULL);
  CU_ASSERT_EQUAL(sal_performance_score(&table, SAL_POINTS_GLOBAL), SAL_OK);
  CU_ASSERT_EQUAL(sal_choose_map(&table, &map), SAL_OK);
  const sal_map_place *p = &map.by_error[14]; /* cell 7 of two questions */
  CU_ASSERT(p->best == 0 && p->second == 1 && p->reason == SAL_REASON_WORK);
  CU_ASSERT(p->value == 100 && p->second_value == 130 && p->error == 1e-2);
  CU_ASSERT_DOUBLE_EQUAL(p->margin, 0.3, 1e-15);
  CU_ASSERT(p[1].best == -1 && p[1].second == -1 && p[1].reason == SAL_REASON_NO_CONFIG);
  CU_ASSERT(isnan(p[1].value) && isnan(p[1].margin));
  CU_ASSERT_EQUAL(map.by_error[0].best, -1);
  p = &map.by_points[14];
  CU_ASSERT(p[0].best == 0 && p[0].second == 2 && p[0].reason == SAL_REASON_SD);
  CU_ASSERT_DOUBLE_EQUAL(p[0].margin, 9 * 10 / 110.0, 1e-13);
  CU_ASSERT(p[1].best == 5);
  sal_map_free(&map);
  tear_down();
}

/* A cell whose reference has this error and outcome; all configurations are exact to 1e-6. */
static void put_reference(int64_t cell, double reference_error, sal_outcome outcome)
{
  static sal_record record[N_CONFIG];
  sal_cell_record c = {0};
  const sal_tile_result result = {.first = cell, .count = 1, .cell = &c, .record = record};

  c.value[SAL_CELL_REFERENCE_OUTCOME] = outcome;
  c.value[SAL_CELL_REFERENCE_ERROR_WATCHED] = reference_error;
  for (int i = 0; i < N_CONFIG; ++i) {
    record[i].value[SAL_METRIC_OUTCOME] = SAL_OUT_DONE;
    record[i].value[SAL_METRIC_MAX_ERROR] = 1e-6;
    record[i].value[SAL_METRIC_RHS] = 100 + i;
  }
  sal_performance_add(&table, &result);
}

static void a_reference_may_be_too_bad_to_tell(void)
{
  const struct {
    double error;
    sal_outcome outcome;
    sal_reason reason; /* of 1e-6 + 1e-9 */
  } expected[] = {
      {0, SAL_OUT_DONE, SAL_REASON_WORK},
      {1e-9, SAL_OUT_DONE, SAL_REASON_WORK},
      {2e-9, SAL_OUT_DONE, SAL_REASON_NO_CONFIG}, /* the sum exceeds it, the reference does not */
      {0.9e-6, SAL_OUT_DONE, SAL_REASON_NO_CONFIG},
      {1.1e-6, SAL_OUT_DONE, SAL_REASON_NO_REFERENCE},
      {0, SAL_OUT_STEP_CAP, SAL_REASON_NO_REFERENCE},
      {NAN, SAL_OUT_DONE, SAL_REASON_NO_REFERENCE}};
  enum { N_EXPECTED = sizeof expected / sizeof *expected };
  sal_map map = {.n_error = 1, .error = {1e-6 + 1e-9}, .n_weights = 1, .weights = {{1, 0, 0}}};

  set_up(GRID AXES);
  for (int i = 0; i < 2; ++i) map.method[i] = map.strategy[i] = true;
  for (int i = 0; i < N_EXPECTED; ++i) put_reference(i, expected[i].error, expected[i].outcome);
  CU_ASSERT_EQUAL(sal_performance_score(&table, SAL_POINTS_GLOBAL), SAL_OK);
  CU_ASSERT_EQUAL(sal_choose_map(&table, &map), SAL_OK);
  for (int i = 0; i < N_EXPECTED; ++i) {
    CU_ASSERT_EQUAL(map.by_error[i].reason, expected[i].reason);
    CU_ASSERT_EQUAL(map.by_error[i].best >= 0, expected[i].reason == SAL_REASON_WORK);
  }
  CU_ASSERT_EQUAL(map.by_error[N_EXPECTED].reason, SAL_REASON_NO_REFERENCE); /* a cell left empty */
  CU_ASSERT_EQUAL(map.by_points[2 * 4].reason, SAL_REASON_SD); /* any certified reference will do */
  CU_ASSERT_EQUAL(map.by_points[2 * 5].reason, SAL_REASON_NO_REFERENCE);
  sal_map_free(&map);
  tear_down();
}

SAL_TEST_MAIN(
    "choices", NULL,
    {"the cheapest that is accurate enough wins", the_cheapest_that_is_accurate_enough_wins},
    {"the runner-up has another method or strategy", the_runner_up_has_another_method_or_strategy},
    {"what failed or cannot be verified never wins", what_failed_or_cannot_be_verified_never_wins},
    {"ties go by error, then by order", ties_go_by_error_then_by_order},
    {"points are weighed", points_are_weighed},
    {"points over all cells differ from those in each",
     points_over_all_cells_differ_from_those_in_each},
    {"only those admitted may win", only_those_admitted_may_win},
    {"a map gives the winner, its margin and the reason",
     a_map_says_which_wins_by_how_much_and_why},
    {"a reference may be too bad to decide", a_reference_may_be_too_bad_to_tell})
