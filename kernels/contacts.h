/** @file kernels/contacts.h
 *  Which contacts may change sides next, and changing them (lane half).
 *
 *  Strategies see candidates.  In a model without order they are all contacts; in a row (model.h,
 *  sal_row) they are two per lane, whatever its length: the ones at the border between closed and
 *  open, or the two ends where all are alike.  So a step and an event cost the same in rows of any
 *  length.
 */
#ifndef SAL_CONTACTS_H
#define SAL_CONTACTS_H

#include "method.h"

enum { SAL_ROW_CANDIDATES = 2 };

/** The contacts of SAL_LANES trajectories over one step, and scratch for the strategy. */
typedef struct {
  int n;               /* candidates */
  bool in_row;         /* they are those of a row */
  double zone;         /* half-width of the zone around a surface, in units of the gap or of time */
  bool zone_in_time;   /* which of the two */
  sal_m one_way;       /* all lanes, if the model's contacts close for good */
  sal_m resets;        /* all lanes, if its jumps reset the state */
  sal_v *rank;         /* [n] the contact that each candidate is */
  sal_v *side;         /* [n] +1 open, -1 closed: side * gap > 0 inside the phase */
  sal_v *onward;       /* [n] in a row: contact rank + onward crosses after it */
  sal_v *gap, *rate;   /* [n] at t, and d gap/dt there; the loop keeps them up to date */
  sal_v *gapn, *raten; /* [n] the same at tn */
  sal_m *starts_closed; /* [n] this contact changed sides at t: its gap is 0 by definition */
  sal_m *opening;       /* [n] it opened without speed: until it is clear, an error of the step may
                          leave it on the wrong side as long as it moves out */
  sal_v touched_from, touched_to; /* in a row: the contacts that changed sides at t */
  sal_v *ya, *yb;                 /* [n_state] scratch */
  sal_v *ga, *ra;                 /* [n] scratch */
  sal_v *late;             /* [n] scratch: side * gap at the end of the part still in question */
  sal_m *own;              /* [strategy->words(n)] the strategy's own memory */
  sal_m *suspect, *chosen; /* [n] scratch */
  sal_v *when;             /* [n] scratch: where in the step each contact crosses */
} sal_contacts;

/** Result of a strategy for a step that passed the error test. */
typedef struct {
  sal_m hit;    /* lanes in which a contact changes sides at t + theta h */
  sal_m refuse; /* lanes whose step jumps over a whole flight: repeat it, smaller */
  sal_m graze;  /* lanes of `hit` that leave the new mode at the instant they entered it */
  sal_m lost;   /* lanes in which a gap is not a number: repeat it, smaller */
  sal_m leap;   /* lanes of `hit` in which the gap leaps over 0 */
  sal_v theta;  /* in (0, 1], or 0 for a graze */
  sal_m *fired; /* [n] lanes in which this candidate is the one */
  sal_v *many;  /* [n] in a row: how many contacts change, from the candidate onward */
} sal_crossing;

/** May a contact cross or dip in a step, or go back on its last change?  From side, gap and rate at both
 *  ends; in most steps none of them may. */
SAL_INLINE sal_m sal_contacts_may_cross(sal_v side, sal_v gap, sal_v rate, sal_v gapn, sal_v raten,
                                        sal_m starts_closed)
{
  const sal_v zero = sal_set(0);
  const sal_m away = sal_gt(side * gap, zero) & sal_gt(side * gapn, zero);
  const sal_m dips = sal_lt(side * rate, zero) & sal_gt(side * raten, zero);

  const sal_m back = ~(sal_ge(side * rate, zero) & sal_gt(side * gapn, zero));

  return sal_pick(starts_closed, back, ~away | dips);
}

/** Time has passed in `lanes`: a contact touches no more, or only till it is clear where it eases. */
SAL_INLINE void sal_contacts_pass(const sal_contacts *at, sal_m lanes)
{
  for (int k = 0; k < at->n; ++k) {
    at->opening[k] &= ~(lanes & sal_gt(at->side[k] * at->gapn[k], sal_set(0)));
    at->starts_closed[k] &= ~lanes | at->opening[k];
  }
}

/** gap [n] and rate [n] of the candidates at (t, y) along the slope dy; counted in `lanes`. */
void SAL_FN(sal_contacts_look)(sal_step_state *s, const sal_contacts *at, sal_m lanes, sal_v t,
                               const sal_v y[], const sal_v dy[], sal_v gap[], sal_v rate[]);

/** The mode at the start of a run, from the gaps at (t, y): a gap of exactly 0 is closed unless it
 *  is opening.  Leaves f there in s->fn.  For models that reset see entry.h. */
void SAL_FN(sal_contacts_enter)(sal_step_state *s, sal_contacts *at, sal_m lanes);

/** The same for a mode that is given: s->phase.closed of `lanes` holds it.  Not for rows. */
void SAL_FN(sal_contacts_adopt)(sal_step_state *s, const sal_contacts *at, sal_m lanes);

/** Makes x name each contact once where both ends of a border, or of the row, have fired: the gaps
 *  all vanish together then, and every contact changes. */
void SAL_FN(sal_contacts_complete)(const sal_step_state *s, const sal_contacts *at, sal_m hit,
                                   sal_crossing *x);

/** The contacts that x names change sides in the lanes of `hit`, and the model's jumps are applied;
 *  those of `rests` [n] stay closed whatever the jump sets.  In lanes of `idle` no time has passed
 *  since the last change: contacts that touched then still touch. */
void SAL_FN(sal_contacts_change)(sal_step_state *s, sal_contacts *at, sal_m hit, sal_m idle,
                                 const sal_crossing *x, const sal_m rests[]);

/** The same, of the contacts of a row besides. */
void SAL_FN(sal_contacts_leave)(sal_contacts *at, sal_m lanes);

/** Is contact k closed in this lane? */
bool SAL_FN(sal_contacts_closed)(const sal_phase *phase, int k, int lane);

#define sal_contacts_look SAL_FN(sal_contacts_look)
#define sal_contacts_enter SAL_FN(sal_contacts_enter)
#define sal_contacts_adopt SAL_FN(sal_contacts_adopt)
#define sal_contacts_complete SAL_FN(sal_contacts_complete)
#define sal_contacts_change SAL_FN(sal_contacts_change)
#define sal_contacts_leave SAL_FN(sal_contacts_leave)
#define sal_contacts_closed SAL_FN(sal_contacts_closed)

#endif
