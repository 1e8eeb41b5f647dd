/** A plate that bounces level on its springs: all contacts change together, down and up. */
#include "cycle.h"
#include "registry.h"
#include "return_map.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

enum { X, Z, TH, VX, VZ, W, STATES };
enum { N, K, C, G, M };

static void presets(double n, double param[])
{
  const sal_model *m = sal_registry_model("plate");

  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  param[N] = n;
}

/* A bounce without damping: from the apex at z over the springs' ends at l0, and back. */
static double bounce(const void *inner, const double p[])
{
  (void)inner;
  const double high = 0.25, w = sqrt(p[K] / p[M]), v = sqrt(2 * p[G] * high);
  const double phase = atan2(v / w, p[G] / (w * w));

  return 2 * v / p[G] + 2 * (3.14159265358979323846 - phase) / w;
}

static void level_bounces_have_multipliers_of_either_way(void)
{
  for (int n = 2; n <= 50; n *= 5) {
    static sal_return_map map;
    const sal_return_setup setup = {.model = sal_registry_model("plate"),
                                    .method = sal_registry_method("dop853"),
                                    .rtol = 1e-12,
                                    .atol = 1e-12,
                                    .n_guard = n,
                                    .section = {.name = "apex", .period = bounce}};
    double param[SAL_MAX_PARAM];
    double y[STATES] = {0, 1.25, 0, 0, 0, 0}, end[STATES];
    double dp[STATES * STATES], by_steps[STATES * STATES], worst = 0, size = 0;
    bool closed[SAL_MAX_GUARD] = {false};
    sal_multipliers found;

    presets(n, param);
    param[K] = 1000;
    param[C] = 0;
    CU_ASSERT_EQUAL_FATAL(sal_return_map_create(&setup, &map), SAL_OK);
    CU_ASSERT_EQUAL(map.n_unknown, STATES);
    sal_return p = {.param = param, .start = y, .closed = closed, .end = end, .dp = dp};
    CU_ASSERT_EQUAL(sal_return_map_run(&map, 1, &p), SAL_OK);
    CU_ASSERT_EQUAL(p.n_event, 2 * n);
    for (int i = 0; i < STATES; ++i) CU_ASSERT_DOUBLE_EQUAL(end[i], y[i], 1e-10);
    p.dp = by_steps;
    CU_ASSERT_EQUAL(sal_return_differences(&map, 0, 1, &p), SAL_OK);
    for (int i = 0; i < STATES * STATES; ++i) {
      worst = fmax(worst, fabs(dp[i] - by_steps[i]));
      size = fmax(size, fabs(dp[i]));
    }
    CU_ASSERT(size > 1);
    CU_ASSERT(worst < 1e-5 * size);
    CU_ASSERT(sal_multipliers_find(STATES, dp, STATES, NULL, &found));
    /* conservative: the largest and the least one are reciprocal */
    const double most = hypot(found.re[0], found.im[0]);
    const double least = hypot(found.re[STATES - 1], found.im[STATES - 1]);
    CU_ASSERT(most > 1.5);
    CU_ASSERT_DOUBLE_EQUAL(most * least, 1, 1e-6);
    sal_return_map_free(&map);
  }
}

/* Shaken, with dampers: a level orbit once a period, from which rocking grows. */
static void a_shaken_plate_has_the_same_multipliers_of_either_way(void)
{
  for (int n = 2; n <= 50; n *= 5) {
    static sal_return_map map;
    const sal_return_setup setup = {.model = sal_registry_model("plate"),
                                    .method = sal_registry_method("dop853"),
                                    .rtol = 1e-12,
                                    .atol = 1e-12,
                                    .n_guard = n};
    const sal_model *m = setup.model;
    double param[SAL_MAX_PARAM], y[STATES] = {0, 0.87, 0, 0, 0.83, 0}, end[STATES];
    double dp[STATES * STATES];
    bool closed[SAL_MAX_GUARD];
    sal_multipliers by_steps;

    presets(n, param);
    for (int i = 0; i < m->n_param; ++i)
      if (strcmp(m->param[i].name, "A") == 0) param[i] = 0.05;
    CU_ASSERT_EQUAL_FATAL(sal_return_map_create(&setup, &map), SAL_OK);
    CU_ASSERT_EQUAL(sal_return_map_begin(&map, param, y, closed, NULL), SAL_RETURN_MADE);
    sal_cycle c = {.param = param, .y = y, .closed = closed};
    CU_ASSERT_EQUAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, 1, &c), SAL_OK);
    CU_ASSERT_EQUAL_FATAL(c.why, SAL_CYCLE_FOUND);
    CU_ASSERT_EQUAL(c.n_event, 2 * n);
    CU_ASSERT(y[TH] == 0 && y[W] == 0 && closed[0] && closed[n - 1]);
    sal_return p = {.param = param, .start = y, .closed = closed, .end = end, .dp = dp};
    CU_ASSERT_EQUAL(sal_return_differences(&map, 0, 1, &p), SAL_OK);
    CU_ASSERT(sal_multipliers_find(STATES, dp, STATES, NULL, &by_steps));
    CU_ASSERT_EQUAL_FATAL(c.multipliers.n, STATES);
    CU_ASSERT(c.multipliers.re[0] > 1.6 && c.multipliers.re[0] < 2);
    for (int i = 0; i < STATES; ++i) {
      CU_ASSERT_DOUBLE_EQUAL(c.multipliers.re[i], by_steps.re[i], 1e-6);
      CU_ASSERT_DOUBLE_EQUAL(c.multipliers.im[i], by_steps.im[i], 1e-6);
    }
    sal_return_map_free(&map);
  }
}

SAL_TEST_MAIN("simultaneous", NULL,
              {"level bounces have multipliers of either way",
               level_bounces_have_multipliers_of_either_way},
              {"a shaken plate has the same multipliers of either way",
               a_shaken_plate_has_the_same_multipliers_of_either_way})
