/** The parts of a turn of the trajectory loop (lane half): what precedes the attempt of a batch, what
 *  follows it, and what a pair needs that takes attempts over by itself.
 */
#pragma once

#include "batch.h"

/** Puts all lanes at the start of their jobs. */
void SAL_FN(sal_integrate_enter)(sal_batch *b);

/** Retires lanes in which a contact has closed that ends the run, at the start of a job too. */
void SAL_FN(sal_integrate_end_lanes)(sal_batch *b);

/** Projects lanes (b->moved) and sets the sizes of the attempts of the other ones.  Returns those that
 *  begin anew after a projection. */
sal_m SAL_FN(sal_integrate_begin_turn)(sal_batch *b);

/** All that follows an attempt of size `tried` in the lanes of `live`, which has passed in those of `ok`;
 *  `anew` as from begin_turn. */
void SAL_FN(sal_integrate_end_turn)(sal_batch *b, sal_m live, sal_m ok, sal_v tried, sal_m anew);

/** Observes an attempt that is taken over in `lanes`. */
void SAL_FN(sal_integrate_observe)(sal_batch *b, sal_m lanes);

/** Work of each lane so far, in evaluations of f (setup.h, sal_work_weights). */
sal_v SAL_FN(sal_integrate_work)(const sal_batch *b);
/** The same with the contact problems of events, for budgets: they bound all that a run does. */
sal_v SAL_FN(sal_integrate_spent)(const sal_batch *b);

#define sal_integrate_enter SAL_FN(sal_integrate_enter)
#define sal_integrate_end_lanes SAL_FN(sal_integrate_end_lanes)
#define sal_integrate_begin_turn SAL_FN(sal_integrate_begin_turn)
#define sal_integrate_end_turn SAL_FN(sal_integrate_end_turn)
#define sal_integrate_observe SAL_FN(sal_integrate_observe)
#define sal_integrate_work SAL_FN(sal_integrate_work)
#define sal_integrate_spent SAL_FN(sal_integrate_spent)
