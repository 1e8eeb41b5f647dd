/** Curved gaps over parts of a step: bounds of the states and slopes there, by the Bernstein coefficients of the dense
 *  output, give bounds of gap and rate (sal_flow.range).  With the mean value form, gap(middle) +- |rate| length / 2,
 *  they exclude a crossing or prove that the gap is monotone; else the part is halved.
 *  Neumaier, Interval Methods for Systems of Equations (1990), section 2.3.
 */
#include "interval.h"
#include "isolate.h"

/* A gap of which no bounds are known, or that is 0 at both ends, as that of a contact at rest is, takes no more parts
 * than these. */
enum { DEPTH = 12, PARTS = 1 << DEPTH, MOST_HALVED = 256, REST_HALVED = 8 };

/** Part [start, start + length] of a step; bounds of side * gap of the contact and of its rate. */
typedef struct {
  double start, length;
  sal_v low, high, rate0, rate1;
} part;

/* Bounds of a polynomial in the powers of theta - origin over a part; a is used up.  Rounding is in proportion to the
 * sum of its coefficients, as |theta - origin| <= 1. */
static void bound(int degree, double origin, const part *w, sal_v a[], sal_v *least, sal_v *most)
{
  sal_v size = sal_set(0);
  double scale = 1;

  for (int j = 0; j <= degree; ++j) size = size + sal_abs(a[j]);
  sal_bernstein_shift(degree, origin - w->start, a);
  for (int j = 0; j <= degree; ++j, scale *= w->length) a[j] = scale * a[j];
  sal_bernstein_from_powers(degree, a);
  sal_bernstein_bounds(degree, a, least, most);
  const sal_interval in =
      sal_interval_widen(*least, *most, 0x1p-49 * size, 0x1p-49 * size, sal_none());
  *least = in.lo;
  *most = in.hi;
}

/* Bounds over a part: of the states y0, y1 and of their slopes dy0, dy1. */
static void bound_states(const sal_root_probe *p, const part *w, sal_v y0[], sal_v y1[],
                         sal_v dy0[], sal_v dy1[])
{
  const sal_dense *d = p->d;
  const int n = d->step->n, degree = p->at->degree > 0 ? p->at->degree : d->degree;
  const sal_v per_time = 1.0 / d->step->h;
  sal_v a[SAL_MAX_DEGREE + 1];

  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= degree; ++j) a[j] = j <= d->degree ? d->c[j * n + i] : sal_set(0);
    bound(degree, d->origin, w, a, &y0[i], &y1[i]);
    for (int j = 1; j <= degree; ++j)
      a[j - 1] = j <= d->degree ? (double)j * per_time * d->c[j * n + i] : sal_set(0);
    bound(degree - 1, d->origin, w, a, &dy0[i], &dy1[i]);
  }
}

/* Bounds of contact k over a part, in the sense of its side. */
static void bound_gap(const sal_root_probe *p, int k, part *w)
{
  const sal_step_state *s = p->d->step;
  const sal_m open = sal_gt(p->at->side[k], sal_set(0));
  const sal_interval t =
      sal_interval_round(s->t + w->start * s->h, s->t + (w->start + w->length) * s->h, sal_none());
  sal_v y0[SAL_MAX_STATE], y1[SAL_MAX_STATE], dy0[SAL_MAX_STATE], dy1[SAL_MAX_STATE];
  sal_v gap0[SAL_MAX_CONTACT], gap1[SAL_MAX_CONTACT], rate0[SAL_MAX_CONTACT],
      rate1[SAL_MAX_CONTACT];

  bound_states(p, w, y0, y1, dy0, dy1);
  s->flow->range(&s->phase, t.lo, t.hi, y0, y1, dy0, dy1, gap0, gap1, rate0, rate1);
  w->low = sal_sel(open, gap0[k], -gap1[k]);
  w->high = sal_sel(open, gap1[k], -gap0[k]);
  w->rate0 = sal_sel(open, rate0[k], -rate1[k]);
  w->rate1 = sal_sel(open, rate1[k], -rate0[k]);
}

sal_m sal_isolate_bounded(const sal_root_probe *p, int k)
{
  part start = {.start = 0, .length = 0};

  bound_gap(p, k, &start);
  return sal_lt(start.high - start.low, sal_set(INFINITY));
}

/* At a point the bounds of a gap differ by its rounding.  Returns the lanes of `closed` in which the gap moves out
 * (sal_isolate_moves_out), and its bounds do not show that it does so from the start. */
static sal_m add_rounding(const sal_root_probe *p, int k, sal_m lanes, sal_m closed)
{
  const sal_contacts *at = p->at;
  part start = {.start = 0, .length = 0};

  bound_gap(p, k, &start);
  at->gap_noise[k] =
      sal_sel(lanes, sal_max(start.high - start.low, at->gap_noise[k]), at->gap_noise[k]);
  return sal_isolate_moves_out(p, k, closed) & sal_le(start.rate0, sal_set(0));
}

static void note_low(sal_bernstein_first *f, sal_m lanes, sal_v theta, sal_v value)
{
  f->hi = sal_sel(lanes, theta, f->hi);
  f->at_hi = sal_sel(lanes, value, f->at_hi);
  f->found |= lanes;
}

