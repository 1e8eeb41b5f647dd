/** A small sweep made by hand. */
#include "sample.h"
#include "scramble.h"
#include "write_cube.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const sal_model sample_model = {
    .name = "sample",
    .title = "a model of nothing",
    .source = "none",
    .contact = {{"touchdown", "lift-off"}},
    .n_state = 2,
    .n_guard = 1,
    .n_param = 2,
    .n_option = 1,
    .state = {{.name = "y", .unit = "m", .what = "height"},
              {.name = "v", .unit = "m/s", .what = "speed"}},
    .param = {{.name = "b", .unit = "N s/m", .what = "damping"},
              {.name = "k", .unit = "N/m", .what = "stiffness"}},
    .option = {{.name = "adhesion", .what = "may the ground pull?", .choice = {"keep", "clamp"}}},
};

const sal_origin sample_origin = {
    .command = "saltus run sample.yaml", .ranks = 3, .threads = 2, .width = 4, .wall_seconds = 1.5};

static const sal_method methods[] = {{.name = "ode23"}, {.name = "ode45"}, {.name = "ode15s"}};
static const sal_strategy strategies[] = {{.name = "switch"}, {.name = "event"}};

sal_sweep sample_sweep(int64_t n_cell)
{
  sal_sweep s = {.path = strdup("sample.yaml"),
                 .text = strdup("model: sample\n# grüße, \"quoted\"\n"),
                 .settled = strdup("model: sample\nt_end: 10\nmesh: 0.01\n"),
                 .title = strdup("Höhe over damping"),
                 .model = &sample_model,
                 .n_cell = n_cell,
                 .n_grid = n_cell,
                 .n_method = 3,
                 .n_strategy = 2,
                 .n_tolerance = 2,
                 .tolerance = {1e-3, 1e-6},
                 .epsilon = {0.1, 0.01},
                 .t_end = 10,
                 .mesh = 0.01,
                 .n_mesh = 1000,
                 .reference_tolerance = 1e-13,
                 .floor = 1e-6};

  for (int i = 0; i < s.n_method; ++i) s.method[i] = &methods[i];
  for (int i = 0; i < s.n_strategy; ++i) s.strategy[i] = &strategies[i];
  s.param[1] = 1e5;
  s.n_axis = 1;
  s.axis = calloc(1, sizeof *s.axis);
  *s.axis = (sal_axis){.kind = SAL_AXIS_ROWS,
                       .n_column = 3,
                       .column = {0, 2, 3}, /* b, adhesion, initial y */
                       .n_point = n_cell,
                       .value = malloc((size_t)n_cell * 3 * sizeof(double))};
  for (int64_t c = 0; c < n_cell; ++c) {
    s.axis->value[3 * c] = 195.1 * (double)(c % 4 + 1);
    s.axis->value[3 * c + 1] = (double)(c % 2);
    s.axis->value[3 * c + 2] = 0.5 + 0.01 * (double)c;
  }
  return s;
}

void sample_free(sal_sweep *s)
{
  free(s->path);
  free(s->text);
  free(s->title);
  free(s->settled);
  for (int i = 0; i < s->n_axis; ++i) free(s->axis[i].value);
  free(s->axis);
}

/* A value of that kind, different at each place.  One in EVERY is missing, of each metric in turn. */
enum { EVERY = 19 };
_Static_assert(SAL_N_METRIC % EVERY != 0 && SAL_N_CELL_METRIC % EVERY != 0,
               "of some metrics alone");

static double value_of(sal_metric_kind kind, int64_t place)
{
  const uint64_t drawn = sal_scramble((uint64_t)place);

  if (kind == SAL_FLAG) return drawn % 3 ? SAL_OUT_DONE : (double)(drawn / 3 % SAL_N_OUTCOME);
  if (kind == SAL_INTEGRATOR) return (double)(drawn % 5);
  if (place % EVERY == 5) return NAN;
  return kind == SAL_COUNT ? (double)(place * 1001) : sqrt((double)place + 0.1);
}

double sample_value(int64_t cell, int config, int m)
{
  return value_of(sal_metrics[m].kind, (cell * SAMPLE_CONFIGS + config) * SAL_N_METRIC + m);
}

double sample_cell_value(int64_t cell, int m)
{
  return value_of(sal_metrics_of_cell[m].kind, cell * SAL_N_CELL_METRIC + m);
}

sal_tile_result sample_slab(const sal_sweep *sweep, int64_t first, int64_t count)
{
  const int n_record = sweep->n_tolerance * sweep->n_strategy * sweep->n_method;
  sal_tile_result result = {.first = first, .count = count};

  result.cell = malloc(((size_t)count + 1) * sizeof result.cell[0]);
  result.record = malloc((size_t)(count * n_record + 1) * sizeof result.record[0]);
  for (int64_t c = 0; c < count; ++c) {
    for (int m = 0; m < SAL_N_CELL_METRIC; ++m)
      result.cell[c].value[m] = sample_cell_value(first + c, m);
    for (int r = 0; r < n_record; ++r)
      for (int m = 0; m < SAL_N_METRIC; ++m)
        result.record[c * n_record + r].value[m] = sample_value(first + c, r, m);
  }
  return result;
}

void sample_slab_free(sal_tile_result *result)
{
  free(result->cell);
  free(result->record);
}

bool sample_same(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

sal_err sample_write(const char *path, const sal_sweep *sweep, const sal_tile_result *result)
{
  return write_cube(MPI_COMM_SELF, path, sweep, &sample_origin, 1, result);
}
