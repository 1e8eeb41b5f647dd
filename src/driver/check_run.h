/** @file src/driver/check_run.h
 *  Does a run miss the asked error?  Told without a reference: by a second run beside it.
 *
 *  The two are compared as the errors of a cube are measured that are asked about: by the largest difference of the watched state over
 *  the mesh, its integral, or that at the end.  More than the asked error is called a miss.  Where the second run errs by little that difference is the first one's
 *  error; where it errs as much the verdict may be wrong.  How often it is wrong is counted on the map itself: in
 *  cells of it the reader's answer is run with the run beside it, and the cube knows whether it missed.
 */
#ifndef SAL_CHECK_RUN_H
#define SAL_CHECK_RUN_H

#include "recommend_point.h"

typedef enum { SAL_CHECK_HIT, SAL_CHECK_MISS, SAL_CHECK_UNKNOWN } sal_check_verdict;

/** Verdicts in cells of the map whose truth is known. */
typedef struct {
  int64_t hits,
      false_alarms;       /* runs that reach the error, and those of them that were called a miss */
  int64_t misses, unseen; /* runs that do not, and those that were called a hit */
} sal_check_rates;

typedef struct {
  sal_reader_choice tried, beside; /* of beside pair and tolerance alone */
  double difference;               /* NaN: one of them has no end */
  double work[2];                  /* measured; NaN: no end */
  int outcome[2];                  /* how they ended */
  double reached[2];               /* and when */
  sal_check_verdict verdict;
  sal_check_rates rates;
} sal_check;

/** Runs the answer of the advice, which has one, and beside it the second try of its plan (next) or the same solver at a
 *  tolerance that is a decade tighter; then both in up to `cells` cells of the map.  Errors of trajectories alone (sal_error_metric.trajectory).  */
SAL_MUST_CHECK sal_err sal_check_at(sal_recommend_point *advice, bool next, int64_t cells,
                                    sal_check *check);

#endif
