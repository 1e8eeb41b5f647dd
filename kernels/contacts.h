/** @file kernels/contacts.h
 *  Which contacts may change sides next, and changing them (lane half).
 *
 *  Strategies see candidates (strategy.h).  Of a model without order they are all contacts; of a
 * row they are two per lane, whatever its length: the ones at the border between closed and open,
 * or the two ends where all are alike.  So a step and an event cost the same in rows of any length.
 */
#ifndef SAL_CONTACTS_H
#define SAL_CONTACTS_H

#include "strategy.h"

enum { SAL_ROW_CANDIDATES = 2 };

/** The mode at the start of a run, from the gaps at (t, y): one of exactly 0 is closed unless it is
 *  opening.  Leaves f there in s->fn. */
void SAL_FN(sal_contacts_enter)(sal_stepper *s, sal_contacts *at, sal_m lanes);

/** Both ends of a border, or of the row, at once: the gaps all vanish together, so every contact
 *  changes.  Sees to it that x names each of them once. */
void SAL_FN(sal_contacts_complete)(const sal_stepper *s, const sal_contacts *at, sal_m hit,
                                   sal_crossing *x);

/** The contacts that x names change sides in the lanes of `hit`, and the model's jumps are applied;
 *  those of `rests` [n] stay closed whatever the jump says.  In lanes of `idle` no time has passed
 *  since the last change: what touched then still does. */
void SAL_FN(sal_contacts_change)(sal_stepper *s, sal_contacts *at, sal_m hit, sal_m idle,
                                 const sal_crossing *x, const sal_m rests[]);

/** Time has passed in `lanes`: nothing touches any more. */
void SAL_FN(sal_contacts_leave)(sal_contacts *at, sal_m lanes);

/** Is contact k closed in this lane? */
bool SAL_FN(sal_contacts_closed)(const sal_phase *phase, int k, int lane);

#define sal_contacts_enter    SAL_FN(sal_contacts_enter)
#define sal_contacts_complete SAL_FN(sal_contacts_complete)
#define sal_contacts_change   SAL_FN(sal_contacts_change)
#define sal_contacts_leave    SAL_FN(sal_contacts_leave)
#define sal_contacts_closed   SAL_FN(sal_contacts_closed)

#endif
