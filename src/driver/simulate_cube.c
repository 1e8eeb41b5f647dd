/** @file src/driver/simulate_cube.c
 *  The times of cells, read a few cells at a time.
 */
#include "simulate_cube.h"
#include "contender.h"
#include "cube_read.h"
#include "memory.h"
#include "sweep_read.h"
#include <assert.h>
#include <math.h>

static const double most_cells = 1e9;

/* CPU time of each cell, block by block. */
static sal_err read_blocks(sal_cube_file *file, int64_t n_cell, double seconds[])
{
  static const sal_cube_file_metrics asked = {.n_of_cell = 1, .of_cell = {SAL_CELL_SECONDS}};
  const int64_t block = sal_cube_file_block(file, &asked);
  sal_tile_result result;

  sal_err err = sal_cube_file_room(file, &asked, block, &result);
  assert(seconds);
  for (; err == SAL_OK && result.first < n_cell; result.first += block) {
    result.count = n_cell - result.first < block ? n_cell - result.first : block;
    err = sal_cube_file_read(file, &asked, &result);
    for (int64_t i = 0; err == SAL_OK && i < result.count; ++i)
      seconds[result.first + i] = result.cell[i].value[SAL_CELL_SECONDS];
  }
  sal_tile_result_free(&result);
  return err;
}

static sal_err check_seconds(sal_simulated_work *work, const double seconds[])
{
  int64_t missing = 0;

  assert(seconds);
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
  work->contenders = sal_contender_count(&work->sweep);
  work->sweep.n_cell = work->cells * work->scale;
  work->sweep.stored.n_cell *= work->scale;
  return SAL_OK;
}

sal_err sal_simulate_cube_read(sal_simulated_work *work, double **seconds)
{
  sal_cube_file *file;
  sal_cube frame;

  *seconds = NULL;
  SAL_TRY(sal_cube_file_open(work->path, &file, &frame));
  work->cells = frame.n_cell;
  *seconds = sal_alloc((size_t)frame.n_cell, sizeof **seconds);
  sal_err err = *seconds ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for the times of cells");
  if (err == SAL_OK && (double)work->cells * (double)work->scale > most_cells)
    err = sal_fail(SAL_ERR_USAGE, "%lld times %lld cells are more than %g", (long long)work->scale,
                   (long long)work->cells, most_cells);
  if (err == SAL_OK) err = parse_sweep(&frame, work);
  if (err == SAL_OK) err = read_blocks(file, frame.n_cell, *seconds);
  sal_cube_file_close(&file);
  sal_cube_free(&frame);
  if (err == SAL_OK) err = check_seconds(work, *seconds);
  return err;
}
