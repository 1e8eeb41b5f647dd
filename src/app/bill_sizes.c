/** @file src/app/bill_sizes.c
 *  Sizes, as those know them who make the things.
 */
#include "bill_sizes.h"
#include "contender.h"
#include "cube_size.h"
#include "map.h"
#include "tile_run.h"
#include "tiles.h"
#include <math.h>

/* Beside the cells [B], as measured: the program, MPI and HDF5; what collective writes of MPI hold;
 * what HDF5 holds while it makes a frame. */
static const double program_bytes = 28e6, exchange_bytes = 34e6, labels_bytes = 30e6;

/* Of the map, as measured: in memory, of a rank and of a contender in it; rows that a rank keeps at
 * most [B]; CPU time of a cell, and of a contender in it [s]. */
static const double rounds_memory = 65e6, rounds_memory_each = 0.56e6, rows_most = 300e6,
                    cell_seconds = 20e-6, contender_seconds = 2.5e-6;

enum { WEIGHTS = 5 }; /* presets of a map */

double sal_bill_cell_bytes(const sal_sweep *s)
{
  return (double)sizeof(sal_cell_record) + sal_contender_count(s) * (double)sizeof(sal_record);
}

/* Of an answer to a question in the file: two contenders by number, numbers of 4 bytes, a reason. */
static double answer_bytes(const sal_sweep *s, int numbers)
{
  return (sal_contender_count(s) < 255 ? 2 : 4) + 4 * numbers + 1;
}

/* Are there points?  Where nothing was stopped at a cap and the error is one of trajectories. */
static bool has_points(const sal_sweep *s) { return s->map_by->trajectory && !(s->cap.factor > 0); }

static double count_questions(const sal_sweep *s)
{
  return SAL_ERROR_METRIC_PRESETS + (has_points(s) ? WEIGHTS * s->n_tolerance : 0);
}

/* A cell of the map: its number, a place for each question, and for each error what is advised. */
static double map_bytes(const sal_sweep *s)
{
  return 8 + count_questions(s) * answer_bytes(s, 3) +
         SAL_ERROR_METRIC_PRESETS * answer_bytes(s, 5);
}

/* Error, outcome, counts of the work and what points are of, of all contenders of a cell. */
static double row_bytes(const sal_sweep *s)
{
  double one = 8 + (s->map_by->trajectory ? 1 : 0) + (has_points(s) ? 8 + 8 : 0);

  for (int i = 0; i < SAL_N_WORK; ++i) one += s->map_by->count[i] >= 0 ? 8 : 0;
  return 16 + one * sal_contender_count(s);
}

/* Of the map in a rank: rounds of its cells, few of them in a small sweep, and rows. */
static double map_memory(const sal_sweep *s, double fair)
{
  const double n = sal_contender_count(s), few = fair * (2000 + 64 * n) * 4;

  return fmin(rounds_memory + n * rounds_memory_each, few) +
         fmin((double)s->n_cell * 8 * (2 * n + 1), rows_most);
}

sal_bill_sweep sal_bill_sizes(const sal_sweep *s, int n_rank, int threads, bool map)
{
  const int64_t  most = sal_tile_most(s), fair = (s->n_cell + n_rank - 1) / n_rank;
  const int64_t  round = fair < sal_cube_round(s) ? fair : sal_cube_round(s);
  const int64_t  tile  = sal_tiles_largest(s->n_cell, n_rank, most);
  const int      n     = sal_contender_count(s);
  const double   cells = (double)s->n_cell;
  const int64_t  frame = sal_cube_frame_bytes(s);
  sal_bill_sweep out   = {.records = sal_tiles_count(s->n_cell, n_rank, most),
                          .again   = s->n_cell ? (double)s->stored.n_cell / cells : 0};

  out.answers                  = map ? cells * (cell_seconds + n * contender_seconds) : 0;
  out.bytes[SAL_BILL_JOURNAL]  = cells * sal_bill_cell_bytes(s);
  out.bytes[SAL_BILL_FRAME]    = (double)frame;
  out.bytes[SAL_BILL_METRICS]  = (double)(sal_cube_bytes(s) - frame);
  out.bytes[SAL_BILL_ROWS]     = map ? cells * row_bytes(s) : 0;
  out.bytes[SAL_BILL_MAP]      = map ? cells * map_bytes(s) : 0;
  out.bytes[SAL_BILL_STORED]   = sal_stored_bytes(&s->stored, n, s->model->n_state);
  out.memory[SAL_BILL_PROGRAM] = program_bytes;
  out.memory[SAL_BILL_TILE]    = (double)sal_tile_bytes(s, tile, threads);
  out.memory[SAL_BILL_ROUND]   = exchange_bytes + (double)sal_cube_memory(s, round, false);
  out.memory[SAL_BILL_PLACES]  = map_memory(s, (double)fair);
  out.memory[SAL_BILL_BLOCK] =
      labels_bytes + (double)(sal_cube_memory(s, round, true) - sal_cube_memory(s, round, false));
  return out;
}
