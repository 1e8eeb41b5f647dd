/** Lyapunov exponents of six chaotic systems with impacts or friction, also from two trajectories that are brought together again
 *  at each visit of the section: no tangent vector, no saltation matrix.
 *
 *  The two share the lanes of one map, so their steps differ by rounding alone.
 */
#include "equation_model.h"
#include "registry.h"
#include "sal_test.h"
#include "spectrum.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BATCHES = 16, SETTLE = 100, MOST = 8 };
static const double apart = 1e-7; /* of the two, after each visit */

/* An oscillator that is driven with frequency w, as a text; `more` states, the force on it, its wall. */
#define DRIVEN(name, more, contacts, flow)                                                         \
  "equations: 1\nname: " name                                                                      \
  "\nspan: 20\nstates: {x: {preset: 0.2}, v: {preset: 0.1, rate_of: x}" more                       \
  "}\nlet: {drive: a * cos(w * t)}\n" contacts "flow: {x: v, " flow "}\n"                          \
  "section: {period: 2 * pi / w}\nlongest_step: pi / (4 * w)\n"
#define NUMBERS(w, a) "parameters: {w: {preset: " w "}, a: {preset: " a "}}\n"
#define WALL(gap, x, e)                                                                            \
  "contacts: {wall: {names: [hit, leave], gap: " gap ", closes: {x: " x ", v: -" e                 \
  " * v}, stays: false}}\n"

static const char pendulum[] =
    DRIVEN("pendulum", "", NUMBERS("0.59", "2.1") WALL("1 + x", "-1", "0.9"),
           "v: drive - sin(x) - 0.1 * v");
static const char two_wells[] =
    DRIVEN("two-wells", "", NUMBERS("1.86", "0.93") WALL("1.2 - x", "1.2", "0.9"),
           "v: drive + x - x * x * x - 0.2 * v");
static const char pair[] = DRIVEN("pair", ", y: {preset: 0}, u: {preset: 0, rate_of: y}",
                                  NUMBERS("4.7", "5.6") WALL("0.6 - x", "0.6", "0.9"),
                                  "v: drive - 2 * x + y - 0.1 * v, y: u, u: x - 2 * y - 0.1 * u");

/* Feeny & Moon, J. Sound Vib. 170 (1994) 303-323: the load on the rubbing surface grows with x. */
static const char rubbing[] =
    "equations: 1\nname: rubbing\nspan: 20\n"
    "states: {x: {preset: 0.2}, v: {preset: 0.1, rate_of: x}}\n"
    "discrete: {sense: {preset: 1, values: [-1, 1]}}\n" NUMBERS(
        "1.45",
        "1.8") "let:\n  load: max(1 + 1.5 * x, 0)\n  pull: a * cos(w * t) - x\n"
               "  breaks: not closing or abs(pull) > load\n"
               "contacts:\n  pad:\n    names: [stick, slip]\n    kind: friction\n    gap: sense * "
               "v\n"
               "    release: load - abs(pull)\n"
               "    closes: {v: 0, sense: (1 if pull > 0 else -1) if breaks else -sense}\n"
               "    opens: {v: 0, sense: 1 if pull > 0 else -1}\n    stays: not breaks\n"
               "flow: {x: 0 if pad else v, v: 0 if pad else pull - 0.03 * v - sense * 0.7 * load}\n"
               "section: {period: 2 * pi / w}\nlongest_step: pi / (4 * w)\n";

static sal_return_map *map_of(const sal_model *model)
{
  const sal_return_setup setup = {.model = model,
                                  .method = sal_registry_method("dop853"),
                                  .rtol = 1e-11,
                                  .atol = 1e-11,
                                  .t_most = 100,
                                  .vectors = 1};
  sal_return_map *map;

  CU_ASSERT_EQUAL_FATAL(sal_return_map_new(&setup, &map), SAL_OK);
  return map;
}

/* The largest exponent and its standard error, by tangent vectors. */
static double by_tangents(const sal_return_map *map, int visits, const double param[],
                          const double from[], double *error)
{
  const sal_spectrum_setup setup = {
      .settle = SETTLE, .visits = visits, .n_exponent = 1, .close = 1e-4, .bound = 1e3};
  double y[MOST], exponent;
  bool closed[SAL_MAX_GUARD];
  sal_spectrum cell = {
      .param = param, .y = y, .closed = closed, .exponent = &exponent, .error = error};

  memcpy(y, from, (size_t)map->model.n_state * sizeof *y);
  CU_ASSERT_EQUAL_FATAL(sal_spectrum_run(map, &setup, 1, &cell), SAL_OK);
  CU_ASSERT_EQUAL(cell.why, SAL_RETURN_MADE);
  CU_ASSERT_EQUAL(cell.period, 0);
  return exponent;
}

