/** Newton's divided differences on a uniform mesh; the mesh of a path with events. */
#include "base.h"
#include "trace.h"

enum { POINTS = SAL_EXTREME_POINTS };

/* Divided differences of v [POINTS] at 0, 1, .. */
static void divide_differences(double v[])
{
  for (int k = 1; k < POINTS; ++k)
    for (int i = POINTS - 1; i >= k; --i) v[i] = (v[i] - v[i - 1]) / k;
}

/* Value and slope of the polynomial at u. */
static double evaluate(const double c[], double u, double *slope)
{
  double value = c[POINTS - 1];

  *slope = 0;
  for (int k = POINTS - 2; k >= 0; --k) {
    *slope = *slope * (u - k) + value;
    value = value * (u - k) + c[k];
  }
  return value;
}

double sal_extreme_beside(const double v[], int j, double from, double to, double *at)
{
  double c[POINTS], lo = j - 1 > from ? j - 1 : from, hi = j + 1 < to ? j + 1 : to;
  double slope, at_lo, value = v[j];

  *at = j;
  memcpy(c, v, sizeof c);
  divide_differences(c);
  evaluate(c, lo, &at_lo);
  evaluate(c, hi, &slope);
  if (!(at_lo * slope < 0)) return value;
  for (int i = 0; i < 60; ++i) {
    const double mid = 0.5 * (lo + hi);
    value = evaluate(c, mid, &slope);
    if (at_lo * slope > 0)
      lo = mid;
    else
      hi = mid;
    *at = mid;
  }
  return value;
}

/* Points of the mesh inside one phase, around one of them. */
typedef struct {
  int64_t first;   /* of POINTS; -1: there are fewer */
  double from, to; /* the phase's ends, in units of the mesh */
} stencil;

/* At an event the mesh has the state after its jump, which is not a point of the path before it. */
static stencil stencil_at(const sal_path *p, int64_t j)
{
  const double h = p->end / (double)p->n_mesh, beside = 1e-6;

  for (int64_t i = 0; i <= p->n_event; ++i) {
    const bool last = i == p->n_event;
    const double begin = i > 0 ? p->event[i - 1].t / h : 0;
    const double end = last ? (double)p->n_mesh : p->event[i].t / h;
    const int64_t from = i == 0 ? 0 : (int64_t)ceil(begin + beside);
    const int64_t to = last ? p->n_mesh : (int64_t)ceil(end - beside) - 1;
    if (j < from || j > to) continue;
    if (to - from + 1 < POINTS) break;
    const int64_t first = j - POINTS / 2 > from ? j - POINTS / 2 : from;
    return (stencil){first + POINTS - 1 > to ? to - POINTS + 1 : first, begin, end};
  }
  return (stencil){.first = -1};
}

double sal_extreme_of_path(const sal_path *p, int i, double sign)
{
  const int64_t n = p->n_state;
  int64_t at = 0;
  double most = sign * p->state[i], v[POINTS], beside;

  if (!isfinite(p->state[p->n_mesh * n + i])) return NAN;
  for (int64_t j = 1; j <= p->n_mesh; ++j)
    if (sign * p->state[j * n + i] > most) most = sign * p->state[(at = j) * n + i];
  const stencil s = stencil_at(p, at);
  for (int k = 0; k < POINTS && s.first >= 0; ++k) v[k] = sign * p->state[(s.first + k) * n + i];
  if (s.first >= 0)
    most = fmax(most, sal_extreme_beside(v, (int)(at - s.first), s.from - (double)s.first,
                                         s.to - (double)s.first, &beside));
  for (int64_t e = 0; e < p->n_event; ++e)
    most = fmax(most, fmax(sign * p->event[e].y[i], sign * p->event[e].ahead[i]));
  return most;
}
