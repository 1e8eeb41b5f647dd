/** One projection step. */
#include "project.h"

/* The contact to be crossed next in each lane, the time to it, and the lanes in the zone. */
static sal_m choose_next_contact(sal_step_state *s, const sal_contacts *at, sal_m lanes,
                                 double near, sal_v *tau, sal_crossing *out)
{
  const sal_v zone = sal_set(near);
  const sal_v back = sal_set(at->zone_in_time && !(s->fixed > at->zone) ? at->zone : s->fixed);
  sal_m inside = sal_none(), taken = sal_none();

  *tau = sal_set(INFINITY);
  sal_contacts_look(s, at, lanes, s->t, s->y, s->f, at->ga, at->ra);
  for (int k = 0; k < at->n; ++k) {
    const sal_v found = sal_project_arrival(at->side[k], at->ga[k], at->ra[k]);
    /* farther back than any step overshoots, the line leads nowhere: cross in place */
    const sal_v arrival = sal_sel(sal_lt(found, -back), sal_set(0), found);
    const sal_v room = at->side[k] * at->ga[k];
    inside |= sal_lt(arrival, sal_set(INFINITY)) & sal_le(at->zone_in_time ? arrival : room, zone);
    at->when[k] = arrival;
    *tau = sal_min(arrival, *tau);
  }
  const sal_m go = lanes & inside & sal_le(s->t + *tau, s->t_end);
  for (int k = 0; k < at->n; ++k) {
    const sal_m next = go & ~taken & sal_eq(at->when[k], *tau);
    out->fired[k] = sal_pick(lanes, next, out->fired[k]);
    out->many[k] = sal_sel(lanes, sal_set(1), out->many[k]);
    taken |= next;
  }
  return go;
}

/* eta / (d eta / dt) of the chosen contact at y, along the slope dy: how far it has been
 * overshot. */
static sal_v overshoot(sal_step_state *s, const sal_contacts *at, const sal_crossing *out,
                       sal_m lanes, sal_v t, const sal_v y[], const sal_v dy[])
{
  sal_v late = sal_set(0);

  sal_contacts_look(s, at, lanes, t, y, dy, at->ga, at->ra);
  for (int k = 0; k < at->n; ++k) late = sal_sel(out->fired[k], at->ga[k] / at->ra[k], late);
  return late;
}

sal_m SAL_FN(sal_project_step)(sal_step_state *s, const sal_contacts *at, sal_m lanes, int order,
                               double near, sal_crossing *out)
{
  enum { CORRECTIONS = 2 };
  const int n = s->n;
  sal_v tau;
  const sal_m go = choose_next_contact(s, at, lanes, near, &tau, out);
  const sal_v *slope = s->f;

  if (!sal_any(go)) return go;
  tau = sal_sel(go, tau, sal_set(0));
  const sal_m on_line = ~sal_eq(tau, sal_set(0)); /* what is crossed in place is not followed */
  if (order == 2) {
    for (int i = 0; i < n; ++i) at->ya[i] = s->y[i] + 0.5 * tau * s->f[i];
    sal_method_rhs(s, go, s->t + 0.5 * tau, at->ya, at->yb);
    slope = at->yb;
    for (int pass = 0; pass < CORRECTIONS; ++pass) {
      for (int i = 0; i < n; ++i) at->ya[i] = s->y[i] + tau * slope[i];
      tau = sal_sel(on_line, tau - overshoot(s, at, out, go, s->t + tau, at->ya, slope), tau);
    }
  }
  for (int i = 0; i < n; ++i) s->yn[i] = sal_sel(go, s->y[i] + tau * slope[i], s->yn[i]);
  s->tn = sal_sel(go, s->t + tau, s->tn);
  s->h = sal_sel(go, s->tn - s->t, s->h);
  return go;
}

void SAL_FN(sal_project_cut_at_zone)(sal_dense *d, const sal_contacts *at, sal_m lanes,
                                     sal_crossing *out)
{
  sal_step_state *s = d->step;
  const sal_v zone = sal_set(at->zone), none = sal_set(2);
  const sal_m adaptive = s->fixed > 0 ? sal_none() : lanes & at->resets;
  sal_v first = none;

  sal_contacts_look(s, at, lanes, s->tn, s->yn, s->fn, at->gapn, at->raten);
  for (int k = 0; k < at->n; ++k) {
    const sal_v side = at->side[k];
    const sal_root_probe p = {d, at, zone, sal_root_between};
    const sal_v a = side * at->gap[k] - zone, b = side * at->gapn[k] - zone;
    const sal_m enters = lanes & sal_gt(a, sal_set(0)) & sal_lt(b, sal_set(0));
    /* a flight after an impact, from inside the zone, of which the step shows nothing */
    out->refuse |= adaptive & ~sal_gt(a, sal_set(0)) & sal_gt(side * at->rate[k], sal_set(0)) &
                   sal_lt(side * at->gapn[k], sal_set(0));
    if (!sal_any(enters)) continue;
    sal_dense_make(d, enters);
    sal_root_choose(at, enters, k);
    const sal_v theta =
        sal_root_between(&p, enters, sal_set(0), a, sal_set(1), b, sal_set(NAN), false, NULL);
    first = sal_sel(enters, sal_min(theta, first), first);
  }
  /* elsewhere a projection of this turn has fired */
  for (int k = 0; k < at->n; ++k) out->fired[k] &= ~lanes;
  out->hit = lanes & sal_lt(first, none);
  out->theta = sal_sel(out->hit, first, sal_set(1));
}
