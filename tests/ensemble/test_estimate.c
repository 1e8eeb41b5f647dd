/** A sample that covers the sweep: how much of it is run, and what is made of that. */
#include "estimate.h"
#include "memory.h"
#include "sal_test.h"
#include "sweep_file.h"
#include <math.h>

#define SHORT "t_end=2", "mesh=0.01", "solvers=[ode45,ode23]", "rtol=[1e-3]", "divergence={}"

static sal_estimate estimate(const sal_sweep *sweep, int64_t tile, double seconds)
{
  const sal_estimate_effort effort = {.most = seconds}; /* until that is over */
  sal_estimate e;
  CU_ASSERT_EQUAL_FATAL(sal_estimate_run(sweep, tile, &effort, &e), SAL_OK);
  CU_ASSERT(e.cpu_seconds > 0 && e.run_seconds > 0);
  return e;
}

/* Tiles of all sizes, the last of them not full. */
static void with_time_enough_each_cell_is_run_once(void)
{
  sal_sweep sweep = DALLAS(SHORT, "timing.repeats=0");
  for (int64_t tile = 1; tile <= 16; ++tile) {
    const sal_estimate e = estimate(&sweep, tile, 1e9);
    CU_ASSERT_EQUAL(e.cells, N_SET);
    CU_ASSERT_EQUAL(e.uncertainty, 0);
  }
  sal_sweep_free(&sweep);
}

static void without_time_one_tile_is_run(void)
{
  sal_sweep sweep = DALLAS(SHORT, "timing.repeats=0", "width=1");
  const sal_estimate e = estimate(&sweep, 4, 0);
  CU_ASSERT_EQUAL(e.cells, 1); /* as many as there are lanes */
  CU_ASSERT(isinf(e.uncertainty));
  sal_sweep_free(&sweep);
}

/* A hundred starts whose work differs.  How many it takes for an uncertainty between the extremes is a
 * matter of the clock, but not that they are enough: two standard errors of n positive costs are less
 * than twice their mean, and none are 0 but those of all cells.  All of them where there is a least
 * time that they do not take. */
static void cells_are_run_until_the_estimate_is_good_enough(void)
{
  sal_sweep sweep = DALLAS(SHORT, "timing.repeats=0", "width=1", "initial={}",
                           "cells={axes: [{name: b, log: [550, 38000], points: 10}, {name: y1, "
                           "linear: [0.5, 1.5], points: 10}]}");
  const sal_estimate_effort effort[] = {{.most = 1e9, .enough = 2},
                                        {.most = 1e9, .enough = 0.05},
                                        {.most = 1e9, .enough = 1e-9},
                                        {.most = 1e9, .enough = 2, .least = 1e3}};
  int64_t cells[4];
  for (int i = 0; i < 4; ++i) {
    sal_estimate e;
    CU_ASSERT_EQUAL_FATAL(sal_estimate_run(&sweep, 4, &effort[i], &e), SAL_OK);
    CU_ASSERT(e.cells < 100 ? e.uncertainty > 0 && e.uncertainty <= effort[i].enough
                            : e.cells == 100 && e.uncertainty == 0);
    cells[i] = e.cells;
  }
  CU_ASSERT(cells[0] == 32 && cells[1] >= 32 && cells[2] == 100 && cells[3] == 100);
  sal_sweep_free(&sweep);
}

enum { TRIES = 5 }; /* a busy machine disturbs the clock, but not each time */

/* One cell, then all 13 of them: the first stands for all. */
static void a_sample_is_scaled_up(void)
{
  sal_sweep sweep = DALLAS(SHORT, "timing.repeats=0", "width=1", "t_end=20");
  bool good = false;
  for (int i = 0; i < TRIES && !good; ++i) {
    const sal_estimate one = estimate(&sweep, 1, 0), all = estimate(&sweep, 1, 1e9);
    CU_ASSERT(one.cells == 1 && all.cells == N_SET);
    good = one.cpu_seconds > all.cpu_seconds / 4 && one.cpu_seconds < all.cpu_seconds * 4;
  }
  CU_ASSERT(good);
  sal_sweep_free(&sweep);
}

static void repeats_are_reckoned_not_run(void)
{
  sal_sweep once = DALLAS(SHORT, "timing.repeats=1", "t_end=20"),
            many = DALLAS(SHORT, "timing.repeats=1000", "t_end=20");
  bool good = false;
  for (int i = 0; i < TRIES && !good; ++i) {
    const sal_estimate a = estimate(&once, 4, 1e9), b = estimate(&many, 4, 1e9);
    good = b.cpu_seconds > 10 * a.cpu_seconds && b.run_seconds < 0.5 * b.cpu_seconds;
  }
  CU_ASSERT(good);
  CU_ASSERT_EQUAL(many.repeats, 1000);
  sal_sweep_free(&once);
  sal_sweep_free(&many);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* A pair that is left out takes no time, which is not the same as an unknown time. */
static void pairs_left_out_cost_nothing(void)
{
  sal_sweep sweep =
      DALLAS("t_end=2", "mesh=0.01", "solvers=[ode45,ode113]", "rtol=[1e-3]", "divergence={}",
             "strategies=[event,ess2]", "unsupported=leave-out", "timing.repeats=3");
  const sal_estimate e = estimate(&sweep, 4, 1e9);
  CU_ASSERT(e.cpu_seconds > 0 && e.cpu_seconds < 100);
  sal_sweep_free(&sweep);
}

SAL_TEST_MAIN("estimate", NULL, {"pairs left out cost nothing", pairs_left_out_cost_nothing},
              {"with time enough each cell is run once", with_time_enough_each_cell_is_run_once},
              {"without time one tile is run", without_time_one_tile_is_run},
              {"cells are run until the estimate is good enough",
               cells_are_run_until_the_estimate_is_good_enough},
              {"a sample is scaled up", a_sample_is_scaled_up},
              {"repeats are reckoned, not run", repeats_are_reckoned_not_run})
