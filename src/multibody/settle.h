/** @file src/multibody/settle.h
 *  Can a system that has been read be run?  Its constraints are independent, its initial state keeps
 *  to them, the reduced mass matrix is regular; and its independent coordinates.
 */
#ifndef SAL_SETTLE_H
#define SAL_SETTLE_H

#include "reading.h"
#include "reduced.h"

/** Chooses the independent coordinates, by the file's list or by pivoting, puts the initial state on
 *  the constraints to rounding, and fails with the line of what is wrong. */
SAL_MUST_CHECK sal_err sal_settle_system(sal_reading *r);

/* ---- start_velocity.c ----
 *  Initial velocities that keep to the joints, as close to those of the file as there are.
 */

/** Sets qd0 of the system, whose solver is at the initial positions and has factors there.  Velocities
 *  that satisfy the joints stay.  Else the independent ones stay and the others follow, where that gives
 *  all those of the file; else those of the file stay and the least others are added; else all
 *  change as by an impact that makes the joints hold.  Fails with the joint that allows none. */
SAL_MUST_CHECK sal_err sal_start_velocity_settle(const sal_reading *r, sal_reduced *solver);

/** The sentence about velocities that differ from those of the file, NULL where none does; the
 *  caller frees it. */
char *sal_start_velocity_note(const sal_system *system, const char *path);

#endif
