/** One look at each event, before and after it. */
#include "model_drawn.h"

static const double rounding = 1e-7; /* of energies, which are sums */

static const char *name_of(const sal_model *m, const sal_event *e)
{
  const sal_contact *c = sal_model_contact(m, e->guard);

  return e->closes ? c->closes : c->opens;
}

/* An event is located where the gap is 0, to a share of a step; a gap without continuity stays off it.  A jump
 * of the state by an earlier event at that instant may leave a gap anywhere. */
static void look_for_leap(sal_model_inquiry *q, const sal_trajectory *tr)
{
  const sal_model *m = q->like.model;

  for (int64_t i = 0; i < tr->n_event; ++i) {
    const sal_event *e = &tr->event[i];
    if (i > 0 && e->t == tr->event[i - 1].t) continue;
    if (!e->closes || fabs(e->gap) <= 1e-6 * (1 + fabs(e->rate))) continue;
    sal_model_inquiry_put(q, SAL_MODEL_WRONG,
                          "; the gap of %s leaps at t = %.6g: it is %.4g where it closes",
                          name_of(m, e), e->t, e->gap);
    return;
  }
}

static void look_for_forbidden(sal_model_inquiry *q, const sal_trajectory *tr)
{
  const sal_model *m = q->like.model;

  for (int64_t i = 0; i < tr->n_event; ++i) {
    const sal_event *e = &tr->event[i];
    const int k = sal_model_left_forbidden(m, e->y);
    if (k < 0) continue;
    sal_model_inquiry_put(
        q, SAL_MODEL_WRONG, "; %s at t = %.6g leaves %s = %.6g; allowed: %s%.6g to %.6g",
        name_of(m, e), e->t, m->state[k].name, e->y[k],
        m->state[k].whole ? "whole numbers from " : "", m->state[k].least, m->state[k].most);
    return;
  }
}

static void look_for_gain(sal_model_inquiry *q, const sal_trajectory *tr)
{
  const sal_model *m = q->like.model;
  double most = 0, size = 0;
  int64_t at = -1, n = 0;

  for (int64_t i = 0; i < tr->n_event; ++i) {
    const sal_event *e = &tr->event[i];
    const double before = sal_model_left_energy(m, q->param, e->t, e->ahead),
                 gain = sal_model_left_energy(m, q->param, e->t, e->y) - before;
    size = fmax(size, fabs(before));
    if (gain > most) most = gain, at = i;
    n += isfinite(gain);
  }
  if (at >= 0 && most > rounding * size)
    sal_model_inquiry_put(q, SAL_MODEL_NOTE, "; %s at t = %.6g brings in an energy of %.4g of %.4g",
                          name_of(m, &tr->event[at]), tr->event[at].t, most, size);
  else if (n > 0)
    sal_model_inquiry_put(q, SAL_MODEL_FINE, "; no event brings energy in");
}

void sal_model_along_events(sal_model_inquiry *q, const sal_trajectory *tr)
{
  look_for_leap(q, tr);
  look_for_forbidden(q, tr);
  look_for_gain(q, tr);
}