/* The lowest point of a part of the least size, if its rate points in at the start and out at the end. */
static void look_at_bottom(const sal_root_probe *p, const part *w, sal_m lanes, sal_v noise,
                           sal_bernstein_first *f)
{
  const sal_v start = sal_set(w->start), end = sal_set(w->start + w->length), zero = sal_set(0);
  const sal_v da = sal_root_value(p, lanes, start, true), db = sal_root_value(p, lanes, end, true);
  const sal_m dips = lanes & sal_lt(da, zero) & sal_gt(db, zero);

  if (!sal_any(dips)) return;
  const sal_v bottom = p->find(p, dips, start, da, end, db, sal_set(NAN), true, NULL);
  const sal_v lowest = sal_root_value(p, dips, bottom, false);
  note_low(f, dips & sal_le(lowest, noise), bottom, lowest);
}

/* Looks at a part in the lanes of todo; returns those in which it is to be halved, and adds to *done those whose first
 * crossing is known.  Lanes of `last` go by the values at its middle, its end and its bottom; in lanes of `closed` the gap is
 * 0 where the part begins, and that is not a graze. */
static sal_m judge(const sal_root_probe *p, int k, part *w, sal_m todo, sal_m last, sal_m closed,
                   sal_bernstein_first *f, sal_m *done)
{
  const sal_v zero = sal_set(0);
  const sal_v middle = sal_set(w->start + 0.5 * w->length), end = sal_set(w->start + w->length);

  bound_gap(p, k, w);
  sal_count(&p->d->step->n_gap, todo, 1);
  todo &= ~(sal_gt(w->low, -p->at->gap_noise[k]) | sal_ge(w->rate0, zero));
  if (!sal_any(todo)) return todo;
  const sal_v gap = sal_root_value(p, todo, middle, false);
  const sal_v swing =
      0.5 * w->length * p->d->step->h * sal_max(sal_abs(w->rate0), sal_abs(w->rate1));
  w->low = sal_max(gap - swing, w->low);
  const sal_m clear = todo & sal_gt(w->low, -p->at->gap_noise[k]);
  if (w->length == 1 && sal_any(todo & ~clear)) todo &= ~add_rounding(p, k, todo & ~clear, closed);
  const sal_v noise = -p->at->gap_noise[k];
  const sal_m falls = todo & ~clear & sal_le(w->rate1, zero), ends = falls | (todo & ~clear & last);
  const sal_m low = todo & ~clear & sal_le(gap, noise);

  note_low(f, low, middle, gap);
  if (sal_any(ends & ~low)) {
    const sal_v at_end = sal_root_value(p, ends & ~low, end, false);
    note_low(f, ends & ~low & sal_le(at_end, noise), end, at_end);
  }
  const sal_m open = ends & ~falls & ~f->found;
  if (sal_any(open)) look_at_bottom(p, w, open, noise, f);
  *done |= ends & f->found;
  const sal_m ahead = todo & (clear | ends) & sal_gt(gap, zero) & sal_lt(middle, f->hi);
  f->lo = sal_sel(ahead, middle, f->lo);
  f->at_lo = sal_sel(ahead, gap, f->at_lo);
  f->undecided |= open & ~f->found & ~(closed & sal_gt(gap, zero));
  return todo & ~clear & ~ends;
}

/* The tree of parts is common to all lanes, the left half of each first; a lane sees none that it does not need. */
sal_bernstein_first sal_isolate_boxes(const sal_root_probe *p, int k, sal_m lanes, sal_m from_zero,
                                      sal_v *lowest)
{
  const sal_contacts *at = p->at;
  const sal_v side = at->side[k];
  sal_bernstein_first f = {.hi = sal_set(1), .at_hi = side * at->gapn[k]};
  sal_m todo[DEPTH + 1] = {lanes}, done = sal_none(), halved = sal_none(), once = sal_none();

  f.at_lo = sal_sel(from_zero, sal_set(0), side * at->gap[k]);
  sal_root_choose(at, lanes, k);
  for (int i = 0, depth = 0; i < PARTS;) {
    part w = {.start = (double)i / PARTS, .length = 1.0 / (1 << depth)};
    const sal_v noise = at->gap_noise[k];
    const sal_m rests = sal_le(sal_abs(at->gap[k]), noise) & sal_le(sal_abs(at->gapn[k]), noise);
    const sal_v most = sal_sel(rests, sal_set(REST_HALVED), sal_set(MOST_HALVED));
    const sal_m last =
        (depth == DEPTH ? ~sal_none() : sal_none()) | sal_ge(sal_to_double(halved), most);
    const sal_m now = todo[depth] & ~done & sal_lt(sal_set(w.start), f.hi);
    sal_m split = sal_none();
    if (sal_any(now))
      split = judge(p, k, &w, now, last, i == 0 ? from_zero : sal_none(), &f, &done);
    if (i == 0 && depth == 0) {
      *lowest = w.low;
      once = sal_le(w.rate1, sal_set(0));
    }
    if (sal_any(split)) {
      sal_count(&halved, split, 1);
      todo[++depth] = split;
      continue;
    }
    i += PARTS >> depth;
    while (depth > 0 && i % (PARTS >> (depth - 1)) == 0) --depth;
  }
  f.again = f.found & ~once; /* or it is not known */
  f.undecided &= ~f.found;
  return f;
}
