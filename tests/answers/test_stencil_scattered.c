/** @file tests/answers/test_stencil_scattered.c
 *  Weights where scattered cells lie between those of a grid: what makes them an interpolation.
 */
#include "memory.h"
#include "parameter_column.h"
#include "sal_test.h"
#include "stencil.h"
#include "sweep_read.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* b by its logarithm, k by its value, and an option. */
#define GRID                                                                                       \
  "model: monopod\nt_end: 50\nmethods: [ode45]\nstrategies: [switch]\ntolerances: [1e-3]\n"        \
  "cells:\n"                                                                                       \
  "  axes:\n"                                                                                      \
  "    - {name: b, log: [100, 6400], points: 4}\n"                                                 \
  "    - {name: k, list: [40, 10, 20, 70]}\n"                                                      \
  "    - {name: adhesion, list: [literal, clamp]}\n"
/* Two in one gap of b, a pair close together, one on a face of two boxes, one of the other
 * option. */
#define ROWS                                                                                       \
  "[[800, 10, literal], [400, 12, literal], [800, 25, literal], [820, 26, literal], "              \
  "[400, 30, literal], [1600, 50, literal], [800, 31, clamp]]"
enum { B = 0, K = 2, ADHESION = 6, N_GRID = 32, N_SCATTERED = 7, STEPS = 400 };

static sal_sweep sweep, plain;

static int begin(void)
{
  sal_err_clear();
  return sal_sweep_parse("s", GRID "  scattered: {columns: [b, k, adhesion], rows: " ROWS "}\n", 0,
                         NULL, &sweep) != SAL_OK ||
         sal_sweep_parse("p", GRID, 0, NULL, &plain) != SAL_OK;
}

