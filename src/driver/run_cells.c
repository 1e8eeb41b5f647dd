/** @file src/driver/run_cells.c
 *  Tiles from the schedule to the journal.
 */
#include "run_cells.h"
#include "clock.h"
#include "collective_error.h"
#include "memory.h"
#include "sched.h"
#include "stop.h"
#include "tile_run.h"
#include "tiles.h"

/* What this rank is at. */
typedef struct {
  const sal_run_cells_task *task;
  sal_sched                *sched;
  int64_t                   largest; /* tile */
  sal_journal_writer        writer;
  bool                      drained;
  sal_err                   polled; /* first failure between pieces of a tile */
  sal_run_part             *use;
} work;

/* What is to be done every now and then, in tiles and between them. */
static sal_err look_after(work *w)
{
  int64_t done, all;

  SAL_TRY(sal_sched_progress(w->sched, &done, &all)); /* polls, too */
  sal_run_status_update(w->task->watch, w->task->watch->found + done);
  SAL_TRY(sal_journal_sync(&w->writer));
  if (!sal_stop_signal() || w->drained) return SAL_OK;
  w->drained = true;
  return sal_sched_drain(w->sched);
}

/* Called by the main thread; the others never fail. */
static void look_between(void *with)
{
  work *w = with;

  if (w->polled == SAL_OK) w->polled = look_after(w);
}

static sal_err run_tile(work *w, sal_tile_space *space, const sal_tile *tile)
{
  const double    began = sal_clock_wall(), before = sal_tile_used(space).cpu;
  sal_tile_result result;

  sal_err err = sal_tile_run(space, tile, &result);
  w->use->busy += sal_clock_wall() - began;
  if (err == SAL_OK) err = sal_journal_append(&w->writer, &result); /* before any other failure */
  sal_free(result.cell);
  sal_free(result.record);
  SAL_TRY(err);
  SAL_TRY(w->polled);
  return sal_sched_finished(w->sched, tile, sal_tile_used(space).cpu - before);
}

static sal_err run_tiles(work *w)
{
  sal_tile_space *space = NULL;
  sal_tile        tile;
  bool            more = true;

  SAL_TRY(sal_tile_space_create(w->task->sweep, w->largest, &space));
  sal_tile_on_pause(space, look_between, w);
  sal_err err = look_after(w);
  while (err == SAL_OK && (err = sal_sched_next(w->sched, &tile, &more)) == SAL_OK && more)
    if ((err = run_tile(w, space, &tile)) == SAL_OK) err = look_after(w);
  const sal_tile_use used = sal_tile_used(space);
  w->use->cpu             = used.cpu;
  w->use->live_turns      = used.lanes.live;
  w->use->turns           = used.lanes.all;
  sal_tile_space_destroy(&space);
  return err;
}

/* This rank has nothing left to do, or cannot go on, but somebody may be waiting in front of it. */
static sal_err wait_for_others(work *w)
{
  bool over = false;

  while (!over) {
    if (w->polled == SAL_OK) w->polled = look_after(w);
    SAL_TRY(sal_sched_wait(w->sched, 0.05, &over));
  }
  const sal_sched_stats stats = sal_sched_statistics(w->sched);
  w->use->waited              = stats.waited;
  w->use->tiles               = stats.tiles;
  w->use->cells               = stats.cells;
  w->use->nodes               = stats.n_node;
  w->use->messages            = stats.messages;
  return SAL_OK;
}

/* Cells of the part that no journal has. */
static sal_err list_missing(const sal_journal *j, sal_job_part part, sal_tile **run, int64_t *n)
{
  sal_tile *all = NULL;
  int64_t   n_all;

  SAL_TRY(sal_journal_missing(j, &all, &n_all));
  const sal_err err = sal_job_part_cut(part, j->sweep->n_cell, n_all, all, run, n);
  sal_free(all);
  return err;
}

static int64_t count(int64_t n, const sal_tile run[])
{
  int64_t cells = 0;

  for (int64_t i = 0; i < n; ++i) cells += run[i].count;
  return cells;
}

sal_err sal_run_cells_found(const sal_journal *j, sal_job_part part, int64_t *cells)
{
  sal_tile *run = NULL;
  int64_t   n   = 0;

  const sal_err err = list_missing(j, part, &run, &n);
  *cells            = sal_job_part_cells(part, j->sweep->n_cell) - count(n, run);
  sal_free(run);
  return err;
}

/* Cuts what is missing into tiles, the same on all ranks. */
static sal_err cut(work *w, int n_rank, sal_tile **tile, int64_t *n_tile)
{
  const sal_run_cells_task *t    = w->task;
  sal_tile                 *run  = NULL;
  const int64_t             most = sal_tile_most(t->journal->sweep);
  int64_t                   n;

  SAL_TRY(list_missing(t->journal, t->part, &run, &n));
  w->largest        = sal_tiles_largest(count(n, run), n_rank, most);
  const sal_err err = sal_tiles_cut(n, run, n_rank, most, tile, n_tile);
  sal_free(run);
  return err;
}

static sal_err share(work *w)
{
  MPI_Comm  comm = w->task->comm;
  sal_tile *tile = NULL;
  int64_t   n    = 0;
  int       n_rank;

  SAL_TRY_MPI(MPI_Comm_size(comm, &n_rank));
  SAL_TRY(sal_collective_error(comm, cut(w, n_rank, &tile, &n)));
  const sal_err err = sal_sched_create(comm, n, tile, NULL, &w->sched);
  sal_free(tile);
  return sal_collective_error(comm, err);
}

static sal_err run_all(work *w)
{
  const sal_run_cells_task *t = w->task;

  SAL_TRY(share(w));
  SAL_TRY(sal_journal_begin(t->journal, t->sync, t->watch->cells, &w->writer));
  sal_err mine = run_tiles(w);
  if (mine != SAL_OK) SAL_TRY(sal_sched_drain(w->sched));
  SAL_TRY(wait_for_others(w));
  return mine == SAL_OK ? w->polled : mine;
}

/* Did a signal come to any rank? */
static sal_err stopped(MPI_Comm comm)
{
  const int mine = sal_stop_signal() != 0;
  int       any;

  SAL_TRY_MPI(MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm));
  return any ? SAL_ERR_STOPPED : SAL_OK;
}

sal_err sal_run_cells(const sal_run_cells_task *task, sal_run_part *use)
{
  work w = {.task = task, .use = use, .writer.fd = -1};

  sal_err       err   = run_all(&w);
  const sal_err ended = sal_journal_end(&w.writer);
  if (err == SAL_OK) err = ended;
  err = sal_collective_error(task->comm, err);
  sal_sched_destroy(&w.sched);
  return err == SAL_OK ? stopped(task->comm) : err;
}
