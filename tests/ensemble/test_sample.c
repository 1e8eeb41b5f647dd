/** @file tests/ensemble/test_sample.c
 *  A sample of cells: each once, with the values they have in the sweep, spread evenly.
 */
#include "sal_test.h"
#include "sample.h"
#include "sweep_file.h"
#include <math.h>
#include <string.h>

#define GRID                                                                                       \
  "cells={axes: [{name: b, log: [600, 30000], points: 7}, {name: adhesion, list: [literal, "       \
  "clamp]}, {name: y1, linear: [0.1, 0.9], points: 9}]}"

enum { N_GRID = 7 * 2 * 9 };

/* The number of the cell with these values; each cell has others. */
static int64_t number_of(const sal_sweep *sweep, const double param[], const double initial[])
{
  double p[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE];

  for (int64_t i = 0; i < sweep->n_cell; ++i) {
    sal_sweep_cell(sweep, i, p, y);
    const size_t n = (size_t)(sweep->model->n_param + sweep->model->n_option);
    if (!memcmp(p, param, n * sizeof *p) &&
        !memcmp(y, initial, (size_t)sweep->model->n_state * sizeof *y))
      return i;
  }
  return -1;
}

static void take(const sal_sweep *sweep, int64_t n, int64_t number[])
{
  double    param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  sal_sweep sample;

  CU_ASSERT_EQUAL_FATAL(sal_sample_make(sweep, n, &sample), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sample.n_cell, n < sweep->n_cell ? n : sweep->n_cell);
  for (int64_t i = 0; i < sample.n_cell; ++i) {
    sal_sweep_cell(&sample, i, param, initial);
    number[i] = number_of(sweep, param, initial);
  }
  sal_sample_free(&sample);
}

static void a_sample_of_all_has_each_cell_once(void)
{
  sal_sweep sweep = DALLAS("options={}", "initial={}", GRID);
  int64_t   number[N_GRID];
  int       times[N_GRID] = {0};

  CU_ASSERT_EQUAL_FATAL(sweep.n_cell, N_GRID);
  take(&sweep, 10 * N_GRID, number);
  for (int i = 0; i < N_GRID; ++i) {
    CU_ASSERT_FATAL(number[i] >= 0);
    ++times[number[i]];
  }
  for (int i = 0; i < N_GRID; ++i) CU_ASSERT_EQUAL(times[i], 1);
  sal_sweep_free(&sweep);
}

/* The gaps that the first 2^k - 1 leave are at most twice their equal share. */
static void every_beginning_covers_the_sweep(void)
{
  sal_sweep sweep = DALLAS("options={}", "initial={}", GRID);
  int64_t   number[N_GRID];

  for (int n = 1; n < N_GRID / 2; n = 2 * n + 1) {
    bool hit[N_GRID] = {false};
    int  gap = 0, widest = 0;
    take(&sweep, n, number);
    for (int i = 0; i < n; ++i) hit[number[i]] = true;
    for (int i = 0; i < N_GRID; ++i) {
      gap    = hit[i] ? 0 : gap + 1;
      widest = gap > widest ? gap : widest;
    }
    CU_ASSERT(widest <= 2 * N_GRID / (n + 1));
    CU_ASSERT(widest > 0);
  }
  sal_sweep_free(&sweep);
}

static void a_sweep_of_one_cell_is_its_own_sample(void)
{
  sal_sweep sweep = DALLAS("cells={axes: [{name: b, list: [1951]}]}");
  int64_t   number;

  CU_ASSERT_EQUAL(sweep.n_cell, 1);
  take(&sweep, 8, &number);
  CU_ASSERT_EQUAL(number, 0);
  sal_sweep_free(&sweep);
}

SAL_TEST_MAIN("sample", NULL,
              {"a sample of all has each cell once", a_sample_of_all_has_each_cell_once},
              {"every beginning covers the sweep", every_beginning_covers_the_sweep},
              {"a sweep of one cell is its own sample", a_sweep_of_one_cell_is_its_own_sample})
