/** A system as a flow: y = (v, v'), and after them, where the partition adapts, the numbers of the
 *  independent coordinates and the condition that they began with, as discrete states.
 */
#pragma once

#include "scalar_flow.h"
#include "system.h"

/** Data that the functions of the flow find in the phase. */
typedef struct {
  const sal_system *system;
  int tires;      /* of the parameters: the option that lets tires only push; -1: none */
  double longest; /* step, given by the file; 0: the road determines it */
} sal_state_space;

/** A partition is chosen anew where its condition has risen by this factor. */
#define SAL_STATE_SPACE_WORSE 1.25

/** sal_model.longest_step, whose inner is the functions'. */
double sal_state_space_step(const void *functions, const double param[], const double y[]);
/** sal_model.restate, whose inner is the functions'. */
void sal_state_space_restate(const void *functions, const double words[], double y[],
                             double memory[]);
/** The functions; `space` has to outlive them. */
void sal_state_space_functions(const sal_state_space *space, sal_scalar_functions *out);

/* ---- rigid_together.c ---- */

/** Are there several rigid contacts, or one with ends? */
bool sal_rigid_together_may(const sal_system *system);
/** The change of all rigid contacts, and their friction, that have fired, as sal_model.jump_together has it. */
sal_together sal_rigid_together_change(const sal_state_space *space, const double param[], double t,
                                       double y[], bool closed[], bool fired[], const bool rests[],
                                       const double memory[]);
/** sal_model.jump_together, whose inner is the functions'. */
sal_together sal_rigid_together_jump(const void *functions, const double words[], double t,
                                     double y[], bool closed[], bool fired[], const bool rests[],
                                     const double memory[]);
/** Its rigid contacts. */
int sal_rigid_together_count(const sal_system *system);
/** Are its contacts rigid and its coordinates the same throughout, so that it has an sal_model.motion? */
bool sal_rigid_together_moves(const sal_system *system);
/** sal_model.motion, whose inner is the functions'. */
bool sal_rigid_together_motion(const void *functions, const double words[], double t,
                               const double y[], double memory[], sal_contact_motion *motion);
/** gap [n_ground] and rate along dy of rigid contacts that are closed, and of friction that holds there, where their forces
 *  are redundant. */
void sal_rigid_together_gaps(const sal_state_space *space, const double param[], double t,
                             const double y[], const double discrete[], const double dy[],
                             const bool closed[], const double memory[], double gap[],
                             double rate[]);

/* ---- passage.c ----
 *  How long wheels are on a bump of the road.
 *
 *  On a level road steps grow to any length, and one that begins ahead of a bump and ends beyond it
 *  may miss it.  Where steps are half as long as a wheel is on the bump, one of them ends well
 *  inside it, where the error test sees it.
 */

/** The longest step of a run with these parameters from y = (v, v') over the road, infinite without
 *  wheels that move or a bump.  The fastest wheel counts, at y or in the initial state of the file. */
double sal_passage_step(const sal_system *system, const double param[], const double y[]);

/** Are there wheels and a road that is not flat, but no wheel that moves along it initially? */
bool sal_passage_is_unknown(const sal_system *system);
