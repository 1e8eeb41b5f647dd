/** The figures of merit of a trajectory and of a cell, described for the cube and for help texts.
 *  To add one, put a line in kernels/metrics.def and fill value[SAL_METRIC_<ID>].
 */
#pragma once

#include <stdbool.h>

/** FLAG, VERDICT, ORIGIN, ANSWER, REASON and INTEGRATOR are words by number (sal_metric_words). */
typedef enum {
  SAL_COUNT,
  SAL_REAL,
  SAL_FLAG, /* an outcome */
  SAL_TIMING,
  SAL_VERDICT,
  SAL_ORIGIN,
  SAL_ANSWER,    /* no, yes */
  SAL_REASON,    /* why another library gave up */
  SAL_INTEGRATOR /* by its place in the registry, from 1 on */
} sal_metric_kind;

/** Metrics that are present together: those of every sweep, and those that a sweep requests. */
typedef enum {
  SAL_GROUP_RUN,
  SAL_GROUP_POINTS,      /* unless the sweep omits them */
  SAL_GROUP_EQUILIBRIUM, /* where one of those below is requested */
  SAL_GROUP_ORBIT,
  SAL_GROUP_TRANSIENT,
  SAL_GROUP_VISITS, /* where one of the next two is */
  SAL_GROUP_EXPONENTS,
  SAL_GROUP_SECTION,
  SAL_GROUP_BASIN,
  SAL_GROUP_MEASURES, /* where the sweep or its model has measures */
  SAL_GROUP_LIBRARY,  /* where an engine is among the methods (engine.h) */
  SAL_GROUP_CAPTURE   /* where time stepping is among them */
} sal_metric_group;

typedef struct {
  const char *name, *unit, *what;
  sal_metric_kind kind;
  sal_metric_group group;
} sal_metric;

#define SAL_ROW_METRIC(group, id, name, unit, what)
#define SAL_CELL_METRIC(group, id, name, unit, kind, what)
#define SAL_METRIC(group, id, name, unit, kind, what) SAL_METRIC_##id,
enum {
#include "metrics.def"
  SAL_N_METRIC
};
#undef SAL_CELL_METRIC
#undef SAL_METRIC

#define SAL_METRIC(group, id, name, unit, kind, what)
#define SAL_CELL_METRIC(group, id, name, unit, kind, what) SAL_CELL_##id,
enum {
#include "metrics.def"
  SAL_N_CELL_METRIC
};
#undef SAL_CELL_METRIC
#undef SAL_ROW_METRIC

#define SAL_CELL_METRIC(group, id, name, unit, kind, what)
#define SAL_ROW_METRIC(group, id, name, unit, what) SAL_ROW_##id,
enum {
#include "metrics.def"
  SAL_N_ROW_METRIC
};
#undef SAL_ROW_METRIC
#undef SAL_CELL_METRIC
#undef SAL_METRIC

/** All metrics by one number: of trajectories, then of cells, then of rows. */
enum {
  SAL_METRICS_BEFORE_ROWS = SAL_N_METRIC + SAL_N_CELL_METRIC,
  SAL_METRICS_ALL = SAL_METRICS_BEFORE_ROWS + SAL_N_ROW_METRIC
};

#define SAL_OUTCOME(id, label, what) SAL_OUT_##id,
typedef enum {
#include "outcomes.def"
  SAL_N_OUTCOME,
  SAL_OUT_HALTED = -1 /* cut by the halt of its setup: no result, and never to be stored */
} sal_outcome;
#undef SAL_OUTCOME

#define SAL_VERDICT_WORD(id, label, what) SAL_IS_##id,
typedef enum {
#include "verdicts.def"
  SAL_N_VERDICT
} sal_verdict;
#undef SAL_VERDICT_WORD

/** Why another library gave a trajectory up, by number as in the cube. */
#define SAL_LIBRARY_REASON(id, label, what) SAL_LIBRARY_##id,
typedef enum {
#include "library_reasons.def"
  SAL_N_LIBRARY_REASON
} sal_library_reason;
#undef SAL_LIBRARY_REASON

extern const sal_metric sal_metrics[SAL_N_METRIC];
extern const sal_metric sal_metrics_of_cell[SAL_N_CELL_METRIC];
extern const sal_metric sal_metrics_of_row[SAL_N_ROW_METRIC];

/** Metric i of all, 0 .. SAL_METRICS_ALL - 1. */
static inline const sal_metric *sal_metric_at(int i)
{
  return i < SAL_N_METRIC              ? &sal_metrics[i]
         : i < SAL_METRICS_BEFORE_ROWS ? &sal_metrics_of_cell[i - SAL_N_METRIC]
                                       : &sal_metrics_of_row[i - SAL_METRICS_BEFORE_ROWS];
}

/** A value of a kind that is kept by number: its label and meaning. */
typedef struct {
  const char *label, *what;
} sal_metric_word;
extern const sal_metric_word sal_metric_outcomes[SAL_N_OUTCOME];

/** Words for the numbers of a kind, [*n]; NULL and 0 for a kind of plain numbers. */
const sal_metric_word *sal_metric_words(sal_metric_kind kind, int *n);

/** Has a trajectory with this outcome gone as far as its model lets it, so that its errors count? */
static inline bool sal_metric_finished(double outcome)
{
  return outcome == SAL_OUT_DONE || outcome == SAL_OUT_ENDED;
}

/** Was a trajectory with this outcome begun at all? */
static inline bool sal_metric_was_run(double outcome)
{
  return outcome != SAL_OUT_INCOMPATIBLE && outcome != SAL_OUT_SKIPPED_OVER_CUTOFF &&
         outcome != SAL_OUT_SKIPPED_BY_PILOTS;
}

/** Was a trajectory with this outcome stopped, or not begun, since it could win no question?  It would have taken
 *  more work than its counts say. */
static inline bool sal_metric_stopped(double outcome)
{
  return outcome == SAL_OUT_OVER_CUTOFF || outcome == SAL_OUT_TOO_INACCURATE ||
         outcome == SAL_OUT_SKIPPED_OVER_CUTOFF;
}

/** Does a cell with this verdict have a cycle, whose period and multipliers are stored? */
static inline bool sal_metric_has_cycle(double verdict)
{
  return verdict == SAL_IS_CYCLE || verdict == SAL_IS_CYCLE_BESIDE;
}

/** Everything known of one trajectory; NaN where it does not apply.  Counts are whole numbers. */
typedef struct {
  double value[SAL_N_METRIC];
} sal_record;

/** Everything known of one cell. */
typedef struct {
  double value[SAL_N_CELL_METRIC];
} sal_cell_record;
