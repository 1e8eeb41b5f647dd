/** The powered monopod (kernels/models/monopod.c): seeds by simulation, cycles by Newton's iteration,
 *  where rest loses its stability, and what leaving the saltation out would make of it.
 */
#include "cycle.h"
#include "registry.h"
#include "sal_test.h"
#include "seed.h"
#include "trace.h"
#include "variation.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { B, M1, K, F, ZETA_F, ZETA_G, PARAMS = 7, STATES = 4 };
#define PI 3.14159265358979323846

/* Computed independently, with a section at touchdown (the powered monopod of spring and damper in
 * parallel): period, stance, apex of the toe, largest multiplier. */
typedef struct {
  double zeta_F, zeta_G, period, stance, apex, multiplier;
} known;
static const known cycle[] = {
    {0, -0.02, 10.37308, 2.9336, 0.3774, 0.3513},   {0, -0.03, 11.36748, 2.8114, 0.4823, -0.4397},
    {0.02, -0.02, 6.04052, 3.6500, 0.0386, 0.8736}, {0.02, -0.05, 11.40736, 2.8715, 0.4768, 0.5007},
    {0.05, -0.03, 6.11389, 3.5817, 0.0421, 0.7943}, {0.05, -0.05, 9.48124, 3.0072, 0.2730, 0.8865},
    {0.1, -0.03, 6.07316, 3.6309, 0.0386, 0.9191},  {0.1, -0.05, 8.53591, 3.0976, 0.1953, 0.9711},
    {0.2, -0.03, 5.67135, 3.8942, 0.0227, 0.9588},
};
enum { CYCLES = sizeof cycle / sizeof *cycle, CELLS = CYCLES + 1 };

static sal_return_map map; /* does not move */

static void make_map(double rtol)
{
  const sal_return_setup setup = {.model = sal_registry_model("monopod"),
                                  .method = sal_registry_method("dop853"),
                                  .rtol = rtol,
                                  .atol = rtol};
  CU_ASSERT_EQUAL_FATAL(sal_return_map_create(&setup, &map), SAL_OK);
  CU_ASSERT_EQUAL(map.n_unknown, 3);
}

static void nominal(double zeta_F, double zeta_G, double param[])
{
  const sal_model *m = sal_registry_model("monopod");

  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  param[m->n_param] = 0;
  param[ZETA_F] = zeta_F;
  param[ZETA_G] = zeta_G;
}

static void compare(const known *k, sal_cycle *c)
{
  sal_trace t;

  CU_ASSERT_EQUAL_FATAL(c->why, SAL_CYCLE_FOUND);
  CU_ASSERT_EQUAL_FATAL(sal_trace_run(&map, c, 512, &t), SAL_OK);
  CU_ASSERT_DOUBLE_EQUAL(c->period, k->period, 5.1e-6);
  CU_ASSERT_DOUBLE_EQUAL(t.phase[0].end, k->stance, 5.1e-5);
  CU_ASSERT_DOUBLE_EQUAL(t.most[0], k->apex, 5.1e-5);
  CU_ASSERT_DOUBLE_EQUAL(c->multipliers.re[0], k->multiplier, 5.1e-5);
  CU_ASSERT(c->multipliers.n == 3 && hypot(c->multipliers.re[1], c->multipliers.im[1]) < 1e-3);
  CU_ASSERT(c->closure < 1e-10 && c->flow < 1e-9 && c->crossing > 0.1);
  sal_trace_free(&t);
}

/* One touchdown per period, all in one batch; the tenth cell has no power, touches down no more, and its leg
 * still swings, ever more slowly damped, when the longest time is over. */
static void nine_cycles_have_their_digits(void)
{
  double param[CELLS][PARAMS], y[CELLS][STATES], memory[CELLS][SAL_SEED_PERIODS * STATES];
  bool closed[CELLS][1];
  sal_seed seed[CELLS];
  sal_cycle c[CELLS];

  make_map(1e-11);
  for (int i = 0; i < CELLS; ++i) {
    nominal(i < CYCLES ? cycle[i].zeta_F : 0.2, i < CYCLES ? cycle[i].zeta_G : 0, param[i]);
    memcpy(y[i], (double[]){0.5, 0, 1.5, 0}, sizeof y[i]);
    seed[i] = (sal_seed){.param = param[i], .y = y[i], .closed = closed[i], .memory = memory[i]};
  }
  CU_ASSERT_EQUAL(sal_seed_find(&map, &(sal_seed_setup){.max_visits = 400}, CELLS, seed), SAL_OK);
  for (int i = 0; i < CYCLES; ++i) {
    CU_ASSERT(seed[i].why == SAL_RETURN_MADE && seed[i].returns == 1 && seed[i].n_visit > 8);
    c[i] = (sal_cycle){.param = param[i], .y = y[i], .closed = closed[i]};
  }
  CU_ASSERT_EQUAL(seed[CYCLES].why, SAL_RETURN_LOST);
  CU_ASSERT_EQUAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, CYCLES, c), SAL_OK);
  for (int i = 0; i < CYCLES; ++i) compare(&cycle[i], &c[i]);
  sal_return_map_free(&map);
}

