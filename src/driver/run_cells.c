/** Tiles from the schedule to the journal.
 *
 *  A tile that is expected to take long is run in smaller ones, each of which is in the journal
 *  when it is done: what a kill or a signal costs is some seconds of work, however slow the cells
 *  are.  When a tile is given up, its finished cells are in the journal, and so are the finished
 *  trajectories of the others, so that the next run begins with the missing ones.
 */
#include "run_cells.h"
#include "base.h"
#include "clock.h"
#include "collective_error.h"
#include "journal.h"
#include "journal_write.h"
#include "machine.h"
#include "performance_runs.h"
#include "work_loop.h"

/* That a tile should take before it is written down, by the CPU: on a busy machine tiles stay as large as lanes need. */
#define MOST_SECONDS 20.0

/* State of this rank. */
typedef struct {
  const sal_run_cells_task *task;
  sal_work_loop loop;
  int64_t largest; /* tile */
  sal_tile_space *space;
  sal_journal_writer writer;
  sal_journal_reader surrogate; /* of what runs that were stopped have of cells */
  sal_tile_kept kept;           /* of the tile in hand */
  bool *whole;                  /* [largest] cells of it that are taken over */
  double seconds_each;          /* of a cell, of each thread in the last tile; 0: not known */
  int64_t announced;            /* work of the tile in hand that all know of */
  sal_reference_fate fate;
  sal_run_use *use;
} work;

/* Shares with the other ranks the work done on the tile in hand, and of cells that are in a
 * journal. */
static sal_err share_work(work *w, int64_t done, int64_t cells)
{
  const int64_t by = done > w->announced ? done - w->announced : 0;

  if (by == 0 && cells == 0) return SAL_OK;
  w->announced += by;
  return sal_sched_add_work(w->loop.sched, by, cells);
}

static sal_err look_after_run(void *with)
{
  work *w = with;
  int64_t cells, done;

  if (w->announced >= 0) SAL_TRY(share_work(w, sal_tile_done(w->space), 0));
  SAL_TRY(sal_sched_work(w->loop.sched, &done, &cells));
  sal_run_status_update(w->task->status, cells, done);
  return sal_journal_sync(&w->writer);
}

static void pause_tile(void *with) { sal_work_loop_poll(&((work *)with)->loop); }

/* Cells of the next tile to be written down: whole batches of lanes. */
static int64_t fitting_cells(const work *w, int64_t left)
{
  const int64_t lanes = sal_tile_width(w->task->sweep);
  const double fit = w->seconds_each > 0 ? MOST_SECONDS / w->seconds_each : SAL_RUN_CELLS_FIRST;
  const int64_t cells = fit < (double)left ? (int64_t)fit / lanes * lanes : left;

  return cells < lanes ? (lanes < left ? lanes : left) : cells;
}

/* The cells from `at` on of the tile given up that are all finished, or not, alike: where they end. */
static int64_t alike_end(const sal_tile_kept *kept, int64_t n, int64_t at)
{
  const bool finished = !memchr(kept->done + at * n, 0, (size_t)n);
  int64_t i = at + 1;

  while (i < kept->result.count && !memchr(kept->done + i * n, 0, (size_t)n) == finished) ++i;
  return i;
}

/* Writes the finished cells of a tile that was given up, and trajectories of other cells. */
static sal_err keep_finished(work *w)
{
  const sal_tile_result *r = &w->kept.result;
  const int64_t n = sal_config_count(w->task->sweep);

  if (w->kept.fresh == 0) return SAL_OK;
  for (int64_t i = 0; i < r->count * n; ++i)
    for (int m = 0; m < SAL_N_METRIC && !w->kept.done[i]; ++m) r->record[i].value[m] = NAN;
  for (int64_t at = 0, end; at < r->count; at = end) {
    end = alike_end(&w->kept, n, at);
    const sal_tile_result part = sal_tile_result_part(r, n, at, end - at);
    if (memchr(w->kept.done + at * n, 1, (size_t)(part.count * n)))
      SAL_TRY(sal_journal_append(&w->writer, &part));
  }
  return SAL_OK;
}

/* At once where the first reference fails; the cube has it of all cells. */
static void look_at_references(work *w, const sal_tile_result *result)
{
  char text[SAL_FATE_TEXT];
  const bool reported = w->fate.failed > 0;

  sal_reference_fate_add(&w->fate, result);
  if (reported || w->task->quiet || w->fate.failed == 0) return;
  fprintf(stderr, "%s%s (see reference_outcome and reference_solver of the cube)\n",
          w->task->status->bar.rewrites ? "\n" : "",
          sal_reference_fate_text(&w->fate, w->task->sweep, text));
}

