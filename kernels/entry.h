/** Where a run of a model that resets begins: clear of the surfaces of its contacts, on one or beyond
 *  one (lane half).  The contact's kind determines the effect (model.h, sal_contact_kind).
 */
#pragma once

#include "contacts.h"

/** A gap is 0 within so many times its noise. */
enum { SAL_ENTRY_ROUNDINGS = 8 };

/** Rounding of the terms that each gap at (t, y) is made of, noise[0] [at->n]: what it changes by when
 *  time and states change by one spacing each.  Where the terms cancel that is far more than the
 *  spacing of the gap.  With the slope of the states: by how much an error of them within the tolerance changes it,
 *  noise[1], and its rate, noise[2].  Leaves the gaps in at->ga; not counted: no strategy needs it. */
void SAL_FN(sal_entry_gap_noise)(sal_step_state *s, const sal_contacts *at, sal_m lanes,
                                 sal_v *const noise[], const sal_v slope[]);
/** How far above their surfaces the changes in `lanes` have left the gaps that opened there, lifted [at->n], as far as some
 *  roundings of a state of size 1 may have brought them there; further: 0. */
void SAL_FN(sal_entry_lifts)(const sal_step_state *s, const sal_contacts *at, sal_m lanes,
                             sal_v lifted[]);

/** Rounding of the terms that the rate of each gap along slope [s->n] is made of, into at->when; not counted. */
void SAL_FN(sal_entry_rate_noise)(sal_step_state *s, const sal_contacts *at, const sal_v slope[]);

/** Is a run refused that begins with this gap of a contact?  Not where the contact ends the run, which
 *  it then does at once. */
SAL_INLINE sal_m sal_entry_is_beyond(const sal_contact *contact, sal_v gap, sal_v gap_noise)
{
  const sal_m below = sal_lt(gap, (double)-SAL_ENTRY_ROUNDINGS * gap_noise);

  return contact->kind == SAL_CONTACT_SURFACE || contact->ends ? sal_none() : below;
}

/** The mode at the start of a run in `lanes`, whose mode is frozen and no row.  The rate of a contact
 *  on its surface is taken with the contact open.  Below 0 it is met at once: fired [at->n] names it,
 *  and it is open until then.  Above 0 it is open.  At 0 it rests, and the model's jump puts the state
 *  onto the surface.  Returns the lanes in which a
 *  contact is met; *beyond: those that begin beyond a surface. */
sal_m SAL_FN(sal_entry_settle)(sal_step_state *s, sal_contacts *at, sal_m lanes, sal_v gap_noise[],
                               sal_m fired[], sal_m *beyond);

/** Contact k of `lanes` rests from now on: it is closed, and if it is rigid the model's jump puts the
 *  state onto its surface. */
void SAL_FN(sal_entry_rest)(sal_step_state *s, int k, sal_m lanes);

/** Lanes of `lanes` in which rigid contact k closes though its gap rises, with this rate, and falls back: errors of the method
 *  are larger than the speed of its flights.  Not counted. */
sal_m SAL_FN(sal_entry_rises)(sal_step_state *s, const sal_contacts *at, int k, sal_v rate,
                              sal_m lanes);

/** Lanes of `lanes` in which a rigid contact of rests [at->n], closed, is not held: its gap falls at least half as fast
 *  as with the contact open, and is the same (the force that holds a contact is another one).  Not counted. */
sal_m SAL_FN(sal_entry_unheld)(sal_step_state *s, const sal_contacts *at, const sal_m rests[],
                               sal_m lanes);

/** Puts the states of `lanes` onto the surfaces of the contacts at rest in a mode that is given. */
void SAL_FN(sal_entry_put_down)(sal_step_state *s, const sal_contacts *at, sal_m lanes);

/** In a mode that is given, whose gaps, rates and slopes are in `at` and s->fn: contact `changed` - 1 has just
 *  changed and touches its surface, and rounding that leaves it beyond does not make it change again.  0: none. */
void SAL_FN(sal_entry_touch)(const sal_step_state *s, const sal_contacts *at, sal_m lanes,
                             sal_v changed);

#define sal_entry_gap_noise SAL_FN(sal_entry_gap_noise)
#define sal_entry_lifts SAL_FN(sal_entry_lifts)
#define sal_entry_rate_noise SAL_FN(sal_entry_rate_noise)
#define sal_entry_settle SAL_FN(sal_entry_settle)
#define sal_entry_rest SAL_FN(sal_entry_rest)
#define sal_entry_rises SAL_FN(sal_entry_rises)
#define sal_entry_unheld SAL_FN(sal_entry_unheld)
#define sal_entry_put_down SAL_FN(sal_entry_put_down)
#define sal_entry_touch SAL_FN(sal_entry_touch)