/* The largest multiplier of Phi_G Phi_F on the section y1 = 0, without the jump of f at lift-off and
 * touchdown in between. */
static double without_saltation(const sal_cycle *c, const sal_trace *t)
{
  const sal_setup setup = {
      .model = &map.model, .method = sal_registry_method("dop853"), .rtol = 1e-11, .atol = 1e-11};
  void *const work = aligned_alloc(64, (sal_variation_bytes(&setup) + 63) / 64 * 64);
  double all[STATES * STATES] = {0}, phi[STATES * STATES], f[STATES];
  sal_multipliers found;

  if (!work) abort();
  for (int i = 0; i < STATES; ++i) all[i * STATES + i] = 1;
  for (int64_t p = 0; p < t->n; ++p) {
    double y[STATES], product[STATES * STATES] = {0};
    memcpy(y, t->phase[p].first, sizeof y);
    CU_ASSERT_EQUAL(sal_variation_run(&setup, c->param, t->phase[p].closed, t->phase[p].begin,
                                      t->phase[p].end, y, phi, work),
                    SAL_OUT_DONE);
    for (int i = 0; i < STATES; ++i)
      for (int j = 0; j < STATES; ++j)
        for (int k = 0; k < STATES; ++k)
          product[i * STATES + j] += phi[i * STATES + k] * all[k * STATES + j];
    memcpy(all, product, sizeof all);
  }
  free(work);
  sal_model_field(&map.model, c->param, t->phase[t->n - 1].closed, 0, t->phase[t->n - 1].last, f);
  double M[9];
  for (int i = 1; i < STATES; ++i)
    for (int j = 1; j < STATES; ++j)
      M[(i - 1) * 3 + j - 1] = all[i * STATES + j] - f[i] * all[j] / f[0];
  CU_ASSERT(sal_multipliers_find(3, M, 3, NULL, &found));
  return found.re[0];
}

static void leaving_saltation_out_is_seen(void)
{
  double param[PARAMS], y[] = {0.5, 0, 1.5, 0};
  bool closed[1];
  sal_trace t;

  make_map(1e-11);
  nominal(0, -0.03, param);
  double memory[SAL_SEED_PERIODS * STATES];
  sal_seed seed = {.param = param, .y = y, .closed = closed, .memory = memory};
  CU_ASSERT_EQUAL(sal_seed_find(&map, &(sal_seed_setup){0}, 1, &seed), SAL_OK);
  sal_cycle c = {.param = param, .y = y, .closed = closed};
  CU_ASSERT_EQUAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, 1, &c), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(c.why, SAL_CYCLE_FOUND);
  CU_ASSERT_EQUAL_FATAL(sal_trace_run(&map, &c, 512, &t), SAL_OK);
  CU_ASSERT_DOUBLE_EQUAL(c.multipliers.re[0], -0.4397, 5.1e-5);
  CU_ASSERT_DOUBLE_EQUAL(without_saltation(&c, &t), -0.5395, 5.1e-5);
  sal_trace_free(&t);
  sal_return_map_free(&map);
}

/* Real part of the slow pair at rest. */
static double slow_part(double zeta_G, double *frequency)
{
  const sal_model *m = sal_registry_model("monopod");
  double param[PARAMS], y[STATES], J[STATES * STATES];
  sal_multipliers found;
  int slow = 0;

  nominal(0, zeta_G, param);
  CU_ASSERT(m->equilibrium(m->inner, param, SAL_EQUILIBRIUM_TRUE, y));
  sal_model_jacobian(m, param, 0, y, true, J);
  CU_ASSERT(sal_multipliers_find(STATES, J, STATES, NULL, &found));
  for (int i = 0; i < STATES; ++i)
    if (fabs(found.im[i]) > 0.1 && fabs(found.im[i]) < 2) slow = i;
  *frequency = fabs(found.im[slow]);
  return found.re[slow];
}

static void rest_loses_its_stability_where_a_pair_crosses(void)
{
  double lo = 0, hi = -0.03, frequency;

  CU_ASSERT_DOUBLE_EQUAL(slow_part(0, &frequency), -0.00282, 5e-6);
  CU_ASSERT_DOUBLE_EQUAL(frequency, 1.215, 5e-4);
  CU_ASSERT(slow_part(hi, &frequency) > 0);
  for (int i = 0; i < 60; ++i) {
    const double mid = (lo + hi) / 2;
    if (slow_part(mid, &frequency) < 0)
      lo = mid;
    else
      hi = mid;
  }
  CU_ASSERT_DOUBLE_EQUAL(lo, -0.015329, 5.1e-7);
  /* the zero of the third Hurwitz determinant of the characteristic polynomial, in 50 digits */
  CU_ASSERT_DOUBLE_EQUAL(lo / PI, -0.00487948043537063514, 1e-13);
}

SAL_TEST_MAIN("powered_monopod", NULL,
              {"nine cycles have their digits", nine_cycles_have_their_digits},
              {"leaving saltation out is seen", leaving_saltation_out_is_seen},
              {"rest loses its stability where a pair crosses",
               rest_loses_its_stability_where_a_pair_crosses})
