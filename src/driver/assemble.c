/** The cube from journals.
 *
 *  Each rank has one run of cells, of whole chunks, and brings it piece by piece, a round each.  The records come from the
 *  ranks that have them (journal_deal.h).  One that reaches beyond its piece is kept for the next one, so that each comes once
 *  to a rank.
 */
#include "assemble.h"
#include "base.h"
#include "basins.h"
#include "collective_error.h"
#include "cube_chunk.h"
#include "cube_write.h"
#include "journal.h"
#include "journal_deal.h"
#include "map_cube.h"
#include "sched.h"
#include "tile_rows.h"

/* Ranges of points as journals keep them: those of the tolerances of the sweep, criterion after
 * criterion. */
static void pack_range(const sal_points_range *range, int n_tolerance, double packed[])
{
  const int n = SAL_N_CRITERION * n_tolerance;

  for (int i = 0; i < n; ++i) {
    packed[i] = range->lo[i / n_tolerance][i % n_tolerance];
    packed[n + i] = range->hi[i / n_tolerance][i % n_tolerance];
  }
}

static void unpack_range(const double packed[], int n_tolerance, sal_points_range *range)
{
  const int n = SAL_N_CRITERION * n_tolerance;

  sal_points_range_clear(range);
  for (int i = 0; i < n; ++i) {
    range->lo[i / n_tolerance][i % n_tolerance] = packed[i];
    range->hi[i / n_tolerance][i % n_tolerance] = packed[n + i];
  }
}

static void measure_points(const void *with, const sal_tile_result *result, double range[])
{
  const sal_sweep *sweep = with;
  sal_points_range points;

  sal_points_range_clear(&points);
  sal_points_range_add(&points, sweep, result);
  pack_range(&points, sweep->n_tolerance, range);
}

/* Points of each cell by itself, and none, need no range over all cells. */
sal_journal_ranges sal_assemble_ranges(const sal_sweep *sweep)
{
  const bool all = sweep->points != SAL_POINTS_PER_CELL && !sweep->without_points;

  return (sal_journal_ranges){.n = all ? SAL_N_CRITERION * sweep->n_tolerance : 0,
                              .measure = measure_points,
                              .with = sweep};
}

/* Collective: of all records that the journals hold. */
static sal_err find_range(const sal_journal *j, sal_points_range *range)
{
  double packed[2 * SAL_N_CRITERION * SAL_MAX_LIST];

  SAL_TRY(sal_collective_error(j->comm, sal_journal_scan_ranges(j, packed)));
  if (j->ranges.n > 0)
    unpack_range(packed, j->sweep->n_tolerance, range);
  else
    sal_points_range_clear(range);
  return sal_sched_reduce_range(j->comm, SAL_N_CRITERION * SAL_MAX_LIST, &range->lo[0][0],
                                &range->hi[0][0]);
}

enum { FEW = 16 }; /* cells whose points a thread fills at once */

typedef struct {
  const sal_journal *journal;
  sal_assembly *out;
  sal_journal_deal *deal;
  sal_points_range range; /* of all ranks */
  bool map;
  sal_map_rows *rows;    /* for it; NULL: there is none */
  sal_tile own;          /* this rank's cells */
  int64_t fair;          /* of a rank, at most */
  int64_t cells, rounds; /* of a round, at most */
  sal_basins *basins;    /* NULL: the sweep requests none */
  sal_tile_result piece; /* of the round */
  _Atomic int64_t found; /* cells of it that are there */
  sal_tile_result kept;  /* the record read last, of which more is needed; count 0: none */
} work;

static void drop_kept(work *w) { sal_tile_result_free(&w->kept); }

