/** When impacts that become ever slower leave a contact at rest (lane half). */
#pragma once

#include "batch.h"

/** How fast each gap changes at (t, y), b->arrival, and by how much rounding of the states, and an error of them within the
 *  tolerance, change it and its rate: shares of the states and of their slopes, which may be states, too.  Not counted. */
void SAL_FN(sal_rest_measure)(sal_batch *b, sal_m lanes);

/** Candidate j, contact k, closes now in this lane.  Has it closed again and again with no time between, or with flights
 *  within rounding or the tolerance?  Infinitely many impacts in a finite time (Zeno) end with the contact at rest. */
bool SAL_FN(sal_rest_is_due)(sal_batch *b, int j, int k, int lane);

#define sal_rest_measure SAL_FN(sal_rest_measure)
#define sal_rest_is_due SAL_FN(sal_rest_is_due)
