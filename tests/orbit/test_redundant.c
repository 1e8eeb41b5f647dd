/** Orbits in redundant coordinates: Zana, Bodor, Bencsik & Zelei (2018), section 4.2 in all eight
 *  states of (18).  As printed, (31) is singular and (36) has three multipliers of 1.
 */
#include "cycle.h"
#include "leg_particles.h"
#include "registry.h"
#include "sal_test.h"
#include "trace.h"
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { STATES = 8, UNKNOWNS = 6, CONSTRAINTS = 4 };

static const double t_F = 0.298898121589078119, t_G = 0.249342539299599147;
static const double zU = 0.0190918565660852228, vU = 1.74034810614097928;
static const double nu = 0.4713876308238839340197, share_lost = 0.195291481781671871;

/* Shares of the upper and the lower body's mass. */
static const double shares[][2] = {{0.5, 0.5}, {0.3, 0.7}};
enum { SHARES = sizeof shares / sizeof *shares };

static sal_return_map map; /* does not move */

static void make_map(void)
{
  const sal_return_setup setup = {.model = &leg_particles,
                                  .method = sal_registry_method("dop853"),
                                  .rtol = 1e-12,
                                  .atol = 1e-12};

  CU_ASSERT_EQUAL_FATAL(sal_return_map_create(&setup, &map), SAL_OK);
}

static void set_param(int share, double reset, double param[])
{
  for (int i = 0; i < leg_particles.n_param; ++i) param[i] = leg_particles.param[i].preset;
  param[LEG_MU_U] = shares[share][0];
  param[LEG_MU_L] = shares[share][1];
  param[LEG_RESET] = reset;
}

/* z1 = z2, z3 = z4, and their velocities. */
static int normals(const double param[], const bool closed[], const double y[], double normal[])
{
  (void)param, (void)closed, (void)y;
  memset(normal, 0, (size_t)CONSTRAINTS * STATES * sizeof *normal);
  for (int r = 0; r < CONSTRAINTS; ++r) {
    normal[r * STATES + 2 * r] = 1;
    normal[r * STATES + 2 * r + 1] = -1;
  }
  return CONSTRAINTS;
}

/* To the middle of each pair; the foot's height is given. */
static void project(const double param[], const bool closed[], double y[])
{
  (void)param, (void)closed;
  for (int i = 0; i < STATES; i += 4) {
    y[i] = y[i + 1] = (y[i] + y[i + 1]) / 2;
    y[i + 2] = y[i + 3];
  }
}

static sal_cycle seek(const sal_cycle_setup *setup, const double param[], const double guess[],
                      double y[], bool closed[], double dp[])
{
  sal_cycle c = {.param = param, .y = y, .closed = closed, .dp = dp};

  memcpy(y, guess, STATES * sizeof *y);
  CU_ASSERT_EQUAL(sal_return_map_begin(&map, param, y, closed, NULL), SAL_RETURN_MADE);
  CU_ASSERT_EQUAL_FATAL(sal_cycle_find(&map, setup, 1, &c), SAL_OK);
  return c;
}

static const sal_cycle_setup along = {.normals = normals, .project = project};

/* Values by falling modulus; those that are 0 may be a Jordan block's. */
static void check_spectrum(const sal_multipliers *f, int n, const double value[], double off)
{
  CU_ASSERT_EQUAL_FATAL(f->n, n);
  for (int i = 0; i < n; ++i)
    CU_ASSERT(hypot(f->re[i] - value[i], f->im[i]) <= (value[i] == 0 ? 1e-3 : off));
}

/* The orbit from a guess that misses the constraints by 2e-3: projected first, it is the true one. */
static const double missing[STATES] = {0.021, 0.019, 0.001, 0, 1.73, 1.73, 0, 0};

