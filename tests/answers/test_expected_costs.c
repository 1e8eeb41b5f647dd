/** Costs of all configurations by the surrogate: a run that is good by chance wins no cell, and totals are those of answers.
 */
#include "config.h"
#include "memory.h"
#include "random.h"
#include "sal_test.h"
#include "surrogate.h"
#include "sweep_read.h"
#include <math.h>

enum { N_CONFIG = 6, LUCKY = 6 }; /* configuration = 2 t + m; a corner */
#define GRID                                                                                       \
  "model: monopod\nt_end: 50\nsolvers: [ode45, ode23]\nstrategies: [switch]\n"                     \
  "rtol: [1e-3, 1e-4, 1e-5]\n"                                                                     \
  "cells: {axes: [{name: b, log: [100, 6400], points: 8}, {name: k, linear: [10, 40], points: "    \
  "7}]}\n"

static sal_sweep sweep;
static sal_performance_table table;
static sal_surrogate *surrogate;
static double *total, *probability;

/* ode45 has errors around 0.1 of the tolerance at a work of 200; ode23 is cheaper, but has errors around
 * 30 times the tolerance, except in one cell by chance. */
static void fill(void)
{
  for (int64_t c = 0; c < sweep.n_cell; ++c) {
    table.reference_error[c] = 1e-12;
    for (int k = 0; k < N_CONFIG; ++k) {
      const bool cheap = k % 2 == 1;
      const double t = sal_config_tolerance(&sweep, k),
                   scatter = 0.4 * sal_random(3, (uint64_t)c, (uint32_t)k);
      const int64_t at = c * N_CONFIG + k;
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
  CU_ASSERT_EQUAL_FATAL(
      sal_performance_create(&sweep, sweep.n_cell, NULL, &rhs, false, false, &table), SAL_OK);
  fill();
  const sal_performance_source source = sal_performance_source_of(&table);
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_open(&source, NULL, &surrogate), SAL_OK);
  total = sal_alloc((size_t)(sweep.n_cell * N_CONFIG), sizeof *total);
  probability = sal_alloc((size_t)(sweep.n_cell * N_CONFIG), sizeof *probability);
}

static void tear_down(void)
{
  sal_surrogate_close(&surrogate);
  sal_free(total);
  sal_free(probability);
  sal_performance_free(&table);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static double point[64][SAL_MAX_QUANTITY]; /* of the cells */

static void ask_all(const sal_surrogate_question *q)
{
  for (int64_t c = 0; c < sweep.n_cell; ++c)
    sal_sweep_cell(&sweep, c, point[c], point[c] + sweep.model->n_param + sweep.model->n_option);
  CU_ASSERT_EQUAL_FATAL(
      sal_surrogate_configs(surrogate, 1, q, sweep.n_cell, point, sweep.n_cell, total, probability),
      SAL_OK);
}

static void a_lucky_run_wins_no_cell(void)
{
  set_up();
  ask_all(&(sal_surrogate_question){.error = 1e-3, .probability = NAN});
  CU_ASSERT(table.work[LUCKY * N_CONFIG + 1] < table.work[LUCKY * N_CONFIG]);
  CU_ASSERT(table.error[LUCKY * N_CONFIG + 1] < 1e-3);
  for (int64_t c = 0; c < sweep.n_cell; ++c) {
    const double *t = total + c * N_CONFIG, *p = probability + c * N_CONFIG;
    for (int k = 1; k < N_CONFIG; ++k) CU_ASSERT(t[k] > t[0]);
    CU_ASSERT(p[0] > 0.95 && p[1] < 0.3 && t[0] >= 199);
  }
  tear_down();
}

/* The best of all that a pair does, ever tighter, has any tolerance: none of the sweep's own takes less, and where
 * it is one of these the totals are the same. */
static void totals_are_those_of_answers(void)
{
  const sal_surrogate_question q = {.error = 1e-3, .probability = NAN};
  sal_surrogate_answer a;
  int same = 0;

  set_up();
  ask_all(&q);
  for (int64_t c = 0; c < sweep.n_cell; ++c) {
    double value[SAL_MAX_QUANTITY];
    sal_sweep_cell(&sweep, c, value, value + sweep.model->n_param + sweep.model->n_option);
    CU_ASSERT_EQUAL_FATAL(sal_surrogate_ask(surrogate, value, &q, &a), SAL_OK);
    if (a.repeated.pair < 0) continue;
    for (int k = 0; k < N_CONFIG; ++k) {
      const int64_t at = c * N_CONFIG + k;
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

static void points_without_an_answer_have_none(void)
{
  const bool ode23[] = {false, true};
  set_up();
  ask_all(&(sal_surrogate_question){.error = 1e-7, .probability = NAN});
  for (int64_t i = 0; i < sweep.n_cell * N_CONFIG; ++i)
    CU_ASSERT(isnan(total[i]) && isnan(probability[i]));
  const sal_surrogate_question q = {.error = 1e-2, .probability = NAN, .method = ode23};
  CU_ASSERT_EQUAL_FATAL(
      sal_surrogate_configs(surrogate, 1, &q, 1, &point[LUCKY], 1, total, probability), SAL_OK);
  for (int k = 0; k < N_CONFIG; ++k)
    CU_ASSERT(k % 2 ? total[k] > 0 : isnan(total[k]) && isnan(probability[k]));
  tear_down();
}

SAL_TEST_MAIN("expected costs", NULL,
              {"a run that is good by chance wins no cell", a_lucky_run_wins_no_cell},
              {"totals are those of answers", totals_are_those_of_answers},
              {"points without an answer have no costs", points_without_an_answer_have_none})
