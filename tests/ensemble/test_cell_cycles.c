/** Cycles of cells: a plate whose springs all touch at once, against differences of its return map;
 *  the same in any lanes and any company.
 */
#include "cell_cycle.h"
#include "memory.h"
#include "registry.h"
#include "return_map.h"
#include "sal_test.h"
#include "sweep_read.h"
#include <math.h>
#include <string.h>

enum { N_CELL = 6, STATES = 6, PARAMS = 14 };

/* Flat bounces on a bed that shakes; some of them last, some tilt. */
static const char *const text =
    "model: plate\n"
    "cells: {axes: [{name: n, list: [2, 10, 64]}, {name: C, list: [4, 10]}]}\n"
    "parameters: {A: 0.05, omega: 12, H: 5, D: 1}\n"
    "initial: {z: 1.2, th: 0}\n"
    "solvers: [ode45]\n"
    "strategies: [event]\n"
    "rtol: [1e-6]\n"
    "orbit: {find: [cycles], returns: 400}\n";

/* Inputs and results of all cells. */
typedef struct {
  double param[N_CELL][PARAMS], initial[N_CELL][STATES], y[N_CELL][STATES];
  bool closed[N_CELL][SAL_MAX_GUARD];
  double apex[N_CELL];
  sal_cell_cycle found[N_CELL];
} cells;

static void find(const sal_sweep *sweep, int width, int together, cells *c)
{
  sal_cell_cycles *cycles = NULL;

  for (int i = 0; i < N_CELL; ++i) sal_sweep_cell(sweep, i, c->param[i], c->initial[i]);
  CU_ASSERT_FATAL(sal_cell_cycles_create(sweep, width, &cycles) == SAL_OK);
  for (int first = 0; first < N_CELL; first += together) {
    CU_ASSERT_FATAL(sal_cell_cycles_find(cycles, together, c->param[first], c->initial[first],
                                         &c->found[first]) == SAL_OK);
    for (int i = first; i < first + together; ++i) {
      sal_cell_cycle *f = &c->found[i];
      CU_ASSERT_FATAL(f->verdict == SAL_IS_CYCLE && f->k >= 1);
      memcpy(c->y[i], f->cycle.y, sizeof c->y[i]);
      memcpy(c->closed[i], f->cycle.closed, (size_t)sweep->n_guard * sizeof(bool));
      c->apex[i] = sal_cell_cycles_apex(cycles, c->param[i], f);
    }
  }
  sal_cell_cycles_destroy(&cycles);
}

static sal_sweep read_sweep(void)
{
  sal_sweep sweep;

  if (sal_sweep_parse("s.yaml", text, 0, NULL, &sweep) != SAL_OK)
    fprintf(stderr, "\n    %s\n", sal_err_message());
  CU_ASSERT_FATAL(sweep.n_cell == N_CELL);
  return sweep;
}

static void multipliers_are_those_of_differences(void)
{
  static cells c;
  sal_sweep sweep = read_sweep();
  double least = INFINITY, most = 0;

  find(&sweep, 4, N_CELL, &c);
  for (int i = 0; i < N_CELL; ++i) {
    static sal_return_map map;
    const sal_cell_cycle *f = &c.found[i];
    const sal_return_setup setup = {.model = sweep.model,
                                    .method = sal_registry_method("dop853"),
                                    .rtol = 1e-12,
                                    .atol = 1e-12,
                                    .returns = f->k,
                                    .n_guard = sweep.n_guard};
    double dp[STATES * STATES], end[STATES];
    sal_multipliers by_steps;
    sal_return p = {
        .param = c.param[i], .start = c.y[i], .closed = c.closed[i], .end = end, .dp = dp};
    CU_ASSERT_EQUAL_FATAL(sal_return_map_create(&setup, &map), SAL_OK);
    CU_ASSERT_EQUAL(sal_return_differences(&map, 0, 1, &p), SAL_OK);
    CU_ASSERT(sal_multipliers_find(STATES, dp, STATES, NULL, &by_steps));
    const double size = sal_multipliers_radius(&f->cycle.multipliers);
    CU_ASSERT_DOUBLE_EQUAL(sal_multipliers_radius(&by_steps), size, 1e-7 * size);
    CU_ASSERT_EQUAL(f->cycle.n_event % (2 * (int)c.param[i][0]), 0); /* all at once */
    CU_ASSERT(f->cycle.n_event > 0 && f->cycle.crossing > 0.01);
    CU_ASSERT(fabs(c.y[i][0]) + fabs(c.y[i][2]) < 1e-9); /* flat and in the middle */
    CU_ASSERT(c.apex[i] > c.y[i][1] && c.apex[i] < c.y[i][1] + 0.2);
    least = fmin(least, size);
    most = fmax(most, size);
    sal_return_map_free(&map);
  }
  CU_ASSERT(least < 1 && most > 1); /* some bounces last, some tilt */
  sal_sweep_free(&sweep);
}

static void lanes_and_company_change_no_bit(void)
{
  static cells plain, other;
  sal_sweep sweep = read_sweep();
  const long live = sal_memory_live();

  find(&sweep, 1, 1, &plain);
  for (int width = 4; width <= sal_integrate_widest(); width *= 2) {
    find(&sweep, width, width == 4 ? 3 : N_CELL, &other);
    CU_ASSERT_EQUAL(memcmp(plain.y, other.y, sizeof plain.y), 0);
    CU_ASSERT_EQUAL(memcmp(plain.apex, other.apex, sizeof plain.apex), 0);
    for (int i = 0; i < N_CELL; ++i)
      CU_ASSERT(plain.found[i].k == other.found[i].k &&
                plain.found[i].tried == other.found[i].tried &&
                plain.found[i].cycle.closure == other.found[i].cycle.closure &&
                plain.found[i].cycle.multipliers.re[0] == other.found[i].cycle.multipliers.re[0]);
  }
  CU_ASSERT_EQUAL(sal_memory_live(), live);
  sal_sweep_free(&sweep);
}

SAL_TEST_MAIN("cycles of cells", NULL,
              {"multipliers are those of differences", multipliers_are_those_of_differences},
              {"lanes and company change no bit", lanes_and_company_change_no_bit})
