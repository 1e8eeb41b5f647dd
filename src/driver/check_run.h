/** @file src/driver/check_run.h
 *  Does a run miss the requested error?  Decided without a reference: by a second run beside it.
 *
 *  The two are compared by the requested measure of error: by the largest difference of the watched state over
 *  the mesh, its integral, or that at the end.  More than the requested error counts as a miss.  Where the second run errs by little that difference is the first one's
 *  error; where it errs as much the verdict may be wrong.  How often it is wrong is counted on the map itself: in
 *  cells of it the surrogate's answer is run with the run beside it, and the cube has the error of the answer.
 */
#ifndef SAL_CHECK_RUN_H
#define SAL_CHECK_RUN_H

#include "recommend_point.h"

/** Verdicts in cells of the map whose truth is known. */
typedef struct {
  int64_t hits,
      false_alarms;       /* runs that reach the error, and those of them that were called a miss */
  int64_t misses, unseen; /* runs that do not, and those that were called a hit */
} sal_check_rates;

/** Runs the answer of the advice, which has one, and beside it the second attempt of its schedule (next) or the same solver at
 *  a tolerance that is a decade tighter.  Errors of trajectories alone (sal_error_metric.trajectory). */
SAL_MUST_CHECK sal_err sal_check_at(const sal_recommend_point *advice, bool next, sal_check *check);

/** Runs attempts at the point, each beside a run at a tenth of its tolerance, up to the first hit, which is the answer from then
 *  on: those of the schedule, or the most probable configuration where there is none though references reach the error, then
 *  the last solver at tighter tolerances.  Where none hits, the answer has pair -1; where the
 *  flag of stop.h ends it (sal_check_is_halted of the last one), the answer stays as it was.  Fills advice->here. */
SAL_MUST_CHECK sal_err sal_check_attempts(sal_recommend_point *advice);
bool sal_check_is_halted(const sal_check *check);

/** Runs what would answer, and its check, in up to `cells` cells of the map. */
SAL_MUST_CHECK sal_err sal_check_map(sal_recommend_point *advice, bool next, int64_t cells,
                                     sal_check_rates *rates);

#endif
