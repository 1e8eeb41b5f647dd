/** Maps by the error of a multiplier: its cost, and cells whose orbit is not known; and by the errors of trajectories.
 */
#include "choose.h"
#include "memory.h"
#include "sal_test.h"
#include "sweep_read.h"
#include <math.h>
#include <stdio.h>

/* 4 x 3 cells; 2 methods, 2 strategies, 2 tolerances: configuration = 4 t + 2 s + m. */
#define GRID                                                                                       \
  "model: monopod\n"                                                                               \
  "t_end: 50\n"                                                                                    \
  "solvers: [ode45, ode15s]\n"                                                                     \
  "strategies: [switch, event]\n"                                                                  \
  "rtol: [1e-3, 1e-6]\n"
enum { N_CONFIG = 8 };
#define AXES                                                                                       \
  "cells: {axes: [{name: b, log: [1000, 8000], points: 4}, {name: k, linear: [10, 30], points: "   \
  "3}]}\n"

static sal_sweep sweep;
static sal_performance_table table;

static void set_up(const char *text)
{
  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", text, 0, NULL, &sweep), SAL_OK);
  const sal_work_weights work = {.rhs = 1, .factorisation = 1}; /* a multiplier has none of these */
  CU_ASSERT_EQUAL_FATAL(
      sal_performance_create(&sweep, sweep.n_cell, NULL, &work, false, false, &table), SAL_OK);
}

