/** Gaps within a step: affine ones as polynomials in Bernstein form, the others by bounds (isolate_boxes.c) or by
 *  their values.
 */
#include "isolate.h"

enum { ROUNDINGS = 8 };

/* Lanes in which bounds of gap k are known over parts of the step.  The gaps of contacts that act together may have none. */
static sal_m has_range(const sal_root_probe *p, int k)
{
  if (!p->d->step->flow->range || p->at->in_row) return sal_none();
  return sal_isolate_together(p->d->step->model) ? sal_isolate_bounded(p, k) : ~sal_none();
}

/* 1 where no gap depends on a state. */
static int degree_of(const sal_dense *d)
{
  return d->degree >= 0 ? d->degree : d->one_degree > 0 ? d->one_degree : 1;
}

/* Adds what state i gives to the polynomials and the rounding of all gaps; where the dense output has not been made, that of
 * a state that some gap depends on is. */
static void add_state(const sal_root_probe *p, int i, const sal_v by_t[])
{
  const sal_contacts *at = p->at;
  sal_step_state *s = p->d->step;
  const sal_v of_y = s->rtol * sal_max(sal_abs(s->y[i]), s->thr[i]);
  sal_m depends = sal_none();

  at->yb[i] = sal_set(1);
  sal_contacts_look(s, at, sal_none(), s->t, s->y, at->yb, at->ga, at->ra);
  at->yb[i] = sal_set(0);
  for (int k = 0; k < at->n; ++k) {
    const sal_v by = at->side[k] * (at->ra[k] - by_t[k]);
    at->gap_noise[k] += sal_abs(by) * sal_lane_spacing(s->y[i]);
    at->gap_tolerance[k] += sal_abs(by) * of_y;
    at->from[k] = by;
    depends |= ~sal_eq(by, sal_set(0));
  }
  if (!sal_any(depends)) return;
  const bool all = sal_dense_make_one(p->d, i, sal_none());
  const sal_v *c = all ? p->d->c + i : p->d->one_c;
  const int stride = all ? s->n : 1;
  for (int j = 0; j <= degree_of(p->d); ++j)
    for (int k = 0; k < at->n; ++k) at->poly[j * at->n + k] += at->from[k] * c[j * stride];
}

/* The gaps' polynomials without their values at 0, and their rounding, from rates along each state. */
static void make_polynomials(const sal_root_probe *p)
{
  const sal_contacts *at = p->at;
  sal_step_state *s = p->d->step;

  for (int i = 0; i < s->n; ++i) at->yb[i] = sal_set(0);
  sal_contacts_look(s, at, sal_none(), s->t, s->y, at->yb, at->ga, at->when);
  for (int j = 0; j < (SAL_MAX_DEGREE + 1) * at->n; ++j) at->poly[j] = sal_set(0);
  for (int k = 0; k < at->n; ++k) {
    at->poly[at->n + k] = at->side[k] * at->when[k] * s->h;
    at->gap_noise[k] = sal_abs(at->when[k]) * sal_lane_spacing(s->tn);
    at->gap_tolerance[k] = sal_set(0);
  }
  for (int i = 0; i < s->n; ++i) add_state(p, i, at->when);
  for (int k = 0; k < at->n; ++k) {
    sal_v size = sal_abs(at->gap[k]);
    for (int j = 1; j <= degree_of(p->d); ++j) size += sal_abs(at->poly[j * at->n + k]);
    at->gap_noise[k] = (double)ROUNDINGS * (at->gap_noise[k] + 0x1p-53 * size);
  }
}