/* Copies what the piece has of a record. */
static void copy_cells(work *w, const sal_tile_result *from)
{
  sal_tile_result *to = &w->piece;
  const int64_t n = sal_config_count(w->journal->sweep);
  const int64_t to_end = to->first + to->count, from_end = from->first + from->count;
  const int64_t first = to->first > from->first ? to->first : from->first;
  const int64_t end = to_end < from_end ? to_end : from_end;
  const int64_t count = end - first, at = first - to->first, there = first - from->first;

  if (count <= 0) return;
  sal_tile_rows_copy(to, at, from, there, count, n);
  w->found += count;
}

/* By any thread: no two records have a cell in common, and one alone reaches beyond the piece, which is kept. */
static sal_err take_record(void *with, sal_tile_result *record)
{
  work *w = with;

  if (sal_journal_deal_inside(&w->piece, record)) {
    w->found += record->count;
    return SAL_OK;
  }
  copy_cells(w, record);
  if (record->first + record->count <= w->piece.first + w->piece.count) return SAL_OK;
  drop_kept(w);
  w->kept = *record;
  *record = (sal_tile_result){0};
  return SAL_OK;
}

static sal_err read_piece(work *w, int64_t round)
{
  const int64_t end = w->piece.first + w->piece.count;

  w->found = 0;
  if (w->kept.count > 0) copy_cells(w, &w->kept);
  if (w->kept.first + w->kept.count <= end) drop_kept(w);
  SAL_TRY(sal_journal_deal_round(w->deal, round, &w->piece, take_record, w));
  if (w->found == w->piece.count) return SAL_OK;
  return sal_fail(SAL_ERR_IO, "%s: its journals lack cells from %lld to %lld", w->out->path,
                  (long long)w->piece.first + 1, (long long)end);
}

/* Collective.  The rows of the round to the ranks that make the map from them. */
static sal_err hand_over(const work *w, sal_err here)
{
  return w->rows ? sal_map_rows_add(w->rows, here, &w->piece) : here;
}

/* Points of some cells of the piece. */
static sal_err fill_points(void *with, int64_t i, int thread)
{
  const work *w = with;
  const int64_t n = sal_config_count(w->journal->sweep), at = i * FEW, left = w->piece.count - at;
  sal_tile_result some = sal_tile_result_part(&w->piece, n, at, left < FEW ? left : FEW);

  (void)thread;
  sal_points_fill(&w->range, w->journal->sweep, &some);
  return SAL_OK;
}

static void begin_round(work *w, int64_t round)
{
  const int64_t before = round * w->cells, left = w->own.count - before;

  w->piece.first = w->own.first + before;
  w->piece.count = left < 0 ? 0 : left < w->cells ? left : w->cells;
}

/* Has the piece all cells of the rank, read for their basins? */
static bool has_all(const work *w) { return w->basins && w->rounds == 1; }

static sal_err get_round(void *with, int64_t round, sal_tile_result *result)
{
  work *w = with;

  begin_round(w, round);
  *result = w->piece;
  SAL_TRY(hand_over(w, has_all(w) ? SAL_OK : read_piece(w, round)));
  if (w->basins) sal_basins_fill(w->basins, &w->piece);
  if (w->journal->sweep->without_points) return SAL_OK;
  return sal_parallel_for(sal_parallel_threads(), (w->piece.count + FEW - 1) / FEW, fill_points, w);
}

/* Stored trajectories are integrated again, not read from the journals. */
static sal_err add_trajectories(const work *w)
{
  const sal_err err = sal_stored_cube_fill(w->journal->comm, w->out->path, w->journal->sweep, NULL);

  return err != SAL_ERR_STOPPED
             ? err
             : sal_fail(err, "a signal stopped it before all trajectories were stored");
}

static void drop_rounds(work *w)
{
  drop_kept(w);
  sal_tile_result_free(&w->piece);
  sal_journal_deal_close(&w->deal);
}

/* Collective: what goes into the file after the metrics, in the room that these took. */
static sal_err add_groups(void *with)
{
  work *w = with;
  const sal_journal *j = w->journal;

  drop_rounds(w);
  if (j->sweep->stored.n_cell > 0) SAL_TRY(add_trajectories(w));
  if (!w->map) return SAL_OK;
  return sal_map_cube_part(j->comm, w->out->path, j->sweep, w->rows, sizeof w->out->no_map,
                           w->out->no_map);
}

