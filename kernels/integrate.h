/** The entry to the kernels: integrate a batch of trajectories at a chosen lane width.
 *
 *  Nothing here allocates, prints or fails: a trajectory that cannot go on is an outcome in its
 *  record.  Results do not depend on the width, nor on which trajectories share a batch.
 */
#pragma once

#include "model_point.h"
#include "setup.h"

/** Bytes of work space for one call at this width (1, 4 or 8), aligned to 64. */
size_t sal_integrate_bytes(const sal_setup *setup, int width);

/** Integrates n jobs with `width` lanes.  out [n] receives every metric that a single trajectory
 *  determines (SD and points are NaN).  A method that exists at width 1 only runs at width 1. */
void sal_integrate(const sal_setup *setup, int width, int64_t n, const sal_job *job,
                   sal_record *out, void *work);

/** f(t, y) [n] so many times in each of `width` lanes, in a given mode, closed [n_guard], at times near t = 0:
 *  evaluations as they are in a run, to be timed.  A model that exists at width 1 only runs at width 1. */
void sal_integrate_field(const sal_model *model, int width, const double param[],
                         const bool closed[], int times, const double y[], double dy[]);

/** The widest lanes this CPU can run: 8, 4 or 1. */
int sal_integrate_widest(void);
