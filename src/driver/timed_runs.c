/** Rounds of tiles, one for each rank. */
#include "base.h"
#include "clock.h"
#include "collective_error.h"
#include "journal.h"
#include "journal_write.h"
#include "performance_runs.h"
#include "stop.h"
#include "tile_rows.h"

static void show(void *with)
{
  sal_timed_runs *r = with;
  const int n = sal_config_count(r->sweep);

  r->bar.units = r->cells;
  sal_progress_update(&r->bar, r->cells * n + sal_tile_done(r->space));
}

static sal_err make_space(sal_timed_runs *r)
{
  const int64_t all = r->sweep->n_cell;
  const sal_tile_watch watch = {show, r};

  sal_tile_space_destroy(&r->space);
  SAL_TRY(sal_tile_space_create(r->sweep, r->largest < all ? r->largest : all, &r->space));
  if (r->rank == 0) sal_tile_space_watch(r->space, &watch);
  return SAL_OK;
}

static sal_err begin(sal_timed_runs *r)
{
  const int64_t all = r->sweep->n_cell;

  r->largest = sal_tile_most(r->sweep);
  SAL_TRY(make_space(r));
  if (r->rank > 0) return SAL_OK;
  return sal_tile_rows_alloc(r->sweep, all, &r->result)
             ? SAL_OK
             : sal_fail(SAL_ERR_MEMORY, "no memory for %lld cells", (long long)all);
}

sal_err sal_timed_runs_begin(MPI_Comm comm, const sal_sweep *sweep, sal_timed_runs *r)
{
  *r = (sal_timed_runs){.comm = comm, .sweep = sweep};
  r->rank = sal_collective_rank(comm);
  r->n_rank = sal_collective_ranks(comm);
  SAL_TRY(sal_collective_error(comm, begin(r)));
  const int n = sal_config_count(sweep);
  sal_progress_start(&r->bar, "cells", sweep->n_cell * n);
  r->bar.each = n;
  r->bar.rated = "trajectories";
  if (r->rank > 0) r->bar.out = NULL;
  return SAL_OK;
}

sal_err sal_timed_runs_renew(sal_timed_runs *r)
{
  return sal_collective_error(r->comm, make_space(r));
}

void sal_timed_runs_free(sal_timed_runs *r)
{
  sal_tile_space_destroy(&r->space);
  sal_tile_result_free(&r->result);
}

/* Appends what all ranks have of a round, in their order, on the first. */
static sal_err gather(sal_timed_runs *r, const sal_tile_result *mine)
{
  const int64_t n = sal_config_count(r->sweep);
  int64_t cells, records, numbers;
  SAL_OWN void *cell = NULL;
  SAL_OWN void *record = NULL;
  SAL_OWN void *row = NULL;

  SAL_TRY(sal_collective_gather(r->comm, 0, mine->count, sizeof *mine->cell, mine->cell, &cells,
                                &cell));
  SAL_TRY(sal_collective_gather(r->comm, 0, mine->count * n, sizeof *mine->record, mine->record,
                                &records, &record));
  SAL_TRY(sal_collective_gather(r->comm, 0, mine->count * mine->n_row, sizeof *mine->row, mine->row,
                                &numbers, &row));
  if (r->rank == 0) {
    sal_tile_result *all = &r->result;
    sal_tile_rows_copy(all, r->cells,
                       &(sal_tile_result){.cell = cell, .record = record, .row = row}, 0, cells, n);
    sal_reference_fate_add(
        &r->fate,
        &(sal_tile_result){.first = r->cells, .count = cells, .cell = all->cell + r->cells});
  }
  r->cells += cells;
  r->result.count = r->rank == 0 ? r->cells : 0;
  return SAL_OK;
}

