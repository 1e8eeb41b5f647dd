/** @file src/app/bill_sizes.c
 *  Sizes, as the layers that make the things say them, added up.
 */
#include "bill_sizes.h"
#include "contender.h"
#include "cube_write.h"
#include "map_cube.h"
#include "tile.h"
#include "tile_run.h"
#include "tiles.h"

/* Beside the cells [B], as measured: the program, MPI and HDF5; what collective writes of MPI hold;
 * what HDF5 holds while it makes a frame. */
static const double program_bytes = 28e6, exchange_bytes = 34e6, labels_bytes = 30e6;

/* Values of points, which every rank has; of joint axes as many times as the sweep has their cells. */
static double axis_memory(const sal_sweep *s)
{
  const double times = sal_map_size_times(s);
  double bytes = 0;

  for (int a = 0; a < s->n_axis; ++a) {
    const bool joint = s->axis[a].n_column > 1 && s->axis[a].n_point > 1;
    bytes += (joint ? times : 1) * sal_axis_bytes(&s->axis[a]);
  }
  return bytes;
}

sal_bill_sweep sal_bill_sizes(const sal_sweep *s, int n_rank, int threads, bool map)
{
  const int64_t most = sal_tile_most(s), fair = (s->n_cell + n_rank - 1) / n_rank;
  const int64_t round = fair < sal_cube_round(s) ? fair : sal_cube_round(s);
  const int64_t tile = sal_tiles_largest(s->n_cell, n_rank, most);
  const int n = sal_contender_count(s);
  const double cells = (double)s->n_cell;
  const int64_t frame = sal_cube_frame_bytes(s);
  const sal_map_size of = sal_map_size_of(s, n_rank);
  sal_bill_sweep out = {.records = sal_tiles_count(s->n_cell, n_rank, most),
                        .again = s->n_cell ? (double)s->stored.n_cell / cells : 0};

  out.answers = map ? of.seconds : 0;
  out.bytes[SAL_BILL_JOURNAL] = cells * (double)sal_tile_cell_bytes(n);
  out.bytes[SAL_BILL_FRAME] = (double)frame;
  out.bytes[SAL_BILL_METRICS] = (double)(sal_cube_bytes(s) - frame);
  out.bytes[SAL_BILL_ROWS] = map ? of.read : 0;
  out.bytes[SAL_BILL_MAP] = map ? of.written : 0;
  out.bytes[SAL_BILL_STORED] = sal_stored_bytes(&s->stored, n, s->model->n_state);
  out.memory[SAL_BILL_PROGRAM] = program_bytes + axis_memory(s);
  out.memory[SAL_BILL_TILE] = (double)sal_tile_bytes(s, tile, threads);
  out.memory[SAL_BILL_ROUND] = exchange_bytes + (double)sal_cube_memory(s, round, false);
  out.memory[SAL_BILL_PLACES] = of.memory;
  out.memory[SAL_BILL_BLOCK] =
      labels_bytes + (double)(sal_cube_memory(s, round, true) - sal_cube_memory(s, round, false));
  return out;
}
