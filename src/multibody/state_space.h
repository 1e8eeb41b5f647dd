/** @file src/multibody/state_space.h
 *  A system as a flow: y = (v, v'), and after them, where the partition adapts, the numbers of the
 *  independent coordinates and the condition that they began with, as discrete states.
 */
#ifndef SAL_STATE_SPACE_H
#define SAL_STATE_SPACE_H

#include "scalar_flow.h"
#include "system.h"

/** What the functions of the flow find in the phase. */
typedef struct {
  const sal_system *system;
  int tires;      /* of the parameters: the option that lets tires only push; -1: none */
  double longest; /* step, as the file says; 0: it does not, and the road does */
} sal_state_space;

/** A partition is chosen anew where its condition has risen by this factor. */
#define SAL_STATE_SPACE_WORSE 1.25

/** Contacts: those of the system, of which locks come first, a load for each lock (lock.h), and the
 *  one that chooses a partition. */
int sal_state_space_guards(const sal_system *system);
/** The contact that is the load of lock k. */
int sal_state_space_load(const sal_system *system, int k);
/** sal_model.longest_step, whose inner is the functions'. */
double sal_state_space_step(const void *functions, const double param[], const double y[]);
/** The functions; `space` has to outlive them. */
void sal_state_space_functions(const sal_state_space *space, sal_scalar_functions *out);

#endif