/* Collective.  Did a signal come to any rank, or was the round cut on any of them? */
static sal_err agree(const sal_timed_runs *r, sal_err err, double *seconds, bool *cut)
{
  double mine[] = {sal_stop_signal() != 0, err == SAL_ERR_STOPPED, *seconds}, all[3];

  SAL_TRY(sal_collective_error(r->comm, err == SAL_ERR_STOPPED ? SAL_OK : err));
  memcpy(all, mine, sizeof all);
  if (r->comm != MPI_COMM_NULL)
    SAL_TRY_MPI(MPI_Allreduce(mine, all, 3, MPI_DOUBLE, MPI_MAX, r->comm));
  *cut = all[1] > 0;
  *seconds = all[2];
  return all[0] == 0
             ? SAL_OK
             : sal_fail(SAL_ERR_STOPPED, "%s stopped it when %lld of %lld cells had been run",
                        sal_stop_signal() < 0 ? "the caller" : "a signal", (long long)r->cells,
                        (long long)r->sweep->n_cell);
}

sal_err sal_timed_runs_next(sal_timed_runs *r, int64_t count)
{
  const int64_t most = r->largest < count ? r->largest : count, first = r->cells + r->rank * most;
  const int64_t left = r->sweep->n_cell - first, n = left < most ? left : most;
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result mine = {0};
  const double began = sal_clock_wall();
  const int64_t before = r->cells;
  sal_err err = SAL_OK;
  bool cut = false;

  if (n > 0) err = sal_tile_run(r->space, &(sal_tile){first, n}, &mine);
  double seconds = sal_clock_wall() - began;
  SAL_TRY(agree(r, err, &seconds, &cut));
  if (cut) return SAL_OK;
  SAL_TRY(gather(r, &mine));
  r->each = seconds / (double)(r->cells - before);
  show(r);
  return SAL_OK;
}

/* Cells of the next round on each rank: twice as many, if a third of the time left is enough for them.  Cells that are cut are
 * lost. */
static int64_t next_count(const sal_timed_runs *r, int64_t last, double until)
{
  const double left = until - sal_clock_wall(), all = r->each * r->n_rank;
  const double fit = isinf(until) ? INFINITY : all > 0 ? left / (3 * all) : (double)last;
  const double most = fmin(2.0 * (double)last, (double)r->largest);

  return fit < 1 ? 1 : (int64_t)fmin(fit, most);
}

sal_err sal_timed_runs_all(sal_timed_runs *r, double until)
{
  int64_t count = isinf(until) ? r->largest : r->cells > 0 ? r->cells : sal_tile_width(r->sweep);

  while (r->cells < r->sweep->n_cell) {
    const int64_t before = r->cells;
    count = next_count(r, count, until);
    SAL_TRY(sal_collective_share(r->comm, &count, sizeof count));
    SAL_TRY(sal_timed_runs_next(r, count));
    if (r->cells == before) return SAL_OK; /* cut */
  }
  return SAL_OK;
}

static sal_err append(const sal_timed_runs *r, sal_journal_writer *w)
{
  const int64_t n = sal_config_count(r->sweep);

  for (int64_t at = 0, count; at < r->cells; at += count) {
    const int64_t left = r->cells - at;
    count = left < r->largest ? left : r->largest;
    const sal_tile_result part = sal_tile_result_part(&r->result, n, at, count);
    SAL_TRY(sal_journal_append(w, &part));
  }
  return SAL_OK;
}

sal_err sal_timed_runs_seed(void *with, sal_journal *j)
{
  const sal_timed_runs *r = with;
  SAL_OWN_BY(sal_journal_writer_free) sal_journal_writer w = {.fd = -1};

  sal_err err = sal_journal_begin(j, 10, r->cells, NULL, &w);
  if (err == SAL_OK && r->rank == 0) err = append(r, &w);
  const sal_err ended = sal_journal_end(&w);
  SAL_TRY(sal_collective_error(r->comm, err == SAL_OK ? ended : err));
  return sal_journal_scan_add(j, &w.list, &w.held);
}