static sal_err write_cube(work *w)
{
  const sal_cube_source source = {.rounds = w->rounds,
                                  .get = get_round,
                                  .add = add_groups,
                                  .fresh = w->out->fresh,
                                  .hints = w->out->hints,
                                  .ahead = w->out->ahead,
                                  .with = w};

  return sal_cube_write_rounds(w->journal->comm, w->out->path, w->journal->sweep, w->out->origin,
                               &source);
}

static sal_err open_deal(work *w)
{
  drop_kept(w);
  sal_journal_deal_close(&w->deal);
  return sal_journal_deal_open(w->journal, (sal_journal_need){w->fair, w->cells}, &w->deal);
}

/* Collective.  Numbers of attractors are of all cells: where these take more than a round the journals are read once for
 * them alone. */
static sal_err find_basins(work *w)
{
  if (!sal_sweep_asks(w->journal->sweep, SAL_GROUP_BASIN)) return SAL_OK;
  SAL_TRY(sal_collective_error(w->journal->comm,
                               sal_basins_create(w->journal->sweep, &w->own, &w->basins)));
  for (int64_t round = 0; round < w->rounds; ++round) {
    begin_round(w, round);
    SAL_TRY(sal_collective_error(w->journal->comm, read_piece(w, round)));
    sal_basins_add(w->basins, &w->piece);
  }
  SAL_TRY(sal_basins_number(w->journal->comm, w->basins));
  return has_all(w) ? SAL_OK : open_deal(w);
}

static void drop_work(work *w)
{
  sal_basins_free(&w->basins);
  sal_map_rows_free(&w->rows);
  drop_rounds(w);
}

/* This rank's cells, and room for a round of them. */
static sal_err share_cells(work *w)
{
  const sal_sweep *s = w->journal->sweep;
  const int64_t chunk = sal_cube_chunk(s), chunks = (s->n_cell + chunk - 1) / chunk;

  const int n_rank = sal_collective_ranks(w->journal->comm);
  const int64_t fair = (chunks + n_rank - 1) / n_rank * chunk,
                first = sal_collective_rank(w->journal->comm) * fair;
  const int64_t left = s->n_cell - first;
  w->fair = fair;
  w->own = (sal_tile){first, left < 0 ? 0 : left < fair ? left : fair};
  if (w->cells > fair) w->cells = fair;
  w->rounds = (fair + w->cells - 1) / w->cells;
  if (sal_tile_rows_alloc(s, w->cells, &w->piece)) return SAL_OK;
  return sal_fail(SAL_ERR_MEMORY, "%s: no memory for a round of cells", w->out->path);
}

/* Collective. */
static sal_err begin_rows(work *w)
{
  sal_performance_rows_of of;

  if (!w->map || !sal_map_rows_presets(w->journal->sweep, &of)) return SAL_OK;
  const sal_err err = sal_map_rows_create(w->journal->comm, &of, &w->rows);
  if (err != SAL_ERR_INPUT) return err;
  w->map = false; /* without room the run still has its cube */
  snprintf(w->out->no_map, sizeof w->out->no_map, "%s", sal_err_message());
  sal_err_clear();
  return SAL_OK;
}

sal_err sal_assemble(const sal_journal *j, sal_assembly *out)
{
  SAL_OWN_BY(drop_work)
  work w = {.journal = j, .out = out, .map = out->map, .cells = sal_cube_round(j->sweep)};

  out->no_map[0] = '\0';
  SAL_TRY(sal_collective_error(j->comm, share_cells(&w)));
  SAL_TRY(open_deal(&w));
  SAL_TRY(find_basins(&w));
  SAL_TRY(find_range(j, &w.range));
  SAL_TRY(begin_rows(&w));
  return write_cube(&w);
}
