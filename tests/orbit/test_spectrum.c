/** Lyapunov exponents against closed forms and multipliers; lost directions; widths. */
#include "cycle.h"
#include "equation_model.h"
#include "growth.h"
#include "registry.h"
#include "sal_test.h"
#include "spectrum.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 4, KEPT = 40 };

/* Results of one cell. */
typedef struct {
  double exponent[MOST], error[MOST], kept[2 * KEPT], y[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];
  sal_spectrum of;
} found;

static sal_return_map *map_of(const sal_model *model, int vectors, int width)
{
  const sal_return_setup setup = {.model = model,
                                  .method = sal_registry_method("dop853"),
                                  .rtol = 1e-11,
                                  .atol = 1e-11,
                                  .t_most = 400,
                                  .vectors = vectors,
                                  .width = width};
  sal_return_map *map;

  CU_ASSERT_EQUAL_FATAL(sal_return_map_new(&setup, &map), SAL_OK);
  return map;
}

/* Follows n cells from y [n_state]; param [n][n_param]. */
static void follow(const sal_return_map *map, int settle, int visits, int64_t n,
                   const double param[], const double y[], found out[])
{
  static const int state[] = {0, 1};
  const sal_model *m = map->setup.model;
  const sal_spectrum_setup setup = {.settle = settle,
                                    .visits = visits,
                                    .n_exponent = map->setup.vectors,
                                    .kept = KEPT < visits ? KEPT : visits,
                                    .n_state = 2,
                                    .state = state,
                                    .close = 1e-4,
                                    .bound = 1e7};
  sal_spectrum cell[16];

  for (int64_t i = 0; i < n; ++i) {
    memcpy(out[i].y, y, (size_t)m->n_state * sizeof *y);
    cell[i] = (sal_spectrum){.param = param + i * (m->n_param + m->n_option),
                             .y = out[i].y,
                             .closed = out[i].closed,
                             .exponent = out[i].exponent,
                             .error = out[i].error,
                             .kept = out[i].kept};
  }
  CU_ASSERT_EQUAL_FATAL(sal_spectrum_run(map, &setup, n, cell), SAL_OK);
  for (int64_t i = 0; i < n; ++i) out[i].of = cell[i];
}

/* ---- the forced oscillator between walls: zeta, w, a, d, e ---- */

enum { ZETA, W, A, D, E };
static const double chaos[] = {0.05, 1.25, 3, 1, 0.8}, start[] = {0.2, 0.1};

static double period_of(const double p[]) { return 2 * 3.14159265358979323846 / p[W]; }

/* Each impact has the determinant e^2, and the flow the divergence -2 zeta. */
static void sum_is_divergence_and_impacts(void)
{
  enum { VISITS = 24 };
  const sal_model *m = sal_registry_model("vibro-impact");
  sal_return_map *map = map_of(m, 2, 1);
  double y[SAL_MAX_STATE] = {start[0], start[1]};
  bool closed[SAL_MAX_GUARD];
  int impacts = 0;
  found f;

  follow(map, 1, VISITS, 1, chaos, start, &f);
  CU_ASSERT_EQUAL(f.of.visits, VISITS);
  CU_ASSERT_DOUBLE_EQUAL(f.of.time, VISITS * period_of(chaos), 1e-9);
  for (int v = 0; v <= VISITS; ++v) {
    sal_return p = {
        .param = chaos, .start = y, .closed = v ? closed : NULL, .end = y, .end_closed = closed};
    CU_ASSERT_EQUAL_FATAL(sal_return_map_run(map, 1, &p), SAL_OK);
    if (v > 0) impacts += p.n_event;
  }
  CU_ASSERT(impacts > VISITS / 2);
  const double expected = -2 * chaos[ZETA] + impacts * 2 * log(chaos[E]) / f.of.time;
  CU_ASSERT_DOUBLE_EQUAL(f.exponent[0] + f.exponent[1], expected, 1e-8);
  CU_ASSERT(fabs(expected) > 0.1 && f.exponent[0] > f.exponent[1]);
  sal_return_map_destroy(&map);
}

/* ---- texts with closed forms ---- */

