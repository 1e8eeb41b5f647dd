/** Measures of the lanes of a batch, one after the other (lane half). */
#pragma once

#include "batch.h"

/** A step, or the part of it ahead of an event, with the polynomials of all states. */
void SAL_FN(sal_measured_lanes_take)(const sal_batch *b, sal_m lanes, const sal_step_span *span);
/** Makes the polynomials that measures of `lanes` need in this step, of all states or of some (then dense.degree stays -1). */
void SAL_FN(sal_measured_lanes_make)(sal_batch *b, sal_m lanes, sal_m due);
/** An event in the lanes of `hit`: what = sal_measured_before or sal_measured_after. */
void SAL_FN(sal_measured_lanes_event)(const sal_batch *b, sal_m hit,
                                      void (*what)(const sal_measured *m, double t,
                                                   const double y[], const bool closed[]));
#define sal_measured_lanes_make SAL_FN(sal_measured_lanes_make)
#define sal_measured_lanes_take SAL_FN(sal_measured_lanes_take)
#define sal_measured_lanes_event SAL_FN(sal_measured_lanes_event)

#if SAL_LANES == 1
/** A step of an engine from the batch's time to t1; dense: see engine.h. */
void sal_measured_lanes_ask(sal_batch *b, double t1,
                            void (*dense)(void *with, double t, double y[]), void *with);
#endif