/* Gaps and rates at the ends of all parts. */
static void take_samples(const sal_root_probe *p, sal_m lanes)
{
  const sal_contacts *at = p->at;
  sal_step_state *s = p->d->step;
  const int n = at->n, last = SAL_ISOLATE_PARTS * n;

  for (int i = 1; i < SAL_ISOLATE_PARTS; ++i) {
    const double theta = (double)i / SAL_ISOLATE_PARTS;
    sal_dense_state(p->d, sal_set(theta), at->ya);
    sal_dense_slope(p->d, sal_set(theta), at->yb);
    sal_contacts_look(s, at, lanes, s->t + theta * s->h, at->ya, at->yb, at->parts + i * n,
                      at->turns + i * n);
  }
  for (int k = 0; k < n; ++k) {
    at->parts[k] = at->gap[k];
    at->turns[k] = at->rate[k];
    at->parts[last + k] = at->gapn[k];
    at->turns[last + k] = at->raten[k];
  }
}

/* Lanes in which contact k crosses once, as the test by the ends of the step shows: of a pair's affine gaps, and of smooth
 * ones as far as it shows anything of them. */
static sal_m crosses_once(const sal_root_probe *p, int k)
{
  const sal_contacts *at = p->at;
  const sal_step_state *s = p->d->step;
  const sal_tableau *tab = s->method->pair ? sal_tableaus[s->method->pair - 1] : NULL;
  const sal_v zero = sal_set(0);
  const sal_contacts_shape c = sal_contacts_shape_of(at, k, s->h);
  const sal_v low = c.middle - at->bulge[k];
  const sal_v high = sal_contacts_exact(at, tab) ? low : c.middle + at->bulge[k];
  const sal_m back = (sal_le(c.early, zero) & (sal_gt(high, zero) | sal_gt(c.late, zero))) |
                     (sal_le(low, zero) & sal_gt(c.late, zero));

  return sal_le(at->side[k] * at->gapn[k], zero) & ~back;
}

/* The gaps at control point j of the states, 0 < j < degree, which are those control points of affine gaps. */
static void look_at_point(const sal_root_probe *p, int j)
{
  const sal_dense *d = p->d;
  sal_step_state *s = d->step;
  const bool back = d->origin > 0;
  const int degree = d->degree, from = back ? degree - j : j;
  double weight = 1;

  for (int m = 0; m < s->n; ++m) p->at->ya[m] = d->c[m];
  for (int i = 1; i <= from; ++i) {
    weight *= (back ? -1.0 : 1.0) * (from - i + 1) / (degree - i + 1);
    for (int m = 0; m < s->n; ++m) p->at->ya[m] += weight * d->c[i * s->n + m];
  }
  sal_contacts_look(s, p->at, sal_none(), s->t + (double)j / degree * s->h, p->at->ya, s->fn,
                    p->at->ga, p->at->ra);
}

/* Takes lanes out of at->maybe in which the control points of an affine gap show that it does not cross, or that it does
 * so once; after the contact's own event those of its change count. */
static void look_at_points(const sal_root_probe *p)
{
  const sal_contacts *at = p->at;
  const sal_v zero = sal_set(0);
  sal_m *const low = at->suspect, *const back = at->isolated;
  sal_m any = sal_none();

  for (int k = 0; k < at->n; ++k) {
    any |= at->maybe[k] & sal_isolate_has_form(p, k, SAL_FORM_AFFINE);
    low[k] = back[k] = sal_none();
  }
  if (!sal_any(any)) return;
  sal_dense_make(p->d, any);
  for (int j = 1; j < p->d->degree; ++j) {
    look_at_point(p, j);
    for (int k = 0; k < at->n; ++k) {
      const sal_v start = sal_sel(at->starts_closed[k], at->gap[k], zero);
      const sal_m in = sal_gt(at->side[k] * (at->ga[k] - start), zero);
      back[k] |= low[k] & in;
      low[k] |= ~in;
    }
  }
  for (int k = 0; k < at->n; ++k) {
    const sal_v first = sal_sel(at->starts_closed[k], at->rate[k], at->gap[k]);
    const sal_m ends = sal_gt(at->side[k] * at->gapn[k], zero);
    const sal_m above = ~low[k] & ends;
    const sal_m once = ~back[k] & ~ends & ~at->starts_closed[k];
    at->maybe[k] &= ~((above | once) & sal_gt(at->side[k] * first, zero) &
                      sal_isolate_has_form(p, k, SAL_FORM_AFFINE));
  }
}

