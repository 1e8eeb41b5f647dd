/** Checks at points drawn from the ranges. */
#include "model_drawn.h"
#include "base.h"

enum { POINTS = 400, JUMPS = 1000 };

typedef sal_model_drawn_point point;

static void put_point(sal_model_inquiry *q, const point *at)
{
  const sal_model *m = q->like.model;

  sal_model_inquiry_put(q, SAL_MODEL_FINE, " at t = %.4g", at->t);
  for (int i = 0; i < m->n_state && i < 6; ++i)
    sal_model_inquiry_put(q, SAL_MODEL_FINE, ", %s = %.4g", m->state[i].name, at->y[i]);
}

sal_err sal_model_drawn_slope(sal_model_inquiry *q)
{
  const sal_model *m = q->like.model;
  double gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];
  int64_t n = 0;
  point at;

  for (int64_t i = 0; i < POINTS; ++i) {
    if (!sal_model_draw(q, i, &at)) continue;
    ++n;
    for (int k = 0; k < sal_model_continuous(m); ++k)
      if (!isfinite(at.f[k])) {
        sal_model_inquiry_put(q, SAL_MODEL_WRONG, "%s' is %g", m->state[k].name, at.f[k]);
        put_point(q, &at);
        return SAL_OK;
      }
    sal_model_rates(m, at.param, at.closed, at.t, at.y, at.f, gap, rate);
    for (int k = 0; k < q->like.n_guard; ++k)
      if (isnan(gap[k])) {
        sal_model_inquiry_put(q, SAL_MODEL_WRONG, "the gap of %s is %g",
                              sal_model_contact(m, k)->closes, gap[k]);
        put_point(q, &at);
        return SAL_OK;
      }
  }
  sal_model_inquiry_put(q, SAL_MODEL_FINE, "finite at %lld points of the ranges", (long long)n);
  return SAL_OK;
}

/* df/dy_j by central differences with half-width h, in the mode of the point. */
static void difference(const sal_model *m, const point *at, int j, double h, double out[])
{
  double y[SAL_MAX_STATE], above[SAL_MAX_STATE], below[SAL_MAX_STATE];

  memcpy(y, at->y, sizeof y);
  y[j] = at->y[j] + h;
  sal_model_field(m, at->param, at->closed, at->t, y, above);
  y[j] = at->y[j] - h;
  sal_model_field(m, at->param, at->closed, at->t, y, below);
  for (int i = 0; i < sal_model_continuous(m); ++i) out[i] = (above[i] - below[i]) / (2 * h);
}

typedef enum { SILENT, AGREES, DIFFERS } comparison;

/* A derivative beside differences.  Where these depend on their width they say nothing, nor do differences below the
 * noise, which rounding makes by itself. */
static comparison compare(double found, double wide, double narrow, double floor, double noise)
{
  const double size = fabs(wide) + fabs(narrow) + floor;

  if (fabs(wide - narrow) > 1e-5 * size) return SILENT;
  return fabs(found - narrow) <= 1e-4 * size + noise ? AGREES : DIFFERS;
}

/* The size of what f_k is a sum of, whose rounding differences cannot go below: by its derivatives J [n]. */
static double terms_of(int n, const double J[], const double y[])
{
  double sum = 0;

  for (int j = 0; j < n; ++j) sum += fabs(J[j] * y[j]);
  return sum;
}

sal_err sal_model_drawn_jacobian(sal_model_inquiry *q)
{
  const sal_model *m = q->like.model;
  const int n = sal_model_continuous(m);
  SAL_OWN double *J = sal_alloc((size_t)n * (size_t)n, sizeof *J);
  double wide[SAL_MAX_STATE] = {0}, narrow[SAL_MAX_STATE] = {0}, terms[SAL_MAX_STATE];
  int64_t seen = 0;
  point at;

  if (!J) return sal_fail(SAL_ERR_MEMORY, "no memory for a Jacobian");
  if (!sal_model_has_jacobian(m)) {
    sal_model_inquiry_put(q, SAL_MODEL_NOTE, "the model has none; solvers take differences");
    return SAL_OK;
  }
  for (int64_t i = 0; i < POINTS / 4; ++i) {
    if (!sal_model_draw(q, i, &at)) continue;
    sal_model_jacobian(m, at.param, at.t, at.y, false, J);
    for (int k = 0; k < n; ++k) terms[k] = terms_of(n, &J[(size_t)k * (size_t)n], at.y);
    for (int j = 0; j < n; ++j) {
      const double h = 1e-5 * (fabs(at.y[j]) + 1e-2);
      difference(m, &at, j, h, wide);
      difference(m, &at, j, h / 2, narrow);
      for (int k = 0; k < n; ++k, ++seen) {
        const double f = 1 + fabs(at.f[k]);
        if (compare(J[k * n + j], wide[k], narrow[k], 1e-7 * f + 1e-11 * terms[k] / h,
                    1e-13 * (f + terms[k]) / h) == DIFFERS) {
          sal_model_inquiry_put(q, SAL_MODEL_WRONG, "d %s' / d %s is %.8g, by differences %.8g",
                                m->state[k].name, m->state[j].name, J[k * n + j], narrow[k]);
          put_point(q, &at);
          return SAL_OK;
        }
      }
    }
  }
  sal_model_inquiry_put(q, SAL_MODEL_FINE, "%lld derivatives agree with differences",
                        (long long)seen);
  return SAL_OK;
}

