/** @file tests/answers/test_expected_costs.c
 *  Costs by the reader: a run that is good by chance wins its cell and no rule, and totals are those of answers.
 */
#include "contender.h"
#include "memory.h"
#include "policy.h"
#include "random.h"
#include "reader.h"
#include "sal_test.h"
#include "sweep_read.h"
#include <math.h>

enum { N_CONTENDER = 6, LUCKY = 6 }; /* contender = 2 t + m; a corner */
#define GRID                                                                                       \
  "model: monopod\nt_end: 50\nmethods: [ode45, ode23]\nstrategies: [switch]\n"                     \
  "tolerances: [1e-3, 1e-4, 1e-5]\n"                                                               \
  "cells: {axes: [{name: b, log: [100, 6400], points: 8}, {name: k, linear: [10, 40], points: "    \
  "7}]}\n"

static sal_sweep sweep;
static sal_performance_table table;
static sal_reader *reader;
static sal_cost_matrix measured, expected;
static double *total, *probability;
static int64_t *cell; /* all of them */
static sal_binning edges;

/* ode45 has errors around 0.1 of the tolerance at a work of 200; ode23 is cheaper, but has errors around
 * 30 times the tolerance, except in one cell by chance. */
static void fill(void)
{
  for (int64_t c = 0; c < sweep.n_cell; ++c) {
    table.reference_error[c] = 1e-12;
    for (int k = 0; k < N_CONTENDER; ++k) {
      const bool cheap = k % 2 == 1;
      const double t = sal_contender_tolerance(&sweep, k),
                   scatter = 0.4 * sal_random(3, (uint64_t)c, (uint32_t)k);
      const int64_t at = c * N_CONTENDER + k;
      table.work[at] = (cheap ? 100 : 200) * pow(1e-3 / t, 0.2);
      table.error[at] = (cheap && (c != LUCKY || k != 1) ? 30 : 0.1) * t * exp(scatter);
    }
  }
}

static void set_up(void)
{
  const sal_work_weights rhs = {.rhs = 1};

  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", GRID, 0, NULL, &sweep), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_performance_create(&sweep, sweep.n_cell, &rhs, false, false, &table),
                        SAL_OK);
  fill();
  const sal_performance_source source = sal_performance_source_of(&table);
  CU_ASSERT_EQUAL_FATAL(sal_reader_open(&source, NULL, &reader), SAL_OK);
  total = sal_alloc((size_t)(sweep.n_cell * N_CONTENDER), sizeof *total);
  probability = sal_alloc((size_t)(sweep.n_cell * N_CONTENDER), sizeof *probability);
  cell = sal_alloc((size_t)sweep.n_cell, sizeof *cell);
  CU_ASSERT_EQUAL_FATAL(sal_binning_edges(&sweep, &edges), SAL_OK);
  for (int64_t c = 0; c < sweep.n_cell; ++c) cell[c] = c;
}

