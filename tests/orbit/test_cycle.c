/** Periodic orbits against certified figures and closed forms; failures are reported. */
#include "cycle.h"
#include "registry.h"
#include "return_map.h"
#include "sal_test.h"
#include "trace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Zana, Bodor, Bencsik & Zelei (2018), section 4.2 with L0 = 0, certified to 18 digits. */
enum { M, MU, K, DF, DG, G, L0, RELEASE, LEG };
enum { ZU, ZL, VU, VL, STATES };
static const double leg[LEG] = {75, 0.8, 15000, 150, -80, 9.81, 0, 0};
static const double released[STATES] = {0.0190918565660852228, 0, 1.74034810614097928, 0};
static const double landed[STATES] = {-0.00848777256463664581, 0, -1.54446412028896124,
                                      -1.52170395822451969};
static const double t_F = 0.298898121589078119, t_G = 0.249342539299599147;
static const double nu = 0.4713876308238839340197, share_lost = 0.195291481781671871;
/* (68), (69) */
static const double by_hand[] = {0.0175387550705264754, 0.00242052733735123978, 3.28851657572371415,
                                 0.453848875753357459};
static const double around[] = {-0.729323049662870709,
                                -0.134339783315659738,
                                -0.248264208638273748,
                                -0.0633669824503788874,
                                0,
                                0,
                                0,
                                0,
                                11.4138782121361912,
                                4.19099731956488693,
                                3.18113272347621103,
                                0.803178313674912416,
                                -11.4518810059120902,
                                -2.27084555084809525,
                                -3.84383261829291648,
                                -0.980422042989456390};

static sal_return_map map; /* does not move */

static void make_map(const char *model, double rtol, int width)
{
  const sal_return_setup setup = {.model = sal_registry_model(model),
                                  .method = sal_registry_method("dop853"),
                                  .rtol = rtol,
                                  .atol = rtol,
                                  .width = width};
  CU_ASSERT_EQUAL_FATAL(sal_return_map_create(&setup, &map), SAL_OK);
}

/* From a guess; the foot's own states are those of a release, whatever is given. */
static sal_cycle leg_cycle(const double param[], double zU, double vU, double y[], bool closed[],
                           double dp[])
{
  sal_cycle c = {.param = param, .y = y, .closed = closed, .dp = dp};

  memcpy(y, (double[]){zU, 0.3, vU, 0.7}, STATES * sizeof *y);
  CU_ASSERT_EQUAL(sal_return_map_begin(&map, param, y, closed, NULL), SAL_RETURN_MADE);
  CU_ASSERT(y[ZL] == 0 && y[VL] == 0);
  CU_ASSERT_EQUAL_FATAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, 1, &c), SAL_OK);
  return c;
}