/* Bernstein coefficients of the gap of contact k, whose form is affine; where the step begins at 0 that zero is divided out.  The
 * dense output of ode113 has the state at the end alone: it may begin below the level, which is a crossing there. */
static int bernstein_of(const sal_root_probe *p, int k, sal_m from_zero, sal_v b[])
{
  const sal_contacts *at = p->at;
  const int degree = at->degree > 0 ? at->degree : degree_of(p->d);

  for (int j = 0; j <= degree; ++j) b[j] = at->poly[j * at->n + k];
  b[0] = at->side[k] * (p->d->origin > 0 ? at->gapn[k] : at->gap[k]);
  sal_bernstein_shift(degree, p->d->origin, b);
  for (int j = 0; j < degree; ++j) b[j] = sal_sel(from_zero, b[j + 1], b[j]);
  b[degree] = sal_sel(from_zero, sal_set(0), b[degree]);
  sal_bernstein_from_powers(degree, b);
  return degree;
}

/* The same by the polynomials of the gaps, where those of all states would cost more. */
static void look_at_polynomials(const sal_root_probe *p)
{
  const sal_contacts *at = p->at;
  sal_v b[SAL_MAX_DEGREE + 1];

  for (int k = 0; k < at->n; ++k) {
    const sal_m affine = at->maybe[k] & sal_isolate_has_form(p, k, SAL_FORM_AFFINE);
    sal_m low = sal_none(), back = sal_none();
    if (!sal_any(affine)) continue;
    const int degree = bernstein_of(p, k, at->starts_closed[k], b);
    for (int j = 0; j <= degree; ++j) {
      const sal_m in = sal_gt(b[j], sal_set(0));
      back |= low & in;
      low |= ~in;
    }
    const sal_m ends = sal_gt(at->side[k] * at->gapn[k], sal_set(0));
    const sal_m once = ~back & ~ends & ~at->starts_closed[k];
    at->maybe[k] &= ~(affine & sal_gt(b[0], sal_set(0)) & ((~low & ends) | once));
  }
}

/* Lanes in which contact k of a dop853 step crosses once, as its affine gap falls all along: faster than the dense output
 * rises beside the cubic of the ends, by x^2 (1 - x)^2 q with |q| <= 3 bulge, whose slope is at most 4 bulge. */
static sal_m falls_through(const sal_root_probe *p, int k)
{
  const sal_contacts *at = p->at;
  const sal_contacts_shape c = sal_contacts_shape_of(at, k, p->d->step->h);
  const sal_v a = at->side[k] * at->gap[k], b = at->side[k] * at->gapn[k], zero = sal_set(0);
  const sal_v first = 0.25 * c.early, middle = 0.5 * c.middle, last = 0.25 * c.late;
  const sal_v most = sal_max(sal_max(first - a, middle - first), sal_max(last - middle, b - last));

  return ~at->starts_closed[k] & sal_gt(a, zero) & sal_le(b, zero) & sal_lt(most, -at->bulge[k]) &
         sal_isolate_has_form(p, k, SAL_FORM_AFFINE);
}

/* A step of dop853: its dense output is made where an affine gap needs it. */
static void look_at_long_step(const sal_root_probe *p)
{
  const sal_contacts *at = p->at;
  sal_m any = sal_none();

  for (int k = 0; k < at->n; ++k) {
    at->maybe[k] &= ~falls_through(p, k);
    any |= at->maybe[k] & sal_isolate_has_form(p, k, SAL_FORM_AFFINE);
  }
  if (!sal_any(any)) return;
  sal_dense_prepare(p->d, any);
  make_polynomials(p);
  look_at_polynomials(p);
}

