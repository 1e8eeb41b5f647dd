/** @file src/driver/simulate_cube.c
 *  The times of cells, read a few cells at a time.
 */
#include "simulate_cube.h"
#include "config.h"
#include "cube_read.h"
#include "cube_write.h"
#include "memory.h"
#include "sweep_read.h"
#include <math.h>

static const double most_cells = 1e9;

enum { PACKED = 192 }; /* cells that say what packed ones take: a tile */

/* CPU time of each cell, block by block. */
static sal_err read_blocks(sal_cube_file *file, int64_t n_cell, double seconds[])
{
  static const sal_cube_file_metrics asked = {.n_of_cell = 1, .of_cell = {SAL_CELL_SECONDS}};
  const int64_t block = sal_cube_file_block(file, &asked);
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};

  SAL_TRY(sal_cube_file_room(file, &asked, block, &result));
  for (; result.first < n_cell; result.first += block) {
    result.count = n_cell - result.first < block ? n_cell - result.first : block;
    SAL_TRY(sal_cube_file_read(file, &asked, &result));
    for (int64_t i = 0; i < result.count; ++i)
      seconds[result.first + i] = result.cell[i].value[SAL_CELL_SECONDS];
  }
  return SAL_OK;
}

/* Journals have none. */
static void drop_points(int64_t n, sal_record record[])
{
  for (int64_t i = 0; i < n; ++i)
    for (int m = SAL_METRIC_POINTS_SD; m <= SAL_METRIC_POINTS_IAE; ++m) record[i].value[m] = NAN;
}

/* Cells from the middle. */
static sal_err pack_some(sal_cube_file *file, sal_simulated_work *work)
{
  const int64_t most = sal_cube_round(&work->sweep), some = most < PACKED ? most : PACKED;
  const int64_t n = work->cells < some ? work->cells : some;
  const sal_cube_file_metrics all = sal_cube_file_all();
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};

  SAL_TRY(sal_cube_file_room(file, &all, n, &result));
  result.first = (work->cells - n) / 2;
  result.count = n;
  SAL_TRY(sal_cube_file_read(file, &all, &result));
  SAL_TRY(sal_packed_size_see_cube(&work->packed, &work->sweep, &result));
  drop_points(n * work->configs, result.record);
  return sal_packed_size_see(&work->packed, &work->sweep, &result);
}

static sal_err check_seconds(sal_simulated_work *work, const double seconds[])
{
  int64_t missing = 0;

  for (int64_t i = 0; i < work->cells; ++i) {
    if (!(seconds[i] >= 0) || isinf(seconds[i]))
      ++missing;
    else
      work->sum += seconds[i];
    work->heaviest = fmax(work->heaviest, seconds[i]);
  }
  if (missing)
    return sal_fail(SAL_ERR_INPUT,
                    "%s: %lld of its %lld cells have no measured time (cell_seconds); only a run "
                    "that measured all of them can be simulated",
                    work->path, (long long)missing, (long long)work->cells);
  if (work->sum > 0) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT, "%s: its cells took no time at all", work->path);
}

/* The sweep of the cube, as large as it is to be; only sizes are asked of it. */
static sal_err parse_sweep(const sal_cube *frame, sal_simulated_work *work)
{
  SAL_TRY(sal_sweep_parse_results(work->path, frame->sweep_text, &work->sweep));
  work->configs = sal_config_count(&work->sweep);
  work->sweep.n_cell = work->cells * work->scale;
  work->sweep.stored.n_cell *= work->scale;
  return SAL_OK;
}

sal_err sal_simulate_cube_read(sal_simulated_work *work, double **seconds)
{
  SAL_OWN_BY(sal_cube_file_close) sal_cube_file *file = NULL;
  SAL_OWN_BY(sal_cube_free) sal_cube frame = {0};

  *seconds = NULL;
  SAL_TRY(sal_cube_file_open(work->path, &file, &frame));
  work->cells = frame.n_cell;
  *seconds = sal_alloc((size_t)frame.n_cell, sizeof **seconds);
  if (!*seconds) return sal_fail(SAL_ERR_MEMORY, "no memory for the times of cells");
  if ((double)work->cells * (double)work->scale > most_cells)
    return sal_fail(SAL_ERR_USAGE, "%lld times %lld cells are more than %g", (long long)work->scale,
                    (long long)work->cells, most_cells);
  SAL_TRY(parse_sweep(&frame, work));
  SAL_TRY(read_blocks(file, frame.n_cell, *seconds));
  SAL_TRY(pack_some(file, work));
  return check_seconds(work, *seconds);
}
