/** Contacts change sides in a running batch, with counts and log (lane half). */
#pragma once

#include "batch.h"

/** At the start of a run in `lanes`: the mode, from the gaps or as the job gives it, contacts that are
 *  met at once, what ends a run at once, and the model's invariant.  Returns the lanes that begin
 *  beyond a surface of a model that resets, which cannot be run. */
sal_m SAL_FN(sal_change_enter)(sal_batch *b, sal_m lanes);

/** The contacts that b->x names change sides in the lanes of `hit`, whose t and y are already those
 *  of the event; in those of `idle` no time has passed since the last one.  Counts them, logs them
 *  with the state after the event, and keeps a contact closed that closes infinitely often in a
 *  finite time. */
void SAL_FN(sal_change_mode)(sal_batch *b, sal_m hit, sal_m idle);

/** Lanes in which contacts have changed too often with no time between, or in so little that at this pace the rest of the run
 *  would take 2^20 times as many events as there were. */
SAL_INLINE sal_m sal_change_stuck(const sal_batch *b)
{
  enum { MOST = 8 }; /* and one more for each contact */
  const sal_m most = (sal_m){0} + (MOST + b->s.phase.n_guard);

  return SAL_MASK(b->idle > most) | SAL_MASK(b->crowded < 0);
}

/** A flight after an impact that no step is short enough to show: the contact rests, and counts as
 *  brought to rest.  Returns those of `lanes` in which there is one; they must begin anew. */
sal_m SAL_FN(sal_change_rest)(sal_batch *b, sal_m lanes);

/** After a (re)start of `lanes`, gaps and rates known: keeps how fast contacts open that have just
 *  changed.  Returns the lanes in which a jump has left one on the wrong side. */
sal_m SAL_FN(sal_change_note_rebound)(sal_batch *b, sal_m lanes);

/** After a (re)start of `lanes`: those in which impacts without end have brought a contact to rest that its
 *  closed mode does not hold. */
sal_m SAL_FN(sal_change_unheld)(sal_batch *b, sal_m lanes);

/** Marks those of `lanes` that begin with a contact closed that ends the run. */
void SAL_FN(sal_change_see_ends)(sal_batch *b, sal_m lanes);

/** Lanes in which a surface has been overshot that the strategy projects back onto: not the end. */
sal_m SAL_FN(sal_change_due)(const sal_batch *b);

/** After a turn of `lanes`: counts the contacts that have come to the wrong side of their surface and
 *  do not approach it, so that a projection never reaches them. */
void SAL_FN(sal_change_watch)(sal_batch *b, sal_m lanes);

#define sal_change_enter SAL_FN(sal_change_enter)
#define sal_change_mode SAL_FN(sal_change_mode)
#define sal_change_rest SAL_FN(sal_change_rest)
#define sal_change_note_rebound SAL_FN(sal_change_note_rebound)
#define sal_change_unheld SAL_FN(sal_change_unheld)
#define sal_change_see_ends SAL_FN(sal_change_see_ends)
#define sal_change_due SAL_FN(sal_change_due)
#define sal_change_watch SAL_FN(sal_change_watch)
