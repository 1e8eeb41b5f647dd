/** @file tests/answers/test_refine.c
 *  New cells on a planted border: where they go, how they spread, and that they go on halving.
 */
#include "memory.h"
#include "recommend.h"
#include "refine.h"
#include "sal_test.h"
#include "sweep_read.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD                                                                                       \
  "model: monopod\nt_end: 50\nmethods: [ode45, ode23]\nstrategies: [switch]\n"                     \
  "tolerances: [1e-3]\ncells:\n  axes:\n"
#define AXES                                                                                       \
  "    - {name: b, log: [100, 10000], points: 9}\n    - {name: k, linear: [10, 50], points: 9}\n"
enum { N = 9, B = 0, K = 2, MOST = 64 };

static sal_sweep             sweep;
static sal_performance_table table;
static sal_map               map;

/* The second method is best beyond a straight line in (log b, k), which passes between cells. */
static double beyond(double b, double k)
{
  return log10(b / 100) * 4 + (k - 10) / 5 - 7.3; /* both run from 0 to 8 in gaps */
}

/* Works 100 and 100 times `ratio` or its inverse; errors as given. */
static void plant(const char *text, double ratio, double (*side)(double b, double k))
{
  const sal_work_weights work = {1, 0, 0, 0};

  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", text, 0, NULL, &sweep), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_performance_create(&sweep, sweep.n_cell, &work, false, false, &table),
                        SAL_OK);
  for (int64_t i = 0; i < sweep.n_cell; ++i) {
    double p[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE];
    sal_sweep_cell(&sweep, i, p, y);
    table.work[2 * i]      = 100;
    table.work[2 * i + 1]  = side(p[B], p[K]) > 0 ? 100 / ratio : 100 * ratio;
    table.error[2 * i]     = 1e-5;
    table.error[2 * i + 1] = 1e-5;
  }
  map = (sal_map){.n_error = 1, .error = {1e-3}};
  memset(map.method, 1, sizeof map.method);
  memset(map.strategy, 1, sizeof map.strategy);
}

static int64_t choose(int64_t budget, sal_refine_point point[])
{
  int64_t n = -1;

  CU_ASSERT_EQUAL_FATAL(sal_recommend(&table, &map), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_refine_choose(&table, &map, budget, point, &n), SAL_OK);
  return n;
}

