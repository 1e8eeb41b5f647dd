/** @file src/ensemble/estimate.c
 *  A sample of cells, run and scaled up.
 */
#include "estimate.h"
#include "clock.h"
#include "contender.h"
#include "memory.h"
#include "metric.h"
#include "sample.h"
#include "tile_run.h"
#include <math.h>
#include <omp.h>

enum { MAX_SAMPLE = 4096, LEAST_SAMPLE = 16 }; /* cells; most often seconds run out before */

/* What the tiles have taken so far. */
typedef struct {
  int64_t cells;
  double  cpu, full;     /* [s] without timed runs; the same in lanes that are busy to the end */
  double *work, *timing; /* [MAX_SAMPLE] of each cell: work counts; timed runs, all repeats [s] */
  double *cost;          /* [MAX_SAMPLE] room: both in seconds */
} tally;

/* Evaluations of f and as much linear algebra as takes as long. */
static double work_of_record(const sal_sweep *sweep, const double value[])
{
  const double n = sweep->model->n_state;

  return value[SAL_METRIC_RHS] + n * n / 15 * value[SAL_METRIC_FACTORISATIONS] +
         n / 5 * value[SAL_METRIC_SOLVES];
}

/* Adds the cells of a result; returns what their single timed runs took. */
static double add_cells(const sal_sweep *sweep, const sal_tile_result *result, tally *t)
{
  const int n      = sal_contender_count(sweep);
  double    single = 0;

  for (int64_t i = 0; i < result->count; ++i) {
    double work = 0, seconds = 0;
    for (int k = 0; k < n; ++k) {
      const double *value = result->record[i * n + k].value;
      work += work_of_record(sweep, value);
      if (sweep->repeats) seconds += fmax(value[SAL_METRIC_SD], 0); /* NaN: left out */
    }
    t->work[t->cells + i]   = work;
    t->timing[t->cells + i] = sweep->repeats * seconds;
    single += seconds;
  }
  t->cells += result->count;
  return single;
}

/* Runs a tile, and adds what it took. */
static sal_err add_tile(const sal_sweep *sweep, sal_tile_space *space, const sal_tile *tile,
                        tally *t)
{
  const sal_tile_use before = sal_tile_used(space);
  const double       began  = sal_clock_cpu();
  sal_tile_result    result;

  const sal_err err = sal_tile_run(space, tile, &result);
  if (err == SAL_OK) {
    const double       cpu    = sal_clock_cpu() - began - add_cells(sweep, &result, t);
    const sal_tile_use use    = sal_tile_used(space);
    const double       scalar = use.scalar - before.scalar;
    const double       busy =
        (double)(use.lanes.live - before.lanes.live) / (double)(use.lanes.all - before.lanes.all);
    t->cpu += fmax(cpu, 0);
    t->full += fmax(cpu - scalar, 0) * busy + scalar;
  }
  sal_free(result.cell);
  sal_free(result.record);
  return err;
}

/* From the cells so far to all of them; when these are all, their lanes are what they are. */
static void scale_up(int64_t n_cell, const tally *t, sal_estimate *out)
{
  const double lanes = t->cells == n_cell ? t->cpu : t->full;
  double       work = 0, timing = 0;

  for (int64_t i = 0; i < t->cells; ++i) {
    work += t->work[i];
    timing += t->timing[i];
  }
  const double each = work > 0 ? lanes / work : 0;
  for (int64_t i = 0; i < t->cells; ++i) t->cost[i] = each * t->work[i] + t->timing[i];
  out->cells       = t->cells;
  out->cpu_seconds = (lanes + timing) * (double)n_cell / (double)t->cells;
  out->uncertainty = 2 * sal_sample_error(t->cells, n_cell, t->cost);
}

/* Cells that are likely to be run in the time left, in whole lanes. */
static int64_t count_affordable(double spent, double seconds, int64_t cells, int64_t width)
{
  const double more = (seconds - spent) / spent * (double)cells;

  return more < (double)width ? 0 : (int64_t)fmin(more, MAX_SAMPLE) / width * width;
}

/* sample: of n_cell cells, to be run once; its own repeats are those of the sweep. */
static sal_err run_tiles(const sal_sweep *sample, int64_t n_cell, sal_tile_space *space,
                         int64_t largest, double seconds, double enough, tally *t,
                         sal_estimate *out)
{
  const double  began = sal_clock_wall();
  const int64_t lanes = sal_tile_width(sample), width = largest < lanes ? largest : lanes;
  int64_t       size = width;

  while (size > 0 && t->cells < sample->n_cell) {
    const int64_t  left = sample->n_cell - t->cells;
    const sal_tile tile = {t->cells, left < size ? left : size};
    SAL_TRY(add_tile(sample, space, &tile, t));
    scale_up(n_cell, t, out);
    if (t->cells >= LEAST_SAMPLE && out->uncertainty <= enough) break;
    const int64_t fit = count_affordable(sal_clock_wall() - began, seconds, t->cells, width);
    size              = 2 * size < largest ? 2 * size : largest;
    size              = fit < size ? fit : size;
  }
  return SAL_OK;
}

static sal_err create_tally(tally *t)
{
  double *room = sal_alloc(MAX_SAMPLE, 3 * sizeof *room);

  *t = (tally){.work = room, .timing = room + MAX_SAMPLE, .cost = room + 2 * MAX_SAMPLE};
  return room ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for a sample of cells");
}

/* The sample in tiles of a space of its own. */
static sal_err run_sample(const sal_sweep *sample, int64_t n_cell, int64_t tile, double seconds,
                          double enough, sal_estimate *out)
{
  sal_tile_space *space = NULL;
  sal_sweep       once  = *sample; /* borrows all it points to */
  tally           t;

  SAL_TRY(create_tally(&t));
  once.repeats = sample->repeats > 0;
  sal_err err  = sal_tile_space_create(&once, tile, &space);
  if (err == SAL_OK) err = run_tiles(sample, n_cell, space, tile, seconds, enough, &t, out);
  sal_tile_space_destroy(&space);
  sal_free(t.work);
  return err;
}

sal_err sal_estimate_run(const sal_sweep *sweep, int64_t tile, double seconds, double enough,
                         sal_estimate *out)
{
  const int    threads = omp_get_max_threads();
  const double began   = sal_clock_wall();
  sal_sweep    sample;

  *out = (sal_estimate){0};
  SAL_TRY(sal_sample_make(sweep, MAX_SAMPLE, &sample));
  omp_set_num_threads(1); /* the clock counts this one */
  const sal_err err = run_sample(&sample, sweep->n_cell, tile, seconds, enough, out);
  omp_set_num_threads(threads);
  out->run_seconds = sal_clock_wall() - began;
  sal_sample_free(&sample);
  return err;
}
