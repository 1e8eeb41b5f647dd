/** A sample of cells, run and scaled up. */
#include "estimate.h"
#include "base.h"
#include "clock.h"
#include "config.h"
#include "sample.h"
#include "tile_run.h"
#include <omp.h>

static const double as_busy = 0.99;

enum { MAX_SAMPLE = 4096, LEAST_SAMPLE = 32 }; /* cells; most often seconds run out before */

/* Time of the tiles so far. */
typedef struct {
  int64_t cells;
  double cpu;               /* [s] without timed runs */
  double scalar;            /* [s] of it outside lanes */
  double alone;             /* [s] of it for the main thread alone */
  double busy;              /* share of busy lanes of the tiles with the busiest ones */
  double lanes, done, rate; /* of these tiles: [s] in busy lanes, work, [s] of a unit of it */
  double *work, *timing; /* [MAX_SAMPLE] of each cell: work counts; timed runs, all repeats [s] */
  double ran;            /* work of the last tile as far as it was done */
  double began;          /* the clock */
  const sal_estimate_effort *effort;
  double *cost; /* [MAX_SAMPLE] room: all of it in seconds */
} tally;

/* Evaluations of f and as much linear algebra as takes as long; 0 of what is left out. */
static double work_of_record(const sal_sweep *sweep, const double value[])
{
  const double n = sal_model_continuous(sweep->model);

  if (value[SAL_METRIC_OUTCOME] == SAL_OUT_INCOMPATIBLE) return 0;
  return value[SAL_METRIC_RHS] + n * n / 15 * value[SAL_METRIC_FACTORISATIONS] +
         n / 5 * value[SAL_METRIC_SOLVES];
}

/* Notes the work and the timed runs of a result; returns what single timed runs took. */
static double add_cells(const sal_sweep *sweep, const sal_tile_result *result, tally *t)
{
  const int n = sal_config_count(sweep);
  double single = 0;

  t->ran = 0;
  for (int64_t i = 0; i < result->count; ++i) {
    double work = 0, seconds = 0;
    for (int k = 0; k < n; ++k) {
      const sal_record *r = &result->record[i * n + k];
      const double done = work_of_record(sweep, r->value);
      t->ran += done;
      work += done * sal_outlier_runs_scale(sweep, r);
      if (sweep->repeats) seconds += fmax(r->value[SAL_METRIC_SD], 0); /* NaN: left out */
    }
    t->work[t->cells + i] = work;
    t->timing[t->cells + i] = sweep->repeats * seconds;
    single += seconds;
  }
  return single;
}

static double sum_of(int64_t n, const double x[])
{
  double sum = 0;

  for (int64_t i = 0; i < n; ++i) sum += x[i];
  return sum;
}

/* Adds a tile that took `cpu` seconds, timed runs not counted.  Part of the work is done once for
 * each step of all lanes, part for each lane by itself, so that a tile with idle lanes is not a measure
 * of one whose lanes are busy.  All tiles whose lanes are as busy count: the first one is small,
 * and starts with cold caches. */
static void add_use(double cpu, const sal_tile_use *before, const sal_tile_use *after,
                    int64_t count, tally *t)
{
  const double scalar = after->scalar - before->scalar;
  const double live = (double)(after->lanes.live - before->lanes.live);
  const double busy = live / (double)(after->lanes.all - before->lanes.all);
  const double work = t->ran;

  if (busy * as_busy > t->busy && work > 0) {
    t->busy = busy;
    t->lanes = t->done = 0;
  }
  if (busy >= t->busy * as_busy && work > 0) {
    t->lanes += fmax(cpu - scalar, 0) * busy;
    t->done += work;
    t->rate = t->lanes / t->done;
  }
  t->cpu += fmax(cpu, 0);
  t->scalar += scalar;
  t->alone += after->alone - before->alone;
  t->cells += count;
}

/* sweep: without the budget of the sample. */
static sal_err add_tile(const sal_sweep *sweep, sal_tile_space *space, const sal_tile *tile,
                        tally *t, sal_outlier_runs *outliers)
{
  const sal_tile_use before = sal_tile_used(space);
  const double began = sal_clock_cpu();
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};

  SAL_TRY(sal_tile_run(space, tile, &result));
  const double cpu = sal_clock_cpu() - began - add_cells(sweep, &result, t);
  const sal_tile_use after = sal_tile_used(space);
  add_use(cpu, &before, &after, result.count, t);
  sal_outlier_runs_add(sweep, &result, outliers);
  return t->effort->see ? t->effort->see(t->effort->with, &result) : SAL_OK;
}

