/** Orbits around guesses from which Newton's iteration finds none: the same at any width, none that is
 *  no orbit, and none where there is none.
 */
#include "cycle.h"
#include "registry.h"
#include "sal_test.h"
#include <string.h>

enum { M, MU, K, DF, DG, G, L0, RELEASE, LEG };
enum { ZU, ZL, VU, VL, STATES };

static sal_return_map map; /* does not move */

static void make_map(int width)
{
  const sal_return_setup setup = {.model = sal_registry_model("hopping-leg"),
                                  .method = sal_registry_method("dop853"),
                                  .rtol = 1e-12,
                                  .atol = 1e-12,
                                  .width = width};
  CU_ASSERT_EQUAL_FATAL(sal_return_map_create(&setup, &map), SAL_OK);
}

/* A leg in units of its own, with a far guess; its release velocity on the nearest orbit, from a scan of
 * the release line by matrix exponentials. */
typedef struct {
  double param[LEG], zU, vU, root;
} far_guess;
static const far_guess given[] = {
    {{1, 0.533, 1, 0.282, -0.194, 1, 0, 0}, 7.5, 13.49, 4.505081155102},
    {{1, 0.774, 1, 0.066, -0.114, 1, 0, 0}, 5.91, 11.46, 9.366703130335},
};
enum { GIVEN = sizeof given / sizeof *given };

static sal_cycle scan(const far_guess *from, double y[], bool closed[], sal_scan_report *report)
{
  const double guess[STATES] = {[ZU] = from->zU, [VU] = from->vU};
  sal_cycle c = {.param = from->param, .y = y, .closed = closed};

  CU_ASSERT_EQUAL_FATAL(sal_scan_find(&map, &(sal_cycle_setup){0}, guess, &c, report), SAL_OK);
  return c;
}

static bool newton_finds(const far_guess *from)
{
  double y[STATES] = {[ZU] = from->zU, [VU] = from->vU};
  bool closed[SAL_MAX_GUARD];
  sal_cycle c = {.param = from->param, .y = y, .closed = closed};

  CU_ASSERT_EQUAL(sal_return_map_begin(&map, from->param, y, closed, NULL), SAL_RETURN_MADE);
  CU_ASSERT_EQUAL_FATAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, 1, &c), SAL_OK);
  return c.why == SAL_CYCLE_FOUND;
}

static void a_scan_finds_what_newton_does_not(void)
{
  for (int i = 0; i < GIVEN; ++i) {
    double y[STATES], again[STATES], end[STATES];
    bool closed[SAL_MAX_GUARD];
    sal_scan_report report, other;
    make_map(0);
    CU_ASSERT(!newton_finds(&given[i]));
    const sal_cycle c = scan(&given[i], y, closed, &report);
    CU_ASSERT_EQUAL_FATAL(c.why, SAL_CYCLE_FOUND);
    CU_ASSERT(report.found > 0 && report.points > 0 && c.multipliers.n == 1);
    sal_return p = {.param = given[i].param, .start = y, .closed = closed, .end = end};
    CU_ASSERT_EQUAL(sal_return_map_run(&map, 1, &p), SAL_OK);
    CU_ASSERT(p.why == SAL_RETURN_MADE && sal_cycle_residual(&map, y, end) < 1e-11);
    /* on the release line, (62) = 0, and at a fixed point */
    CU_ASSERT_DOUBLE_EQUAL(y[ZU], 1 - given[i].param[MU] - given[i].param[DG] * y[VU], 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(y[VU], given[i].root, 1e-9);
    sal_return_map_free(&map);
    for (int width = 1; width <= sal_integrate_widest() && width <= 4; width += 3) {
      make_map(width);
      scan(&given[i], again, closed, &other);
      CU_ASSERT(memcmp(y, again, sizeof y) == 0 && report.found == other.found);
      sal_return_map_free(&map);
    }
  }
}

/* A leg that feeds nothing bounces to no end. */
static void where_there_is_none_a_scan_finds_none(void)
{
  static const far_guess dead = {{1, 0.8, 1, 0.2, 0.2, 1, 0, 0}, 0.5, 1, 0};
  double y[STATES];
  bool closed[SAL_MAX_GUARD];
  sal_scan_report report;

  make_map(0);
  const sal_cycle c = scan(&dead, y, closed, &report);
  CU_ASSERT_EQUAL(c.why, SAL_CYCLE_DIVERGES);
  CU_ASSERT(report.found == 0 && report.points == 480 && report.reach == 8);
  sal_return_map_free(&map);
}

SAL_TEST_MAIN("scan", NULL,
              {"a scan finds what Newton does not", a_scan_finds_what_newton_does_not},
              {"where there is none a scan finds none", where_there_is_none_a_scan_finds_none})