/* The gaps h after the point, along f. */
static void gaps_after(const sal_model *m, const point *at, double h, double gap[])
{
  double y[SAL_MAX_STATE], rate[SAL_MAX_GUARD];

  memcpy(y, at->y, sizeof y);
  for (int i = 0; i < sal_model_continuous(m); ++i) y[i] += h * at->f[i];
  sal_model_rates(m, at->param, at->closed, at->t + h, y, at->f, gap, rate);
}

/* The rates of gaps at a point, and what is known of them. */
typedef struct {
  double gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];
  double noise[SAL_MAX_GUARD]; /* rounding of the gap */
  double narrow[SAL_MAX_GUARD];
  comparison is[SAL_MAX_GUARD];
} gap_rates;

static double spacing(double x) { return nextafter(fabs(x), INFINITY) - fabs(x); }

/* Gaps, their rates, and as noise their change when time and states change by one spacing each. */
static void take_rates(const sal_model *m, int n_guard, const point *at, gap_rates *r)
{
  double slope[SAL_MAX_STATE] = {0}, unused[SAL_MAX_GUARD], by_t[SAL_MAX_GUARD],
         by_y[SAL_MAX_GUARD];

  sal_model_rates(m, at->param, at->closed, at->t, at->y, at->f, r->gap, r->rate);
  sal_model_rates(m, at->param, at->closed, at->t, at->y, slope, unused, by_t);
  for (int k = 0; k < n_guard; ++k) {
    r->noise[k] = spacing(1 + fabs(r->gap[k])) + fabs(by_t[k]) * spacing(at->t);
    r->is[k] = SILENT;
  }
  for (int i = 0; i < sal_model_continuous(m); ++i) {
    slope[i] = 1;
    sal_model_rates(m, at->param, at->closed, at->t, at->y, slope, unused, by_y);
    slope[i] = 0;
    for (int k = 0; k < n_guard; ++k) r->noise[k] += fabs(by_y[k] - by_t[k]) * spacing(at->y[i]);
  }
}

/* Differences of ever smaller width: a wide one may span whole periods of a gap that time or a state drives
 * fast, where it is 0.  The narrowest one with a change is right; rounding may leave a still narrower
 * one without a change, which proves nothing. */
static void compare_rates(const sal_model *m, int n_guard, const point *at, gap_rates *r)
{
  enum { WIDTHS = 6, NARROWER = 64 };
  double side[4][SAL_MAX_GUARD], fastest = 1e-3;

  for (int i = 0; i < sal_model_continuous(m); ++i) fastest = fmax(fastest, fabs(at->f[i]));
  double h = 1e-5 / fastest;
  for (int w = 0; w < WIDTHS; ++w, h /= NARROWER) {
    for (int s = 0; s < 4; ++s) gaps_after(m, at, (s % 2 ? -h : h) / (s < 2 ? 1 : 2), side[s]);
    for (int k = 0; k < n_guard; ++k) {
      const double wide = (side[0][k] - side[1][k]) / (2 * h),
                   narrow = (side[2][k] - side[3][k]) / h, noise = 8 * r->noise[k] / h;
      const double floor = 1e-6 * (1 + (1 + fabs(r->gap[k])) * fastest);
      if (w > 0 && (noise > 1e-4 * (fabs(narrow) + floor) || wide == 0 || narrow == 0)) continue;
      const comparison is = compare(r->rate[k], wide, narrow, floor, w > 0 ? noise : 0);
      if (is == SILENT) continue;
      r->is[k] = is;
      r->narrow[k] = narrow;
    }
  }
}

