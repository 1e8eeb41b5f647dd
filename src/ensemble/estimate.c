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

enum { MAX_SAMPLE = 4096 }; /* cells; seconds run out before */

/* Timed repeats beyond the one that was run. */
static double repeats(const sal_sweep *sweep, const sal_tile_result *result)
{
  const int64_t n   = result->count * sal_contender_count(sweep);
  double        sum = 0;

  if (sweep->repeats < 2) return 0;
  for (int64_t i = 0; i < n; ++i) /* NaN: left out */
    sum += fmax(result->record[i].value[SAL_METRIC_SD], 0);
  return sum * (sweep->repeats - 1);
}

/* Runs the tile and adds what its cells would cost in full lanes; those of a whole sweep are what
 * they are. */
static sal_err add_tile(const sal_sweep *sweep, bool whole, sal_tile_space *space, int64_t first,
                        int64_t count, sal_estimate *out)
{
  const sal_tile     tile   = {first, count};
  const sal_lane_use before = sal_tile_used(space).lanes;
  const double       began  = sal_clock_cpu();
  sal_tile_result    result;

  const sal_err err = sal_tile_run(space, &tile, &result);
  if (err == SAL_OK) {
    const double       cpu  = sal_clock_cpu() - began;
    const sal_lane_use use  = sal_tile_used(space).lanes;
    const double       busy = (double)(use.live - before.live) / (double)(use.all - before.all);
    out->cpu_seconds += (whole ? cpu : cpu * busy) + repeats(sweep, &result);
    out->cells += count;
  }
  sal_free(result.cell);
  sal_free(result.record);
  return err;
}

/* Cells that are likely to be run in the time left, in whole lanes. */
static int64_t affordable(double spent, double seconds, int64_t cells, int64_t width)
{
  const double more = (seconds - spent) / spent * (double)cells;

  return more < (double)width ? 0 : (int64_t)fmin(more, MAX_SAMPLE) / width * width;
}

static sal_err run_tiles(const sal_sweep *sample, bool whole, sal_tile_space *space,
                         int64_t largest, double seconds, sal_estimate *out)
{
  const double  began = sal_clock_wall();
  const int64_t lanes = sal_tile_width(sample), width = largest < lanes ? largest : lanes;
  int64_t       size = width;

  for (int64_t first = 0; first < sample->n_cell && size > 0; first = out->cells) {
    const int64_t left = sample->n_cell - first;
    SAL_TRY(add_tile(sample, whole, space, first, left < size ? left : size, out));
    const int64_t fit = affordable(sal_clock_wall() - began, seconds, out->cells, width);
    size              = 2 * size < largest ? 2 * size : largest;
    size              = fit < size ? fit : size;
  }
  return SAL_OK;
}

sal_err sal_estimate_run(const sal_sweep *sweep, int64_t tile, double seconds, sal_estimate *out)
{
  const int       threads = omp_get_max_threads();
  const double    began   = sal_clock_wall();
  sal_tile_space *space   = NULL;
  sal_sweep       sample;

  *out = (sal_estimate){0};
  SAL_TRY(sal_sample_make(sweep, MAX_SAMPLE, &sample));
  omp_set_num_threads(1);  /* the clock counts this one */
  sal_sweep once = sample; /* borrows all it points to */
  once.repeats   = sweep->repeats > 0;
  sal_err err    = sal_tile_space_create(&once, tile, &space);
  if (err == SAL_OK)
    err = run_tiles(&sample, sample.n_cell == sweep->n_cell, space, tile, seconds, out);
  sal_tile_space_destroy(&space);
  omp_set_num_threads(threads);
  if (err == SAL_OK) out->cpu_seconds *= (double)sweep->n_cell / (double)out->cells;
  out->run_seconds = sal_clock_wall() - began;
  sal_sample_free(&sample);
  return err;
}