static void projected_newton_finds_the_orbit(void)
{
  make_map();
  CU_ASSERT_EQUAL_FATAL(map.n_unknown, UNKNOWNS); /* those of (31) */
  for (int share = 0; share < SHARES; ++share) {
    double param[SAL_MAX_PARAM], y[STATES];
    bool closed[1];
    sal_trace t;
    set_param(share, LEG_PROJECTS, param);
    const sal_cycle c = seek(&along, param, missing, y, closed, NULL);
    CU_ASSERT_EQUAL_FATAL(c.why, SAL_CYCLE_FOUND);
    const double exact[STATES] = {zU, zU, 0, 0, vU, vU, 0, 0};
    for (int i = 0; i < STATES; ++i) CU_ASSERT_DOUBLE_EQUAL(y[i], exact[i], 1e-11);
    CU_ASSERT(c.iterations >= 4 && c.iterations <= 10);
    check_spectrum(&c.multipliers, 1, &nu, 1e-10); /* on the section and the constraints */
    CU_ASSERT_EQUAL_FATAL(sal_trace_run(&map, &c, 64, &t), SAL_OK);
    CU_ASSERT_DOUBLE_EQUAL(t.phase[0].end, t_F, 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(t.period, t_F + t_G, 1e-10);
    sal_trace_free(&t);
  }
  sal_return_map_free(&map);
}

/* (36): the flow's direction and two drifts have 1; on the tangent space of the constraints one is
 * left.  By the reset (12) there are four, one of them a Jordan block. */
static void drifts_are_multipliers_of_1_off_the_constraints(void)
{
  static const double all[STATES] = {1, 1, 1, nu}, tangent[4] = {1, nu};
  double normal[STATES * STATES], basis[STATES * STATES];
  int m;

  make_map();
  CU_ASSERT(sal_multipliers_basis(STATES, normals(NULL, NULL, NULL, normal), normal, &m, basis));
  CU_ASSERT_EQUAL_FATAL(m, 4);
  for (int share = 0; share < 2 * SHARES; ++share) {
    double param[SAL_MAX_PARAM], y[STATES];
    bool closed[1];
    sal_trace t;
    sal_multipliers found;
    const bool stops = share >= SHARES;
    set_param(share % SHARES, stops ? LEG_STOPS : LEG_PROJECTS, param);
    const sal_cycle c = seek(&along, param, missing, y, closed, NULL);
    CU_ASSERT_EQUAL_FATAL(c.why, SAL_CYCLE_FOUND);
    CU_ASSERT_EQUAL_FATAL(sal_trace_run(&map, &c, 64, &t), SAL_OK);
    CU_ASSERT_EQUAL_FATAL(t.n_full, STATES);
    CU_ASSERT(sal_multipliers_find(STATES, t.monodromy, STATES, NULL, &found));
    if (stops)
      check_spectrum(&found, STATES, (const double[STATES]){1, 1, 1, 1, nu}, 1e-4);
    else
      check_spectrum(&found, STATES, all, 1e-7);
    CU_ASSERT(sal_multipliers_find(STATES, t.monodromy, m, basis, &found));
    check_spectrum(&found, m, tangent, 1e-9);
    sal_trace_free(&t);
  }
  sal_return_map_free(&map);
}

/* (31) as printed: its matrix has rank 4, and a guess off the constraints leads to one orbit of
 * a family that violates them, which two multipliers of 1 show. */
static void as_printed_newton_is_singular(void)
{
  double param[SAL_MAX_PARAM], y[STATES], dp[UNKNOWNS * UNKNOWNS];
  double size[UNKNOWNS], super[UNKNOWNS];
  bool closed[1];
  sal_cycle c;

  make_map();
  set_param(0, LEG_PROJECTS, param);
  c = seek(&along, param, missing, y, closed, dp);
  CU_ASSERT_EQUAL(c.why, SAL_CYCLE_FOUND);
  for (int i = 0; i < UNKNOWNS; ++i) dp[i * UNKNOWNS + i] -= 1;
  CU_ASSERT_EQUAL(LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', UNKNOWNS, UNKNOWNS, dp, UNKNOWNS, size,
                                 NULL, 1, NULL, 1, super),
                  0);
  static const double known[] = {7.47, 1.04, 1.01, 0.146};
  for (int i = 0; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(size[i], known[i], 0.005 * known[i]);
  CU_ASSERT(size[4] < 1e-12 && size[5] < 1e-12);

  c = seek(&(sal_cycle_setup){0}, param, missing, y, closed, NULL);
  const double *re = c.multipliers.re;
  CU_ASSERT(c.why != SAL_CYCLE_FOUND ||
            (c.multipliers.n == UNKNOWNS - 1 && fabs(re[0] - 1) < 1e-6 && fabs(re[1] - 1) < 1e-6));
  CU_ASSERT(c.why != SAL_CYCLE_FOUND || fabs(y[0] - y[1]) > 1e-4);
  sal_return_map_free(&map);
}

/* The kinetic energy that the touchdown takes, T_c = 1/2 q'^T P_c^T H P_c q', and what is left. */
static void the_touchdown_splits_the_energy(void)
{
  make_map();
  for (int share = 0; share < SHARES; ++share) {
    double param[SAL_MAX_PARAM], y[STATES], T[3] = {0};
    bool closed[1];
    sal_trace t;
    set_param(share, LEG_PROJECTS, param);
    const sal_cycle c = seek(&along, param, missing, y, closed, NULL);
    CU_ASSERT_EQUAL_FATAL(sal_trace_run(&map, &c, 64, &t), SAL_OK);
    const double *before = t.phase[0].last + 4, *after = t.phase[1].first + 4;
    for (int i = 0; i < 4; ++i) {
      const double body = i < 2 ? param[LEG_M] * param[LEG_MU] : param[LEG_M] * (1 - param[LEG_MU]);
      const double part = i < 2 ? param[LEG_MU_U] : param[LEG_MU_L];
      const double mass = body * (i % 2 ? 1 - part : part);
      T[0] += mass * before[i] * before[i] / 2;
      T[1] += mass * after[i] * after[i] / 2;
      T[2] += mass * (before[i] - after[i]) * (before[i] - after[i]) / 2;
    }
    CU_ASSERT(T[0] > 50);
    CU_ASSERT_DOUBLE_EQUAL(T[1] + T[2], T[0], 1e-12 * T[0]);
    CU_ASSERT_DOUBLE_EQUAL(T[2] / T[0], share_lost, 1e-11);
    sal_trace_free(&t);
  }
  sal_return_map_free(&map);
}

SAL_TEST_MAIN("orbits in redundant coordinates", NULL,
              {"projected Newton finds the orbit", projected_newton_finds_the_orbit},
              {"drifts are multipliers of 1 off the constraints",
               drifts_are_multipliers_of_1_off_the_constraints},
              {"as printed Newton is singular", as_printed_newton_is_singular},
              {"the touchdown splits the energy", the_touchdown_splits_the_energy})