void sal_isolate_begin(const sal_root_probe *p, sal_m lanes)
{
  const sal_contacts *at = p->at;
  const bool together = !at->in_row && sal_isolate_together(p->d->step->model);
  sal_m any = sal_none(), others = sal_none(), bounded = ~sal_none();
  const bool points =
      at->exact || p->d->rhs > 0; /* of dense outputs that are not the cubic of the ends */

  if (p->d->rhs > 0)
    look_at_long_step(p);
  else if (at->exact)
    look_at_points(p);
  for (int k = 0; k < at->n; ++k) {
    const sal_m affine = sal_isolate_has_form(p, k, SAL_FORM_AFFINE),
                smooth = sal_isolate_has_form(p, k, SAL_FORM_SMOOTH);
    const sal_m plain = points || at->degree > 0 ? smooth : smooth | affine;
    at->maybe[k] |= lanes & ~affine & ~smooth;
    if (sal_any(at->maybe[k] & plain)) at->maybe[k] &= ~(plain & crosses_once(p, k));
    /* of contacts that act together the neighbours touch, too, but for rounding, and the dense output shares the forces
     * out less well than the step */
    if (together || at->in_row)
      at->maybe[k] &= ~(at->starts_closed[k] | sal_eq(at->gap[k], sal_set(0)));
    if (together) at->maybe[k] &= ~sal_lt(at->side[k], sal_set(0));
    any |= at->maybe[k];
    others |= at->maybe[k] & ~affine;
  }
  if (!sal_any(any)) return;
  sal_dense_make(p->d, any);
  if (p->d->rhs == 0 || sal_any(others)) make_polynomials(p);
  if (!sal_any(others)) return;
  for (int k = 0; k < at->n; ++k) bounded &= has_range(p, k);
  if (sal_any(others & ~bounded)) take_samples(p, others & ~bounded);
}

/* By the polynomial of an affine gap. */
static sal_bernstein_first first_of_polynomial(const sal_root_probe *p, int k, sal_m lanes,
                                               sal_m from_zero, sal_v *lowest)
{
  const sal_contacts *at = p->at;
  sal_v b[SAL_MAX_DEGREE + 1], most, unused;
  const int degree = bernstein_of(p, k, from_zero, b);

  sal_bernstein_bounds(degree, b, lowest, &most);
  sal_bernstein_first f =
      sal_bernstein_find(degree, b, at->gap_noise[k], sal_root_resolution(p->d->step), lanes);
  if (sal_any(f.found & sal_lt(f.hi, sal_set(1)))) {
    sal_bernstein_restrict(degree, f.hi, sal_set(1), b);
    sal_bernstein_bounds(degree, b, &unused, &most);
    f.again = f.found & sal_gt(most, at->gap_noise[k]);
  }
  f.at_lo = sal_sel(from_zero, f.lo * f.at_lo, f.at_lo);
  f.at_lo = sal_sel(sal_gt(f.lo, sal_set(0)), f.at_lo, at->side[k] * at->gap[k]);
  f.at_hi = sal_sel(from_zero, f.hi * f.at_hi, f.at_hi);
  return f;
}

/* The lowest point between two values of theta at which the rate of contact k points in and out. */
static sal_v find_bottom(const sal_root_probe *p, int k, sal_m lanes, sal_v a, sal_v da, sal_v b,
                         sal_v db, sal_v *gap)
{
  sal_root_choose(p->at, lanes, k);
  const sal_v bottom = p->find(p, lanes, a, da, b, db, sal_set(NAN), true, NULL);
  *gap = sal_root_value(p, lanes, bottom, false);
  return bottom;
}

