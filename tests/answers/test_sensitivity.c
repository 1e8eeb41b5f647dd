/** @file tests/answers/test_sensitivity.c
 *  Shares of variance of functions whose shares are known.
 */
#include "memory.h"
#include "sal_test.h"
#include "sensitivity.h"
#include "sweep_read.h"
#include <math.h>

#define REST                                                                                       \
  "model: monopod\nt_end: 50\nmethods: [ode45]\nstrategies: [event]\ntolerances: [1e-3]\n"
enum { ROOM = 4096, B = 0, M1 = 1, K = 2, F = 3 };

static sal_sweep  sweep;
static sal_effect effect[SAL_MAX_EFFECT];
static double     y[ROOM], b[ROOM], m1[ROOM], k[ROOM], f[ROOM];

static void set_up(const char *text)
{
  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", text, 0, NULL, &sweep), SAL_OK);
  CU_ASSERT_FATAL(sweep.n_cell <= ROOM);
  sal_sweep_column(&sweep, B, b);
  sal_sweep_column(&sweep, M1, m1);
  sal_sweep_column(&sweep, K, k);
  sal_sweep_column(&sweep, F, f);
}

static int shares(int n_word)
{
  int n = 0;

  CU_ASSERT_EQUAL_FATAL(sal_sensitivity(&sweep, n_word, y, &n, effect), SAL_OK);
  return n;
}