static void clear(void)
{
  sal_map_free(&map);
  sal_performance_free(&table);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static bool differ(const sal_refine_point *p)
{
  return map.by_error[p->a].best != map.by_error[p->b].best;
}

static double gaps(const sal_refine_point *p, const sal_refine_point *q)
{
  return hypot(4 * log10(p->value[0] / q->value[0]), (p->value[1] - q->value[1]) / 5);
}

static void all_lie_on_the_border_and_apart(void)
{
  sal_refine_point point[MOST];

  plant(HEAD AXES, 1.5, beyond);
  const int64_t n = choose(12, point);
  CU_ASSERT_EQUAL(n, 12);
  for (int64_t i = 0; i < n; ++i) {
    double p[2][SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE];
    CU_ASSERT(differ(&point[i]));
    CU_ASSERT(i == 0 || point[i].score <= point[i - 1].score);
    sal_sweep_cell(&sweep, point[i].a, p[0], y);
    sal_sweep_cell(&sweep, point[i].b, p[1], y);
    CU_ASSERT_DOUBLE_EQUAL(point[i].value[0], sqrt(p[0][B] * p[1][B]), 1e-9 * p[0][B]);
    CU_ASSERT_DOUBLE_EQUAL(point[i].value[1], (p[0][K] + p[1][K]) / 2, 1e-12);
    CU_ASSERT(fabs(beyond(point[i].value[0], point[i].value[1])) <= 0.5 + 1e-9);
  }
  /* the border has 16 edges, neighbours 0.7 apart: the first half keep more distance */
  for (int64_t i = 0; i < 6; ++i)
    for (int64_t j = 0; j < i; ++j) CU_ASSERT(gaps(&point[i], &point[j]) > 1 - 1e-9);
  /* 1.5 times the work both ways: (1.5 - 1) of each, half of the sum; leads of 0.5 and log 100 */
  const double thin = 0.02, lead = thin / (1 + 0.5 / thin) + thin / (1 + log(100) / thin);
  CU_ASSERT_DOUBLE_EQUAL(point[0].score, 0.5 + lead, 1e-12);
  clear();
}

static void it_does_not_depend_on_the_run(void)
{
  sal_refine_point first[MOST], again[MOST];

  plant(HEAD AXES, 1.5, beyond);
  const int64_t n = choose(MOST, first);
  CU_ASSERT_EQUAL(n, MOST);
  clear();
  plant(HEAD AXES, 1.5, beyond);
  CU_ASSERT_EQUAL(choose(MOST, again), n);
  CU_ASSERT_EQUAL(memcmp(first, again, (size_t)n * sizeof *first), 0);
  CU_ASSERT(differ(&first[0]) && !differ(&first[n - 1])); /* thin leads come behind the border */
  clear();
}

static double nowhere(double b, double k)
{
  (void)b, (void)k;
  return -1;
}

static void errors_that_are_missed_count_and_so_do_thin_leads(void)
{
  sal_refine_point point[MOST];

  /* one cell in which the winner of all others misses the error: its 4 neighbours, a whole run */
  plant(HEAD AXES, 1.5, nowhere);
  const int64_t odd    = 4 * N + 4;
  table.error[2 * odd] = 1e-2;
  CU_ASSERT_EQUAL(choose(4, point), 4);
  for (int i = 0; i < 4; ++i) CU_ASSERT(point[i].a == odd || point[i].b == odd);
  CU_ASSERT(point[0].score > (1 + 0.5) / 2);
  clear();

  /* all agree, and in one cell the runner-up is close */
  plant(HEAD AXES, 1.5, nowhere);
  table.work[2 * odd + 1] = 100.1;
  CU_ASSERT_EQUAL(choose(4, point), 4);
  for (int i = 0; i < 4; ++i) CU_ASSERT(point[i].a == odd || point[i].b == odd);
  CU_ASSERT(point[0].score > 0.005 && point[0].score < 0.02);
  clear();

  /* no contender answers there: 1, as for a miss */
  plant(HEAD AXES, 1.5, nowhere);
  table.work[2 * odd] = table.work[2 * odd + 1] = NAN;
  CU_ASSERT_EQUAL(choose(4, point), 4);
  CU_ASSERT(point[0].a == odd || point[0].b == odd);
  CU_ASSERT_DOUBLE_EQUAL(point[0].score, 1, 1e-3);
  clear();
}

/* Along one axis the border is bisected, once in a round. */
static void rounds_close_in_on_the_border(void)
{
  double at[8];
  char   rows[512] = "";

  for (int round = 0; round < 8; ++round) {
    char             text[1024];
    sal_refine_point point[1];
    snprintf(text, sizeof text,
             HEAD "    - {name: b, log: [100, 10000], points: 9}\n"
                  "    - {name: adhesion, list: [clamp]}\n%s%s%s",
             round ? "  scattered: {columns: [b, adhesion], rows: [" : "", rows,
             round ? "]}\n" : "");
    plant(text, 1.5, beyond); /* k is 22.8 in all cells */
    CU_ASSERT_EQUAL_FATAL(choose(1, point), 1);
    CU_ASSERT(differ(&point[0]));
    at[round] = 4 * log10(point[0].value[0] / 100);
    snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "%s[%.17g, clamp]", round ? ", " : "",
             point[0].value[0]);
    clear();
  }
  const double border = 7.3 - (22.8 - 10) / 5;
  for (int round = 0; round < 8; ++round)
    CU_ASSERT(fabs(at[round] - border) <= ldexp(0.5, -round) + 1e-9);
  CU_ASSERT(fabs(at[0] - border) > 0.01);
}

SAL_TEST_MAIN("new cells", NULL,
              {"all lie on the border and apart", all_lie_on_the_border_and_apart},
              {"it does not depend on the run", it_does_not_depend_on_the_run},
              {"errors that are missed count, and so do thin leads",
               errors_that_are_missed_count_and_so_do_thin_leads},
              {"rounds close in on the border", rounds_close_in_on_the_border})
