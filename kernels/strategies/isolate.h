/** The first crossing of a contact in a step, by all that the step's own polynomial shows (lane half).
 *
 *  Of an affine gap that is a polynomial, too, and its first zero is isolated: none is missed that is
 *  deeper than the rounding of the gap.  So are those of a curved gap whose model has bounds of it; any other gap is
 *  looked at in SAL_ISOLATE_PARTS equal parts.
 */
#pragma once

#include "bernstein.h"
#include "root.h"

/** Do events of one contact change others? */
static inline bool sal_isolate_together(const sal_model *m)
{
  return m->jump_together && !m->single;
}

/** Lanes in which the gap of contact k has a form in the mode that it is in. */
SAL_INLINE sal_m sal_isolate_has_form(const sal_root_probe *p, int k, sal_gap_form form)
{
  const sal_contact *contact = sal_model_contact(p->d->step->model, p->at->in_row ? 0 : k);
  const sal_m none = sal_none(), all = ~none;

  return sal_pick(sal_gt(p->at->side[k], sal_set(0)), contact->form[0] == form ? all : none,
                  contact->form[1] == form ? all : none);
}

/** Makes what sal_isolate_first needs of the contacts in the lanes of at->maybe [n], where the ends of the step show that
 *  they may cross; adds to those the ones of `lanes` that the ends show nothing of, and takes out the ones of which they
 *  show all. */
void SAL_FN(sal_isolate_begin)(const sal_root_probe *p, sal_m lanes);

/** Where contact k first comes down to its rounding in the lanes of at->maybe; at `from_zero` its gap is 0
 *  where the step begins, and counts after that.  *lowest: the gap is nowhere lower in the step. */
sal_bernstein_first SAL_FN(sal_isolate_first)(const sal_root_probe *p, int k, sal_m from_zero,
                                              sal_v *lowest);

/** The same of a gap that is curved, by bounds of it over parts of the step (sal_flow.range), in `lanes`. */
sal_bernstein_first SAL_FN(sal_isolate_boxes)(const sal_root_probe *p, int k, sal_m lanes,
                                              sal_m from_zero, sal_v *lowest);

/** Lanes in which the gap of contact k has bounds where the step begins; the dense output is made. */
sal_m SAL_FN(sal_isolate_bounded)(const sal_root_probe *p, int k);

/** Lanes of `closed` in which the rate of contact k where the step begins is 0 but for rounding, and its gap moves out at the
 *  end: what is below 0 between is an error of the step. */
SAL_INLINE sal_m sal_isolate_moves_out(const sal_root_probe *p, int k, sal_m closed)
{
  enum { FAR = 1 << 20 };
  const sal_contacts *at = p->at;
  const sal_v zero = sal_set(0), side = at->side[k];
  const sal_m slow = sal_le(side * at->rate[k] * p->d->step->h, (double)FAR * at->gap_noise[k]);

  return closed & slow & sal_gt(side * at->gapn[k], zero) & sal_gt(side * at->raten[k], zero);
}

#define sal_isolate_boxes SAL_FN(sal_isolate_boxes)
#define sal_isolate_bounded SAL_FN(sal_isolate_bounded)
#define sal_isolate_begin SAL_FN(sal_isolate_begin)
#define sal_isolate_first SAL_FN(sal_isolate_first)
