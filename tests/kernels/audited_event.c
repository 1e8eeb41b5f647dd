/** The strategy and its auditor (lane half, width 1). */
#include "audited_event.h"
#include <float.h>
#include <stdlib.h>

enum { POINTS = 400 };

audit_counts audit = {.depth = 1e-9};
extern const sal_strategy_ops sal_event_w1;

/* side * gap of all contacts at theta. */
static void gaps_at(const sal_dense *d, const sal_contacts *at, double theta, double gap[])
{
  static double y[SAL_MAX_STATE], dy[SAL_MAX_STATE], rate[SAL_MAX_GUARD];
  sal_step_state *s = d->step;

  sal_dense_state_w1(d, theta, y);
  sal_contacts_look_w1(s, at, 0, s->t + theta * s->h, y, dy, gap, rate);
  for (int k = 0; k < at->n; ++k) gap[k] *= at->side[k];
}

static double gap_at(const sal_dense *d, const sal_contacts *at, int k, double theta)
{
  static double gap[SAL_MAX_GUARD];

  gaps_at(d, at, theta, gap);
  return gap[k];
}

/* The least gap near point i, from its neighbours, by golden sections. */
static double lowest_near(const sal_dense *d, const sal_contacts *at, int k, double a, double b)
{
  double low = INFINITY;

  for (int i = 0; i < 40; ++i) {
    const double x = a + 0.382 * (b - a), z = a + 0.618 * (b - a);
    const double gap_x = gap_at(d, at, k, x), gap_z = gap_at(d, at, k, z);
    low = fmin(low, fmin(gap_x, gap_z));
    if (gap_x < gap_z)
      b = z;
    else
      a = x;
  }
  return low;
}

/* How far contact k, whose gap is gap[i] at point i, is beyond its surface ahead of `end`; 0 where it is not. */
static double depth_of(const sal_dense *d, const sal_contacts *at, int k, double end,
                       const double gap[])
{
  double deepest = 0;

  if (at->opening[k] || (at->starts_closed[k] && !(at->side[k] * at->rate[k] > 0))) return 0;
  for (int i = 1; i < POINTS; ++i) {
    double low = gap[i];
    if (low > gap[i - 1] || low > gap[i + 1]) continue;
    if (low > -1e-6 && low < 1e-3)
      low = fmin(low, lowest_near(d, at, k, end * (i - 1) / POINTS, end * (i + 1) / POINTS));
    deepest = fmax(deepest, -low);
  }
  return deepest;
}

static double deepest_before(const sal_dense *d, const sal_contacts *at, double end)
{
  static double gap[SAL_MAX_GUARD][POINTS + 1], now[SAL_MAX_GUARD];
  double deepest = 0;

  for (int i = 0; i <= POINTS; ++i) {
    gaps_at(d, at, end * i / POINTS, now);
    for (int k = 0; k < at->n; ++k) gap[k][i] = now[k];
  }
  for (int k = 0; k < at->n; ++k) deepest = fmax(deepest, depth_of(d, at, k, end, gap[k]));
  return deepest;
}

static void locate(sal_dense *d, const sal_contacts *at, sal_m lanes, sal_crossing *out)
{
  sal_step_state *s = d->step;

  sal_event_w1.locate(d, at, lanes, out);
  if (!lanes || out->refuse || out->lost || at->in_row || !(s->h > 0)) return;
  if (out->hit && !(out->theta > 1e-9)) return; /* met where the step begins */
  ++audit.steps;
  const sal_m n_rhs = s->n_rhs, n_gap = s->n_gap, paid = d->paid;
  const bool made = d->degree >= 0;
  audit.looked += made;
  sal_dense_make_w1(d, lanes);
  const double deepest = deepest_before(d, at, out->hit ? out->theta : 1);
  s->n_rhs = n_rhs;
  s->n_gap = n_gap;
  if (made)
    d->paid = paid;
  else
    d->paid = 0;
  audit.missed += deepest > audit.depth;
  if (deepest > audit.depth) audit.deepest = fmax(audit.deepest, deepest);
}

static const sal_strategy_ops ops = {.locate = locate};
const sal_strategy audited_event = {.name = "event", .title = "audited", .held = true, .w1 = &ops};
