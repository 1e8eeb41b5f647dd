/** @file src/app/bill_sizes.c
 *  Sizes, as the layers that make the things say them, added up.
 */
#include "bill_sizes.h"
#include "config.h"
#include "cube_write.h"
#include "journal_deal.h"
#include "map_cube.h"
#include "run_cells.h"
#include "run_sweep.h"
#include "tile.h"
#include "tile_run.h"
#include "tiles.h"
#include <math.h>

/* Share of the journals that is held in the memory of the ranks that wrote them. */
static double held_share(double journal, int n_rank)
{
  return fmin(1, (double)SAL_JOURNAL_HELD_MOST * n_rank / fmax(1, journal));
}

sal_bill_sweep sal_bill_sizes(const sal_sweep *s, const sal_packed_size *packed, int n_rank,
                              int threads, bool map)
{
  const int64_t most = sal_tile_most(s), fair = (s->n_cell + n_rank - 1) / n_rank;
  const int64_t round = fair < sal_cube_round(s) ? fair : sal_cube_round(s);
  const int64_t tile = sal_tiles_largest(s->n_cell, n_rank, most);
  const int n = sal_config_count(s);
  const double cells = (double)s->n_cell;
  const int64_t frame = sal_cube_frame_bytes(s);
  const sal_map_size of = sal_map_size_of(s, packed, n_rank);
  sal_bill_sweep out = {.records = sal_tiles_count(s->n_cell, n_rank, most) +
                                   (tile > SAL_RUN_CELLS_FIRST ? n_rank : 0),
                        .rounds = (fair + round - 1) / (round > 0 ? round : 1),
                        .pieces = sal_cube_pieces(s),
                        .again = s->n_cell ? (double)s->stored.n_cell / cells : 0};

  map = map && of.fits;
  out.rows = of.once;
  out.answers = map ? of.seconds : 0;
  out.bytes[SAL_BILL_JOURNAL] = sal_packed_size_journal(packed, s, cells, (double)out.records);
  out.bytes[SAL_BILL_FRAME] = (double)frame;
  out.bytes[SAL_BILL_METRICS] = (double)(sal_cube_bytes(s, packed) - frame);
  out.bytes[SAL_BILL_INDEX] = (double)sal_cube_index_size(s);
  out.bytes[SAL_BILL_NEIGHBOURS] = map ? of.moved : 0;
  out.bytes[SAL_BILL_MAP] = map ? of.written : 0;
  out.bytes[SAL_BILL_STORED] = sal_stored_bytes(&s->stored, n, s->model->n_state);
  out.held = held_share(out.bytes[SAL_BILL_JOURNAL], n_rank);
  out.memory[SAL_BILL_HELD] = out.held * out.bytes[SAL_BILL_JOURNAL] / n_rank;
  out.memory[SAL_BILL_PROGRAM] = sal_run_bytes(s);
  out.memory[SAL_BILL_TEXT] = s->read_bytes;
  out.memory[SAL_BILL_TILE] = (double)sal_tile_bytes(s, tile, threads);
  out.memory[SAL_BILL_ROUND] = (double)sal_cube_memory(s, round, false);
  out.memory[SAL_BILL_PLACES] = map ? of.memory : 0;
  out.memory[SAL_BILL_CHUNKS] = (double)sal_cube_chunks_memory(s);
  out.memory[SAL_BILL_BLOCK] =
      (double)(sal_cube_memory(s, round, true) - sal_cube_memory(s, round, false));
  return out;
}