static void tear_down(void)
{
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

#define GRID                                                                                       \
  REST "cells: {axes: [{name: b, linear: [1000, 4000], points: 4}, {name: k, log: [10, 40], "      \
       "points: 3}, {name: f, list: [0.1, 0.2]}]}\n"

static double mean(int n, const double x[])
{
  double sum = 0;

  for (int i = 0; i < n; ++i) sum += x[i];
  return sum / n;
}

static double variance(int n, const double x[])
{
  const double middle = mean(n, x);
  double       sum    = 0;

  for (int i = 0; i < n; ++i) sum += (x[i] - middle) * (x[i] - middle);
  return sum / n;
}

/* y = p x + q z + r x z: the axes explain (p + r mean z)^2 Var x, (q + r mean x)^2 Var z, and
 * together r^2 Var x Var z. */
static void a_bilinear_function_has_known_shares(void)
{
  const double p = 2e-3, q = -0.1, r = 3e-5;

  set_up(GRID);
  const int n = (int)sweep.n_cell;
  for (int i = 0; i < n; ++i) y[i] = p * b[i] + q * k[i] + r * b[i] * k[i] + 7;
  const double by_b = pow(p + r * mean(n, k), 2) * variance(n, b);
  const double by_k = pow(q + r * mean(n, b), 2) * variance(n, k);
  const double both = r * r * variance(n, b) * variance(n, k), all = by_b + by_k + both;
  CU_ASSERT_EQUAL(shares(0), 3);
  const struct {
    int    column;
    double alone, with;
  } expected[] = {
      {B, by_b / all, (by_b + both) / all}, {K, by_k / all, (by_k + both) / all}, {F, 0, 0}};
  for (int i = 0; i < 3; ++i) {
    CU_ASSERT_EQUAL(sweep.axis[effect[i].axis].column[0], expected[i].column);
    CU_ASSERT_EQUAL(effect[i].column, -1);
    CU_ASSERT_DOUBLE_EQUAL(effect[i].alone, expected[i].alone, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(effect[i].with, expected[i].with, 1e-13);
  }
  CU_ASSERT(by_b / all > 0.1 && by_k / all > 0.01 && both / all > 0.01);
  tear_down();
}

static void words_have_shares_too(void)
{
  set_up(GRID);
  const int n = (int)sweep.n_cell;
  for (int i = 0; i < n; ++i) y[i] = k[i] > 15; /* k alone decides */
  shares(2);
  CU_ASSERT_DOUBLE_EQUAL(effect[1].alone, 1, 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(effect[1].with, 1, 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(effect[0].with, 0, 1e-13);

  for (int i = 0; i < n; ++i) y[i] = (b[i] > 2500) != (f[i] > 0.15) ? 2 : 0; /* only both do */
  shares(3);
  CU_ASSERT_DOUBLE_EQUAL(effect[0].alone, 0, 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(effect[0].with, 1, 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(effect[2].with, 1, 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(effect[1].with, 0, 1e-13);

  for (int i = 0; i < n; ++i) y[i] = floor(i / 6.0); /* 4 words by b: Gini of three: by k, f none */
  shares(4);
  CU_ASSERT_DOUBLE_EQUAL(effect[0].alone, 1, 1e-13);

  /* at k = 10 always word 1, else word 0 or 2 by f: Gini 2/3 of all, 0 and 1/2 within k */
  for (int i = 0; i < n; ++i) y[i] = k[i] < 15 ? 1 : f[i] > 0.15 ? 2 : 0;
  shares(3);
  CU_ASSERT_DOUBLE_EQUAL(effect[1].alone, 1 - (2 / 3.0) * 0.5 / (2 / 3.0), 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(effect[2].with, (2 / 3.0) * 0.5 / (2 / 3.0), 1e-13);
  tear_down();
}

static void cells_without_a_figure_do_not_count(void)
{
  set_up(GRID);
  const int n = (int)sweep.n_cell;
  for (int i = 0; i < n; ++i) y[i] = i % 5 == 2 ? NAN : 3 * k[i] + 1;
  CU_ASSERT_EQUAL(shares(0), 3);
  CU_ASSERT_DOUBLE_EQUAL(effect[1].alone, 1, 1e-13);
  CU_ASSERT(effect[1].with > 0.6 && effect[1].with < 1);
  CU_ASSERT_DOUBLE_EQUAL(effect[0].with, 0, 1e-13);
  CU_ASSERT(effect[0].alone > 1e-4); /* holes make b and k go together a little */
  for (int i = 0; i < n; ++i) y[i] = i % 5 == 2 ? NAN : 0.1;
  shares(0);
  for (int i = 0; i < 3; ++i) CU_ASSERT(isnan(effect[i].alone) && isnan(effect[i].with));
  for (int i = 0; i < n; ++i) y[i] = NAN;
  shares(3);
  CU_ASSERT(isnan(effect[0].alone));
  tear_down();
}

/* 2000 points by 2: y = 3 u + v + w with u, v uniform and w an axis of its own. */
static void quantities_of_random_points_are_told_apart(void)
{
  set_up(REST "cells: {axes: [{columns: [b, m1, k], sobol: [[1000, 3000], [5, 15], [10, 30]], "
              "points: 2000}, {name: f, list: [0.1, 0.2]}]}\n");
  const int n = (int)sweep.n_cell;
  for (int i = 0; i < n; ++i) y[i] = 3 * (b[i] - 1000) / 2000 + (k[i] - 10) / 20 + 5 * (f[i] - 0.1);
  const double each = 1 / 12.0, all = 10 * each + 0.0625;
  CU_ASSERT_EQUAL(shares(0), 5);
  CU_ASSERT(effect[0].column == -1 && effect[1].column == B && effect[2].column == M1);
  CU_ASSERT_DOUBLE_EQUAL(effect[0].alone, 10 * each / all, 0.002);
  CU_ASSERT_DOUBLE_EQUAL(effect[0].with, effect[0].alone, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(effect[1].alone, 9 * each / all, 0.01);
  CU_ASSERT_DOUBLE_EQUAL(effect[3].alone, each / all, 0.01);
  CU_ASSERT(effect[2].alone < 0.005);
  CU_ASSERT_DOUBLE_EQUAL(effect[4].alone, 0.0625 / all, 0.002);
  CU_ASSERT(isnan(effect[1].with) && effect[1].alone > 0.8 && effect[3].alone > 0.08);

  /* chance: 16 bins of 2000 random words explain 15 / 1999 = 0.75 %, which is taken off */
  double taken = 0;
  for (int trial = 0; trial < 20; ++trial) {
    for (int i = 0; i < n; ++i)
      y[i] = (double)((uint64_t)(i / 2 + 1 + 997 * trial) * 2654435761U % 1000 > 499);
    shares(2);
    taken += effect[2].alone / 20;
  }
  CU_ASSERT(taken < 0.003);
  tear_down();
}

static void too_few_points_say_nothing(void)
{
  set_up(REST "cells: {columns: [b, k], rows: [[1000, 10], [2000, 20], [3000, 10]]}\n");
  for (int i = 0; i < 3; ++i) y[i] = i;
  CU_ASSERT_EQUAL(shares(0), 3);
  CU_ASSERT_EQUAL(effect[0].alone, 1);
  CU_ASSERT(isnan(effect[1].alone) && isnan(effect[2].alone));
  tear_down();
  set_up(REST); /* a single cell */
  y[0] = 1;
  CU_ASSERT_EQUAL(shares(0), 0);
  tear_down();
}

SAL_TEST_MAIN("sensitivities", NULL,
              {"a bilinear function has known shares", a_bilinear_function_has_known_shares},
              {"words have shares, too", words_have_shares_too},
              {"cells without a figure do not count", cells_without_a_figure_do_not_count},
              {"quantities of random points are told apart",
               quantities_of_random_points_are_told_apart},
              {"too few points say nothing", too_few_points_say_nothing})
