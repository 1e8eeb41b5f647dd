/** Rounds of the map, rows of the surrogate and the index of its cells, as the code that makes them has them.
 */
#include "cutoff.h"
#include "map_cube.h"
#include "scalar_math.h"

/* CPU time of the map, as measured, for a cell and for a configuration in it [s]; what a cell takes more
 * where points are of several columns, which are searched by a tree. */
static const double cell_seconds = 24e-6, config_seconds = 2.5e-6, search_seconds = 30e-6;

/* Neighbours that a cell's answers are made from, and how far they reach beyond a box of cells: in widths of a box of so many, as
 * measured in four dimensions. */
static const double neighbours = 48, reach = 0.8;

static bool has_points(const sal_sweep *s)
{
  return s->map_by->trajectory && sal_cutoff_keeps_points(s);
}

static sal_map questions_of(const sal_sweep *s)
{
  sal_map m = {.n_cell = s->n_cell, .by = s->map_by, .n_tolerance = s->n_tolerance};

  sal_map_presets(s->map_by, has_points(s), &m);
  return m;
}

static double row_bytes(const sal_sweep *s, const sal_packed_size *packed)
{
  return sal_performance_rows_bytes(
      &(sal_performance_rows_of){
          .sweep = s, .by = s->map_by, .weights = sal_work_presets(s), .points = has_points(s)},
      packed);
}

static bool is_searched(const sal_axis *a) { return a->n_column > 1 && a->n_point > 1; }

static bool is_scattered(const sal_sweep *s)
{
  bool any = s->scattered.point.n_point > 0;

  for (int a = 0; a < s->n_axis; ++a) any = any || is_searched(&s->axis[a]);
  return any;
}

/* Rows that a rank needs, as multiples of its cells: those of a box and of what is around it, or all. */
static double needed(const sal_sweep *s, double fair)
{
  const double all = (double)s->n_cell / fair;
  const int n = sal_row_store_coordinates(s);

  return n > 0 ? fmin(sal_scalar_pow(1 + reach * sal_scalar_pow(neighbours / fair, 1. / n), n), all)
               : all;
}

static double most_rows(const sal_sweep *s)
{
  return (double)sal_surrogate_rows_most(sal_row_store_read(s), s->n_cell, sal_config_count(s));
}

double sal_map_size_times(const sal_sweep *s)
{
  double cells = 1;

  for (int a = 0; a < s->n_axis; ++a) cells *= (double)s->axis[a].n_point;
  return (double)s->n_cell / (cells + (double)s->scattered.point.n_point);
}

static double index_bytes(const sal_sweep *s)
{
  const double times = sal_map_size_times(s);
  double bytes = 0;

  for (int a = 0; a < s->n_axis; ++a)
    if (is_searched(&s->axis[a]) && !sal_axis_is_smooth_sequence(&s->axis[a]))
      bytes += sal_point_set_bytes(times * (double)s->axis[a].n_point, s->axis[a].n_column, true);
  return bytes;
}

/* Memory of the map in a rank: its rounds, with few cells in a small sweep, rows of the surrogate, and answers in transit. */
static double memory_of(const sal_sweep *s, double fair, double written)
{
  const double n = sal_config_count(s), rows = fmin(fair * needed(s, fair), most_rows(s));
  const double few = fair * (2000 + 64 * n) * 4, answers = written / (double)s->n_cell * fair;

  return fmin(2.0 * SAL_MAP_ROUND, few) + index_bytes(s) + answers +
         2 * fmin(answers, SAL_MAP_WRITE) +
         sal_surrogate_rows_bytes(sal_row_store_read(s), rows, s->n_cell, (int)n);
}

/* A packed row, about: the errors are those in the cube, of which deflate leaves a share, and each has a work. */
static double packed_row(const sal_sweep *s, const sal_packed_size *packed)
{
  const double share = 9.3, work = 3, n = sal_config_count(s);
  const double ended = fmin(sal_packed_size_metric(packed, s, s->map_by->error) / share, n);
  const int by = s->map_by->partial;
  const double stopped =
      by >= 0 && s->cutoff.factor > 0 ? sal_packed_size_metric(packed, s, by) / share : 0;

  return SAL_MAP_ROW_PLACE + (double)sal_row_pack_most(0, false) + n / 2 +
         ended * (work + (has_points(s) ? 32 : 8)) + fmin(stopped, n - ended) * (work + 1);
}

/* Rows go to the ranks whose boxes they lie in, those around a box are asked for, by place, and answers go to the ranks
 * that write them; by the order of the numbers rows and answers stay where they are. */
static double moved_of(const sal_sweep *s, double fair, double row, double written)
{
  const double place = sizeof(int64_t);

  if (sal_row_store_coordinates(s) == 0) return 0;
  return (double)s->n_cell * (row + (needed(s, fair) - 1) * (row + place) + place) + written;
}

sal_map_size sal_map_size_of(const sal_sweep *s, const sal_packed_size *packed, int n_rank)
{
  const sal_map questions = questions_of(s);
  const int n = sal_config_count(s);
  const double cells = (double)s->n_cell, fair = ceil(cells / n_rank);
  const double written = (double)sal_map_write_bytes(s, &questions, true);
  const double row = packed_row(s, packed);

  return (sal_map_size){
      .fits = sal_row_store_bytes(s->n_cell, n_rank, n, has_points(s)) <= sal_row_store_memory(),
      .once = cells * row_bytes(s, packed),
      .moved = moved_of(s, fair, row, written),
      .written = written,
      .rows = fair * row,
      .memory = memory_of(s, fair, written),
      .seconds =
          cells * (cell_seconds + n * config_seconds + (is_scattered(s) ? search_seconds : 0))};
}

sal_err sal_map_size_check(const sal_sweep *s, int n_rank)
{
  return sal_row_store_check(s->n_cell, n_rank, sal_config_count(s), has_points(s));
}
