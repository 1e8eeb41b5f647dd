/** @file src/multibody/settle.h
 *  Can a system that has been read be run?  Its constraints are independent, its initial state keeps
 *  to them, the reduced mass matrix is regular; and its independent coordinates.
 */
#ifndef SAL_SETTLE_H
#define SAL_SETTLE_H

#include "reading.h"

/** Chooses the independent coordinates, by the file's list or by pivoting, puts the initial state on
 *  the constraints to rounding, and fails with the line of what is wrong. */
SAL_MUST_CHECK sal_err sal_settle_system(sal_reading *r);

#endif
