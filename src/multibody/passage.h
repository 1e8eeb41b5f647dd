/** @file src/multibody/passage.h
 *  How long wheels are on a bump of the road.
 *
 *  On a level road steps grow to any length, and one that begins ahead of a bump and ends beyond it
 *  may see nothing of it.  Of steps that are half as long as a wheel is on the bump one ends well
 *  inside it, where the error test sees it.
 */
#ifndef SAL_PASSAGE_H
#define SAL_PASSAGE_H

#include "system.h"

/** The longest step of a run with these parameters from y = (v, v') over the road, infinite without
 *  wheels that move or a bump.  The fastest wheel counts, at y or in the initial state of the file. */
double sal_passage_step(const sal_system *system, const double param[], const double y[]);

/** Are there wheels and a road that is not flat, but no wheel that moves along it initially? */
bool sal_passage_is_unknown(const sal_system *system);

#endif
