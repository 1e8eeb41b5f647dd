/** Estimate of a sweep's cost on this machine, from a sample of its cells. */
#pragma once

#include "sweep.h"

/* ---- outlier runs.c ----
 *  Runs of a sample that take far more work than the others, and what they would come to.
 *
 *  A sample is not to take as long as its outlier runs do: it runs under a budget of its own, and a run that
 *  exceeds it is scaled up by the time it has reached.
 */

enum { SAL_OUTLIER_RUNS_MOST = 5, SAL_OUTLIER_RUNS_BINS = 256 };

/** Evaluations of f of a run in a sample. */
#define SAL_OUTLIER_RUNS_BUDGET 2e6

typedef struct {
  int config;  /* -1: the reference */
  double work; /* of the whole run, in evaluations of f; NaN: nothing is known but that it is more
                       than the budget */
  double reached;                 /* the time at which it was ended; NaN: it was not */
  double value[SAL_MAX_QUANTITY]; /* parameters, options, initial states of its cell */
} sal_outlier_run;

/** Filled by sal_outlier_runs_add from all zero; the most expensive ones first. */
typedef struct {
  int n;
  sal_outlier_run outlier[SAL_OUTLIER_RUNS_MOST];
  int64_t cut; /* runs that were ended by the budget of the sample, references among them */
  int64_t runs, bin[SAL_OUTLIER_RUNS_BINS]; /* runs by work, in eighths of an octave */
} sal_outlier_runs;

/** The sweep of a sample as it is run: `sample` under that budget, or its own where that is less. */
sal_sweep sal_outlier_runs_bounded(const sal_sweep *sample);

/** Work of the whole run of a record in the sweep, which does not have the sample's budget, in units of
 *  its work in the sample: 1 or more. */
double sal_outlier_runs_scale(const sal_sweep *sweep, const sal_record *record);

/** Takes the runs of a tile of the sample in. */
void sal_outlier_runs_add(const sal_sweep *sample, const sal_tile_result *result,
                          sal_outlier_runs *outliers);

/** The median work of all runs; 0 without any. */
double sal_outlier_runs_median(const sal_outlier_runs *outliers);

/** Is that outlier run far above the median: a hundred times, or of unknown work? */
bool sal_outlier_runs_is_one(const sal_outlier_runs *outliers, int i);

/* ---- estimate.c ---- */

typedef struct {
  int64_t cells;        /* that were run */
  double run_seconds;   /* that took [s] */
  double waited;        /* share of these in which others had the core */
  double cpu_seconds;   /* of one core, which all cells would take [s] */
  double alone_seconds; /* of it on the main threads of processes, whatever the threads they have */
  double uncertainty; /* of cpu_seconds: two standard errors as a share of it; INFINITY: unknown */
  sal_outlier_runs outliers;
} sal_estimate;

/** How much is run for it, in seconds of CPU time. */
typedef struct {
  double most;   /* [s] no new tile that would take longer than that */
  double enough; /* uncertainty at which it ends earlier */
  double least;  /* [s] but not before: less is that of a program that has just begun */
  /* Whenever something is done, cells of the sample so far, and [s]; NULL: nothing is reported. */
  void (*report)(int64_t cells, double seconds);
  /* Each tile of the sample, when it is done, to be changed as one likes; NULL: nothing is done with it. */
  sal_err (*see)(void *with, sal_tile_result *tile);
  void *with;
} sal_estimate_effort;

/** Runs all configurations on cells spread over the sweep (sample.h), on one thread, in tiles that fill
 *  the lanes and then have up to `tile` cells; the first tile is run in any case.  Scales up to lanes
 *  that are busy to the end, as they nearly are in the large tiles of a run.  Outlier runs run under a budget
 *  (outlier runs.c), and are scaled up: their references are not, so that the time is that or more.
 *
 *  The uncertainty is that of the sample: cells get shares of the CPU time by their work counts and
 *  timed runs.  The machine's own noise is not in it. */
sal_err sal_estimate_run(const sal_sweep *sweep, int64_t tile, const sal_estimate_effort *effort,
                         sal_estimate *out);
