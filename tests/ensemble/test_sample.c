/** A sample of cells: each once, with the values they have in the sweep, spread evenly over every
 *  axis, and with an error as large as estimated.
 */
#include "memory.h"
#include "sal_test.h"
#include "sample.h"
#include "sweep_file.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRID                                                                                       \
  "cells={axes: [{name: b, log: [600, 30000], points: 7}, {name: adhesion, list: [literal, "       \
  "clamp]}, {name: y1, linear: [0.1, 0.9], points: 9}]}"
/* As of sweeps/atlas.yaml. */
#define ATLAS                                                                                      \
  "cells={axes: [{name: b, log: [550, 38000], points: 32}, {name: m1, log: [0.8, 20], points: "    \
  "32}, {name: k, log: [1, 480], points: 32}, {name: f, log: [0.01, 0.3], points: 32}]}"
#define SCATTERED                                                                                  \
  "cells={axes: [{name: b, linear: [600, 700], points: 9}, {name: k, linear: [1, 2], points: "     \
  "5}], scattered: {columns: [b, k], rows: [[601, 1.1], [602, 1.1], [603, 1.1], [604, 1.1], "      \
  "[605, 1.1]]}}"

enum { N_GRID = 7 * 2 * 9, N_AXIS = 4, N_POINT = 32, N_ATLAS = 4096 };

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

/* The cells of a sample, by number. */
static void take(const sal_sweep *sweep, int64_t n, int64_t number[])
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  sal_sweep sample;

  CU_ASSERT_EQUAL_FATAL(sal_sample_make(sweep, n, &sample), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sample.n_cell, n < sweep->n_cell ? n : sweep->n_cell);
  for (int64_t i = 0; i < sample.n_cell; ++i) {
    sal_sweep_cell(&sample, i, param, initial);
    number[i] = number_of(sweep, param, initial);
    CU_ASSERT_FATAL(number[i] >= 0);
  }
  sal_sample_free(&sample);
}

static void has_each_cell_once(const char *cells, int64_t expected)
{
  sal_sweep sweep = DALLAS("options={}", "initial={}", cells);
  int64_t number[N_GRID];
  int times[N_GRID] = {0};

  CU_ASSERT_EQUAL_FATAL(sweep.n_cell, expected);
  take(&sweep, 10 * N_GRID, number);
  for (int64_t i = 0; i < expected; ++i) ++times[number[i]];
  for (int64_t i = 0; i < expected; ++i) CU_ASSERT_EQUAL(times[i], 1);
  sal_sweep_free(&sweep);
}

static void a_sample_of_all_has_each_cell_once(void)
{
  has_each_cell_once(GRID, N_GRID);
  has_each_cell_once(SCATTERED, 50);
}

/* Scattered cells have their tenth of a sample, up to rounding, and different cells of the
 * table. */
static void scattered_cells_have_their_share(void)
{
  sal_sweep sweep = DALLAS("options={}", "initial={}", SCATTERED);
  int64_t number[50];
  int scattered = 0;

  take(&sweep, 20, number);
  for (int i = 0; i < 20; ++i) scattered += number[i] >= sweep.n_grid;
  CU_ASSERT(scattered >= 1 && scattered <= 3);
  sal_sweep_free(&sweep);
}

/* The points of the four axes that the cells of a sample have, place [n][N_AXIS]. */
static void take_places(const sal_sweep *sweep, int64_t n, int place[][N_AXIS])
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  sal_sweep sample;

  CU_ASSERT_EQUAL_FATAL(sal_sample_make(sweep, n, &sample), SAL_OK);
  for (int64_t i = 0; i < n; ++i) {
    sal_sweep_cell(&sample, i, param, initial);
    for (int a = 0; a < N_AXIS; ++a) {
      const sal_axis *axis = &sweep->axis[a];
      for (place[i][a] = 0; axis->value[place[i][a]] != param[axis->column[0]];) ++place[i][a];
    }
  }
  sal_sample_free(&sample);
}

static int (*atlas_places(sal_sweep *sweep))[N_AXIS]
{
  int(*place)[N_AXIS] = sal_alloc(N_ATLAS, sizeof *place);

  CU_ASSERT_PTR_NOT_NULL_FATAL(place);
  *sweep = DALLAS("options={}", "initial={}", ATLAS);
  CU_ASSERT_EQUAL_FATAL(sweep->n_cell, 1 << 20);
  take_places(sweep, N_ATLAS, place);
  return place;
}

/* Among the first n cells each point of each axis has n / 32 cells but for a few. */
static void every_beginning_covers_every_axis(void)
{
  sal_sweep sweep;
  int(*place)[N_AXIS] = atlas_places(&sweep);

  for (int n = N_POINT; n <= N_ATLAS; n *= 2)
    for (int a = 0; a < N_AXIS; ++a) {
      int times[N_POINT] = {0};
      for (int i = 0; i < n; ++i) ++times[place[i][a]];
      for (int p = 0; p < N_POINT; ++p) CU_ASSERT(abs(times[p] - n / N_POINT) <= 2);
    }
  for (int n = 8; n < N_ATLAS; n += 7)
    for (int a = 0; a < N_AXIS; ++a) { /* and each half of it has half of the cells */
      int low = 0;
      for (int i = 0; i < n; ++i) low += place[i][a] < N_POINT / 2;
      CU_ASSERT(abs(2 * low - n) <= 6);
    }
  sal_free(place);
  sal_sweep_free(&sweep);
}