static void tear_down(void)
{
  sal_performance_free(&table);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* One cell with an orbit or without: multipliers that get better with the number of the configuration, at
 * a cost that grows with it; trajectories say the opposite, and one has failed. */
static void put_multipliers(int64_t cell, sal_verdict verdict, double residual)
{
  static sal_record record[N_CONFIG];
  sal_cell_record c = {0};
  const sal_tile_result result = {.first = cell, .count = 1, .cell = &c, .record = record};

  c.value[SAL_CELL_REFERENCE_OUTCOME] = SAL_OUT_DONE;
  c.value[SAL_CELL_REFERENCE_ERROR_WATCHED] = 1e-3;
  c.value[SAL_CELL_VERDICT] = verdict;
  c.value[SAL_CELL_RESIDUAL] = residual;
  for (int i = 0; i < N_CONFIG; ++i) {
    double *v = record[i].value;
    v[SAL_METRIC_OUTCOME] = i == 6 ? SAL_OUT_STEP_CAP : SAL_OUT_DONE;
    v[SAL_METRIC_MAX_ERROR] = pow(10, i - 8);
    v[SAL_METRIC_RHS] = 1000 - i;
    v[SAL_METRIC_FACTORISATIONS] = 1e6;
    v[SAL_METRIC_MULTIPLIER_ERROR] = i == 5 ? NAN : pow(10, -2 - i);
    v[SAL_METRIC_MULTIPLIER_RHS] = 100 + i;
  }
  sal_performance_add(&table, &result);
}

static void multipliers_may_be_asked_for(void)
{
  static const char orbit[] =
      "orbit: {find: [cycles], tolerance: 1e-8}\nmap: {by: multiplier_error}\n";
  const struct {
    double asked;
    int best; /* where there is an orbit */
    sal_reason reason;
  } expected[] = {{1.05e-4, 2, SAL_REASON_WORK},
                  {2e-7, 6, SAL_REASON_WORK}, /* 5 gave none; the trajectory of 6 does not matter */
                  {1e-8, -1, SAL_REASON_NO_CONFIG}, /* with the truth's own error: 2e-8 */
                  {9e-9, -1, SAL_REASON_NO_REFERENCE}};
  enum { N_EXPECTED = sizeof expected / sizeof *expected };
  sal_map map = {.n_error = N_EXPECTED};
  char text[1024];

  for (int e = 0; e < N_EXPECTED; ++e) map.error[e] = expected[e].asked;
  for (int i = 0; i < 2; ++i) map.method[i] = map.strategy[i] = true;
  snprintf(text, sizeof text, "%s%s%s", GRID, AXES, orbit);
  set_up(text);
  put_multipliers(0, SAL_IS_CYCLE, 1e-15);
  put_multipliers(1, SAL_IS_EQUILIBRIUM, 1e-15);
  put_multipliers(2, SAL_IS_CYCLE_BESIDE, 1e-5);
  CU_ASSERT_EQUAL(sal_choose_map(&table, &map), SAL_OK);
  CU_ASSERT_STRING_EQUAL(sal_error_metric_name(map.by), "multiplier_error");
  for (int e = 0; e < N_EXPECTED; ++e) {
    const sal_map_place *place = &map.by_error[e];
    CU_ASSERT_EQUAL(place->best, expected[e].best);
    CU_ASSERT_EQUAL(place->reason, expected[e].reason);
    if (place->best >= 0) CU_ASSERT_EQUAL(place->value, 100 + place->best);
    CU_ASSERT_EQUAL(map.by_error[N_EXPECTED + e].best, -1);
    CU_ASSERT_EQUAL(map.by_error[N_EXPECTED + e].reason, SAL_REASON_NO_REFERENCE);
  }
  CU_ASSERT_EQUAL(map.by_error[(size_t)2 * N_EXPECTED].best, 3); /* 1e-4 + 1e-5 misses it */
  CU_ASSERT_EQUAL(map.by_error[(size_t)2 * N_EXPECTED + 1].reason, SAL_REASON_NO_REFERENCE);
  sal_map_free(&map);
  tear_down();
}

/* Largest errors, integrals and errors at the end have orders of their own; 7 was stopped. */
static void put_errors(int64_t cell)
{
  static sal_record record[N_CONFIG];
  sal_cell_record c = {0};
  const sal_tile_result result = {.first = cell, .count = 1, .cell = &c, .record = record};

  c.value[SAL_CELL_REFERENCE_OUTCOME] = SAL_OUT_DONE;
  c.value[SAL_CELL_REFERENCE_ERROR_WATCHED] = 1e-9;
  for (int i = 0; i < N_CONFIG; ++i) {
    double *v = record[i].value;
    v[SAL_METRIC_OUTCOME] = i == 7 ? SAL_OUT_OVER_CUTOFF : SAL_OUT_DONE;
    v[SAL_METRIC_RHS] = i == 7 ? 50 : 100 + i;
    v[SAL_METRIC_FACTORISATIONS] = 0;
    v[SAL_METRIC_MAX_ERROR] = pow(10, -i);
    v[SAL_METRIC_IAE] = pow(10, i - 7);
    v[SAL_METRIC_END_ERROR] = i == 3 ? 0 : 1;
    v[SAL_METRIC_MAX_ERROR_PARTIAL] = 1;
  }
  sal_performance_add(&table, &result);
}

static void errors_of_trajectories_have_their_own_answers(void)
{
  const struct {
    const char *by;
    double asked;
    int best;
    double truth, least; /* of the stopped run */
  } expected[] = {{"max_error", 1e-4, 5, 1e-9, 1},
                  {"integral_absolute_error", 1.1e-7, -1, 50e-9, 0},
                  {"integral_absolute_error", 1.6e-7, 0, 50e-9, 0},
                  {"end_error", 2e-9, 3, 1e-9, 0},
                  {"end_error", 5e-10, -1, 1e-9, 0}};

  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
    char text[1024];
    sal_map map = {.n_error = 1, .error = {expected[i].asked}};
    for (int k = 0; k < 2; ++k) map.method[k] = map.strategy[k] = true;
    snprintf(text, sizeof text, "%s%smap: {by: %s}\n", GRID, AXES, expected[i].by);
    set_up(text);
    put_errors(0);
    CU_ASSERT_DOUBLE_EQUAL(table.reference_error[0], expected[i].truth, 1e-20);
    CU_ASSERT_DOUBLE_EQUAL(table.least_error[7], expected[i].least, 1e-6);
    CU_ASSERT_EQUAL(sal_choose_map(&table, &map), SAL_OK);
    if (expected[i].best >= 0) CU_ASSERT_EQUAL(map.by_error[0].value, 100 + expected[i].best);
    CU_ASSERT_EQUAL(map.by_error[0].best, expected[i].best);
    sal_map_free(&map);
    tear_down();
  }
}

static void names_are_those_of_metrics(void)
{
  const char *names[SAL_MAX_ERROR_METRIC + 1];

  CU_ASSERT_EQUAL(sal_error_metric_names(names), 5);
  CU_ASSERT_STRING_EQUAL(names[0], "max_error");
  CU_ASSERT_PTR_NULL(names[5]);
  for (int i = 0; i < 5; ++i)
    CU_ASSERT_PTR_EQUAL(sal_error_metric_named(names[i]), &sal_error_metrics[i]);
  CU_ASSERT_PTR_NULL(sal_error_metric_named("energy_drift"));
}

SAL_TEST_MAIN("errors that maps are made by", NULL,
              {"multipliers may be asked for", multipliers_may_be_asked_for},
              {"errors of trajectories have their own answers",
               errors_of_trajectories_have_their_own_answers},
              {"names are those of metrics", names_are_those_of_metrics})