/* Fills in the records of a tile that earlier runs, of this sweep and of others, have. */
static sal_err fill_kept(work *w, const sal_tile *tile, int64_t *taken)
{
  const sal_run_cells_task *t = w->task;

  *taken = 0;
  memset(w->whole, 0, (size_t)tile->count * sizeof *w->whole);
  SAL_TRY(sal_journal_read_partial(&w->surrogate, tile, &w->kept));
  return t->reuse ? sal_reuse_fill(t->reuse, tile, t->pilots, &w->kept, w->whole, taken) : SAL_OK;
}

/* Runs cells, of which w->kept has some trajectories, and writes them down before any other failure counts. */
static sal_err run_and_append(work *w, const sal_tile *tile)
{
  const double began = sal_clock_wall(), cpu = sal_tile_used(w->space).cpu;
  const int64_t whole = tile->count * sal_config_count(w->task->sweep);
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};

  w->announced = 0;
  sal_err err = sal_tile_run(w->space, tile, &result);
  const double spent = sal_clock_wall() - began;
  w->use->fresh += w->kept.fresh;
  w->use->busy += spent;
  w->seconds_each =
      (sal_tile_used(w->space).cpu - cpu) / (double)(tile->count * sal_tile_threads());
  if (err == SAL_OK) look_at_references(w, &result);
  if (err == SAL_OK) err = sal_journal_append(&w->writer, &result);
  if (err == SAL_OK && w->task->ahead) sal_cube_ahead_put(w->task->ahead, &result);
  if (err == SAL_OK) err = share_work(w, whole, tile->count);
  w->announced = -1; /* no tile is in hand */
  if (err == SAL_ERR_STOPPED) {
    const sal_err kept = keep_finished(w);
    if (kept != SAL_OK) err = kept;
  }
  sal_tile_result_free(&w->kept.result);
  return err;
}

/* Where the cells from `at` on end that are all taken over, or not, alike. */
static int64_t whole_end(const bool whole[], int64_t count, int64_t at)
{
  int64_t i = at + 1;

  while (i < count && whole[i] == whole[at]) ++i;
  return i;
}

/* A few cells that are there between others that are not leave no lane empty when they stay among them: their references are run
 * again, and no more. */
static void keep_lanes(work *w, int64_t count)
{
  const int64_t lanes = sal_tile_width(w->task->sweep);

  for (int64_t at = 0, end; at < count; at = end) {
    end = whole_end(w->whole, count, at);
    if (w->whole[at] && end - at < lanes && at > 0 && end < count)
      memset(w->whole + at, 0, (size_t)(end - at) * sizeof *w->whole);
  }
}

/* Cells that are taken over. */
static sal_err append_taken(work *w, int64_t at, int64_t end)
{
  const int64_t n = sal_config_count(w->task->sweep);
  const sal_tile_result *r = &w->kept.result;
  const sal_tile_result part = sal_tile_result_part(r, n, at, end - at);

  SAL_TRY(sal_journal_append(&w->writer, &part));
  w->use->taken += part.count * n;
  w->announced = 0;
  SAL_TRY(share_work(w, part.count * n, part.count));
  w->announced = -1;
  return SAL_OK;
}

/* Handles a tile of which some cells are taken over and others are run. */
static sal_err take_or_run(work *w, const sal_tile *tile)
{
  int64_t end, taken;

  SAL_TRY(fill_kept(w, tile, &taken));
  keep_lanes(w, tile->count);
  if (!w->whole[0] && whole_end(w->whole, tile->count, 0) == tile->count) {
    w->use->taken += taken;
    return run_and_append(w, tile);
  }
  for (int64_t at = 0; at < tile->count; at = end) {
    end = whole_end(w->whole, tile->count, at);
    if (w->whole[at]) SAL_TRY(append_taken(w, at, end));
  }
  SAL_OWN bool *whole = sal_alloc((size_t)tile->count, sizeof *whole);
  if (!whole) return sal_fail(SAL_ERR_MEMORY, "no memory for a tile");
  memcpy(whole, w->whole, (size_t)tile->count * sizeof *whole);
  sal_tile_result_free(&w->kept.result);
  for (int64_t at = 0; at < tile->count; at = end) {
    end = whole_end(whole, tile->count, at);
    const sal_tile part = {tile->first + at, end - at};
    if (whole[at]) continue;
    SAL_TRY(fill_kept(w, &part, &taken));
    w->use->taken += taken;
    SAL_TRY(run_and_append(w, &part));
  }
  return SAL_OK;
}