/* The largest exponent of a text without parameters, whose section has one direction, or two. */
static void follow_some(const char *text, int unknowns, int vectors, int settle, int visits,
                        const double y[], found *f)
{
  const double param[1] = {0};
  sal_equation_model *e = NULL;

  CU_ASSERT_EQUAL_FATAL(sal_equation_model_parse("text.yaml", text, &e), SAL_OK);
  sal_return_map *map = map_of(sal_equation_model_get(e), vectors, 0);
  CU_ASSERT_EQUAL(map->n_unknown, unknowns);
  follow(map, settle, visits, 1, param, y, f);
  CU_ASSERT_EQUAL(f->of.why, SAL_RETURN_MADE);
  sal_return_map_destroy(&map);
  sal_equation_model_free(e);
}

static void follow_text(const char *text, int vectors, int settle, int visits, const double y[],
                        found *f)
{
  follow_some(text, vectors, vectors, settle, visits, y, f);
}

static void is_closed_form(const found *f, double closed_form)
{
  CU_ASSERT_DOUBLE_EQUAL(f->exponent[0], closed_form, 2 * f->error[0]);
  CU_ASSERT(f->error[0] > 0 && f->error[0] <= 0.01 * closed_form);
}

/* A linear oscillator x'' = 2 d x' - x above a wall is away for T = pi / sqrt(1 - d^2) and e^(d T) = 1.9 times as fast
 * after it.  A wall that returns the speed u as min(u, 1 - u) makes that the tent map of slope 1.9, ln 1.9 / T; one with
 * restitution 0.5 makes ln 0.95 / T. */
static void linear_oscillator_between_impacts(void)
{
  static const char text[] =
      "equations: 1\nname: linear\nstates: {x: {preset: 0}, v: {preset: 0.4, rate_of: x}}\n"
      "contacts: {wall: {names: [hit, leave], gap: x, stays: false, closes: {x: 0, v: %s}}}\n"
      "flow: {x: v, v: 2 * %.17g * v - x}\nsection: {contact: wall, event: closes}\n";
  const double pi = 3.14159265358979323846, ln = log(1.9), d = ln / sqrt(pi * pi + ln * ln);
  const double flight = pi / sqrt(1 - d * d), y[] = {0, 0.4};
  char full[640];
  found f;

  snprintf(full, sizeof full, text, "'min(-v, 1 + v)'", d);
  follow_text(full, 1, 20, 200, y, &f);
  CU_ASSERT_DOUBLE_EQUAL(f.exponent[0], ln / flight, 1e-9);
  CU_ASSERT_EQUAL(f.of.period, 0);
  snprintf(full, sizeof full, text, "-0.5 * v", d);
  follow_text(full, 1, 20, 200, y, &f);
  CU_ASSERT_DOUBLE_EQUAL(f.exponent[0], log(0.95) / flight, 1e-9);
}

/* z is mapped by slopes 10/3 and 10/7 at each closing, once in a unit of time; its invariant density is 1. */
static void skew_tent_map_in_closed_form(void)
{
  static const char text[] =
      "equations: 1\nname: tent\nstates: {x: {preset: 0}, z: {preset: 0.2}}\n"
      "contacts: {gate: {names: [fold, unfold], gap: 1 - x, stays: false,\n"
      "  closes: {x: 0, z: z / 0.3 if z < 0.3 else (1 - z) / 0.7}}}\n"
      "flow: {x: 1, z: 0}\nsection: {contact: gate, event: closes}\n";
  const double y[] = {0, 0.2371};
  found f;

  follow_text(text, 1, 10, 6000, y, &f);
  is_closed_form(&f, -0.3 * log(0.3) - 0.7 * log(0.7));
}

/* Maps whose exponents are published, once in a unit of time: Sprott, Chaos and Time-Series Analysis (2003), appendix A, with
 * .41922 and -1.62319 for Henon's map at (1.4, .3), .47023 and -1.16338 for Lozi's at (1.7, .5). */
static void published_maps(void)
{
  static const char text[] =
      "equations: 1\nname: map\nstates: {x: {preset: 0}, u: {preset: 0.1}, z: {preset: 0.1}}\n"
      "contacts: {gate: {names: [fold, unfold], gap: 1 - x, stays: false,\n"
      "  closes: {x: 0, u: %s + z, z: %g * u}}}\n"
      "flow: {x: 1, u: 0, z: 0}\nsection: {contact: gate, event: closes}\n";
  static const struct {
    const char *map;
    double b, published;
  } row[] = {{"1 - 1.4 * u ^ 2", 0.3, 0.41922}, {"1 - 1.7 * abs(u)", 0.5, 0.47023}};
  const double y[] = {0, 0.1, 0.1};
  char full[640];
  found f;

  for (int i = 0; i < 2; ++i) {
    snprintf(full, sizeof full, text, row[i].map, row[i].b);
    follow_text(full, 2, 100, 20000, y, &f);
    CU_ASSERT_DOUBLE_EQUAL(f.exponent[0] + f.exponent[1], log(row[i].b), 1e-8);
    CU_ASSERT_EQUAL(f.of.period, 0);
  }
}