static void section_4_2_has_its_digits(void)
{
  double y[STATES], dp[4];
  bool closed[SAL_MAX_GUARD];
  sal_trace t;

  make_map("hopping-leg", 1e-12, 0);
  CU_ASSERT_EQUAL(map.n_unknown, 2);
  const sal_cycle c = leg_cycle(leg, 0.025, 1.5, y, closed, dp);
  CU_ASSERT_EQUAL_FATAL(c.why, SAL_CYCLE_FOUND);
  CU_ASSERT_EQUAL_FATAL(sal_trace_run(&map, &c, 0, &t), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(t.n, 2);
  CU_ASSERT_DOUBLE_EQUAL(t.phase[0].end, t_F, 1e-11);
  CU_ASSERT_DOUBLE_EQUAL(t.phase[1].end - t.phase[1].begin, t_G, 1e-11);
  CU_ASSERT_DOUBLE_EQUAL(c.period, t_F + t_G, 1e-11);
  for (int i = 0; i < STATES; ++i) {
    CU_ASSERT_DOUBLE_EQUAL(y[i], released[i], 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(t.phase[0].last[i], landed[i], 1e-10);
  }
  for (int i = 0; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(dp[i], by_hand[i], 1e-9);
  CU_ASSERT_EQUAL_FATAL(t.n_full, STATES);
  for (int i = 0; i < STATES * STATES; ++i) CU_ASSERT_DOUBLE_EQUAL(t.monodromy[i], around[i], 1e-9);
  const double lower = (1 - leg[MU]) * landed[VL] * landed[VL], upper = leg[MU];
  const double vU = t.phase[0].last[VU], vL = t.phase[0].last[VL];
  CU_ASSERT(lower > 0.1);
  CU_ASSERT_DOUBLE_EQUAL((1 - leg[MU]) * vL * vL / ((1 - leg[MU]) * vL * vL + upper * vU * vU),
                         share_lost, 1e-11);
  CU_ASSERT_DOUBLE_EQUAL(t.phase[1].rate, 27086.2215921146892, 1e-5);
  sal_trace_free(&t);
  sal_return_map_free(&map);
}

static void its_multiplier_has_two_independent_ways(void)
{
  double y[STATES], end[STATES], dp[4], delay[2];
  bool closed[SAL_MAX_GUARD];
  sal_cycle c;

  make_map("hopping-leg", 1e-12, 0);
  c = leg_cycle(leg, 0.025, 1.5, y, closed, NULL);
  CU_ASSERT_EQUAL_FATAL(c.multipliers.n, 1); /* the other direction leaves the section */
  CU_ASSERT_DOUBLE_EQUAL(c.multipliers.re[0], nu, 1e-10);
  sal_return p = {.param = leg, .start = y, .closed = closed, .end = end, .dp = dp, .delay = delay};
  CU_ASSERT_EQUAL(sal_return_differences(&map, 0, 1, &p), SAL_OK);
  CU_ASSERT_DOUBLE_EQUAL(dp[0] + dp[3], nu, 1e-8);
  double by_vectors[2], again[4];
  p.dp = again;
  p.delay = by_vectors;
  CU_ASSERT_EQUAL(sal_return_map_run(&map, 1, &p), SAL_OK);
  for (int i = 0; i < 2; ++i) CU_ASSERT_DOUBLE_EQUAL(delay[i], by_vectors[i], 1e-7);
  CU_ASSERT(fabs(delay[1]) > 0.01);
  sal_return_map_free(&map);
}

static void checks_are_small_and_not_nothing(void)
{
  double y[STATES];
  bool closed[SAL_MAX_GUARD];

  make_map("hopping-leg", 1e-12, 0);
  const sal_cycle c = leg_cycle(leg, 0.025, 1.5, y, closed, NULL);
  CU_ASSERT(c.closure < 1e-12 && c.iterations >= 3);
  CU_ASSERT(c.gap < 1e-10 && c.n_event == 2 && c.grazing == 0);
  CU_ASSERT(c.flow < 1e-11 && c.flow >= 0);
  /* |dh/dt| / (|Dh| |f|) at touchdown: v_L over |f| */
  const double f[] = {landed[VU], landed[VL], -7.63115645367973469, -18.5253741852810612};
  double sum = 0;
  for (int i = 0; i < STATES; ++i) sum += f[i] * f[i];
  CU_ASSERT_DOUBLE_EQUAL(c.crossing, fabs(landed[VL]) / sqrt(sum), 1e-9);
  sal_return_map_free(&map);
}

/* A cell's orbit is its own: the same bits at any width, alone and among others, some of which
 * fail. */
static void cells_are_alone(void)
{
  enum { CELLS = 11 };
  static const int width[] = {1, 4, 8};
  double param[CELLS][LEG], y[4][CELLS][STATES];
  bool closed[CELLS][2];
  double first[CELLS] = {0}, moduli = 0;

  for (int w = 0; w < 4; ++w) {
    if (w < 3 && width[w] > sal_integrate_widest()) continue;
    sal_cycle c[CELLS];
    make_map("hopping-leg", 1e-10, w < 3 ? width[w] : 0);
    for (int i = 0; i < CELLS; ++i) {
      memcpy(param[i], leg, sizeof leg);
      param[i][DG] = -5 - 9 * i;
      const double at[4] = {0.02, 0, i == 4 ? 0.01 : 1.7, 0};
      memcpy(y[w][i], at, sizeof at);
      closed[i][0] = closed[i][1] = false;
      c[i] = (sal_cycle){.param = param[i], .y = y[w][i], .closed = closed[i]};
    }
    if (w < 3) CU_ASSERT_EQUAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, CELLS, c), SAL_OK);
    for (int i = 0; i < CELLS && w == 3; ++i)
      CU_ASSERT_EQUAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, 1, &c[i]), SAL_OK);
    for (int i = 0; i < CELLS; ++i) {
      const double radius = sal_multipliers_radius(&c[i].multipliers);
      if (w == 0) first[i] = radius;
      moduli += radius;
      CU_ASSERT(memcmp(&radius, &first[i], sizeof radius) == 0);
      CU_ASSERT(memcmp(y[w][i], y[0][i], sizeof y[w][i]) == 0);
    }
    sal_return_map_free(&map);
  }
  CU_ASSERT(moduli > 1);
}

