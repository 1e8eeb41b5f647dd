/** @file src/study/certified_run.h
 *  The error and the cost of one run, measured against a certified trajectory from the same start.
 *
 *  Certified is the model's method of reference with `event` at a tolerance of 1e-13.  The error is
 *  the root mean square over the uniform mesh t_j = t_end j / n_mesh, j = 0..n_mesh, of the
 *  difference in one state, or of the Euclidean length of the difference in all of them.
 */
#ifndef SAL_CERTIFIED_RUN_H
#define SAL_CERTIFIED_RUN_H

#include "err.h"
#include "integrate.h"

enum { SAL_ALL_STATES = -1 };

/** A certified trajectory; read-only but for its scratch.  One thread at a time. */
typedef struct {
  const double *param, *initial; /* borrowed */
  int watch;                     /* the state that counts, or SAL_ALL_STATES */
  int64_t n_mesh;
  double *state;     /* [n_mesh + 1][n_state] */
  double *scratch;   /* as many */
  sal_record record; /* of the certified run */
  double error;      /* RMS distance to a certified run at 1e-12; infinite when one ended early */
} sal_certified_run;

/** One configuration's run. */
typedef struct {
  double rms;        /* infinite when it ended early */
  sal_record record; /* SAL_METRIC_SD is NaN when it was not timed */
} sal_certified_measurement;

/** Runs the certified trajectory of `like`: its model, t_end, n_guard and caps count, its configuration
 *  does not.  Fails only for want of memory; whether it reached the end stands in the record. */
SAL_MUST_CHECK sal_err sal_certified_run_create(const sal_setup *like, const double param[],
                                                const double initial[], int watch, int64_t n_mesh,
                                                sal_certified_run *out);
void sal_certified_run_free(sal_certified_run *certified);

/** Measures a configuration; its model and t_end must be those of the certified run.  repeats > 0:
 *  times it as well, at width 1 and without the mesh, as the least thread CPU time of so many
 *  runs. */
SAL_MUST_CHECK sal_err sal_certified_run_measure(const sal_certified_run *certified,
                                                 const sal_setup *config, int repeats,
                                                 sal_certified_measurement *out);

#endif
