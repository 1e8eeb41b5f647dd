/** Sizes, as the layers that make the things say them, added up. */
#include "basins.h"
#include "cube_write.h"
#include "journal_deal.h"
#include "map_cube.h"
#include "plan_print.h"
#include "run_sweep.h"
#include "tile_run.h"

/* Memory of a thread, about, while it packs chunks, and while it makes answers of a map [B]. */
static const double pack_bytes = 4e5, answer_bytes = 2e6;

sal_bill_sweep sal_plan_sizes(const sal_sweep *s, const sal_packed_size *packed, int n_rank,
                              int threads, bool map)
{
  const int64_t most = sal_tile_most(s), tile = sal_tiles_largest(s->n_cell, n_rank, most);
  const sal_cube_size cube = sal_cube_size_of(s, packed, (s->n_cell + n_rank - 1) / n_rank);
  const sal_map_size of = sal_map_size_of(s, packed, n_rank);
  const sal_basins_size basins = sal_basins_size_of(s, n_rank);
  const double cells = (double)s->n_cell;
  const int64_t unit = sal_run_cells_unit(s, n_rank);
  int64_t whole;
  const int64_t tiles = sal_tiles_count(s->n_cell, n_rank, most, unit > 1 ? unit : 1, &whole);
  sal_bill_sweep out = {.records = tiles + (tile > SAL_RUN_CELLS_FIRST ? n_rank : 0),
                        .early = unit > 0 && s->n_cell > 0 ? (double)whole / cells : 0,
                        .rounds = cube.rounds,
                        .pieces = cube.pieces,
                        .again = s->n_cell ? (double)s->stored.n_cell / cells : 0};
  const double journal = sal_packed_size_journal(packed, s, cells, (double)out.records);

  map = map && of.fits;
  out.rows = of.once;
  out.answers = map ? of.seconds : 0;
  out.bytes[SAL_BILL_JOURNAL] = journal;
  out.bytes[SAL_BILL_FRAME] = (double)cube.frame;
  out.bytes[SAL_BILL_METRICS] = (double)cube.metrics;
  out.bytes[SAL_BILL_INDEX] = (double)cube.index;
  out.bytes[SAL_BILL_MARKED] = basins.marks > 0 ? journal : 0;
  out.bytes[SAL_BILL_MARKS] = basins.marks;
  out.bytes[SAL_BILL_NEIGHBOURS] = map ? of.moved : 0;
  out.bytes[SAL_BILL_MAP] = map ? of.written : 0;
  out.bytes[SAL_BILL_STORED] = sal_stored_bytes(&s->stored, sal_config_count(s), s->model->n_state);
  out.held = fmin(1, (double)SAL_JOURNAL_HELD_MOST * n_rank / fmax(1, journal));
  out.memory[SAL_BILL_HELD] = out.held * journal / n_rank;
  out.memory[SAL_BILL_PROGRAM] = sal_run_bytes(s);
  out.memory[SAL_BILL_TEXT] = s->read_bytes;
  out.memory[SAL_BILL_TILE] = (double)sal_tile_bytes(s, tile, threads);
  out.memory[SAL_BILL_ROUND] = (double)cube.memory + threads * pack_bytes;
  out.memory[SAL_BILL_MARKED_OWN] = basins.own;
  out.memory[SAL_BILL_MARKS_ALL] = basins.first;
  out.memory[SAL_BILL_ROWS] = map ? of.rows : 0;
  out.memory[SAL_BILL_PLACES] = map ? of.memory + threads * answer_bytes : 0;
  out.memory[SAL_BILL_CHUNKS] = (double)cube.chunks;
  out.memory[SAL_BILL_BLOCK] = (double)cube.first;
  return out;
}