/* A ball that bounces once in each period T of a table a sin w t leaves it with gT/2, where the table's
 * velocity is (1 - e) / (1 + e) of that; the multipliers of its impacts have the product e^2 and the
 * sum 1 + e^2 + (1 + e)^2 s''/g, by the derivative of the impact map. */
static void a_bouncing_ball_on_a_table_has_its_closed_form(void)
{
  const double g = 9.81, e = 0.5, a = 0.3, w = 6.2831853071795864769, T = 1, v0 = g * T / 2;
  const double param[] = {g, e, a, w};
  const double phase = acos(v0 * (1 - e) / (1 + e) / (a * w)), left = T - phase / w;
  const double trace = 1 + e * e - (1 + e) * (1 + e) * a * w * w * sin(phase) / g;
  double y[] = {a * sin(phase) + v0 * left - g * left * left / 2 + 0.01, v0 - g * left};
  const double exact[] = {y[0] - 0.01, y[1]};
  bool closed[1] = {false};
  sal_cycle c = {.param = param, .y = y, .closed = closed};

  make_map("shaking-table", 1e-12, 0);
  CU_ASSERT_EQUAL(sal_return_map_begin(&map, param, y, closed, NULL), SAL_RETURN_MADE);
  CU_ASSERT_EQUAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, 1, &c), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(c.why, SAL_CYCLE_FOUND);
  CU_ASSERT_DOUBLE_EQUAL(c.period, T, 1e-15);
  for (int i = 0; i < 2; ++i) CU_ASSERT_DOUBLE_EQUAL(y[i], exact[i], 1e-11);
  CU_ASSERT_EQUAL_FATAL(c.multipliers.n, 2);
  CU_ASSERT_DOUBLE_EQUAL(c.multipliers.re[0] + c.multipliers.re[1], trace, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(sal_multipliers_radius(&c.multipliers), e, 1e-9);
  CU_ASSERT(fabs(trace) > 0.01 && fabs(c.multipliers.im[0]) > 0.1 && isnan(c.flow));
  sal_return_map_free(&map);
}

/* A ball that lies on the table all period long: a push is forgotten when it lies again, so that both
 * multipliers are 0, also by differences; a guess off the table is put onto it. */
static void a_ball_that_lies_forgets_every_push(void)
{
  const double param[] = {9.81, 0.5, 0.1, 6};
  double y[] = {1e-3, 0.61}, end[2], dp[4];
  bool closed[1] = {true};
  sal_cycle c = {.param = param, .y = y, .closed = closed};

  make_map("shaking-table", 1e-12, 0);
  CU_ASSERT_EQUAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, 1, &c), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(c.why, SAL_CYCLE_FOUND);
  CU_ASSERT(closed[0] && fabs(y[0]) < 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(y[1], 0.6, 1e-12);
  CU_ASSERT_EQUAL_FATAL(c.multipliers.n, 2);
  CU_ASSERT_EQUAL(sal_multipliers_radius(&c.multipliers), 0);
  sal_return p = {.param = param, .start = y, .closed = closed, .end = end, .dp = dp};
  CU_ASSERT_EQUAL(sal_return_differences(&map, 0, 1, &p), SAL_OK);
  for (int i = 0; i < 4; ++i) CU_ASSERT(fabs(dp[i]) < 1e-9);
  sal_return_map_free(&map);
}