/* A ball is thrown up with v = u / 2 + 10 |cos s| where it falls with u at time s, g = 1: flights of 2 v turn the phase many
 * times, so that it is uniform, and ds is stretched by 3 / 2 - 20 sin s, whose logarithm has the mean ln 10
 * (Guckenheimer & Holmes, Nonlinear Oscillations, section 2.4, with a table that only hits upwards).  The mean flight
 * is 2 <v> = (40 / pi) / 0.5. */
static void ball_thrown_high_in_closed_form(void)
{
  static const char text[] =
      "equations: 1\nname: ball\nlongest_step: inf\n"
      "states: {y: {preset: 0}, v: {preset: 10, rate_of: y}, s: {preset: 0}}\n"
      "contacts: {table: {names: [hit, leave], gap: y, stays: false,\n"
      "  closes: {y: 0, v: 10 * abs(cos(s)) - 0.5 * v,\n"
      "    s: s - 2 * pi * floor(s / (2 * pi))}}}\n"
      "flow: {y: v, v: -1, s: 1}\nsection: {contact: table, event: closes}\n";
  const double y[] = {0, 10, 0}, pi = 3.14159265358979323846;
  found f;

  follow_text(text, 2, 10, 6000, y, &f);
  is_closed_form(&f, log(10) * 0.5 / (2 * 20 / pi));
}

/* ---- over a run ---- */

/* A saddle x'' = x has cosh t, sinh t as its vectors; a wall of restitution 0.5 at its top, met at ln 2, the saltation matrix of
 * a speed that is turned and halved. */
static void growth_over_a_run_in_closed_form(void)
{
  static const char text[] =
      "equations: 1\nname: saddle\nspan: 1\nstates: {x: {preset: 0}, v: {preset: 1, rate_of: x}}\n"
      "contacts: {wall: {names: [hit, leave], gap: 0.75 - x, stays: false,\n"
      "  closes: {x: 0.75, v: -0.5 * v}}}\nflow: {x: v, v: x}\n";
  const double param[1] = {0}, from[] = {0, 1}, T = log(2), c = 1.25, s = 0.75;
  sal_equation_model *e = NULL;
  double rate;

  CU_ASSERT_EQUAL_FATAL(sal_equation_model_parse("saddle.yaml", text, &e), SAL_OK);
  sal_setup run = {.model = sal_equation_model_get(e),
                   .method = sal_registry_method("dop853"),
                   .strategy = sal_registry_strategy("event"),
                   .rtol = 1e-11,
                   .atol = 1e-11,
                   .t_end = T - 0.01};
  CU_ASSERT_EQUAL(sal_growth_rate(&run, param, from, &rate), SAL_OK);
  CU_ASSERT_DOUBLE_EQUAL(rate * run.t_end, 0.5 * log(2 * cosh(2 * run.t_end)), 1e-9);
  run.t_end = T + 1e-9; /* S = [[-e, 0], [(f+ - J f-) / v, -e]], x' = v, v' = x */
  const double off = (s - -0.5 * s) / c;
  const double m[] = {-0.5 * c, -0.5 * s, off * c - 0.5 * s, off * s - 0.5 * c};
  CU_ASSERT_EQUAL(sal_growth_rate(&run, param, from, &rate), SAL_OK);
  CU_ASSERT_DOUBLE_EQUAL(rate * run.t_end,
                         0.5 * log(m[0] * m[0] + m[1] * m[1] + m[2] * m[2] + m[3] * m[3]), 1e-7);
  sal_equation_model_free(e);
}

/* ---- cycles ---- */

