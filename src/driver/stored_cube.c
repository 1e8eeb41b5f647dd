/** @file src/driver/stored_cube.c
 *  Units of kept trajectories from the schedule to the file.
 */
#include "stored_cube.h"
#include "clock.h"
#include "collective_error.h"
#include "contender.h"
#include "memory.h"
#include "sched.h"
#include "stop.h"
#include "stored_run.h"
#include "stored_write.h"
#include <math.h>

/* What this rank is at. */
typedef struct {
  MPI_Comm         comm;
  const char      *path;
  const sal_sweep *sweep;
  sal_cube_file   *recorded;
  sal_tile_result  found; /* records of one cell of it */
  sal_stored_run  *space;
  sal_stored_file *file;
  sal_sched       *sched;
  bool             drained;
} work;

/* ---- are these the runs that the cube holds? ---- */

static sal_err read_cell(work *w, int64_t cell, const int metric[], int n)
{
  if (w->found.count == 1 && w->found.first == cell) return SAL_OK;
  w->found.first = cell;
  w->found.count = 1;
  return sal_cube_file_read(w->recorded, n, metric, &w->found);
}

static sal_err check_run(work *w, const sal_stored_trajectory *kept)
{
  static const int metric[] = {SAL_METRIC_OUTCOME, SAL_METRIC_T_REACHED, SAL_METRIC_STEPS,
                               SAL_METRIC_FAILED, SAL_METRIC_EVENTS};
  const int        n = (int)(sizeof metric / sizeof *metric), k = kept->contender;
  const sal_sweep *s    = w->sweep;
  const int64_t    cell = s->stored.cell[kept->at];

  if (!w->recorded || k == sal_contender_count(s) || kept->mode[0] == SAL_MODE_LEFT_OUT)
    return SAL_OK;
  SAL_TRY(read_cell(w, cell, metric, n));
  for (int i = 0; i < n; ++i) {
    const double here = kept->record.value[metric[i]], there = w->found.record[k].value[metric[i]];
    if (here != there)
      return sal_fail(SAL_ERR_INPUT,
                      "%s: cell %lld, tolerance %g, %s, %s: %s is %g in the cube and %g now; this "
                      "saltus does not repeat the runs of the one that made it",
                      w->path, (long long)cell + 1, sal_contender_tolerance(s, k),
                      sal_contender_strategy(s, k), sal_contender_method(s, k),
                      sal_metrics[metric[i]].name, there, here);
  }
  return SAL_OK;
}

/* ---- the units ---- */

static sal_err run_units(work *w, const sal_tile *units)
{
  const double                 began = sal_clock_wall();
  const sal_stored_trajectory *kept;
  int64_t                      n;

  SAL_TRY(sal_stored_run_units_now(w->space, units, &n, &kept));
  for (int64_t i = 0; i < n; ++i) {
    SAL_TRY(check_run(w, &kept[i]));
    SAL_TRY(
        sal_stored_write_put(w->file, kept[i].at, kept[i].contender, kept[i].state, kept[i].mode));
  }
  return sal_sched_finished(w->sched, units, sal_clock_wall() - began);
}

static sal_err look_after(work *w)
{
  SAL_TRY(sal_sched_poll(w->sched));
  if (!sal_stop_signal() || w->drained) return SAL_OK;
  w->drained = true;
  return sal_sched_drain(w->sched);
}

static sal_err draw_units(work *w)
{
  sal_tile units;
  bool     more = true;
  sal_err  err  = look_after(w);

  while (err == SAL_OK && (err = sal_sched_next(w->sched, &units, &more)) == SAL_OK && more)
    if ((err = run_units(w, &units)) == SAL_OK) err = look_after(w);
  return err;
}

static sal_err run_all(work *w)
{
  sal_err mine = draw_units(w);
  bool    over = false;

  if (mine != SAL_OK) SAL_TRY(sal_sched_drain(w->sched));
  while (!over) {
    if (mine == SAL_OK) mine = look_after(w);
    SAL_TRY(sal_sched_wait(w->sched, 0.05, &over));
  }
  return mine;
}

/* Pieces of `most` units, the same on all ranks. */
static sal_err share(work *w, int64_t most)
{
  const int64_t units = sal_stored_run_units(w->sweep), n = (units + most - 1) / most;
  sal_tile     *tile = sal_alloc((size_t)n, sizeof *tile);

  SAL_TRY(sal_collective_error(w->comm,
                               tile ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for tiles")));
  for (int64_t i = 0; i < n; ++i)
    tile[i] = (sal_tile){i * most, units - i * most < most ? units - i * most : most};
  const sal_err err = sal_sched_create(w->comm, n, tile, NULL, &w->sched);
  sal_free(tile);
  return sal_collective_error(w->comm, err);
}

static sal_err prepare(work *w)
{
  const sal_sweep *s = w->sweep;
  int              n_rank;
  int64_t          most;

  SAL_TRY_MPI(MPI_Comm_size(w->comm, &n_rank));
  most = sal_stored_run_most(s, n_rank);
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT64_T, MPI_MIN, w->comm));
  w->found.cell   = sal_alloc(1, sizeof *w->found.cell);
  w->found.record = sal_alloc((size_t)sal_contender_count(s), sizeof *w->found.record);
  sal_err err     = w->found.cell && w->found.record
                        ? sal_stored_run_create(s, most, &w->space)
                        : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", w->path);
  SAL_TRY(sal_collective_error(w->comm, err));
  return share(w, most);
}

/* Did a signal come to any rank? */
static sal_err stopped(MPI_Comm comm)
{
  const int mine = sal_stop_signal() != 0;
  int       any;

  SAL_TRY_MPI(MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm));
  return any ? SAL_ERR_STOPPED : SAL_OK;
}

/* After a failure of HDF5 the file stays open, since to close it is collective. */
static sal_err fill(work *w)
{
  if (sal_stored_write_open(w->comm, w->path, w->sweep, &w->file) != SAL_OK) return SAL_ERR_COMM;
  const sal_err ran = sal_collective_error(w->comm, run_all(w));
  if (ran == SAL_ERR_IO || ran == SAL_ERR_COMM) return SAL_ERR_COMM;
  const sal_err closed = sal_stored_write_close(&w->file);
  return ran != SAL_OK ? ran : closed != SAL_OK ? SAL_ERR_COMM : SAL_OK;
}

sal_err sal_stored_cube_fill(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                             sal_cube_file *recorded)
{
  work w = {.comm = comm, .path = path, .sweep = sweep, .recorded = recorded};
  int  rank;

  SAL_TRY_MPI(MPI_Comm_rank(comm, &rank));
  sal_err err =
      sal_collective_error(comm, rank == 0 ? sal_stored_write_frame(path, sweep) : SAL_OK);
  if (err == SAL_OK) err = prepare(&w);
  if (err == SAL_OK) err = fill(&w);
  sal_sched_destroy(&w.sched);
  sal_stored_run_destroy(&w.space);
  sal_free(w.found.cell);
  sal_free(w.found.record);
  return err == SAL_OK ? stopped(comm) : err;
}