/* A conservative runner has a neighbour of another energy for every orbit: a multiplier of 1.  Its
 * position and foothold drift, and are not part of that. */
static void a_runner_has_a_multiplier_of_1(void)
{
  const double param[] = {25.5, 68};
  double y[] = {0, 0.94, 1.637, 0, 0, 1, 0};
  bool closed[3];
  sal_cycle c = {.param = param, .y = y, .closed = closed};

  make_map("slip", 1e-12, 0);
  CU_ASSERT_EQUAL(map.n_unknown, 2);
  CU_ASSERT_EQUAL(sal_return_map_begin(&map, param, y, closed, NULL), SAL_RETURN_MADE);
  CU_ASSERT_EQUAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, 1, &c), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(c.why, SAL_CYCLE_FOUND);
  CU_ASSERT_EQUAL_FATAL(c.multipliers.n, 2);
  CU_ASSERT_DOUBLE_EQUAL(c.multipliers.re[0], 1, 1e-6);
  CU_ASSERT(fabs(c.multipliers.re[1]) < 0.9 && fabs(c.multipliers.re[1]) > 0.01);
  CU_ASSERT(c.flow < 1e-6);
  sal_return_map_free(&map);
}

static void what_fails_is_told(void)
{
  double y[STATES] = {0.02, 0, -1.7, 0};
  bool closed[SAL_MAX_GUARD];
  int contact;
  sal_cycle c = {.param = leg, .y = y, .closed = closed};

  make_map("hopping-leg", 1e-10, 0);
  CU_ASSERT_EQUAL(sal_return_map_begin(&map, leg, y, closed, &contact), SAL_RETURN_WRONG_MODE);
  CU_ASSERT_EQUAL(contact, 0);
  /* without power no flight lasts */
  double passive[LEG];
  memcpy(passive, leg, sizeof leg);
  passive[DG] = 50;
  y[VU] = 1.7;
  c.param = passive;
  CU_ASSERT_EQUAL(sal_return_map_begin(&map, passive, y, closed, NULL), SAL_RETURN_MADE);
  CU_ASSERT_EQUAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, 1, &c), SAL_OK);
  CU_ASSERT(c.why != SAL_CYCLE_FOUND && c.multipliers.n == 0);
  sal_return_map_free(&map);

  const sal_return_setup none = {.model = sal_registry_model("decay"),
                                 .method = sal_registry_method("dop853"),
                                 .rtol = 1e-6,
                                 .atol = 1e-6};
  CU_ASSERT_EQUAL(sal_return_map_create(&none, &map), SAL_ERR_USAGE);
  CU_ASSERT(strstr(sal_err_message(), "model decay has no section") != NULL);
  sal_err_clear();
}

/* Six periods of a drive close whatever closes after one.  A linear oscillator that touches no wall has the
 * multipliers exp(-zeta T +- i sqrt(1 - zeta^2) T) of one period T. */
