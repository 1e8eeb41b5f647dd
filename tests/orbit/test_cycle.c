/** @file tests/orbit/test_cycle.c
 *  Periodic orbits of registered models against certified figures.
 */
#include "cycle.h"
#include "registry.h"
#include "return_differences.h"
#include "sal_test.h"
#include "seed.h"
#include <math.h>
#include <string.h>

/* Section 4.2 of Zana, Bodor, Bencsik & Zelei (2018), certified: specs/zana/orbit42.json */
static const double leg[] = {75, 0.8, 15000, 150, -80, 9.81, 0, 0};

static sal_return_map map_of(const char *model, double rtol, int returns)
{
  sal_return_map         map;
  const sal_return_setup setup = {.model   = sal_registry_model(model),
                                  .method  = sal_registry_method("dop853"),
                                  .rtol    = rtol,
                                  .atol    = rtol,
                                  .returns = returns};
  CU_ASSERT_EQUAL_FATAL(sal_return_map_create(&setup, &map), SAL_OK);
  return map;
}

static void the_orbit_of_section_4_2(void)
{
  sal_return_map         map;
  const sal_return_setup setup = {.model   = sal_registry_model("hopping-leg"),
                                  .method  = sal_registry_method("dop853"),
                                  .rtol    = 1e-12,
                                  .atol    = 1e-12,
                                  .returns = 1};
  CU_ASSERT_EQUAL_FATAL(sal_return_map_create(&setup, &map), SAL_OK);
  double y[4] = {0.02, 0.1, 1.7, 0.3}, dp[4];
  bool   closed[SAL_MAX_GUARD];
  CU_ASSERT_EQUAL(sal_return_map_begin(&map, leg, y, closed, NULL), SAL_RETURN_MADE);
  sal_cycle c = {.param = leg, .y = y, .closed = closed, .dp = dp};
  CU_ASSERT_EQUAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, 1, &c), SAL_OK);
  printf("\n why %s it %d closure %.3g period %.17g n %d nu %.17g y %.17g %.17g dp %.12g %.12g "
         "%.12g %.12g flow %g gap %g cross %g least %d unk %d\n",
         sal_cycle_texts[c.why].label, c.iterations, c.closure, c.period - 0.548240660888677266,
         c.multipliers.n, c.multipliers.re[0] - 0.4713876308238839340197,
         y[0] - 0.0190918565660852228, y[2] - 1.74034810614097928, dp[0], dp[1], dp[2], dp[3],
         c.flow, c.gap, c.crossing, c.least, map.n_unknown);
  double     fd[4], delay[2], end[4];
  sal_return p = {.param = leg, .start = y, .closed = closed, .dp = fd, .delay = delay, .end = end};
  CU_ASSERT_EQUAL(sal_return_differences(&map, 0, 1, &p), SAL_OK);
  printf("%s %.12g %.12g %.12g %.12g trace %.3g\n", sal_return_texts[p.why].label, fd[0], fd[1],
         fd[2], fd[3], fd[0] + fd[3] - 0.4713876308238839340197);
  sal_return_map_free(&map);
  (void)map_of;
}

SAL_TEST_MAIN("cycle", NULL, {"the orbit of section 4.2", the_orbit_of_section_4_2})