/* Multipliers of the cycle at f, against its first `vectors` exponents. */
static void is_of_multipliers(const sal_return_map *map, const double p[], found *f, bool pair)
{
  sal_return_setup setup = map->setup;
  double y[SAL_MAX_STATE];

  CU_ASSERT_EQUAL_FATAL(f->of.why, SAL_RETURN_MADE);
  CU_ASSERT_FATAL(f->of.period > 0);
  setup.vectors = 0;
  setup.returns = f->of.period;
  sal_return_map *whole;
  CU_ASSERT_EQUAL_FATAL(sal_return_map_new(&setup, &whole), SAL_OK);
  memcpy(y, f->y, sizeof y);
  sal_cycle c = {.param = p, .y = y, .closed = f->closed};
  CU_ASSERT_EQUAL_FATAL(sal_cycle_find(whole, &(sal_cycle_setup){0}, 1, &c), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(c.why, SAL_CYCLE_FOUND);
  CU_ASSERT_EQUAL(c.multipliers.im[0] != 0, pair);
  for (int j = 0; j < map->setup.vectors && j < c.multipliers.n; ++j)
    CU_ASSERT_DOUBLE_EQUAL(f->exponent[j],
                           log(hypot(c.multipliers.re[j], c.multipliers.im[j])) / c.period, 1e-8);
  CU_ASSERT(f->exponent[0] < -1e-3 && f->exponent[0] > -2);
  CU_ASSERT_EQUAL(f->error[0], 0);
  CU_ASSERT_DOUBLE_EQUAL(f->kept[KEPT - 1], f->y[0], 1e-12);
  sal_return_map_destroy(&whole);
}

/* Pairs of multipliers turn their vectors for ever; a single vector is half of a pair.  Multipliers of 1e-5 beside one of 0.4,
 * as the monopod has, are eigenvalues to 1e-5 of themselves only. */
static void on_a_cycle_they_are_those_of_multipliers(void)
{
  enum { MODELS = 6 };
  static const struct {
    const char *model;
    int vectors, at; /* the parameter that is not its preset */
    double value, y[4];
    bool pair;
  } row[MODELS] = {{"vibro-impact", 2, A, 0.585, {0.2, 0.1}, false},
                   {"vibro-impact", 2, A, 0.9, {0.2, 0.1}, true},
                   {"vibro-impact", 1, A, 0.9, {0.2, 0.1}, true},
                   {"monopod", 1, 5, -0.03, {0.5, 0, 1.5, 0}, false},
                   {"hopping-leg", 1, 4, -80, {1.1, 0.05, 0, 0}, false},
                   {"hopping-leg", 1, 4, -60, {1.1, 0.05, 0, 0}, false}};

  for (int i = 0; i < MODELS; ++i) {
    const sal_model *m = sal_registry_model(row[i].model);
    sal_return_map *map = map_of(m, row[i].vectors, 0);
    double p[SAL_MAX_PARAM + SAL_MAX_OPTION] = {0};
    found f;
    for (int j = 0; j < m->n_param; ++j) p[j] = m->param[j].preset;
    if (i < 3) memcpy(p, (double[]){0.05, 0.65, 0.585, 1, 0.8}, 5 * sizeof *p);
    p[row[i].at] = row[i].value;
    follow(map, 600, 100, 1, p, row[i].y, &f);
    is_of_multipliers(map, p, &f, row[i].pair);
    sal_return_map_destroy(&map);
  }
}

/* z / (1 + z^2) 1.1 has a cycle at 0, which is left in 200 visits, for one at z^2 = 0.1 of multiplier 0.9 / 1.1: the mean over both
 * has an error. */
static void a_cycle_that_is_left_has_an_error(void)
{
  static const char text[] =
      "equations: 1\nname: leaves\nstates: {x: {preset: 0}, z: {preset: 0}}\n"
      "contacts: {gate: {names: [fold, unfold], gap: 1 - x, stays: false,\n"
      "  closes: {x: 0, z: 1.1 * z / (1 + z ^ 2)}}}\n"
      "flow: {x: 1, z: 0}\nsection: {contact: gate, event: closes}\n";
  const double y[] = {0, 1e-10}, multiplier = log(0.9 / 1.1);
  found f;

  follow_text(text, 1, 20, 800, y, &f);
  CU_ASSERT_EQUAL(f.of.period, 1);
  CU_ASSERT(fabs(f.exponent[0] - multiplier) > 0.01);
  CU_ASSERT(f.error[0] > 0 && fabs(f.exponent[0] - multiplier) <= 4 * f.error[0]);
  follow_text(text, 1, 600, 800, y, &f);
  CU_ASSERT_DOUBLE_EQUAL(f.exponent[0], multiplier, 1e-12);
  CU_ASSERT_EQUAL(f.error[0], 0);
}

/* Two pairs of multipliers 0.9 e^(+-i) with one pair of eigenvectors: three vectors of four come near no invariant space, and means,
 * which are off by the logarithm of the visits over these, are not replaced. */
static void vectors_without_invariant_space_keep_means(void)
{
  static const char text[] =
      "equations: 1\nname: pairs\n"
      "states: {x: {preset: 0}, a: {preset: 1}, b: {preset: 1}, c: {preset: 1}, d: {preset: 1}}\n"
      "contacts: {gate: {names: [fold, unfold], gap: 1 - x, stays: false,\n"
      "  closes: {x: 0, a: 1 + 0.9 * (cos(1) * a - sin(1) * b) + c,\n"
      "    b: 0.9 * (sin(1) * a + cos(1) * b) + d, c: 1 + 0.9 * (cos(1) * c - sin(1) * d),\n"
      "    d: 0.9 * (sin(1) * c + cos(1) * d)}}}\n"
      "flow: {x: 1, a: 0, b: 0, c: 0, d: 0}\nsection: {contact: gate, event: closes}\n";
  const double y[] = {0, 1, 1, 1, 1};
  found f;

  follow_some(text, 4, 3, 400, 100, y, &f);
  CU_ASSERT_EQUAL(f.of.period, 1);
  for (int j = 0; j < 3; ++j) {
    CU_ASSERT_DOUBLE_EQUAL(f.exponent[j], log(0.9), 0.05);
    CU_ASSERT(f.error[j] > 0);
  }
}

/* A mass that chatters to rest at a wall in each period leaves it at a time of the force's own. */
static void lost_directions_are_said_so(void)
{
  static const double p[] = {0.05, 0.3, 2, 1, 0.3};
  sal_return_map *map = map_of(sal_registry_model("vibro-impact"), 2, 0);
  found f;

  follow(map, 20, 40, 1, p, start, &f);
  CU_ASSERT_EQUAL(f.of.why, SAL_RETURN_MADE);
  CU_ASSERT_EQUAL(f.of.lost, 2);
  CU_ASSERT(f.exponent[0] == -INFINITY && f.exponent[1] == -INFINITY);
  CU_ASSERT(isnan(f.error[0]));
  CU_ASSERT(f.of.period > 0);
  sal_return_map_destroy(&map);
}

static void same_bits_at_every_width(void)
{
  enum { CELLS = 7 };
  static found all[2][CELLS];
  double param[CELLS][5];

  for (int i = 0; i < CELLS; ++i) {
    memcpy(param[i], chaos, sizeof chaos);
    param[i][W] = 0.4 + 0.15 * i;
  }
  for (int width = 1, first = 0; width <= sal_integrate_widest(); width *= width < 4 ? 4 : 2) {
    sal_return_map *map = map_of(sal_registry_model("vibro-impact"), 2, width);
    found *f = all[first];
    follow(map, 10, 30, CELLS, param[0], start, f);
    for (int i = 0; i < CELLS && first; ++i) {
      CU_ASSERT(memcmp(f[i].exponent, all[0][i].exponent, 2 * sizeof(double)) == 0);
      CU_ASSERT(memcmp(f[i].error, all[0][i].error, 2 * sizeof(double)) == 0);
      CU_ASSERT(memcmp(f[i].kept, all[0][i].kept, 60 * sizeof(double)) == 0);
    }
    first = 1;
    sal_return_map_destroy(&map);
  }
  CU_ASSERT(all[0][0].exponent[0] != all[0][3].exponent[0]);
}

SAL_TEST_MAIN("Lyapunov exponents", NULL,
              {"their sum is divergence and impacts", sum_is_divergence_and_impacts},
              {"a linear oscillator between impacts", linear_oscillator_between_impacts},
              {"a ball thrown high in closed form", ball_thrown_high_in_closed_form},
              {"maps with published exponents", published_maps},
              {"growth over a run in closed form", growth_over_a_run_in_closed_form},
              {"a skew tent map in closed form", skew_tent_map_in_closed_form},
              {"on a cycle they are those of multipliers",
               on_a_cycle_they_are_those_of_multipliers},
              {"a cycle that is left has an error", a_cycle_that_is_left_has_an_error},
              {"vectors without an invariant space keep means",
               vectors_without_invariant_space_keep_means},
              {"lost directions are -inf", lost_directions_are_said_so},
              {"same bits at every width", same_bits_at_every_width})
