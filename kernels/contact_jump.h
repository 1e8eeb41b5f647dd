/** Contacts of a mechanical system that are closed, or touch, at an event: all of them as one problem.
 *
 *  Impacts follow Newton's law, each with its restitution (0 <= w + e u _|_ P >= 0 for rates u before and w after), or
 *  Poisson's (the impulse of expansion is at least e times that of compression), with Coulomb's friction in the impulses; then accelerations and forces settle which contacts stay closed and which
 *  stick.  Neither the order of the contacts nor their names bear on the result.
 */
#pragma once

#include "contact_motion.h"
#include <math.h>

/** Makes all but q and v of a motion, at these; false: the position does not exist. */
typedef bool sal_contact_evaluate(void *of, sal_contact_motion *motion);
/** The event: lands what takes part, applies the impacts, and settles the modes by the forces afterwards.  The motion is
 *  evaluated at its beginning, and q and v are those after the event.  false: not solved. */
bool sal_contact_jump(sal_contact_motion *s, sal_contact_evaluate *evaluate, void *of);
/** Notes in *mode, the contact's mode with what has fired changed already, the part that an event gives it. */
void sal_contact_jump_note(sal_contact_mode *mode, bool fired, bool grip_fired);
/** How far the rates, forces and accelerations after an event miss the laws of Signorini and Coulomb in its modes, as a share
 *  of their terms.  Builds of kind Debug assert it after each event without friction. */
double sal_contact_jump_violation(sal_contact_motion *s);
/** The same event of a motion near the one whose modes were left by sal_contact_jump, with the same contacts at work, so that
 *  derivatives of an event are differences of it. */
bool sal_contact_near(sal_contact_motion *s, sal_contact_evaluate *evaluate, void *of);
/** How far closed contacts are from opening, and from sliding, as forces, less those that would keep from their acceleration
 *  what opens, and slides.  Contacts that carry nothing and do not rise are above 0 by a small share of all forces. */
bool sal_contact_jump_margins(sal_contact_motion *s);
/** The time over which their differences along dy [n] are taken. */
static inline double sal_contact_jump_step(int n, const double y[], const double dy[])
{
  double size = 1, fast = 1;

  for (int i = 0; i < n; ++i) {
    size = fabs(y[i]) > size ? fabs(y[i]) : size;
    fast = fabs(dy[i]) > fast ? fabs(dy[i]) : fast;
  }
  return 1e-6 * size / fast;
}
