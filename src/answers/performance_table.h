/** The performance table: work, error and points of every configuration in every cell, as far as they
 *  can be trusted.  All answers are made from it.
 *
 *  A configuration counts in a cell when it and the cell's reference are finished and everything
 *  measured of it is finite.  Its error is the one measured plus the estimated error of the reference,
 *  a bound on the true error.  The sweep's error metric (error_metric.h) selects this error, the counts of the
 *  work and the reference; for trajectories it is the largest error.
 *
 *  A configuration that was stopped at the cutoff of its cell (cutoff.h) is censored: it does not count, but the
 *  work it did is a lower bound, and is in the table with an infinite error.  The work of one that
 *  failed, or was ended by its budget, is there without an error.
 *
 *  Points compare all runs of a tolerance, over all cells or in one.  A sweep that stops runs has none (cutoff.h).
 */
#pragma once

#include "map.h"
#include "measure.h"
#include "parallel.h"
#include "points.h"

/** Columns [n_cell][n_config], in the order of config.h. */
typedef struct {
  const sal_sweep *sweep;    /* borrowed: axes, configurations, end of the runs */
  int64_t n_cell, n_counted; /* cells; pairs of cell and configuration that count */
  int64_t n_censored;        /* pairs that were stopped at a cutoff */
  int n_config;
  const sal_error_metric *by; /* that of the sweep; may be replaced before cells are filled in */
  sal_work_weights weights;
  sal_points_scope scope;
  bool timed, scored;
  double *work;        /* in evaluations of f, or as a time [s] (weights.time); NaN: was not run */
  double *error;       /* bound on it; infinite: censored, and work a lower bound */
  double *least_error; /* of a censored one: its error is at least that; else NaN */
  double *reference_error; /* [n_cell]; infinite: no end; NaN: none, and captured (captured.h) */
  double *sd, *dt, *iae;   /* NULL without points; raw values, and points once scored */
  sal_points_range range;  /* of all cells, once scored by it */
  const sal_measure
      *measure; /* in which errors are read and said, borrowed; NULL: in the model's units */
} sal_performance_table;

/** A table of n_cell cells in which no configuration counts yet; with room for points if wanted, whose
 *  solution duration is the measured time (`timed`) or the work.  by: its errors; NULL: those of the sweep's map.  The caller frees it. */
sal_err sal_performance_create(const sal_sweep *sweep, int64_t n_cell, const sal_error_metric *by,
                               const sal_work_weights *weights, bool points, bool timed,
                               sal_performance_table *out);
void sal_performance_free(sal_performance_table *table);

/** Was this configuration stopped at the cutoff of the cell? */
static inline bool sal_performance_censored(const sal_performance_table *table, int64_t cell,
                                            int config)
{
  return isinf(table->error[cell * table->n_config + config]);
}

/** Copies a row of columns that both tables have. */
void sal_performance_copy_row(const sal_performance_table *from, int64_t cell,
                              sal_performance_table *to, int64_t row);

/** Fills in the cells of a result. */
void sal_performance_add(sal_performance_table *table, const sal_tile_result *result);

/** Widens a range (points.h) by the cells of a table that is not scored. */
sal_err sal_performance_range(const sal_performance_table *table, sal_points_range *range);
/** Turns sd, dt and iae into points on the scale of that range, or (per-cell) of each cell, where that is known. */
sal_err sal_performance_score_in(sal_performance_table *table, sal_points_scope scope,
                                 const sal_points_range *range);

/** Turns sd, dt and iae into points from 1 to 10 (points.h), over all cells or in each by itself.
 *  Once, when all cells are filled in. */
sal_err sal_performance_score(sal_performance_table *table, sal_points_scope scope);

/* Rows of the performance table of chosen cells, wherever the table is: in memory, or in a cube
 * that is read by chunks (src/driver/performance_cube.h).
 */

typedef struct {
  const sal_sweep *sweep; /* borrowed */
  const sal_error_metric *by;
  sal_work_weights weights;
  int64_t n_cell; /* of the whole table */
  int n_config;
  /* Fills rows 0 .. n - 1 of a table of at least n cells with the cells cell[n], in any order and
   * some of them twice.  The table has points where they are asked for, raw values as yet. */
  sal_err (*read)(void *with, int64_t n, const int64_t cell[], sal_performance_table *rows);
  void *with;
  double memory; /* of a surrogate for rows that it has read [B]; 0: the preset */
  int threads;   /* by which a surrogate is fitted; 0: the calling one */
  sal_parallel_loop *loop;
} sal_performance_source;

/** The rows of a table in memory, which is borrowed. */
sal_performance_source sal_performance_source_of(const sal_performance_table *table);

/* Estimated work of a stopped run.
 *
 * The full work of a stopped run is extrapolated from the runs of its method and strategy at looser tolerances in
 * that cell, whose work grows by a power of the tolerance: that of the two tightest which ended, up to the
 * -1/(p + 1) of a method of order p, or that where only one did.  Where none did it is taken to be half done. */

/** Estimated full work of a run that was stopped at the cutoff of its cell. */
double sal_full_work_of(const sal_performance_table *table, int64_t cell, int config);

/* A question asked of a map: by error, which configuration reaches one with least work; by points,
 * which one has most points at a tolerance. */

typedef struct {
  double error;  /* asked for; NaN: by points */
  int tolerance; /* by points: number of the tolerance, and the weights */
  sal_weights weights;
  const bool *method, *strategy; /* [n_method], [n_strategy]: which may win; NULL: all */
} sal_question;

/** By error, or by points? */
static inline bool sal_question_by_error(const sal_question *q) { return !isnan(q->error); }
