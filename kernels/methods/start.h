/** The first step of a run (lane half).
 *  Shampine & Reichelt, SIAM J. Sci. Comput. 18 (1997) 1-22.
 */
#pragma once

#include "method.h"

/** Evaluates f at (t, y) and sets the first step of an explicit method in `lanes`:
 *  absh = min(hmax, interval, factor rtol^power / |f|_W). */
void SAL_FN(sal_start_explicit)(sal_step_state *s, sal_m lanes, double factor, double power);

/** The same for the stiff methods, from the slope and then from the curvature y'' ~ df/dt + J f.
 *  Leaves the Jacobian in s->J and df/dt in s->T. */
void SAL_FN(sal_start_stiff)(sal_step_state *s, sal_m lanes, double power);

#define sal_start_explicit SAL_FN(sal_start_explicit)
#define sal_start_stiff SAL_FN(sal_start_stiff)