sal_err sal_model_drawn_rates(sal_model_inquiry *q)
{
  const sal_model *m = q->like.model;
  SAL_OWN gap_rates *r = sal_alloc(1, sizeof *r);
  int64_t seen = 0;
  point at;

  if (!r) return sal_fail(SAL_ERR_MEMORY, "no memory for rates of gaps");
  for (int64_t i = 0; i < POINTS; ++i) {
    if (!sal_model_draw(q, i, &at)) continue;
    take_rates(m, q->like.n_guard, &at, r);
    compare_rates(m, q->like.n_guard, &at, r);
    for (int k = 0; k < q->like.n_guard; ++k, ++seen) {
      if (r->is[k] != DIFFERS) continue;
      sal_model_inquiry_put(q, SAL_MODEL_WRONG,
                            "the rate of the gap of %s is %.8g, by differences %.8g",
                            sal_model_contact(m, k)->closes, r->rate[k], r->narrow[k]);
      put_point(q, &at);
      return SAL_OK;
    }
  }
  sal_model_inquiry_put(q, SAL_MODEL_FINE, "%lld rates agree with differences", (long long)seen);
  return SAL_OK;
}

/* Energy gained by closing contact k at a point, as a share of the energies there; NaN without energies. */
static double gain_of(const sal_model *m, const point *before, const point *after)
{
  const double was = sal_model_left_energy(m, before->param, before->t, before->y),
               is = sal_model_left_energy(m, after->param, after->t, after->y);

  return (is - was) / (fabs(was) + fabs(is) + 1e-300);
}

/* Contact k closes at the point: on which side does the jump leave the gaps, and what of discrete states? */
static bool lands_well(sal_model_inquiry *q, int k, const point *before, double *gain)
{
  const sal_model *m = q->like.model;
  point at = *before;
  double gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];

  at.closed[k] = true;
  sal_model_jump(m, at.param, k, at.closed, at.t, at.y);
  *gain = gain_of(m, before, &at);
  const int forbidden = sal_model_left_forbidden(m, at.y);
  if (forbidden >= 0) {
    sal_model_inquiry_put(q, SAL_MODEL_WRONG, "%s leaves %s = %g, which is not allowed",
                          sal_model_contact(m, k)->closes, m->state[forbidden].name,
                          at.y[forbidden]);
    put_point(q, before);
    return false;
  }
  for (int i = 0; i < m->n_state; ++i)
    if (!isfinite(at.y[i])) {
      sal_model_inquiry_put(q, SAL_MODEL_WRONG, "%s leaves %s = %g",
                            sal_model_contact(m, k)->closes, m->state[i].name, at.y[i]);
      put_point(q, before);
      return false;
    }
  sal_model_field(m, at.param, at.closed, at.t, at.y, at.f);
  sal_model_rates(m, at.param, at.closed, at.t, at.y, at.f, gap, rate);
  const double tiny = 1e-8 * (1 + fabs(gap[k]));
  const bool well = at.closed[k] ? gap[k] <= tiny : gap[k] >= -tiny;
  if (!well) {
    /* A contact that only marks an event may change again at once. */
    const bool marks = sal_model_contact(m, k)->kind == SAL_CONTACT_SURFACE;
    sal_model_inquiry_put(
        q, marks ? SAL_MODEL_NOTE : SAL_MODEL_WRONG, "%s leaves its contact %s with a gap of %.6g",
        sal_model_contact(m, k)->closes, at.closed[k] ? "closed" : "open", gap[k]);
    put_point(q, before);
  }
  return well;
}

sal_err sal_model_drawn_jumps(sal_model_inquiry *q)
{
  const sal_model *m = q->like.model;
  int64_t n = 0, n_gain = 0;
  double gain, most = 0;
  point at;

  if (!m->resets && m->n_discrete == 0) {
    sal_model_inquiry_put(q, SAL_MODEL_FINE, "contacts change the flow alone");
    return SAL_OK;
  }
  enum { JUMPING = 8 }; /* contacts, the first ones */
  for (int64_t i = 0; i < JUMPS; ++i)
    for (int k = 0; k < q->like.n_guard && k < JUMPING; ++k) {
      double gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];
      if (!sal_model_draw(q, i, &at) || at.closed[k] || sal_model_contact(m, k)->ends) continue;
      if (!sal_model_draw_onto(m, k, &at)) continue;
      sal_model_rates(m, at.param, at.closed, at.t, at.y, at.f, gap, rate);
      if (!(rate[k] < -1e-9)) continue;
      ++n;
      if (!lands_well(q, k, &at, &gain)) return SAL_OK;
      n_gain += gain > 1e-7;
      most = fmax(most, gain);
    }
  if (n == 0)
    sal_model_inquiry_put(q, SAL_MODEL_NOTE, "no drawn state reaches a contact");
  else
    sal_model_inquiry_put(q, SAL_MODEL_FINE,
                          "%lld impacts from drawn states leave gaps on their sides", (long long)n);
  if (n_gain > 0)
    sal_model_inquiry_put(q, SAL_MODEL_NOTE, "; %lld of them bring energy in, up to %.2g %% of it",
                          (long long)n_gain, 100 * most);
  return SAL_OK;
}