/* From the cells so far to all of them; when these are all, their lanes are what they are. */
static void scale_up(int64_t n_cell, const tally *t, sal_estimate *out)
{
  const double n = (double)t->cells, timing = sum_of(t->cells, t->timing);

  for (int64_t i = 0; i < t->cells; ++i)
    t->cost[i] = t->rate * t->work[i] + t->scalar / n + t->timing[i];
  out->cells = t->cells;
  out->cpu_seconds = t->cells == n_cell && out->outliers.cut == 0
                         ? t->cpu + timing
                         : sum_of(t->cells, t->cost) * (double)n_cell / n;
  out->alone_seconds = t->cpu > 0 ? fmin(t->alone / t->cpu, 1) * out->cpu_seconds : 0;
  out->uncertainty = 2 * sal_sample_error(t->cells, n_cell, t->cost);
}

/* Cells of the next tile, in whole lanes: as many as the estimate still needs and the time left
 * allows; 0: none.  Errors fall with the root of the number of cells, or faster.  A sample that is
 * large enough goes on to the least time, as in a run, in large tiles. */
static int64_t next_size(const sal_estimate *e, double spent, const sal_estimate_effort *effort,
                         int64_t width, int64_t largest)
{
  const double cells = (double)e->cells, fit = (effort->most - spent) / spent * cells;
  const double ratio = e->uncertainty / effort->enough, need = cells * (ratio * ratio - 1);
  const double more = spent < effort->least ? (effort->least / spent - 1) * cells : 0;
  const double least = fmax(LEAST_SAMPLE - cells, more);
  const double most = fmin(fit, fmin(fmax(need, least), MAX_SAMPLE));
  const int64_t size = (int64_t)fmax(most, 0) / width * width;

  if (fit < (double)width || (e->cells >= LEAST_SAMPLE && ratio <= 1 && more <= 0)) return 0;
  return size < width ? width : size < largest ? size : largest;
}

/* sample: of n_cell cells.  The first tile shows what a cell costs; those after it are as large as
 * can be, for the sake of busy lanes. */
static sal_err run_tiles(const sal_sweep *sample, int64_t n_cell, sal_tile_space *space,
                         int64_t largest, const sal_estimate_effort *effort, tally *t,
                         sal_estimate *out)
{
  const double began = sal_clock_cpu(); /* a busy machine gives a sample less of each second */
  const int64_t lanes = sal_tile_width(sample), width = largest < lanes ? largest : lanes;

  for (int64_t size = width; size > 0 && t->cells < sample->n_cell;) {
    const int64_t left = sample->n_cell - t->cells;
    const sal_tile tile = {t->cells, left < size ? left : size};
    SAL_TRY(add_tile(sample, space, &tile, t, &out->outliers));
    scale_up(n_cell, t, out);
    size = next_size(out, sal_clock_cpu() - began, effort, width, largest);
  }
  return SAL_OK;
}

/* After each task of a tile. */
static void report_so_far(void *with)
{
  const tally *t = with;

  if (t->effort->report) t->effort->report(t->cells, sal_clock_wall() - t->began);
}

/* The sample in tiles of a space of its own. */
static sal_err run_sample(const sal_sweep *sample, int64_t n_cell, int64_t tile,
                          const sal_estimate_effort *effort, sal_estimate *out)
{
  SAL_OWN_BY(sal_tile_space_destroy) sal_tile_space *space = NULL;
  sal_sweep once = *sample; /* borrows all it points to; timed once */
  SAL_OWN double *room = sal_alloc(MAX_SAMPLE, 3 * sizeof *room);

  if (!room) return sal_fail(SAL_ERR_MEMORY, "no memory for a sample of cells");
  tally t = {.work = room,
             .timing = room + MAX_SAMPLE,
             .cost = room + (size_t)2 * MAX_SAMPLE,
             .effort = effort,
             .began = sal_clock_wall()};
  once.repeats = sample->repeats > 0;
  const sal_sweep bounded = sal_outlier_runs_bounded(&once);
  const sal_tile_watch watch = {report_so_far, &t};
  SAL_TRY(sal_tile_space_create(&bounded, tile, &space));
  sal_tile_space_watch(space, &watch);
  return run_tiles(sample, n_cell, space, tile, effort, &t, out);
}

sal_err sal_estimate_run(const sal_sweep *sweep, int64_t tile, const sal_estimate_effort *effort,
                         sal_estimate *out)
{
  const int threads = omp_get_max_threads();
  const double began = sal_clock_wall(), cpu = sal_clock_cpu();
  SAL_OWN_BY(sal_sample_free) sal_sweep sample = {0};

  *out = (sal_estimate){0};
  SAL_TRY(sal_sample_make(sweep, MAX_SAMPLE, &sample));
  omp_set_num_threads(1); /* the clock counts this one */
  const sal_err err = run_sample(&sample, sweep->n_cell, tile, effort, out);
  omp_set_num_threads(threads);
  out->run_seconds = sal_clock_wall() - began;
  out->waited = fmax(0, 1 - (sal_clock_cpu() - cpu) / out->run_seconds);
  return err;
}
