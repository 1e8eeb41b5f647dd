/** @file src/multibody/start_velocity.h
 *  Initial velocities that keep to the joints, as close to those of the file as there are.
 */
#ifndef SAL_START_VELOCITY_H
#define SAL_START_VELOCITY_H

#include "reading.h"
#include "reduced.h"

/** Sets qd0 of the system, whose solver is at the initial positions and has factors there.  What keeps
 *  to the joints stays.  Else the independent velocities stay and the others follow, where that gives
 *  all that the file says; else what the file says stays and the least others are added; else all
 *  change as by an impact that makes the joints hold.  Fails with the joint that allows none. */
SAL_MUST_CHECK sal_err sal_start_velocity_settle(const sal_reading *r, sal_reduced *solver);

/** The sentence about velocities that differ from what the file says, NULL where none does; the
 *  caller frees it. */
char *sal_start_velocity_note(const sal_system *system, const char *path);

#endif