/* Both go to the next visit; returns the time. */
static double visit(const sal_return_map *map, const double param[], bool first, double y[2][MOST],
                    bool closed[2][SAL_MAX_GUARD])
{
  sal_return p[2];

  for (int i = 0; i < 2; ++i)
    p[i] = (sal_return){.param = param,
                        .start = y[i],
                        .closed = first ? NULL : closed[i],
                        .end = y[i],
                        .end_closed = closed[i]};
  CU_ASSERT_EQUAL_FATAL(sal_return_map_run(map, 2, p), SAL_OK);
  CU_ASSERT_EQUAL(p[0].why, SAL_RETURN_MADE);
  return p[0].time;
}

/* Puts the second one beside the first in its direction from it; returns how far it was. */
static double renew(const sal_return_map *map, double y[2][MOST], bool closed[2][SAL_MAX_GUARD])
{
  double squares = DBL_MIN;

  for (int j = 0; j < map->n_unknown; ++j) {
    const double off = y[1][map->unknown[j]] - y[0][map->unknown[j]];
    squares += off * off;
  }
  const double size = sqrt(squares);
  for (int j = 0; j < map->n_unknown; ++j) {
    const int i = map->unknown[j];
    y[1][i] = y[0][i] + (y[1][i] - y[0][i]) * apart / size;
  }
  memcpy(closed[1], closed[0], SAL_MAX_GUARD * sizeof closed[0][0]);
  return size;
}

static double by_two_trajectories(const sal_return_map *map, int visits, const double param[],
                                  const double from[], double *error)
{
  double y[2][MOST] = {{0}}, sum[BATCHES] = {0}, all = 0, time = 0, off = 0;
  static bool closed[2][SAL_MAX_GUARD];

  memcpy(y[0], from, (size_t)map->model.n_state * sizeof *from);
  for (int v = 0; v < SETTLE + visits; ++v) {
    if (v == 0 || v == SETTLE / 2) memcpy(y[1], y[0], sizeof y[0]);
    if (v == SETTLE / 2) y[1][map->unknown[0]] += apart;
    const double took = visit(map, param, v == 0, y, closed);
    if (v < SETTLE / 2) continue;
    const double grown = log(renew(map, y, closed) / apart);
    if (v < SETTLE) continue;
    sum[(v - SETTLE) * BATCHES / visits] += grown;
    all += grown;
    time += took;
  }
  for (int b = 0; b < BATCHES; ++b) off += (sum[b] - all / BATCHES) * (sum[b] - all / BATCHES);
  *error = sqrt(off * BATCHES / (BATCHES - 1)) / time;
  return all / time;
}

static void agree(const sal_model *model, int visits, const double param[], const double from[])
{
  double error[2];
  sal_return_map *map = map_of(model);
  const double tangents = by_tangents(map, visits, param, from, &error[0]);
  const double other = by_two_trajectories(map, visits, param, from, &error[1]);
  const double both = hypot(error[0], error[1]);

  CU_ASSERT_DOUBLE_EQUAL(tangents, other, 3 * both);
  CU_ASSERT(tangents > 5 * both); /* it is chaotic, and that is seen */
  printf("%s: %.4g +- %.2g, %.4g +- %.2g  ", model->name, tangents, error[0], other, error[1]);
  sal_return_map_destroy(&map);
}

static void of_text(const char *text, int visits)
{
  sal_equation_model *e = NULL;
  double param[SAL_MAX_PARAM], from[SAL_MAX_STATE];

  CU_ASSERT_EQUAL_FATAL(sal_equation_model_parse("text.yaml", text, &e), SAL_OK);
  const sal_model *m = sal_equation_model_get(e);
  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_state; ++i) from[i] = m->state[i].preset;
  agree(m, visits, param, from);
  sal_equation_model_free(e);
}

static void oscillator_between_walls(void)
{
  static const double p[] = {0.05, 1.25, 3, 1, 0.8}, start[] = {0.2, 0.1}; /* zeta, w, a, d, e */

  agree(sal_registry_model("vibro-impact"), 1000, p, start);
}

static void ball_on_a_table(void)
{
  static const double p[] = {9.81, 0.95, 0.35, 6.2831853071795864769},
                      up[] = {1, 0}; /* g, e, a, w */

  agree(sal_registry_model("shaking-table"), 4000, p, up);
}

static void pendulum_at_a_stop(void) { of_text(pendulum, 640); }
static void two_wells_and_a_wall(void) { of_text(two_wells, 1000); }
static void two_masses_and_a_wall(void) { of_text(pair, 1000); }
static void dry_friction(void) { of_text(rubbing, 1000); }

SAL_TEST_MAIN("exponents by a second method", NULL,
              {"an oscillator between walls", oscillator_between_walls},
              {"a ball on a table", ball_on_a_table}, {"a pendulum at a stop", pendulum_at_a_stop},
              {"two wells and a wall", two_wells_and_a_wall},
              {"two masses and a wall", two_masses_and_a_wall}, {"dry friction", dry_friction})
