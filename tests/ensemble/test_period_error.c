/** Errors of a period: a period that is given wrongly is found wrong by just so much, from stops at the section and from
 *  the distance to it alike.
 */
#include "memory.h"
#include "metric.h"
#include "sal_test.h"
#include "sweep_read.h"
#include "tile_work.h"
#include <math.h>
#include <string.h>

static const char *const text = "model: monopod\n"
                                "cells: {axes: [{columns: [zeta_F, zeta_G], rows: [[0, -0.02], "
                                "[0.02, -0.05], [0.05, -0.05]]}]}\n"
                                "t_end: 50\n"
                                "solvers: [dop853]\n"
                                "strategies: [switch, event]\n"
                                "rtol: [1e-11]\n"
                                "orbit: {find: [cycles], returns: 400, longest: 60}\n";
enum { N_CELL = 3, N_STRATEGY = 2 };

typedef struct {
  double param[N_CELL][SAL_MAX_PARAM + SAL_MAX_OPTION], initial[N_CELL][SAL_MAX_STATE];
  bool closed[N_CELL][SAL_MAX_GUARD];
  sal_tile_cycle cycle[N_CELL];
} orbits;

/* Errors of the period by both strategies when it is given as longer by this. */
static void find_errors(sal_tile_orbits *of, const orbits *found, double longer,
                        double out[N_STRATEGY][N_CELL])
{
  const int64_t first = 0;

  for (int s = 0; s < N_STRATEGY; ++s)
    for (int i = 0; i < N_CELL; ++i) {
      sal_record record = {{0}};
      sal_tile_cycle cycle = found->cycle[i];
      cycle.period += longer;
      sal_tile_orbits_config(of, s, 1, &first, found->param[i], &cycle, 1, &record);
      out[s][i] = record.value[SAL_METRIC_PERIOD_ERROR];
    }
}

static void a_wrong_period_is_as_wrong_as_it_is(void)
{
  static orbits found;
  sal_cell_record cell[N_CELL] = {0};
  sal_reference reference[N_CELL] = {0};
  sal_sweep sweep;
  sal_tile_orbits *of = NULL;
  double right[N_STRATEGY][N_CELL], wrong[N_STRATEGY][N_CELL];
  const double longer = 1e-4;

  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", text, 0, NULL, &sweep), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_tile_orbits_create(&sweep, 1, &of), SAL_OK);
  for (int i = 0; i < N_CELL; ++i) {
    found.cycle[i].closed = found.closed[i];
    sal_tile_result of_cell = {.count = 1, .cell = &cell[i]};
    sal_sweep_cell(&sweep, i, found.param[i], found.initial[i]);
    CU_ASSERT_EQUAL_FATAL(sal_tile_orbits_run(of, 1, found.param[i], found.initial[i],
                                              &reference[i], &found.cycle[i], &of_cell),
                          SAL_OK);
    CU_ASSERT_EQUAL_FATAL(found.cycle[i].returns, 1);
  }
  find_errors(of, &found, 0, right);
  find_errors(of, &found, longer, wrong);
  for (int s = 0; s < N_STRATEGY; ++s)
    for (int i = 0; i < N_CELL; ++i) {
      CU_ASSERT(right[s][i] < 0.01 * longer);
      CU_ASSERT_DOUBLE_EQUAL(wrong[s][i], longer, 0.02 * longer);
    }
  sal_tile_orbits_destroy(&of);
  sal_sweep_free(&sweep);
}

SAL_TEST_MAIN("errors of a period", NULL,
              {"a wrong period is as wrong as it is", a_wrong_period_is_as_wrong_as_it_is})
