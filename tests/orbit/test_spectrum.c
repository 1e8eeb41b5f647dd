/** Lyapunov exponents against closed forms, multipliers, and a second method; lost directions; widths. */
#include "cycle.h"
#include "equation_model.h"
#include "registry.h"
#include "sal_test.h"
#include "spectrum.h"
#include <float.h>
#include <math.h>
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
                                  .t_most = 100,
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
                                    .bound = 1e3};
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

/* Two trajectories a small distance apart, which is renewed at each visit. */
static double by_two_trajectories(const sal_return_map *map, const double param[], int settle,
                                  const double from[], int visits, double *error)
{
  enum { BATCHES = 16 };
  const double apart = 1e-7;
  const int n = map->setup.model->n_state;
  double y[2][SAL_MAX_STATE] = {{from[0], from[1]}}, sum[BATCHES] = {0}, all = 0, time = 0, off = 0;
  bool closed[2][SAL_MAX_GUARD];

  for (int v = 0; v < settle + visits; ++v) {
    sal_return p[2];
    if (v == settle) {
      memcpy(y[1], y[0], sizeof y[0]);
      memcpy(closed[1], closed[0], sizeof closed[0]);
      y[1][0] += apart;
    }
    for (int i = 0; i < 2; ++i)
      p[i] = (sal_return){.param = param,
                          .start = y[i],
                          .closed = v ? closed[i] : NULL,
                          .end = y[i],
                          .end_closed = closed[i]};
    CU_ASSERT_EQUAL_FATAL(sal_return_map_run(map, v < settle ? 1 : 2, p), SAL_OK);
    if (v < settle) continue;
    double size = DBL_MIN;
    for (int i = 0; i < n; ++i) size += (y[1][i] - y[0][i]) * (y[1][i] - y[0][i]);
    size = sqrt(size);
    sum[(v - settle) * BATCHES / visits] += log(size / apart);
    all += log(size / apart);
    time += p[0].time;
    for (int i = 0; i < n; ++i) y[1][i] = y[0][i] + (y[1][i] - y[0][i]) * apart / size;
    memcpy(closed[1], closed[0], sizeof closed[0]);
  }
  for (int b = 0; b < BATCHES; ++b) off += (sum[b] - all / BATCHES) * (sum[b] - all / BATCHES);
  *error = sqrt(off * BATCHES / (BATCHES - 1)) / time;
  return all / time;
}

static void agree_with_two_trajectories(const char *model, const double param[],
                                        const double from[])
{
  enum { SETTLE = 100, VISITS = 800 };
  sal_return_map *map = map_of(sal_registry_model(model), 2, 0);
  double error;
  found f;

  follow(map, SETTLE, VISITS, 1, param, from, &f);
  const double other = by_two_trajectories(map, param, SETTLE, from, VISITS, &error);
  const double both = sqrt(error * error + f.error[0] * f.error[0]);
  CU_ASSERT_DOUBLE_EQUAL(f.exponent[0], other, 3 * both);
  CU_ASSERT(f.exponent[0] > 8 * both); /* it is chaotic, and that is seen */
  CU_ASSERT_EQUAL(f.of.period, 0);
  sal_return_map_destroy(&map);
}

static void a_second_method_agrees(void)
{
  static const double table[] = {9.81, 0.85, 0.35, 6.2831853071795864769}, up[] = {1, 0};

  agree_with_two_trajectories("vibro-impact", chaos, start);
  agree_with_two_trajectories("shaking-table", table, up); /* g, e, a, w */
}

/* ---- a map of an interval ---- */

/* z is mapped by slopes 10/3 and 10/7 at each closing, once in a unit of time; its invariant density is 1. */
static void skew_tent_map_in_closed_form(void)
{
  static const char text[] =
      "equations: 1\nname: tent\nstates: {x: {preset: 0}, z: {preset: 0.2}}\n"
      "contacts: {gate: {names: [fold, unfold], gap: 1 - x, stays: false,\n"
      "  closes: {x: 0, z: z / 0.3 if z < 0.3 else (1 - z) / 0.7}}}\n"
      "flow: {x: 1, z: 0}\nsection: {contact: gate, event: closes}\n";
  const double closed_form = -0.3 * log(0.3) - 0.7 * log(0.7);
  const double param[1] = {0}, y[] = {0, 0.2371};
  sal_equation_model *e = NULL;
  found f;

  CU_ASSERT_EQUAL_FATAL(sal_equation_model_parse("tent.yaml", text, &e), SAL_OK);
  sal_return_map *map = map_of(sal_equation_model_get(e), 1, 0);
  CU_ASSERT_EQUAL(map->n_unknown, 1);
  follow(map, 10, 6000, 1, param, y, &f);
  CU_ASSERT_DOUBLE_EQUAL(f.exponent[0], closed_form, 2 * f.error[0]);
  CU_ASSERT(f.error[0] > 0 && f.error[0] <= 0.01 * closed_form);
  sal_return_map_destroy(&map);
  sal_equation_model_free(e);
}

/* ---- cycles ---- */

static void on_a_cycle_they_are_those_of_multipliers(void)
{
  static const double p[] = {0.05, 0.65, 0.585, 1, 0.8};
  sal_return_map *map = map_of(sal_registry_model("vibro-impact"), 2, 0);
  found f;

  follow(map, 600, 100, 1, p, start, &f);
  CU_ASSERT_EQUAL_FATAL(f.of.why, SAL_RETURN_MADE);
  CU_ASSERT(f.of.period > 0);
  sal_return_setup setup = map->setup;
  setup.vectors = 0;
  setup.returns = f.of.period;
  sal_return_map *whole;
  CU_ASSERT_EQUAL_FATAL(sal_return_map_new(&setup, &whole), SAL_OK);
  sal_cycle c = {.param = p, .y = f.y, .closed = f.closed};
  CU_ASSERT_EQUAL_FATAL(sal_cycle_find(whole, &(sal_cycle_setup){0}, 1, &c), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(c.why, SAL_CYCLE_FOUND);
  CU_ASSERT_EQUAL_FATAL(c.multipliers.n, 2);
  CU_ASSERT(c.multipliers.im[0] == 0);
  for (int j = 0; j < 2; ++j)
    CU_ASSERT_DOUBLE_EQUAL(f.exponent[j], log(fabs(c.multipliers.re[j])) / c.period, 1e-8);
  CU_ASSERT(f.exponent[0] < -1e-3);
  CU_ASSERT_DOUBLE_EQUAL(f.kept[KEPT - 1], f.y[0], 1e-12);
  sal_return_map_destroy(&whole);
  sal_return_map_destroy(&map);
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
              {"a second method agrees", a_second_method_agrees},
              {"a skew tent map in closed form", skew_tent_map_in_closed_form},
              {"on a cycle they are those of multipliers",
               on_a_cycle_they_are_those_of_multipliers},
              {"lost directions are -inf", lost_directions_are_said_so},
              {"same bits at every width", same_bits_at_every_width})