static sal_bernstein_first first_of_samples(const sal_root_probe *p, int k, sal_m lanes,
                                            sal_m from_zero, sal_v *lowest)
{
  const sal_contacts *at = p->at;
  const sal_v zero = sal_set(0), side = at->side[k], h = p->d->step->h / SAL_ISOLATE_PARTS;
  sal_bernstein_first f = {.hi = sal_set(1)};

  for (int i = 0; i < SAL_ISOLATE_PARTS; ++i) {
    const sal_v *gap = at->parts + i * at->n + k, *rate = at->turns + i * at->n + k;
    const sal_v start = sal_set((double)i / SAL_ISOLATE_PARTS);
    const sal_v end = sal_set((i + 1.0) / SAL_ISOLATE_PARTS);
    const sal_m todo = lanes & ~f.found, closed = i == 0 ? from_zero : sal_none();
    const sal_m ahead = todo & ~closed & sal_gt(side * gap[0], zero);
    f.lo = sal_sel(ahead, start, f.lo);
    f.at_lo = sal_sel(ahead, side * gap[0], f.at_lo);
    sal_v at_hi = side * gap[at->n], hi = end;
    const sal_v da = side * rate[0], db = side * rate[at->n]; /* tangents bound a convex dip */
    const sal_m dips = todo & sal_gt(at_hi, zero) & sal_lt(da, zero) & sal_gt(db, zero) &
                       (sal_le(side * gap[0] + h * da, zero) | sal_le(at_hi - h * db, zero));
    if (sal_any(dips)) {
      sal_v bottom;
      const sal_v theta = find_bottom(p, k, dips, start, da, end, db, &bottom);
      hi = sal_sel(dips, theta, hi);
      at_hi = sal_sel(dips, bottom, at_hi);
    }
    const sal_m now = todo & sal_lt(at_hi, -at->gap_noise[k]);
    f.again |= (f.found | (now & dips)) & sal_gt(side * gap[at->n], zero);
    f.hi = sal_sel(now, hi, f.hi);
    f.at_hi = sal_sel(now, at_hi, f.at_hi);
    f.found |= now;
    f.undecided |= dips & ~now & sal_le(at_hi, zero);
  }
  f.undecided &= ~f.found;
  *lowest = f.at_hi;
  return f;
}

/* Takes g over in `lanes`. */
static void take_over(sal_bernstein_first *f, sal_m lanes, const sal_bernstein_first *g)
{
  f->found = sal_pick(lanes, g->found, f->found);
  f->again = sal_pick(lanes, g->again, f->again);
  f->undecided = sal_pick(lanes, g->undecided, f->undecided);
  f->lo = sal_sel(lanes, g->lo, f->lo);
  f->at_lo = sal_sel(lanes, g->at_lo, f->at_lo);
  f->hi = sal_sel(lanes, g->hi, f->hi);
  f->at_hi = sal_sel(lanes, g->at_hi, f->at_hi);
}

sal_bernstein_first sal_isolate_first(const sal_root_probe *p, int k, sal_m from_zero,
                                      sal_v *lowest)
{
  const sal_m form = p->at->maybe[k] & sal_isolate_has_form(p, k, SAL_FORM_AFFINE);
  const sal_m affine = form & ~sal_isolate_moves_out(p, k, from_zero),
              curved = p->at->maybe[k] & ~form,
              boxes = sal_any(curved) ? curved & has_range(p, k) : curved;
  const struct {
    sal_m lanes;
    sal_bernstein_first (*find)(const sal_root_probe *, int, sal_m, sal_m, sal_v *);
  } way[] = {{affine, first_of_polynomial},
             {boxes, sal_isolate_boxes},
             {curved & ~boxes, first_of_samples}};
  sal_bernstein_first f = {.hi = sal_set(1)};

  *lowest = sal_set(0);
  for (int i = 0; i < 3; ++i) {
    if (!sal_any(way[i].lanes)) continue;
    sal_v low;
    const sal_bernstein_first g = way[i].find(p, k, way[i].lanes, from_zero, &low);
    take_over(&f, way[i].lanes, &g);
    *lowest = sal_sel(way[i].lanes, low, *lowest);
  }
  return f;
}
