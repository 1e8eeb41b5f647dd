/** Rates of the gaps along the states one by one (lane half).  Along one slope of several states that have no gap in common each
 *  gap has the rate of its own state, to the bit, so that all of a row take a few evaluations and not one for each state.
 *  Curtis, Powell and Reid, J. Inst. Maths Applics 13 (1974) 117-119.  Not counted: no strategy needs it.
 */
#pragma once

#include "contacts.h"

typedef struct {
  sal_step_state *s;
  const sal_contacts *at;
  const sal_v *by;   /* [s->n] slope of each state; NULL: 1 */
  sal_v *gap, *rate; /* [at->n] receives the gaps / scratch */
} sal_gap_slopes;

/** The gaps that a state moves: gap [n], NULL: 0 to n - 1; their rates along it, rate [gap]. */
typedef struct {
  int n;
  const uint16_t *gap;
  const sal_v *rate;
} sal_gap_column;

/** Gap j of them. */
SAL_INLINE int sal_gap_column_at(sal_gap_column column, int j)
{
  return column.gap ? column.gap[j] : j;
}

/** Writes the gaps at (t, y) and their rates at rest into at->late, and makes those along groups; uses at->yb, at->parts. */
void SAL_FN(sal_gap_slopes_begin)(const sal_gap_slopes *g);
/** Along state i alone, till the next call. */
sal_gap_column SAL_FN(sal_gap_slopes_along)(const sal_gap_slopes *g, int i);

#define sal_gap_slopes_begin SAL_FN(sal_gap_slopes_begin)
#define sal_gap_slopes_along SAL_FN(sal_gap_slopes_along)
