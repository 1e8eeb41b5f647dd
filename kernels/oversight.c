/** Signs of gaps at the end of an engine's step, dips within it, and what became of a contact that is on the wrong side.
 */
#include "oversight.h"
#include "bernstein.h"
#include "entry.h"

/* Gaps at (t, y) into gap [at.n], and their rates along dy; no engine pays for them. */
static void look(sal_batch *b, double t, const double y[], double gap[], double rate[])
{
  sal_contacts_look(&b->s, &b->at, sal_none(), t, y, b->at.yb, gap, rate);
}

static bool is_wrong(const sal_batch *b, int k, const bool fired[], double margin)
{
  return b->at.side[k] * b->at.gapn[k] < -margin && !(fired && fired[k]);
}

static bool any_is_wrong(sal_batch *b, const sal_oversight_step *step)
{
  bool any = false;

  memset(b->at.yb, 0, (size_t)b->s.n * sizeof *b->at.yb);
  look(b, step->t1, step->y1, b->at.gapn, b->at.raten);
  for (int k = 0; k < b->at.n; ++k) any = any || is_wrong(b, k, step->fired, 0);
  return any;
}

/* Gaps and rates at (t, y). */
static void look_along(sal_batch *b, double t, const double y[], double gap[], double rate[])
{
  b->s.flow->rhs(&b->s.phase, t, y, b->at.yb);
  look(b, t, y, gap, rate);
}

/* Gaps at the end of the step, their rounding and their rates. */
static void measure_end(sal_batch *b, const sal_oversight_step *step)
{
  const double t = b->s.t;
  double *y = b->s.y;

  memcpy(b->at.ya, step->y1, (size_t)b->s.n * sizeof *y);
  b->s.t = step->t1;
  b->s.y = b->at.ya;
  sal_entry_gap_noise(&b->s, &b->at, ~sal_none(), &b->gap_noise, NULL);
  b->s.t = t;
  b->s.y = y;
  look_along(b, step->t1, step->y1, b->at.gapn, b->at.raten);
}

/* In what time a gap that is `gap` and grows at `rate` is back at 0: as a parabola through `last` at h. */
static double time_of_flight(double gap, double rate, double last, double h)
{
  const double bend = (gap + rate * h - last) / (h * h), inside = gap > 0 ? gap : 0;

  return (rate + sqrt(rate * rate + 4 * bend * inside)) / (2 * bend);
}

/* Candidate k has opened without speed, so that the error of a step may be more than what it has moved. */
static bool eases_out(const sal_batch *b, int k)
{
  return b->at.opening[k] && b->at.side[k] * b->at.raten[k] > 0;
}

/* Classifies the motion in the step of candidate k, which is on the wrong side at its end. */
static sal_oversight judge(const sal_batch *b, int k, const sal_oversight_step *step, double *first)
{
  const double side = b->at.side[k], gap = side * b->at.ga[k], rate = side * b->at.ra[k];
  const double last = side * b->at.gapn[k], h = step->t1 - b->s.t;

  if (eases_out(b, k)) return SAL_OVERSIGHT_NONE;
  if (gap < 0 && last > gap) return SAL_OVERSIGHT_NONE; /* it leaves an inexact zero */
  if (gap > sal_max(step->zero, b->gap_noise[k])) return SAL_OVERSIGHT_MISSED;
  if (!(rate > 0)) return SAL_OVERSIGHT_FALL;
  *first = sal_min(*first, 0.5 * sal_min(h, time_of_flight(gap, rate, last, h)));
  return SAL_OVERSIGHT_FLIGHT;
}

bool sal_oversight_drop(sal_batch *b, const sal_oversight_step *step, bool falls[])
{
  bool any = false, eases = false;

  for (int k = 0; k < b->at.n; ++k) eases = eases || (step->fired[k] && b->at.opening[k]);
  if (eases) look_along(b, step->t1, step->y1, b->at.gapn, b->at.raten);
  for (int k = 0; k < b->at.n; ++k) {
    falls[k] = step->fired[k] && !eases_out(b, k);
    any = any || falls[k];
  }
  return any;
}

/* Does candidate k, right at both ends of the step, come back from beyond its surface within it, farther than the
 * tolerance leaves open?  By the cubic through both ends, as a library's step has no polynomial here. */
static bool dips(const sal_batch *b, int k, double h)
{
  const double side = b->at.side[k], third = side * h / 3;
  const double start = side * b->at.ga[k], end = side * b->at.gapn[k];
  const double c[] = {start, start + third * b->at.ra[k], end - third * b->at.raten[k], end};
  double size = sal_setup_least_atol(b->setup) / b->s.rtol;

  for (int j = 0; j < 4; ++j) size = sal_max(sal_abs(c[j]), size);
  const double level = b->s.rtol * size;
  return start > level && end > level && sal_bernstein_find(3, c, level, 0, ~sal_none()).found;
}

/* A step whose ends are right. */
static sal_oversight find_dips(sal_batch *b, const sal_oversight_step *step)
{
  sal_oversight found = SAL_OVERSIGHT_NONE;

  look_along(b, step->t1, step->y1, b->at.gapn, b->at.raten);
  look_along(b, b->s.t, b->s.y, b->at.ga, b->at.ra);
  for (int k = 0; k < b->at.n; ++k) {
    const bool here = !b->at.starts_closed[k] && dips(b, k, step->t1 - b->s.t);
    b->x.fired[k] = -(int64_t)here;
    b->x.many[k] = 1;
    if (here) found = SAL_OVERSIGHT_MISSED;
  }
  return found;
}

sal_oversight sal_oversight_find(sal_batch *b, const sal_oversight_step *step, double *first)
{
  sal_oversight of[SAL_MAX_GUARD], worst = SAL_OVERSIGHT_NONE;

  *first = INFINITY;
  if (!any_is_wrong(b, step)) return step->fired ? worst : find_dips(b, step);
  measure_end(b, step);
  look_along(b, b->s.t, b->s.y, b->at.ga, b->at.ra);
  for (int k = 0; k < b->at.n; ++k) {
    const bool wrong = is_wrong(b, k, step->fired, b->gap_noise[k]);
    of[k] = wrong ? judge(b, k, step, first) : SAL_OVERSIGHT_NONE;
    if (of[k] > worst) worst = of[k];
  }
  for (int k = 0; k < b->at.n; ++k) {
    b->x.fired[k] = -(int64_t)(worst > SAL_OVERSIGHT_NONE && of[k] == worst);
    b->x.many[k] = 1;
  }
  return worst;
}
