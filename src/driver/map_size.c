/** @file src/driver/map_size.c
 *  Rounds of the map, rows of the reader and the index of its cells, as the code that makes them has them.
 */
#include "contender.h"
#include "map_cube.h"
#include "map_group.h"
#include "performance_rows.h"
#include "point_set.h"
#include "reader_rows.h"
#include "row_store.h"
#include <math.h>

/* CPU time of the map, as measured, for a cell and for a contender in it [s]; what a cell takes more
 * where points are of several columns, which are searched by a tree. */
static const double cell_seconds = 24e-6, contender_seconds = 2.5e-6, search_seconds = 30e-6;

/* Other cells that are asked for with a cell of scattered ones, as measured. */
enum { SCATTERED_NEIGHBOURS = 32 };

/* Are there points?  Where nothing was stopped at a cap and the error is one of trajectories. */
static bool has_points(const sal_sweep *s)
{
  return s->map_by->trajectory && !(s->cap.factor > 0) && s->scouting.cells == 0;
}

static sal_map questions_of(const sal_sweep *s)
{
  sal_map m = {.n_cell = s->n_cell, .by = s->map_by, .n_tolerance = s->n_tolerance};

  sal_map_presets(s->map_by, has_points(s), &m);
  return m;
}

static double row_bytes(const sal_sweep *s)
{
  return sal_performance_rows_bytes(
      &(sal_performance_rows_of){.sweep = s, .by = s->map_by, .points = has_points(s)});
}

/* ---- cells that are read for the reader's answers ---- */

static bool is_searched(const sal_axis *a) { return a->n_column > 1 && a->n_point > 1; }

static bool is_scattered(const sal_sweep *s)
{
  bool any = s->scattered.point.n_point > 0;

  for (int a = 0; a < s->n_axis; ++a) any = any || is_searched(&s->axis[a]);
  return any;
}

/* Cells that a rank asks for, as multiples of its own: of a grid those one step off along each axis,
 * of which neighbours along the last ones lie in the round; scattered ones have all others. */
static double asked_for(const sal_sweep *s, double round)
{
  double stride = 1, times = 1;

  if (is_scattered(s)) return SCATTERED_NEIGHBOURS;
  for (int a = s->n_axis - 1; a >= 0; --a) {
    if (s->axis[a].n_point > 1) times *= 1 + 2 * fmin(1, stride / round);
    stride *= (double)s->axis[a].n_point;
  }
  return times;
}

static double most_rows(const sal_sweep *s)
{
  return (double)sal_reader_rows_most(sal_reader_rows_memory, s->n_cell, sal_contender_count(s));
}

/* Of the cells of a rank, as multiples of them.  Where all rows are kept, a rank reads no cell twice. */
static double read_for_answers(const sal_sweep *s, double asked, double fair)
{
  const double cells = (double)s->n_cell;

  return most_rows(s) < cells ? asked : fmin(asked, cells / fair);
}

/* Of rows that the ranks keep. */
static double store_bytes(const sal_sweep *s, int n_rank, int64_t block)
{
  return sal_row_store_bytes(s->n_cell, n_rank, block, sal_contender_count(s), has_points(s));
}

/* ---- memory ---- */

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

/* Of the map in a rank: its rounds, few cells of them in a small sweep, and rows. */
static double memory_of(const sal_sweep *s, double asked, double fair)
{
  const double n = sal_contender_count(s), rows = fmin(fair * asked, most_rows(s));
  const double few = fair * (2000 + 64 * n) * 4;

  return fmin(2.0 * SAL_MAP_ROUND, few) + index_bytes(s) +
         sal_reader_rows_bytes(sal_reader_rows_memory, rows, s->n_cell, (int)n);
}

sal_map_size sal_map_size_of(const sal_sweep *s, int n_rank)
{
  const sal_map questions = questions_of(s);
  const int n = sal_contender_count(s);
  const double cells = (double)s->n_cell, fair = ceil(cells / n_rank);
  const int64_t round = sal_map_round(&questions, s->n_cell, n, n_rank);
  const double asked = asked_for(s, (double)round), store = store_bytes(s, n_rank, round);
  const bool kept = store <= sal_row_store_memory;
  const double times = kept ? 1 : 2 + read_for_answers(s, asked, fair);

  return (sal_map_size){.read = cells * row_bytes(s) * times,
                        .written = (double)sal_map_write_bytes(s, &questions, true),
                        .memory = memory_of(s, asked, fair) + (kept ? store : 0),
                        .seconds = cells * (cell_seconds + n * contender_seconds +
                                            (is_scattered(s) ? search_seconds : 0))};
}
