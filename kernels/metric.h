/** @file kernels/metric.h
 *  The figures of merit of a trajectory and of a cell, described for the cube and for help texts.
 *  To add one, put a line in kernels/metrics.def and fill value[SAL_METRIC_<ID>].
 */
#ifndef SAL_METRIC_H
#define SAL_METRIC_H

#include <stdbool.h>

typedef enum { SAL_COUNT, SAL_REAL, SAL_FLAG, SAL_TIMING } sal_metric_kind;

typedef struct {
  const char     *name, *unit, *what;
  sal_metric_kind kind;
} sal_metric;

#define SAL_CELL_METRIC(id, name, unit, kind, what)
#define SAL_METRIC(id, name, unit, kind, what) SAL_METRIC_##id,
enum {
#include "metrics.def"
  SAL_N_METRIC
};
#undef SAL_CELL_METRIC
#undef SAL_METRIC

#define SAL_METRIC(id, name, unit, kind, what)
#define SAL_CELL_METRIC(id, name, unit, kind, what) SAL_CELL_##id,
enum {
#include "metrics.def"
  SAL_N_CELL_METRIC
};
#undef SAL_CELL_METRIC
#undef SAL_METRIC

#define SAL_OUTCOME(id, label, what) SAL_OUT_##id,
typedef enum {
#include "outcomes.def"
  SAL_N_OUTCOME
} sal_outcome;
#undef SAL_OUTCOME

extern const sal_metric sal_metrics[SAL_N_METRIC];
extern const sal_metric sal_metrics_of_cell[SAL_N_CELL_METRIC];

/** Label and meaning of each outcome, by number. */
extern const struct sal_outcome_text {
  const char *label, *what;
} sal_metric_outcomes[SAL_N_OUTCOME];

/** Has a trajectory with this outcome gone as far as its model lets it, so that its errors count? */
static inline bool sal_metric_finished(double outcome)
{
  return outcome == SAL_OUT_DONE || outcome == SAL_OUT_ENDED;
}

/** Everything known of one trajectory; NaN where it does not apply.  Counts are whole numbers. */
typedef struct {
  double value[SAL_N_METRIC];
} sal_record;

/** Everything known of one cell. */
typedef struct {
  double value[SAL_N_CELL_METRIC];
} sal_cell_record;

#endif