static void a_linear_oscillator_closes_after_one_period(void)
{
  enum { ZETA, W, A, D, E, P };
  const double param[P] = {[ZETA] = 0.05, [W] = 2, [A] = 0.05, [D] = 1, [E] = 0.5};
  const double T = 6.2831853071795864769 / param[W];
  const sal_return_setup one = {.model = sal_registry_model("vibro-impact"),
                                .method = sal_registry_method("dop853"),
                                .rtol = 1e-12,
                                .atol = 1e-12};
  sal_return_setup six = one;
  static sal_return_map fewer;
  double y[2] = {0.1, 0}, dp[4];
  bool closed[SAL_MAX_GUARD] = {false}, reduced = false;
  sal_cycle c = {.param = param, .y = y, .closed = closed, .dp = dp};

  six.returns = 6;
  CU_ASSERT_EQUAL_FATAL(sal_return_map_create(&six, &map), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_return_map_create(&one, &fewer), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, 1, &c), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(c.why, SAL_CYCLE_FOUND);
  CU_ASSERT_EQUAL_FATAL(c.least, 1);
  CU_ASSERT_DOUBLE_EQUAL(c.period, 6 * T, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(sal_multipliers_radius(&c.multipliers), exp(-6 * param[ZETA] * T), 1e-9);
  CU_ASSERT_EQUAL_FATAL(sal_cycle_reduce(&fewer, &(sal_cycle_setup){0}, &c, &reduced), SAL_OK);
  CU_ASSERT(reduced && c.least == 1);
  CU_ASSERT_DOUBLE_EQUAL(c.period, T, 1e-12);
  const double turned = sqrt(1 - param[ZETA] * param[ZETA]) * T, size = exp(-param[ZETA] * T);
  CU_ASSERT_DOUBLE_EQUAL(c.multipliers.re[0], size * cos(turned), 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(c.multipliers.im[0], size * fabs(sin(turned)), 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(dp[0] + dp[3], 2 * size * cos(turned), 1e-9);
  /* an orbit that does not close sooner stays as it is */
  c.y[0] += 1e-3;
  const double beside = c.y[0];
  CU_ASSERT_EQUAL_FATAL(sal_cycle_reduce(&fewer, &(sal_cycle_setup){0}, &c, &reduced), SAL_OK);
  CU_ASSERT(!reduced && c.y[0] == beside && c.period == T);
  sal_return_map_free(&fewer);
  sal_return_map_free(&map);
}

/* The amplitude of a linear oscillator is a / sqrt((1 - w^2)^2 + (2 zeta w)^2): both walls are missed by
 * what is left of d, half a period apart. */
static void what_an_orbit_misses_is_told(void)
{
  enum { ZETA, W, A, D, E, P };
  static const double missed_by[] = {0.3, 1e-3, 1e-9, 1e-12};
  double param[P] = {[ZETA] = 0.05, [W] = 1.3, [D] = 1, [E] = 0.5};
  const double T = 6.2831853071795864769 / param[W], stiff = 1 - param[W] * param[W];
  const double weak = 2 * param[ZETA] * param[W], lag = atan2(weak, stiff) / param[W];

  make_map("vibro-impact", 1e-12, 0);
  for (size_t i = 0; i < sizeof missed_by / sizeof *missed_by; ++i) {
    double y[2] = {-0.9 * (1 - missed_by[i]), 0.2};
    bool closed[SAL_MAX_GUARD] = {false};
    sal_cycle c = {.param = param, .y = y, .closed = closed};
    param[A] = (1 - missed_by[i]) * sqrt(stiff * stiff + weak * weak);
    CU_ASSERT_EQUAL_FATAL(sal_cycle_find(&map, &(sal_cycle_setup){0}, 1, &c), SAL_OK);
    CU_ASSERT_EQUAL(c.why, missed_by[i] > 1e-11 ? SAL_CYCLE_FOUND : SAL_CYCLE_GRAZES);
    CU_ASSERT_DOUBLE_EQUAL(c.clearance, missed_by[i], 5e-13);
    CU_ASSERT_FATAL(c.missed == 0 || c.missed == 1);
    CU_ASSERT_DOUBLE_EQUAL(c.clearance_time, c.missed == 0 ? lag : lag + T / 2, 1e-4 * T);
  }
  sal_return_map_free(&map);
}

SAL_TEST_MAIN("cycle", NULL, {"section 4.2 has its digits", section_4_2_has_its_digits},
              {"its multiplier has two independent ways", its_multiplier_has_two_independent_ways},
              {"checks are small and not nothing", checks_are_small_and_not_nothing},
              {"cells are alone", cells_are_alone},
              {"a bouncing ball on a table has its closed form",
               a_bouncing_ball_on_a_table_has_its_closed_form},
              {"a ball that lies forgets every push", a_ball_that_lies_forgets_every_push},
              {"a runner has a multiplier of 1", a_runner_has_a_multiplier_of_1},
              {"a linear oscillator closes after one period",
               a_linear_oscillator_closes_after_one_period},
              {"the residual of an orbit is reported", what_an_orbit_misses_is_told},
              {"failures are reported", what_fails_is_told})