static void all_memory_is_given_back(void)
{
  sal_sweep_free(&sweep);
  sal_sweep_free(&plain);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* All weights as one dense row. */
static void weights_of(const sal_sweep *s, double b, double k, int option, double row[])
{
  double      value[SAL_MAX_QUANTITY] = {0};
  sal_stencil near;

  memset(row, 0, (N_GRID + N_SCATTERED) * sizeof *row);
  value[B]        = b;
  value[K]        = k;
  value[ADHESION] = option;
  CU_ASSERT_EQUAL_FATAL(sal_stencil_find(s, value, &near), SAL_OK);
  for (int i = 0; i < near.n; ++i) {
    CU_ASSERT(near.weight[i] > 0 && near.weight[i] <= 1);
    CU_ASSERT(i == 0 || near.cell[i] > near.cell[i - 1]);
    row[near.cell[i]] = near.weight[i];
  }
  sal_stencil_free(&near);
}

static void every_cell_answers_alone_at_its_own_point(void)
{
  double p[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE], row[N_GRID + N_SCATTERED];

  for (int64_t cell = 0; cell < N_GRID + N_SCATTERED; ++cell) {
    sal_sweep_cell(&sweep, cell, p, y);
    weights_of(&sweep, p[B], p[K], (int)p[ADHESION], row);
    CU_ASSERT_DOUBLE_EQUAL(row[cell], 1, 1e-14);
  }
}

static void weights_sum_to_1_and_far_away_the_grid_answers_alone(void)
{
  double row[N_GRID + N_SCATTERED], grid[N_GRID + N_SCATTERED];
  int    touched = 0, alone = 0;

  for (int i = 0; i <= 60; ++i)
    for (int j = 0; j <= 60; ++j) {
      double sum = 0, more = 0;
      weights_of(&sweep, 100 * pow(64, i / 60.0), 10 + j, 0, row);
      for (int c = 0; c < N_GRID + N_SCATTERED; ++c) sum += row[c];
      for (int c = N_GRID; c < N_GRID + N_SCATTERED; ++c) more += row[c];
      CU_ASSERT_DOUBLE_EQUAL(sum, 1, 1e-13);
      CU_ASSERT_EQUAL(row[N_GRID + 6], 0); /* the other option */
      weights_of(&plain, 100 * pow(64, i / 60.0), 10 + j, 0, grid);
      for (int c = 0; c < N_GRID; ++c) CU_ASSERT_DOUBLE_EQUAL(row[c], (1 - more) * grid[c], 1e-13);
      touched += more > 0;
      alone += more == 0;
    }
  CU_ASSERT(touched > 500 && alone > 500);
}

/* The largest change of a weight between neighbouring places on a line, when there are n steps. */
static double largest_step(int n, double b0, double k0, double b1, double k1)
{
  double last[N_GRID + N_SCATTERED], row[N_GRID + N_SCATTERED], most = 0;

  for (int i = 0; i <= n; ++i) {
    const double t = (double)i / n;
    weights_of(&sweep, b0 * pow(b1 / b0, t), k0 + (k1 - k0) * t, 0, row);
    for (int c = 0; i > 0 && c < N_GRID + N_SCATTERED; ++c)
      most = fmax(most, fabs(row[c] - last[c]));
    memcpy(last, row, sizeof row);
  }
  return most;
}

static void weights_are_continuous_also_from_box_to_box(void)
{
  /* along faces, across them, through scattered points and past them */
  static const double line[][4] = {{100, 10, 6400, 10}, {400, 10, 400, 70},  {100, 10, 6400, 70},
                                   {100, 70, 6400, 10}, {800, 10, 800, 70},  {790, 10, 830, 70},
                                   {300, 30, 500, 30},  {390, 12, 410, 12},  {700, 20, 900, 30},
                                   {100, 40, 6400, 40}, {1600, 39, 1600, 51}};
  for (size_t i = 0; i < sizeof line / sizeof *line; ++i) {
    const double coarse = largest_step(STEPS, line[i][0], line[i][1], line[i][2], line[i][3]);
    const double fine   = largest_step(16 * STEPS, line[i][0], line[i][1], line[i][2], line[i][3]);
    CU_ASSERT(coarse > 0);
    CU_ASSERT(fine < coarse / 4); /* a jump would stay as large */
  }
}

static void one_point_takes_its_hat(void)
{
  double row[N_GRID + N_SCATTERED];

  /* b = 1600 is a point of the axis; k = 50 lies at 1/3 of 40 .. 70 by ratio or not: reach 1/2 */
  const double share = log(50.0 / 40) / log(70.0 / 40), x = log(45.0 / 40) / log(70.0 / 40);
  weights_of(&sweep, 1600, 45, 0, row);
  CU_ASSERT_DOUBLE_EQUAL(row[N_GRID + 5], 1 - (share - x) / share, 1e-12);
  weights_of(&sweep, 1600 * sqrt(2.0), 50, 0, row); /* a quarter of the gap in b */
  CU_ASSERT_DOUBLE_EQUAL(row[N_GRID + 5], 0.5, 1e-12);
}

static void count(void *with, int64_t point)
{
  (void)point;
  ++*(int64_t *)with;
}

/* 20 000 points in 1600 boxes: a query looks at those of its own box. */
static void of_many_points_few_are_looked_at(void)
{
  enum { MANY = 20000, ASKED = 500 };
  char *text = malloc((size_t)MANY * 48), *at = text;

  at += sprintf(at, "model: monopod\nt_end: 50\nmethods: [ode45]\nstrategies: [switch]\n"
                    "tolerances: [1e-3]\ncells:\n  axes:\n"
                    "    - {name: b, linear: [0, 100], points: 41}\n"
                    "    - {name: k, linear: [1, 101], points: 41}\n"
                    "  scattered:\n    columns: [b, k]\n    rows:\n");
  srand(3);
  for (int i = 0; i < MANY; ++i)
    at += sprintf(at, "    - [%.9f, %.9f]\n", 100.0 * rand() / RAND_MAX,
                  1 + 100.0 * rand() / RAND_MAX);
  sal_sweep many;
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("m", text, 0, NULL, &many), SAL_OK);
  free(text);
  int64_t   found = 0, looked = 0;
  const int n_slot[] = {1, 1};
  for (int i = 0; i < ASKED; ++i) {
    double  value[SAL_MAX_QUANTITY] = {100.0 * rand() / RAND_MAX, 0, 1 + 100.0 * rand() / RAND_MAX};
    int64_t slot[2][SAL_MAX_SLOT]   = {{sal_scattered_slot(&many.axis[0], value[0])},
                                       {sal_scattered_slot(&many.axis[1], value[2])}};
    sal_stencil near;
    CU_ASSERT_EQUAL_FATAL(sal_stencil_find(&many, value, &near), SAL_OK);
    for (int k = 0; k < near.n; ++k) found += near.cell[k] >= many.n_grid;
    sal_stencil_free(&near);
    sal_scattered_find(&many.scattered, 2, many.axis, n_slot, slot, count, &looked);
  }
  CU_ASSERT(found > ASKED);
  CU_ASSERT(looked > ASKED && looked < (int64_t)ASKED * 2 * MANY / 1600);
  sal_sweep_free(&many);
}

SAL_TEST_MAIN("scattered cells nearby", begin,
              {"every cell answers alone at its own point",
               every_cell_answers_alone_at_its_own_point},
              {"weights sum to 1, and far away the grid answers alone",
               weights_sum_to_1_and_far_away_the_grid_answers_alone},
              {"weights are continuous, also from box to box",
               weights_are_continuous_also_from_box_to_box},
              {"one point takes its hat", one_point_takes_its_hat},
              {"of many points few are looked at", of_many_points_few_are_looked_at},
              {"all memory is given back", all_memory_is_given_back})