static sal_err run_tile(void *with, const sal_tile *tile, double *seconds)
{
  work *w = with;
  const double before = sal_tile_used(w->space).cpu;
  const int64_t end = tile->first + tile->count;

  for (int64_t at = tile->first, n; at < end; at += n) {
    n = fitting_cells(w, end - at);
    SAL_TRY(take_or_run(w, &(sal_tile){at, n}));
    if (at + n < end && sal_work_loop_stops(&w->loop)) return SAL_ERR_STOPPED;
  }
  *seconds = sal_tile_used(w->space).cpu - before;
  return SAL_OK;
}

static void note_use(work *w)
{
  const sal_sched_stats stats = sal_sched_statistics(w->loop.sched);

  w->use->waited += stats.waited;
  w->use->tiles += stats.tiles;
  w->use->cells += stats.cells;
  w->use->nodes = stats.n_node;
  w->use->messages += stats.messages;
  if (!w->space) return;
  const sal_tile_use used = sal_tile_used(w->space);
  w->use->cpu += used.cpu;
  w->use->live_turns += used.lanes.live;
  w->use->turns += used.lanes.all;
}

/* Cells of the part that no journal has. */
static sal_err list_missing(const sal_journal *j, sal_job_part part, sal_tile **run, int64_t *n)
{
  SAL_OWN sal_tile *all = NULL;
  int64_t n_all;

  SAL_TRY(sal_journal_missing(j, &all, &n_all));
  return sal_job_part_cut(part, j->sweep->n_cell, n_all, all, run, n);
}

/* Clips the runs of cells to the first `end` cells. */
static void clip_runs(int64_t end, sal_tile run[], int64_t *n)
{
  int64_t kept = 0;

  for (int64_t i = 0; i < *n; ++i) {
    const int64_t last = run[i].first + run[i].count, to = last < end ? last : end;
    if (run[i].first < to) run[kept++] = (sal_tile){run[i].first, to - run[i].first};
  }
  *n = kept;
}

static int64_t count_cells(int64_t n, const sal_tile run[])
{
  int64_t cells = 0;

  for (int64_t i = 0; i < n; ++i) cells += run[i].count;
  return cells;
}

sal_run_use sal_run_use_sum(int n, const sal_run_use use[])
{
  sal_run_use sum = {0};

  for (int i = 0; i < n; ++i) {
    sum.busy += use[i].busy;
    sum.cpu += use[i].cpu;
    sum.waited += use[i].waited;
    sum.io += use[i].io;
    sum.fresh += use[i].fresh;
    sum.taken += use[i].taken;
    sum.tiles += use[i].tiles;
    sum.cells += use[i].cells;
    sum.live_turns += use[i].live_turns;
    sum.turns += use[i].turns;
    sum.messages += use[i].messages;
  }
  return sum;
}

sal_err sal_run_cells_found(const sal_journal *j, sal_job_part part, int64_t *cells)
{
  SAL_OWN sal_tile *run = NULL;
  int64_t n = 0;

  const sal_err err = list_missing(j, part, &run, &n);
  *cells = sal_job_part_cells(part, j->sweep->n_cell) - count_cells(n, run);
  return err;
}

sal_err sal_run_cells_missing(const sal_journal *j, int64_t end, int64_t *cells)
{
  SAL_OWN sal_tile *run = NULL;
  int64_t n = 0;

  SAL_TRY(sal_journal_missing(j, &run, &n));
  clip_runs(end, run, &n);
  *cells = count_cells(n, run);
  return SAL_OK;
}

int64_t sal_run_cells_unit(const sal_sweep *s, int n_rank)
{
  const int64_t unit = sal_cube_ahead_unit(s, n_rank);

  return unit <= sal_tile_most(s) ? unit : 0;
}

