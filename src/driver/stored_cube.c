/** Units of stored trajectories from the schedule to the file. */
#include "assemble.h"
#include "base.h"
#include "clock.h"
#include "collective_error.h"
#include "config.h"
#include "stored_write.h"
#include "tile_run.h"
#include "work_loop.h"

/* State of this rank. */
typedef struct {
  MPI_Comm comm;
  const char *path;
  const sal_sweep *sweep;
  sal_cube_file *recorded;
  sal_tile_result found; /* records of one cell of it */
  sal_stored_run *space;
  sal_stored_file *file;
} work;

/* ---- are these the runs that the cube holds? ---- */

static sal_err read_recorded(work *w, int64_t cell, const sal_cube_file_metrics *compared)
{
  if (w->found.count == 1 && w->found.first == cell) return SAL_OK;
  w->found.first = cell;
  w->found.count = 1;
  return sal_cube_file_read_cells(w->recorded, compared, 1, &cell, &w->found);
}

/* Stored trajectories are whole, but for what bounds every run. */
static bool is_cut_by_cell(double outcome)
{
  return sal_metric_stopped(outcome) || outcome == SAL_OUT_OVER_BUDGET;
}

static sal_err check_run(work *w, const sal_stored_trajectory *stored)
{
  static const sal_cube_file_metrics compared = {.n = 5,
                                                 .metric = {SAL_METRIC_OUTCOME,
                                                            SAL_METRIC_T_REACHED, SAL_METRIC_STEPS,
                                                            SAL_METRIC_FAILED, SAL_METRIC_EVENTS}};
  const int *metric = compared.metric, k = stored->config;
  const sal_sweep *s = w->sweep;
  const int64_t cell = s->stored.cell[stored->at];

  if (!w->recorded || k == sal_config_count(s) || stored->mode[0] == SAL_MODE_LEFT_OUT)
    return SAL_OK;
  SAL_TRY(read_recorded(w, cell, &compared));
  if (is_cut_by_cell(w->found.record[k].value[SAL_METRIC_OUTCOME])) return SAL_OK;
  for (int i = 0; i < compared.n; ++i) {
    const double here = stored->record.value[metric[i]],
                 there = w->found.record[k].value[metric[i]];
    if (isnan(here) || isnan(there)) continue; /* a strategy that looks for no contacts */
    if (here != there)
      return sal_fail(SAL_ERR_INPUT,
                      "%s: cell %lld, tolerance %g, %s, %s: %s is %g in the cube and %g now; this "
                      "saltus does not repeat the runs of the one that made it",
                      w->path, (long long)cell + 1, sal_config_tolerance(s, k),
                      sal_config_strategy(s, k), sal_config_method(s, k),
                      sal_metrics[metric[i]].name, there, here);
  }
  return SAL_OK;
}

static sal_err run_units(void *with, const sal_tile *units, double *seconds)
{
  work *w = with;
  const double began = sal_clock_wall();
  const sal_stored_trajectory *stored;
  int64_t n;

  SAL_TRY(sal_stored_run_units_now(w->space, units, &n, &stored));
  for (int64_t i = 0; i < n; ++i) {
    SAL_TRY(check_run(w, &stored[i]));
    SAL_TRY(sal_stored_write_put(w->file, stored[i].at, stored[i].config, stored[i].state,
                                 stored[i].mode));
  }
  *seconds = sal_clock_wall() - began;
  return SAL_OK;
}

/* Collective.  Pieces of `most` units, the same on all ranks. */
static sal_err open_loop(work *w, int64_t most, sal_work_loop *loop)
{
  const sal_work ops = {.run = run_units, .with = w};
  const int64_t units = sal_stored_run_units(w->sweep), n = (units + most - 1) / most;
  SAL_OWN sal_tile *tile = sal_alloc((size_t)n, sizeof *tile);

  SAL_TRY(sal_collective_error(w->comm,
                               tile ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for tiles")));
  for (int64_t i = 0; i < n; ++i)
    tile[i] = (sal_tile){i * most, units - i * most < most ? units - i * most : most};
  return sal_work_loop_open(w->comm, n, tile, &ops, loop);
}

/* Collective.  Room for the runs, and *most units at a time. */
static sal_err make_spaces(work *w, int64_t *most)
{
  const sal_sweep *s = w->sweep;

  *most = sal_stored_run_most(s, sal_collective_ranks(w->comm));
  SAL_TRY_MPI(MPI_Allreduce(MPI_IN_PLACE, most, 1, MPI_INT64_T, MPI_MIN, w->comm));
  w->found.cell = sal_alloc(1, sizeof *w->found.cell);
  w->found.record = sal_alloc((size_t)sal_config_count(s), sizeof *w->found.record);
  return sal_collective_error(w->comm,
                              w->found.cell && w->found.record
                                  ? sal_stored_run_create(s, *most, &w->space)
                                  : sal_fail(SAL_ERR_MEMORY, "%s: out of memory", w->path));
}

/* Collective.  Makes the group, runs all units into it, and seals it. */
static sal_err fill_group(work *w, sal_work_loop *loop)
{
  sal_err err = sal_stored_write_open(w->comm, w->path, w->sweep, &w->file);

  if (err == SAL_OK) err = sal_work_loop_run(loop, SAL_OK);
  err = sal_work_loop_close(loop, err);
  return sal_stored_write_close(&w->file, err);
}

static void drop_work(work *w)
{
  sal_stored_run_destroy(&w->space);
  sal_tile_result_free(&w->found);
}

sal_err sal_stored_cube_fill(MPI_Comm comm, const char *path, const sal_sweep *sweep,
                             sal_cube_file *recorded)
{
  SAL_OWN_BY(drop_work) work w = {.comm = comm, .path = path, .sweep = sweep, .recorded = recorded};
  sal_work_loop loop = {.comm = comm};
  int64_t most = 1;

  assert(!sweep->results);
  SAL_TRY(make_spaces(&w, &most));
  const sal_err err = open_loop(&w, most, &loop);
  if (err == SAL_OK) return fill_group(&w, &loop);
  sal_sched_destroy(&loop.sched);
  return err;
}