/* So do the 64 boxes that the upper and lower quarters of three axes make. */
static void axes_are_varied_together(void)
{
  sal_sweep sweep;
  int(*place)[N_AXIS] = atlas_places(&sweep);

  for (int left = 0; left < N_AXIS; ++left) {
    int times[4][4][4] = {0};
    for (int i = 0; i < N_ATLAS; ++i) {
      int q[N_AXIS] = {0}, n = 0;
      for (int a = 0; a < N_AXIS; ++a)
        if (a != left) q[n++] = place[i][a] / 8;
      ++times[q[0]][q[1]][q[2]];
    }
    for (int i = 0; i < 64; ++i) CU_ASSERT(abs(times[i / 16][i / 4 % 4][i % 4] - 64) <= 16);
  }
  sal_free(place);
  sal_sweep_free(&sweep);
}

/* A cost that varies by four orders of magnitude, most of all along the last axis and the third;
 * its mean over the grid is the product of the means over the axes. */
static double cost_at(const int place[N_AXIS])
{
  static const double decades[] = {0.3, 0.5, 1, 1.5};
  double cost = 1;

  for (int a = 0; a < N_AXIS; ++a) cost *= pow(10, decades[a] * place[a] / (N_POINT - 1));
  return cost;
}

static double mean_cost(void)
{
  double mean = 1;

  for (int a = 0; a < N_AXIS; ++a) {
    double sum = 0;
    for (int p = 0; p < N_POINT; ++p) {
      const int place[N_AXIS] = {
          [0] = a == 0 ? p : 0, [1] = a == 1 ? p : 0, [2] = a == 2 ? p : 0, [3] = a == 3 ? p : 0};
      sum += cost_at(place);
    }
    mean *= sum / N_POINT;
  }
  return mean;
}

/* At any size, the mean of the sample is within the error estimate, and the error falls: to a
 * third at least where there are 32 times as many cells. */
static void the_mean_is_within_its_error(void)
{
  sal_sweep sweep;
  int(*place)[N_AXIS] = atlas_places(&sweep);
  double *cost = sal_alloc(N_ATLAS, sizeof *cost);
  double first = 0, last = 0;

  CU_ASSERT_PTR_NOT_NULL_FATAL(cost);
  for (int i = 0; i < N_ATLAS; ++i) cost[i] = cost_at(place[i]);
  for (int n = 32; n <= 1024; n += 8) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += cost[i];
    const double error = sal_sample_error(n, sweep.n_cell, cost);
    CU_ASSERT(fabs(sum / n / mean_cost() - 1) <= 3 * error);
    CU_ASSERT(error < 0.35);
    if (n == 32) first = error;
    last = error;
  }
  CU_ASSERT(last > 0 && last < first / 3);
  sal_free(cost);
  sal_free(place);
  sal_sweep_free(&sweep);
}

/* The error of draws without any order is that of the textbook, and what is left over of a small
 * sweep counts. */
static void the_error_is_that_of_the_mean(void)
{
  const double cost[] = {1, 2, 3, 4, 5, 6, 7, 8};
  const double spread = sqrt(6.0), mean = 4.5; /* standard deviation of 1 .. 8 */

  CU_ASSERT_DOUBLE_EQUAL(sal_sample_error(8, 1 << 30, cost), spread / sqrt(8) / mean, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(sal_sample_error(8, 16, cost), spread / sqrt(8) / mean * sqrt(0.5), 1e-12);
  CU_ASSERT_EQUAL(sal_sample_error(8, 8, cost), 0);
  CU_ASSERT(isinf(sal_sample_error(3, 8, cost)));
}

static void a_sweep_of_one_cell_is_its_own_sample(void)
{
  sal_sweep sweep = DALLAS("cells={axes: [{name: b, list: [1951]}]}");
  int64_t number;

  CU_ASSERT_EQUAL(sweep.n_cell, 1);
  take(&sweep, 8, &number);
  CU_ASSERT_EQUAL(number, 0);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("sample", NULL,
              {"a sample of all has each cell once", a_sample_of_all_has_each_cell_once},
              {"scattered cells have their share", scattered_cells_have_their_share},
              {"every beginning covers every axis", every_beginning_covers_every_axis},
              {"axes are varied together", axes_are_varied_together},
              {"the mean is within its error", the_mean_is_within_its_error},
              {"the error is that of the mean", the_error_is_that_of_the_mean},
              {"a sweep of one cell is its own sample", a_sweep_of_one_cell_is_its_own_sample})