/* Cuts what is missing into tiles, the same on all ranks. */
static sal_err cut_missing(work *w, int n_rank, sal_tile **tile, int64_t *n_tile)
{
  const sal_run_cells_task *t = w->task;
  SAL_OWN sal_tile *run = NULL;
  const int64_t most = sal_tile_most(t->sweep);
  int64_t n;

  SAL_TRY(list_missing(t->journal, t->whole > 0 ? (sal_job_part){1, 1} : t->part, &run, &n));
  if (t->whole > 0) clip_runs(t->whole, run, &n);
  SAL_TRY(sal_variants_split(t->sweep, &run, &n));
  w->largest = sal_tiles_largest(count_cells(n, run), n_rank, most);
  const int64_t unit = t->ahead ? sal_run_cells_unit(t->sweep, n_rank) : 1;
  return sal_tiles_cut(n, run, n_rank, most, unit > 1 ? unit : 1, tile, n_tile);
}

static sal_err open_loop(work *w)
{
  const sal_work ops = {.run = run_tile, .look = look_after_run, .with = w};
  MPI_Comm comm = w->task->comm;
  SAL_OWN sal_tile *tile = NULL;
  int64_t n = 0;

  SAL_TRY(sal_collective_error(comm, cut_missing(w, sal_collective_ranks(comm), &tile, &n)));
  return sal_work_loop_open(comm, n, tile, &ops, &w->loop);
}

/* The space, and what is kept of its tiles. */
static sal_err make_space(work *w)
{
  const sal_tile_watch watch = {pause_tile, w};
  const size_t n = (size_t)(w->largest * sal_config_count(w->task->sweep));

  SAL_TRY(sal_tile_space_create(w->task->sweep, w->largest, &w->space));
  w->kept.done = sal_alloc(n, sizeof *w->kept.done);
  w->whole = sal_alloc((size_t)w->largest, sizeof *w->whole);
  if (!w->kept.done || !w->whole) return sal_fail(SAL_ERR_MEMORY, "no memory for a tile");
  sal_tile_space_watch(w->space, &watch);
  sal_tile_space_keep(w->space, &w->kept);
  sal_tile_space_pilots(w->space, w->task->pilots);
  return SAL_OK;
}

/* Cells that the journals of a part are to have in the end: its own, and those that every part runs whole. */
static sal_err count_goal(const sal_sweep *s, sal_job_part part, int64_t *goal)
{
  const sal_tile whole = {0, sal_pilots_whole(s)};
  SAL_OWN sal_tile *run = NULL;
  int64_t n = 0;

  *goal = sal_job_part_cells(part, s->n_cell) + whole.count;
  if (whole.count == 0) return SAL_OK;
  SAL_TRY(sal_job_part_cut(part, s->n_cell, 1, &whole, &run, &n));
  *goal -= count_cells(n, run);
  return SAL_OK;
}

/* That records come of: this one, and those of what is taken over. */
static sal_err name_machines(const sal_run_cells_task *t, sal_text *set)
{
  const sal_text *here = &t->journal->here;

  SAL_TRY(sal_machine_join(set, here->string, here->length));
  if (!t->reuse) return SAL_OK;
  return sal_machine_join(set, sal_reuse_machine(t->reuse), strlen(sal_reuse_machine(t->reuse)));
}

static sal_err run_all(work *w)
{
  const sal_run_cells_task *t = w->task;
  SAL_OWN_BY(sal_text_free) sal_text machines = {0};
  int64_t goal = 0;

  SAL_TRY(sal_collective_error(t->comm, count_goal(t->sweep, t->part, &goal)));
  SAL_TRY(open_loop(w));
  SAL_TRY(sal_collective_error(t->comm, name_machines(t, &machines)));
  SAL_TRY(sal_journal_begin(t->journal, t->sync, goal, machines.string, &w->writer));
  const sal_err err = sal_work_loop_run(&w->loop, make_space(w));
  note_use(w);
  sal_tile_result_free(&w->kept.result);
  sal_free_all(w->kept.done, w->whole);
  sal_tile_space_destroy(&w->space);
  return err;
}

sal_err sal_run_cells(const sal_run_cells_task *task, sal_run_use *use)
{
  work w = {.task = task,
            .use = use,
            .announced = -1,
            .loop.comm = task->comm,
            .writer.fd = -1,
            .surrogate.journal = task->journal};

  assert(!task->sweep->results);
  sal_err err = run_all(&w);
  const sal_err ended = sal_journal_end(&w.writer);
  if (err == SAL_OK) err = ended;
  err = sal_work_loop_close(&w.loop, err);
  if (err == SAL_OK || err == SAL_ERR_STOPPED) {
    const sal_err added = sal_journal_scan_add(task->journal, &w.writer.list, &w.writer.held);
    if (added != SAL_OK) err = added;
  }
  sal_journal_writer_free(&w.writer);
  sal_journal_read_end(&w.surrogate);
  return err;
}