static void tear_down(void)
{
  sal_reader_close(&reader);
  sal_free(total);
  sal_free(probability);
  sal_free(cell);
  sal_performance_free(&table);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static double point[64][SAL_MAX_QUANTITY]; /* of the cells */

static void ask_all(const sal_reader_question *q)
{
  for (int64_t c = 0; c < sweep.n_cell; ++c)
    sal_sweep_cell(&sweep, c, point[c], point[c] + sweep.model->n_param + sweep.model->n_option);
  CU_ASSERT_EQUAL_FATAL(
      sal_reader_contenders(reader, 1, q, sweep.n_cell, point, total, probability), SAL_OK);
}

static void make_costs(double error, double miss)
{
  const sal_question q = {.error = error};
  const sal_reader_question asked = {.error = error, .confidence = NAN};
  const int64_t half = sweep.n_cell / 2;

  ask_all(&asked);
  CU_ASSERT_EQUAL_FATAL(sal_cost_matrix_make(&table, &q, miss, &measured), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_cost_matrix_begin(sweep.n_cell, N_CONTENDER, &q, miss, &expected),
                        SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_cost_matrix_add_totals(&expected, half, cell, total, probability),
                        SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_cost_matrix_add_totals(&expected, sweep.n_cell - half, cell + half,
                                                   total + half * N_CONTENDER,
                                                   probability + half * N_CONTENDER),
                        SAL_OK);
  sal_cost_matrix_end(&expected);
}

static void a_lucky_run_wins_its_cell_alone(void)
{
  const sal_policy_tree_limits limits = {4, 1, 0};
  sal_policy by_run, by_reader;

  set_up();
  make_costs(1e-3, 10);
  CU_ASSERT(measured.n == sweep.n_cell && expected.n == sweep.n_cell);
  for (int32_t i = 0; i < measured.n; ++i) {
    CU_ASSERT_EQUAL(measured.winner[i], i == LUCKY);
    CU_ASSERT_EQUAL(expected.winner[i], 0);
  }
  CU_ASSERT_EQUAL_FATAL(sal_policy_of_costs(&sweep, &edges, &measured, &limits, NULL, &by_run),
                        SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_policy_of_costs(&sweep, &edges, &expected, &limits, NULL, &by_reader),
                        SAL_OK);
  CU_ASSERT(by_run.tree.n > 1 && by_run.n_winner == 2 && by_run.rules.cost == 0);
  CU_ASSERT(by_run.rules_out.missed > 0 || by_run.rules_out.cost > 0);
  CU_ASSERT(by_reader.tree.n == 1 && by_reader.n_winner == 1);
  CU_ASSERT_EQUAL(by_reader.costs.contender[by_reader.tree.node[0].choice], 0);
  CU_ASSERT(by_reader.rules.cost == 0 && by_reader.rules_out.cost == 0);
  CU_ASSERT(by_reader.rules.missing < 0.05 && by_reader.rules.n == sweep.n_cell);
  sal_policy_free(&by_run);
  sal_policy_free(&by_reader);
  tear_down();
}

/* In the cell won by chance: what the others there say, and the price of a miss as the largest cost. */
static void costs_are_shares_of_the_least_total(void)
{
  set_up();
  make_costs(1e-3, 0.5);
  const double *t = total + (int64_t)LUCKY * N_CONTENDER,
               *p = probability + (int64_t)LUCKY * N_CONTENDER;
  double largest = 0;
  CU_ASSERT(p[0] > 0.95 && p[1] < 0.3 && t[1] > t[0] && t[0] >= 199);
  CU_ASSERT_EQUAL_FATAL(expected.n_choice, N_CONTENDER);
  for (int k = 0; k < N_CONTENDER; ++k) {
    const int64_t at = (int64_t)LUCKY * N_CONTENDER + k;
    const double cost = expected.cost[at] * (expected.miss / SAL_COST_MISS);
    CU_ASSERT_DOUBLE_EQUAL(cost, fmin(t[k] / t[0] - 1, 0.5), 1e-8);
    CU_ASSERT_DOUBLE_EQUAL((double)expected.missing[at] / SAL_COST_SURE, 1 - p[k], 1e-5);
    largest = fmax(largest, t[k] / t[0] - 1);
  }
  CU_ASSERT(largest > 0.5);
  sal_cost_matrix_free(&measured);
  sal_cost_matrix_free(&expected);
  tear_down();
}

/* The best of all that a pair does, ever tighter, has any tolerance: none of the sweep's own takes less, and where
 * it is one of these the totals are the same. */
static void totals_are_those_of_answers(void)
{
  const sal_reader_question q = {.error = 1e-3, .confidence = NAN};
  sal_reader_answer a;
  int same = 0;

  set_up();
  ask_all(&q);
  for (int64_t c = 0; c < sweep.n_cell; ++c) {
    double value[SAL_MAX_QUANTITY];
    sal_sweep_cell(&sweep, c, value, value + sweep.model->n_param + sweep.model->n_option);
    CU_ASSERT_EQUAL_FATAL(sal_reader_ask(reader, value, &q, &a), SAL_OK);
    if (a.repeated.pair < 0) continue;
    for (int k = 0; k < N_CONTENDER; ++k) {
      const int64_t at = c * N_CONTENDER + k;
      CU_ASSERT(total[at] >= a.repeated.total * (1 - 1e-12));
      if (k % 2 != a.repeated.pair ||
          fabs(a.repeated.tolerance / sweep.tolerance[k / 2] - 1) > 1e-12)
        continue;
      CU_ASSERT_DOUBLE_EQUAL(total[at], a.repeated.total, 1e-9);
      CU_ASSERT_DOUBLE_EQUAL(probability[at], a.repeated.probability, 1e-12);
      ++same;
    }
  }
  CU_ASSERT(same > 10);
  tear_down();
}

/* The first contender misses in the second half of the cells.  What follows must be surer, and is weighed where it is
 * needed: the second contender is dear where the first one hits. */
static void what_follows_a_miss_is_weighed_where_it_is_needed(void)
{
  const sal_question q = {.error = 1e-3};
  const sal_policy_tree_limits none = {1, 1 << 20, 0}; /* no rule covers as many cells */
  sal_cost_matrix made;
  sal_policy policy;

  set_up();
  for (int64_t c = 0; c < sweep.n_cell; ++c) {
    const bool first_half = c < sweep.n_cell / 2;
    const double t[] = {100, first_half ? 900 : 110, 300, 105};
    const double p[] = {first_half ? 0.99 : 0.1, 0.9, 0.99, 0.3};
    for (int k = 0; k < N_CONTENDER; ++k) {
      total[c * N_CONTENDER + k] = k < 4 ? t[k] : NAN;
      probability[c * N_CONTENDER + k] = k < 4 ? p[k] : NAN;
    }
  }
  CU_ASSERT_EQUAL_FATAL(sal_cost_matrix_begin(sweep.n_cell, N_CONTENDER, &q, 10, &made), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_cost_matrix_add_totals(&made, sweep.n_cell, cell, total, probability),
                        SAL_OK);
  sal_cost_matrix_end(&made);
  CU_ASSERT_EQUAL_FATAL(sal_policy_of_costs(&sweep, &edges, &made, &none, NULL, &policy), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(policy.tree.n, 1);
  CU_ASSERT_EQUAL(policy.costs.contender[policy.tree.node[0].choice], 0);
  CU_ASSERT(policy.next[0][0] >= 0 && policy.costs.contender[policy.next[0][0]] == 1);
  CU_ASSERT(policy.next[0][1] >= 0 && policy.costs.contender[policy.next[0][1]] == 2);
  sal_policy_free(&policy);
  tear_down();
}

static void cells_without_an_answer_do_not_count(void)
{
  const bool ode23[] = {false, true};
  set_up();
  make_costs(1e-7, 10);
  CU_ASSERT_EQUAL(expected.n, 0);
  sal_cost_matrix_free(&measured);
  sal_cost_matrix_free(&expected);
  const sal_reader_question q = {.error = 1e-2, .confidence = NAN, .method = ode23};
  CU_ASSERT_EQUAL_FATAL(sal_reader_contenders(reader, 1, &q, 1, &point[LUCKY], total, probability),
                        SAL_OK);
  for (int k = 0; k < N_CONTENDER; ++k)
    CU_ASSERT(k % 2 ? total[k] > 0 : isnan(total[k]) && isnan(probability[k]));
  tear_down();
}

SAL_TEST_MAIN("expected costs", NULL,
              {"a run that is good by chance wins its cell alone", a_lucky_run_wins_its_cell_alone},
              {"costs are shares of the least total", costs_are_shares_of_the_least_total},
              {"what follows a miss is weighed where it is needed",
               what_follows_a_miss_is_weighed_where_it_is_needed},
              {"totals are those of answers", totals_are_those_of_answers},
              {"cells without an answer do not count", cells_without_an_answer_do_not_count})
