/** SNES against Newton's iteration of src/orbit and certified figures. */
#include "cycle.h"
#include "providers.h"
#include "registry.h"
#include "sal_test.h"
#include "shooting.h"
#include <math.h>
#include <mpi.h>
#include <string.h>

/* Zana, Bodor, Bencsik & Zelei (2018), section 4.2 with L0 = 0: certified */
static const double leg[] = {75, 0.8, 15000, 150, -80, 9.81, 0, 0};
static const double ZU = 0.0190918565660852228, VU = 1.74034810614097928,
                    NU = 0.4713876308238839340197, PERIOD = 0.548240660888677266;

static sal_return_map map; /* does not move */

static void make_map(const char *model, int returns)
{
  const sal_return_setup setup = {.model = sal_registry_model(model),
                                  .method = sal_registry_method("dop853"),
                                  .rtol = 1e-12,
                                  .atol = 1e-12,
                                  .returns = returns};
  CU_ASSERT_EQUAL_FATAL(sal_return_map_create(&setup, &map), SAL_OK);
}

static sal_shooting_report shoot(sal_shooting_way way, double zU, double vU, double y[],
                                 bool closed[], sal_cycle *c)
{
  sal_shooting_report report;

  memcpy(y, (double[]){zU, 0, vU, 0}, 4 * sizeof *y);
  CU_ASSERT_EQUAL(sal_return_map_begin(&map, leg, y, closed, NULL), SAL_RETURN_MADE);
  *c = (sal_cycle){.param = leg, .y = y, .closed = closed};
  CU_ASSERT_EQUAL_FATAL(sal_shooting_find(&map, &(sal_cycle_setup){0}, way, c, &report), SAL_OK);
  return report;
}

static void snes_finds_the_certified_orbit(void)
{
  make_map("hopping-leg", 1);
  for (int way = SAL_SHOOTING_SINGLE; way <= SAL_SHOOTING_MULTIPLE; ++way) {
    double y[4];
    bool closed[SAL_MAX_GUARD];
    sal_cycle c;
    const sal_shooting_report r = shoot((sal_shooting_way)way, 0.025, 1.5, y, closed, &c);
    CU_ASSERT_EQUAL(c.why, SAL_CYCLE_FOUND);
    CU_ASSERT_EQUAL(r.pieces, way == SAL_SHOOTING_SINGLE ? 1 : 2);
    CU_ASSERT(r.iterations >= 2 && r.norm < 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(y[0], ZU, 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(y[2], VU, 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(c.period, PERIOD, 1e-11);
    CU_ASSERT(c.multipliers.n == 1);
    CU_ASSERT_DOUBLE_EQUAL(c.multipliers.re[0], NU, 1e-10);
  }
  sal_return_map_free(&map);
}

/* Two visits are one orbit of two returns: four pieces. */
static void newton_and_snes_agree(void)
{
  for (int returns = 1; returns <= 2; ++returns) {
    double y[4], z[4] = {0.018, 0, 1.8, 0};
    bool closed[SAL_MAX_GUARD], mode[SAL_MAX_GUARD];
    sal_cycle c, d = {.param = leg, .y = z, .closed = mode};
    make_map("hopping-leg", returns);
    const sal_shooting_report r = shoot(SAL_SHOOTING_MULTIPLE, 0.018, 1.8, y, closed, &c);
    CU_ASSERT_EQUAL(r.pieces, 2 * returns);
    CU_ASSERT_EQUAL(sal_return_map_begin(&map, leg, z, mode, NULL), SAL_RETURN_MADE);
    CU_ASSERT_EQUAL_FATAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, 1, &d), SAL_OK);
    CU_ASSERT(c.why == SAL_CYCLE_FOUND && d.why == SAL_CYCLE_FOUND);
    CU_ASSERT(fabs(y[2]) > 1 && c.least == 1 && d.least == 1);
    for (int i = 0; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(y[i], z[i], 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(c.multipliers.re[0], d.multipliers.re[0], 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(c.multipliers.re[0], returns == 1 ? NU : NU * NU, 1e-9);
    sal_return_map_free(&map);
  }
}

/* A guess from which neither Newton's iteration nor SNES over the whole return gets to an orbit. */
static void several_pieces_find_what_one_does_not(void)
{
  static const double param[] = {1, 0.8, 1, 0.14142135623730951, -0.0448, 1, 0, 0};
  double y[4];
  bool closed[SAL_MAX_GUARD];

  make_map("hopping-leg", 1);
  for (int way = SAL_SHOOTING_SINGLE; way <= SAL_SHOOTING_EITHER; ++way) {
    sal_shooting_report r;
    sal_cycle c = {.param = param, .y = y, .closed = closed};
    memcpy(y, (double[]){-0.6 / 7, 0, 0.5 + 8 * 2 / 13.0, 0}, 4 * sizeof *y);
    CU_ASSERT_EQUAL(sal_return_map_begin(&map, param, y, closed, NULL), SAL_RETURN_MADE);
    CU_ASSERT_EQUAL(sal_shooting_find(&map, &(sal_cycle_setup){0}, (sal_shooting_way)way, &c, &r),
                    SAL_OK);
    CU_ASSERT_EQUAL(c.why == SAL_CYCLE_FOUND, way != SAL_SHOOTING_SINGLE);
    CU_ASSERT_EQUAL(r.pieces > 1, way != SAL_SHOOTING_SINGLE);
    CU_ASSERT(c.why != SAL_CYCLE_FOUND || (c.closure < 1e-9 && c.flow < 1e-8));
  }
  sal_return_map_free(&map);
}

static void what_fails_is_said(void)
{
  double y[4];
  bool closed[SAL_MAX_GUARD];
  sal_cycle c;

  const sal_return_setup setup = {.model = sal_registry_model("hopping-leg"),
                                  .method = sal_registry_method("dop853"),
                                  .rtol = 1e-12,
                                  .atol = 1e-12,
                                  .t_most = 0.2};
  CU_ASSERT_EQUAL_FATAL(sal_return_map_create(&setup, &map), SAL_OK);
  const sal_shooting_report r = shoot(SAL_SHOOTING_EITHER, 0.02, 1.7, y, closed, &c);
  CU_ASSERT_EQUAL(c.why, SAL_CYCLE_LOST);
  CU_ASSERT(r.reason && strstr(r.reason, "does not come back") != NULL);
  sal_return_map_free(&map);
}

int SAL_TEST_ENTRY(int argc, char *argv[])
{
  (void)argc, (void)argv;
  CU_TestInfo cases[] = {
      {"SNES finds the certified orbit", snes_finds_the_certified_orbit},
      {"Newton and SNES agree", newton_and_snes_agree},
      {"several pieces find what one does not", several_pieces_find_what_one_does_not},
      {"what fails is said", what_fails_is_said},
      CU_TEST_INFO_NULL};
  const int failed = sal_test_run("shooting", NULL, cases, 1);
  sal_providers_finalize();
  MPI_Finalize();
  return failed;
}
