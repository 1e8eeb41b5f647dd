/** @file src/driver/assemble.c
 *  The cube from journals.
 *
 *  In a round each rank has one run of cells, and the runs of all ranks follow one another, so that
 *  a round is one piece of each dataset.
 */
#include "assemble.h"
#include "collective_error.h"
#include "cube_write.h"
#include "journal.h"
#include "map_cube.h"
#include "memory.h"
#include "stored_cube.h"

typedef struct {
  const sal_journal *journal;
  sal_assembly *out;
  sal_journal_reader reader;
  sal_totals totals;  /* of all ranks */
  sal_map_rows *rows; /* for the map; NULL: there is none, or it reads them */
  int64_t cells;      /* of a round, on each rank, but for the last entry's */
  int64_t rounds;
  int n_result;
  sal_tile_result *result; /* [most] */
  int64_t most;
  int rank, n_rank;
} work;

/* The first entry that begins at `cell` or after it. */
static int64_t entry_at(const sal_journal *j, int64_t cell)
{
  int64_t low = 0, high = j->n_entry;

  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (j->entry[middle].first < cell)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* This rank's entries of a round: low .. high - 1. */
static void entries_of(const work *w, int64_t round, int64_t *low, int64_t *high)
{
  const int64_t first = (round * w->n_rank + w->rank) * w->cells;

  *low = entry_at(w->journal, first);
  *high = entry_at(w->journal, first + w->cells);
}

static void drop_results(work *w)
{
  for (int i = 0; i < w->n_result; ++i) sal_tile_result_free(&w->result[i]);
  w->n_result = 0;
}

static sal_err make_list(work *w, int64_t n)
{
  if (n <= w->most) return SAL_OK;
  sal_free(w->result);
  w->most = 0;
  w->result = sal_alloc((size_t)n, sizeof *w->result);
  if (!w->result) return sal_fail(SAL_ERR_MEMORY, "no memory for a list of results");
  w->most = n;
  return SAL_OK;
}

static sal_err read_round(work *w, int64_t round)
{
  int64_t low, high;

  drop_results(w);
  entries_of(w, round, &low, &high);
  SAL_TRY(make_list(w, high - low));
  for (int64_t i = low; i < high; ++i)
    SAL_TRY(sal_journal_read(&w->reader, &w->journal->entry[i], &w->result[w->n_result++]));
  return SAL_OK;
}

/* Collective.  The rows of the round to the ranks that make the map from them. */
static sal_err hand_over(const work *w, sal_err here)
{
  return w->rows ? sal_map_rows_add(w->rows, here, w->n_result, w->result) : here;
}

static sal_err get_round(void *with, int64_t round, int *n_result, const sal_tile_result **result)
{
  work *w = with;

  SAL_TRY(hand_over(w, read_round(w, round)));
  for (int i = 0; i < w->n_result; ++i)
    sal_points_fill(&w->totals.range, w->journal->sweep, &w->result[i]);
  *n_result = w->n_result;
  *result = w->result;
  return SAL_OK;
}

/* What trajectories are stored is made anew, not read from the journals. */
static sal_err add_trajectories(const work *w)
{
  const sal_err err = sal_stored_cube_fill(w->journal->comm, w->out->path, w->journal->sweep, NULL);

  return err != SAL_ERR_STOPPED
             ? err
             : sal_fail(err, "a signal stopped it before all trajectories were stored");
}

/* Collective: what goes into the file after the metrics. */
static sal_err add_groups(void *with)
{
  const work *w = with;
  const sal_journal *j = w->journal;

  if (j->sweep->stored.n_cell > 0) SAL_TRY(add_trajectories(w));
  if (!w->out->map) return SAL_OK;
  return sal_map_cube_part(j->comm, w->out->path, w->out->hints, j->sweep, w->rows,
                           sizeof w->out->no_map, w->out->no_map);
}

static sal_err write_cube(work *w)
{
  const sal_cube_source source = {.rounds = w->rounds,
                                  .get = get_round,
                                  .add = add_groups,
                                  .fresh = w->out->fresh,
                                  .hints = w->out->hints,
                                  .with = w};

  return sal_cube_write_rounds(w->journal->comm, w->out->path, w->journal->sweep, w->out->origin,
                               &source);
}

static void drop_work(work *w)
{
  drop_results(w);
  sal_map_rows_free(&w->rows);
  sal_free(w->result);
  sal_journal_read_end(&w->reader);
}

/* Collective. */
static sal_err begin_rows(work *w)
{
  sal_performance_rows_of of;

  if (!w->out->map || !sal_map_rows_presets(w->journal->sweep, &of)) return SAL_OK;
  return sal_map_rows_create(w->journal->comm, &of, false, &w->rows);
}

sal_err sal_assemble(const sal_journal *j, sal_assembly *out)
{
  SAL_OWN_BY(drop_work)
  work w = {.journal = j, .out = out, .reader.journal = j, .cells = sal_cube_round(j->sweep)};

  out->no_map[0] = '\0';
  SAL_TRY_MPI(MPI_Comm_rank(j->comm, &w.rank));
  SAL_TRY_MPI(MPI_Comm_size(j->comm, &w.n_rank));
  const int64_t fair = (j->sweep->n_cell + w.n_rank - 1) / w.n_rank;
  if (w.cells > fair) w.cells = fair;
  const int64_t together = w.cells * w.n_rank;
  w.rounds = (j->sweep->n_cell + together - 1) / together;
  SAL_TRY(sal_totals_of(j, &w.totals));
  SAL_TRY(begin_rows(&w));
  return write_cube(&w);
}
