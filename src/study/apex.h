/** @file src/study/apex.h
 *  The largest value of each state in a run: at its ends, after its events, or where the state's
 *  slope is 0 in between.
 */
#ifndef SAL_APEX_H
#define SAL_APEX_H

#include "err.h"
#include "integrate.h"

/** A run from t = 0 to setup->t_end, without a stop, with the log of its events (all of them).  The
 *  slope is met where it changes its sign next to the largest of evenly spaced values of each phase:
 *  of several maxima within a few hundredths of the run one may be missed.  apex [n_state].  NaN where
 *  the run fails.  Fails only for want of memory. */
SAL_MUST_CHECK sal_err sal_apex_find(const sal_setup *setup, int width, const double param[],
                                     const double start[], const bool closed[],
                                     const sal_events *log, double apex[]);

#endif
