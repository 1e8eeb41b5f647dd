/** @file src/ensemble/sample.h
 *  Some cells of a sweep, spread evenly over it, as a sweep of their own.
 *
 *  Neighbouring cells cost alike, so that a run of them says little of the rest.
 */
#ifndef SAL_SAMPLE_H
#define SAL_SAMPLE_H

#include "err.h"
#include "sweep.h"

/** A sweep of min(n, n_cell) different cells of `sweep`, in an order of which every beginning
 *  covers it.  It borrows all but its cells from `sweep`; sal_sample_free frees these. */
SAL_MUST_CHECK sal_err sal_sample_make(const sal_sweep *sweep, int64_t n, sal_sweep *sample);
void                   sal_sample_free(sal_sweep *sample);

#endif
