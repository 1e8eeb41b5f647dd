/** Trajectories that are to be kept: which cells, which points, how many bytes. */
#include "refuse.h"
#include "sweep.h"

#define FIVE_CELLS "cells: {axes: [{name: b, linear: [1000, 2000], points: 5}]}\n"

/* A sweep of five cells keeps those, ended by -1. */
static void keeps(const char *store, const int64_t cells[])
{
  char text[400];
  int64_t n = 0;
  snprintf(text, sizeof text, SMALLEST FIVE_CELLS "%s", store);
  sal_sweep s = accept_with(text, 0, NULL);
  while (cells[n] >= 0) ++n;
  CU_ASSERT_EQUAL(s.stored.n_cell, n);
  for (int64_t i = 0; i < n && i < s.stored.n_cell; ++i)
    CU_ASSERT_EQUAL(s.stored.cell[i], cells[i]);
  sal_sweep_free(&s);
}
#define KEEPS(store, ...) keeps(store, (const int64_t[]){__VA_ARGS__})

static void cells_are_numbers_runs_and_words(void)
{
  KEEPS("", -1);
  KEEPS("store: {}\n", -1);
  KEEPS("store: {trajectories: none}\n", -1);
  KEEPS("store: {trajectories: [1]}\n", 0, -1);
  KEEPS("store: {trajectories: [5, 2-3, 1]}\n", 0, 1, 2, 4, -1);
  KEEPS("store: {trajectories: [4-4]}\n", 3, -1);
  KEEPS("store: {trajectories: all}\n", 0, 1, 2, 3, 4, -1);
  KEEPS("store:\n  trajectories:\n  - 1-5\n", 0, 1, 2, 3, 4, -1);
}

#define refuse_cells(list, ...)                                                                    \
  refuse(FIVE_CELLS "store:\n  trajectories: " list "\n", "s.yaml:8", "store.trajectories",        \
         __VA_ARGS__)

static void cells_that_are_none_are_refused(void)
{
  refuse_cells("[0]", "cell 0 is not there; allowed: from 1 to 5");
  refuse_cells("[6]", "cell 6 is not there; allowed: from 1 to 5");
  refuse_cells("[1, 2-6]", "cell 6 is not there");
  refuse_cells("[0-2]", "cell 0 is not there");
  refuse_cells("[99999999999999999999999]", "is not there");
  refuse_cells("[3-1]", "'3-1' ends before it begins; allowed: 1-3");
  refuse_cells("[1.5]", "'1.5' is not a cell", "17", "20-29");
  refuse_cells("[-1]", "'-1' is not a cell");
  refuse_cells("[1-]", "'1-' is not a cell");
  refuse_cells("[1-2-3]", "'1-2-3' is not a cell");
  refuse_cells("[one]", "'one' is not a cell");
  refuse_cells("['']", "'' is not a cell");
  refuse_cells("[1, 2, 1]", "cell 1 is there twice");
  refuse_cells("[3, 1-4]", "cell 3 is there twice");
  refuse_cells("al", "unknown word 'al'; allowed: all, none; did you mean 'all'?");
  refuse_cells("3", "a list of cells");
  refuse_cells("[]", "a list of cells");
  refuse_cells("{a: 1}", "a list of cells");
  refuse_cells("[[1]]", "numbers of cells");
  refuse(FIVE_CELLS "store:\n  trajectories:\n  - 1\n  - 9\n", "s.yaml:10", "cell 9");
  refuse_set("store.trajectories=[2]", "--set store.trajectories", "cell 2 is not there",
             "from 1 to 1");
  refuse(FIVE_CELLS "store:\n  trajectory: all\n", "s.yaml:8", "trajectory",
         "did you mean 'trajectories'?");
}

static void points_cover_the_interval_evenly(void)
{
  static const struct {
    const char *every;
    int64_t n;
  } cases[] = {{"5", 1}, {"0.05", 100}, {"0.1", 50}, {"3", 2}, {"0.7", 8}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char set[60];
    snprintf(set, sizeof set, "store={trajectories: all, every: %s}", cases[i].every);
    sal_sweep s = accept_with(SMALLEST, 1, (const char *const[]){set});
    CU_ASSERT_EQUAL(s.stored.n_mesh, cases[i].n);
    CU_ASSERT_EQUAL(s.n_mesh, 5000);
    sal_sweep_free(&s);
  }
  sal_sweep s = accept("mesh: 0.25\nstore: {trajectories: all}\n");
  CU_ASSERT_EQUAL(s.stored.n_mesh, 20);
  sal_sweep_free(&s);
}

static void points_that_make_no_sense_are_refused(void)
{
  refuse("store: {every: 0}\n", "s.yaml:6", "store.every = 0", "greater than 0");
  refuse("store: {every: -1}\n", "s.yaml:6", "store.every = -1", "greater than 0");
  refuse("store: {every: x}\n", "s.yaml:6", "store.every", "'x' is not a number");
  refuse("store: {every: 5.5}\n", "s.yaml:6",
         "store.every: a spacing of 5.5 is wider than t_end = 5");
  refuse("store: {every: 1e-9}\n", "s.yaml:6", "5e+09 points; allowed: to 1e+08");
}

/* A configuration and the reference, four states and a mode, in 33 bytes a point. */
static void bytes_are_counted_and_bounded(void)
{
  sal_sweep s = accept(FIVE_CELLS "store: {trajectories: [1, 3], every: 0.5}\n");
  CU_ASSERT_EQUAL(sal_stored_bytes(&s.stored, 1, 4), 2 * 2 * 11 * 33);
  sal_sweep_free(&s);
  s = accept("cells: {axes: [{name: b, linear: [1000, 2000], points: 3000}]}\n"
             "store: {trajectories: all, every: 1e-6}\n");
  CU_ASSERT_DOUBLE_EQUAL(sal_stored_bytes(&s.stored, 1, 4), 990e9, 1e9);
  sal_sweep_free(&s);
  refuse("cells: {axes: [{name: b, linear: [1000, 2000], points: 3100}]}\n"
         "store: {trajectories: all, every: 1e-6}\n",
         "s.yaml:7", "store.trajectories: trajectories of 3100 cells, 1 configurations",
         "5000001 points take 1.02e+03 GB; allowed: to 1000 GB");
}

/* Storing changes no result: runs with other keys are the same run. */
static void it_is_no_part_of_what_a_sweep_says(void)
{
  sal_sweep bare = accept(FIVE_CELLS),
            kept = accept(FIVE_CELLS "store: {trajectories: all, every: 1}\n"),
            other = accept(FIVE_CELLS "mesh: 0.5\nstore: {trajectories: all}\n");
  CU_ASSERT_STRING_EQUAL(bare.settled, kept.settled);
  CU_ASSERT_STRING_NOT_EQUAL(bare.settled, other.settled);
  CU_ASSERT_PTR_NULL(strstr(kept.settled, "store"));
  CU_ASSERT_PTR_NOT_NULL(strstr(kept.text, "store"));
  sal_sweep_free(&bare);
  sal_sweep_free(&kept);
  sal_sweep_free(&other);
}

SAL_TEST_MAIN("stored", NULL,
              {"cells are numbers, runs and words", cells_are_numbers_runs_and_words},
              {"cells that are none are refused", cells_that_are_none_are_refused},
              {"points cover the interval evenly", points_cover_the_interval_evenly},
              {"points that make no sense are refused", points_that_make_no_sense_are_refused},
              {"bytes are counted and bounded", bytes_are_counted_and_bounded},
              {"it is not part of a sweep's settings", it_is_no_part_of_what_a_sweep_says})
