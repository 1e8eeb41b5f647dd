/** States and modes after a jump, while it is made: shared by the jumps of contacts.
 */
#pragma once

#include "energy.h"

/** After a jump. */
typedef struct {
  int q[SAL_ALGEBRA_MOST], v[SAL_ALGEBRA_MOST];
  int closed[SAL_PROGRAM_CONTACTS], sticks[SAL_PROGRAM_CONTACTS], sense[SAL_PROGRAM_CONTACTS];
  int marked[SAL_PROGRAM_CONTACTS];
} sal_energy_outcome;

enum { SAL_ENERGY_OUTCOME_MOST = 2 * SAL_ALGEBRA_MOST + 4 * SAL_PROGRAM_CONTACTS };

/** One jump while it is made: of contact c or of its friction; -1: of one without a law. */
typedef struct {
  sal_graph *g;
  sal_energy *e;
  int c;
  bool friction, closes;
  int rests;
} sal_energy_jump;

/* Nodes by short names. */
static inline int op(const sal_energy_jump *j, sal_program_op code, int a, int b)
{
  return sal_graph_make(j->g, code, a, b, 0);
}
static inline int number(const sal_energy_jump *j, double value)
{
  return sal_graph_constant(j->g, value);
}
static inline int size_of(const sal_energy_jump *j, int a) { return op(j, SAL_PROGRAM_abs, a, 0); }
static inline int times(const sal_energy_jump *j, int a, int b)
{
  return sal_algebra_mul(j->g, a, b);
}
static inline int plus(const sal_energy_jump *j, int a, int b)
{
  return sal_algebra_add(j->g, a, b);
}
static inline int both(const sal_energy_jump *j, int a, int b)
{
  return sal_algebra_and(j->g, a, b);
}
static inline int pick(const sal_energy_jump *j, int mask, int a, int b)
{
  return sal_algebra_pick(j->g, mask, a, b);
}
/* -1 or 1. */
static inline int sign_of(const sal_energy_jump *j, int a)
{
  return pick(j, op(j, SAL_PROGRAM_lt, a, number(j, 0)), number(j, -1), number(j, 1));
}

/** The speed of what slides along contact c. */
int sal_energy_outcome_slides(const sal_energy_jump *jump, const sal_energy_terms *terms, int c);
/** The states and modes as they are. */
sal_energy_outcome sal_energy_outcome_begin(const sal_energy_jump *jump);
/** The coordinates and rates of a run, and what they become: how many. */
int sal_energy_outcome_map(const sal_energy_jump *jump, const sal_energy_outcome *outcome,
                           int from[], int to[]);
/** The terms at an outcome. */
void sal_energy_outcome_terms(const sal_energy_jump *jump, const sal_energy_outcome *outcome,
                              sal_energy_terms *terms);
/** Changes of the rates of all contacts that may be bound, to 0. */
void sal_energy_outcome_stop(const sal_energy_jump *jump, const sal_energy_terms *terms,
                             sal_energy_forces *target);
/** Puts the gaps of contacts that were closed, or change, to 0, as near as one step of Newton's iteration does, and by some
 *  roundings to the side of the mode they are in now.  Where a contact without a law has changed, whose own gap must
 *  stay where it is, that is done with opening contacts alone. */
void sal_energy_outcome_land(const sal_energy_jump *jump, sal_energy_outcome *outcome);
/** The velocities after an impact or a release, and which contacts took part. */
void sal_energy_outcome_impact(const sal_energy_jump *jump, sal_energy_outcome *outcome,
                               sal_energy_modes *modes);
