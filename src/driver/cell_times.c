/** The times of cells, read a few cells at a time. */
#include "cell_times.h"
#include "base.h"
#include "config.h"
#include "cube_read.h"
#include "cube_write.h"
#include "sweep_read.h"

static const double most_cells = 1e9;

enum { PACKED = 192 }; /* cells that say what packed ones take: a tile */

/* CPU time of each cell. */
static sal_err take_seconds(void *with, const sal_tile_result *result)
{
  double *seconds = (double *)with + result->first;

  for (int64_t i = 0; i < result->count; ++i) seconds[i] = result->cell[i].value[SAL_CELL_SECONDS];
  return SAL_OK;
}

/* Journals have none. */
static void drop_points(int64_t n, sal_record record[])
{
  for (int64_t i = 0; i < n; ++i)
    for (int m = SAL_METRIC_POINTS_SD; m <= SAL_METRIC_POINTS_IAE; ++m) record[i].value[m] = NAN;
}

/* Cells from the middle. */
static sal_err pack_some(sal_cube_file *file, sal_cell_times *t)
{
  const int64_t most = sal_cube_round(&t->sweep), some = most < PACKED ? most : PACKED;
  const int64_t n = t->cells < some ? t->cells : some;
  const sal_cube_file_metrics all = sal_cube_file_all();
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};

  SAL_TRY(sal_cube_file_room(file, &all, n, &result));
  result.first = (t->cells - n) / 2;
  result.count = n;
  SAL_TRY(sal_cube_file_read(file, &all, &result));
  SAL_TRY(sal_packed_size_see_cube(&t->packed, &t->sweep, &result));
  drop_points(n * sal_config_count(&t->sweep), result.record);
  return sal_packed_size_see(&t->packed, &t->sweep, &result);
}

static sal_err check_seconds(const char *path, sal_cell_times *t)
{
  int64_t missing = 0;

  for (int64_t i = 0; i < t->cells; ++i) {
    if (!(t->seconds[i] >= 0) || isinf(t->seconds[i]))
      ++missing;
    else
      t->sum += t->seconds[i];
    t->heaviest = fmax(t->heaviest, t->seconds[i]);
  }
  if (missing)
    return sal_fail(SAL_ERR_INPUT,
                    "%s: %lld of its %lld cells have no measured time (cell_seconds); a plan needs "
                    "the times of all cells",
                    path, (long long)missing, (long long)t->cells);
  if (t->sum > 0) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: its cells took no time at all", path);
}

sal_err sal_cell_times_read(const char *path, int64_t scale, sal_cell_times *t)
{
  static const sal_cube_file_metrics asked = {.n_of_cell = 1, .of_cell = {SAL_CELL_SECONDS}};
  SAL_OWN_BY(sal_cube_file_close) sal_cube_file *file = NULL;
  SAL_OWN_BY(sal_cube_free) sal_cube frame = {0};

  *t = (sal_cell_times){.scale = scale};
  SAL_TRY(sal_cube_file_open(path, &file, &frame));
  t->cells = frame.n_cell;
  if ((double)t->cells * (double)scale > most_cells)
    return sal_fail(SAL_ERR_USAGE, "%lld times %lld cells are more than %g", (long long)scale,
                    (long long)t->cells, most_cells);
  t->seconds = sal_alloc((size_t)t->cells, sizeof *t->seconds);
  if (!t->seconds) return sal_fail(SAL_ERR_MEMORY, "no memory for the times of cells");
  SAL_TRY(sal_sweep_parse_results(path, frame.sweep_text, &t->sweep));
  t->sweep.n_cell = t->cells * scale; /* its sizes alone are asked for */
  t->sweep.stored.n_cell *= scale;
  SAL_TRY(sal_cube_file_each(file, &asked, take_seconds, t->seconds));
  SAL_TRY(pack_some(file, t));
  return check_seconds(path, t);
}

void sal_cell_times_free(sal_cell_times *t)
{
  sal_sweep_free(&t->sweep);
  sal_free(t->seconds);
  t->seconds = NULL;
}
