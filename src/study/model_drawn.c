/** @file src/study/model_drawn.c
 *  Points drawn from the ranges of a model's parameters and states, and what is asked there.
 */
#include "model_drawn.h"
#include "memory.h"
#include "model_left.h"
#include "model_point.h"
#include "random.h"
#include <math.h>
#include <string.h>

enum { POINTS = 400, JUMPS = 1000, SEED = 27 };

/** A point drawn from the ranges, in the mode of its gaps. */
typedef struct {
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE], f[SAL_MAX_STATE], t;
  bool closed[SAL_MAX_GUARD];
} point;

static double draw_field(const sal_field *f, int64_t i, int component, double preset)
{
  const double at = f->lo + (f->hi - f->lo) * sal_random(SEED, (uint64_t)i, (uint32_t)component);

  return f->lo < f->hi ? (f->whole ? rint(at) : at) : preset;
}

/* From their ranges.  Where one has none, from a point of the run, whose discrete states go with it. */
static void draw_states(const sal_model_inquiry *q, int64_t i, double y[])
{
  const sal_model *m = q->like.model;
  const int n = sal_model_continuous(m);
  const int64_t j = (int64_t)((double)q->run->n * sal_random(SEED, (uint64_t)i, UINT32_MAX - 1));
  const double *at = j < q->run->n ? q->run->state + j * m->n_state : q->initial;
  bool ranged = true;

  for (int k = 0; k < n; ++k) {
    ranged &= m->state[k].lo < m->state[k].hi;
    y[k] = draw_field(&m->state[k], i, m->n_param + k, at[k]);
  }
  for (int k = n; k < m->n_state && !ranged; ++k) y[k] = at[k];
}

/* Point 0 is the start.  false where the parameters make no sense together, or it lies beyond a surface. */
static bool draw(const sal_model_inquiry *q, int64_t i, point *at)
{
  const sal_model *m = q->like.model;
  const int given = m->n_param + m->n_option;
  double gap;

  memcpy(at->param, q->param, (size_t)given * sizeof *at->param);
  memcpy(at->y, q->initial, (size_t)m->n_state * sizeof *at->y);
  at->t = 0;
  if (i > 0) {
    for (int k = 0; k < m->n_param; ++k)
      if (k + 1 != m->counted_by) at->param[k] = draw_field(&m->param[k], i, k, q->param[k]);
    draw_states(q, i, at->y);
    at->t = q->like.t_end * sal_random(SEED, (uint64_t)i, UINT32_MAX);
  }
  if (m->flaw && m->flaw(m->inner, at->param)) return false;
  if (sal_model_beyond(m, at->param, at->y, &gap) >= 0) return false;
  sal_model_mode(m, at->param, at->t, at->y, at->closed);
  sal_model_field(m, at->param, at->closed, at->t, at->y, at->f);
  return true;
}

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
  int64_t n = 0;
  point at;

  for (int64_t i = 0; i < POINTS; ++i) {
    if (!draw(q, i, &at)) continue;
    ++n;
    for (int k = 0; k < sal_model_continuous(m); ++k)
      if (!isfinite(at.f[k])) {
        sal_model_inquiry_put(q, SAL_MODEL_WRONG, "%s' is %g", m->state[k].name, at.f[k]);
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

/* Does a derivative fit differences?  Where these depend on their width they say nothing, nor do differences below the
 * grain, which rounding makes by itself. */
static bool fits(double found, double wide, double narrow, double floor, double grain)
{
  const double size = fabs(wide) + fabs(narrow) + floor;

  return fabs(wide - narrow) > 1e-5 * size || fabs(found - narrow) <= 1e-4 * size + grain;
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
  double wide[SAL_MAX_STATE] = {0}, narrow[SAL_MAX_STATE] = {0};
  int64_t seen = 0;
  point at;

  if (!J) return sal_fail(SAL_ERR_MEMORY, "no memory for a Jacobian");
  if (!sal_model_has_jacobian(m)) {
    sal_model_inquiry_put(q, SAL_MODEL_NOTE, "the model has none; solvers take differences");
    return SAL_OK;
  }
  for (int64_t i = 0; i < POINTS / 4; ++i) {
    if (!draw(q, i, &at)) continue;
    sal_model_jacobian(m, at.param, at.t, at.y, false, J);
    for (int j = 0; j < n; ++j) {
      const double h = 1e-5 * (fabs(at.y[j]) + 1e-2);
      difference(m, &at, j, h, wide);
      difference(m, &at, j, h / 2, narrow);
      for (int k = 0; k < n; ++k, ++seen) {
        const double terms = terms_of(n, &J[(size_t)k * (size_t)n], at.y), f = 1 + fabs(at.f[k]);
        if (!fits(J[k * n + j], wide[k], narrow[k], 1e-7 * f + 1e-11 * terms / h,
                  1e-13 * (f + terms) / h)) {
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

sal_err sal_model_drawn_rates(sal_model_inquiry *q)
{
  const sal_model *m = q->like.model;
  double gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD], side[4][SAL_MAX_GUARD];
  int64_t seen = 0;
  point at;

  for (int64_t i = 0; i < POINTS; ++i) {
    if (!draw(q, i, &at)) continue;
    double fastest = 1e-3;
    for (int k = 0; k < sal_model_continuous(m); ++k) fastest = fmax(fastest, fabs(at.f[k]));
    const double h = 1e-5 / fastest;
    sal_model_rates(m, at.param, at.closed, at.t, at.y, at.f, gap, rate);
    for (int s = 0; s < 4; ++s) gaps_after(m, &at, (s % 2 ? -h : h) / (s < 2 ? 1 : 2), side[s]);
    for (int k = 0; k < q->like.n_guard; ++k, ++seen) {
      const double wide = (side[0][k] - side[1][k]) / (2 * h),
                   narrow = (side[2][k] - side[3][k]) / h;
      if (fits(rate[k], wide, narrow, 1e-6 * (1 + (1 + fabs(gap[k])) * fastest), 0)) continue;
      sal_model_inquiry_put(q, SAL_MODEL_WRONG,
                            "the rate of the gap of %s is %.8g, by differences %.8g",
                            sal_model_contact(m, k)->closes, rate[k], narrow);
      put_point(q, &at);
      return SAL_OK;
    }
  }
  sal_model_inquiry_put(q, SAL_MODEL_FINE, "%lld rates agree with differences", (long long)seen);
  return SAL_OK;
}

static double gap_of(const sal_model *m, const point *at, const double y[], int k)
{
  double gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];

  sal_model_rates(m, at->param, at->closed, at->t, y, at->f, gap, rate);
  return gap[k];
}

/* Moves the point along the state by which the gap of contact k changes most, onto its surface. */
static bool move_onto(const sal_model *m, int k, point *at)
{
  double steepest = 0, y[SAL_MAX_STATE];
  int best = -1;

  memcpy(y, at->y, sizeof y);
  for (int i = 0; i < sal_model_continuous(m); ++i) {
    const double h = 1e-6 * (fabs(at->y[i]) + 1);
    y[i] = at->y[i] + h;
    const double slope = (gap_of(m, at, y, k) - gap_of(m, at, at->y, k)) / h;
    y[i] = at->y[i];
    if (fabs(slope) > fabs(steepest)) steepest = slope, best = i;
  }
  for (int turn = 0; best >= 0 && turn < 50; ++turn) {
    const double gap = gap_of(m, at, at->y, k), h = 1e-7 * (fabs(at->y[best]) + 1);
    if (fabs(gap) <= 1e-13) break;
    memcpy(y, at->y, sizeof y);
    y[best] += h;
    const double slope = (gap_of(m, at, y, k) - gap) / h;
    if (slope == 0 || !isfinite(slope)) return false;
    at->y[best] -= gap / slope;
  }
  if (best < 0 || !(fabs(gap_of(m, at, at->y, k)) <= 1e-10)) return false;
  sal_model_field(m, at->param, at->closed, at->t, at->y, at->f);
  return true;
}

/* What closing contact k at a point gains, as a share of the energies there; NaN without energies. */
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
    /* What has no surface may change again at once. */
    const bool marks = sal_model_contact(m, k)->kind == SAL_CONTACT_MARKS;
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
  for (int64_t i = 0; i < JUMPS; ++i)
    for (int k = 0; k < q->like.n_guard && k < SAL_MAX_CONTACT; ++k) {
      double gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];
      if (!draw(q, i, &at) || at.closed[k] || sal_model_contact(m, k)->ends) continue;
      if (!move_onto(m, k, &at)) continue;
      sal_model_rates(m, at.param, at.closed, at.t, at.y, at.f, gap, rate);
      if (!(rate[k] < -1e-9)) continue;
      ++n;
      if (!lands_well(q, k, &at, &gain)) return SAL_OK;
      n_gain += gain > 1e-7;
      most = fmax(most, gain);
    }
  if (n == 0)
    sal_model_inquiry_put(q, SAL_MODEL_NOTE, "no drawn state meets a contact");
  else
    sal_model_inquiry_put(q, SAL_MODEL_FINE,
                          "%lld impacts from drawn states leave gaps on their sides", (long long)n);
  if (n_gain > 0)
    sal_model_inquiry_put(q, SAL_MODEL_NOTE, "; %lld of them bring energy in, up to %.2g %% of it",
                          (long long)n_gain, 100 * most);
  return SAL_OK;
}

enum { LOOKS = 2 + SAL_MAX_CONTACT };

/* What a model does with a point: f and gaps in its mode, f with all contacts closed, and what the closing of each
 * contact makes of the state. */
typedef struct {
  double gap[SAL_MAX_GUARD], value[LOOKS][SAL_MAX_STATE];
} doing;

static void look(const sal_model *m, int n_guard, const point *at, doing *out)
{
  double rate[SAL_MAX_GUARD];
  point all = *at;

  *out = (doing){.gap = {0}};
  sal_model_field(m, at->param, at->closed, at->t, at->y, out->value[0]);
  sal_model_rates(m, at->param, at->closed, at->t, at->y, at->f, out->gap, rate);
  for (int k = 0; k < n_guard; ++k) all.closed[k] = true;
  sal_model_field(m, at->param, all.closed, at->t, at->y, out->value[1]);
  sal_model_rates(m, at->param, all.closed, at->t, at->y, at->f, rate, out->gap);
  for (int k = 0; (m->resets || m->n_discrete) && k < n_guard && k < SAL_MAX_CONTACT; ++k) {
    point hit = *at;
    hit.closed[k] = true;
    sal_model_jump(m, hit.param, k, hit.closed, hit.t, hit.y);
    memcpy(out->value[2 + k], hit.y, (size_t)m->n_state * sizeof *hit.y);
  }
}

/* Parameters that nothing depends on. */
sal_err sal_model_drawn_parameters(sal_model_inquiry *q)
{
  const sal_model *m = q->like.model;
  SAL_OWN doing *seen = sal_alloc(2, sizeof *seen);
  point at;

  if (!seen) return sal_fail(SAL_ERR_MEMORY, "no memory for a point");
  for (int p = 0; p < m->n_param; ++p) {
    bool matters = p + 1 == m->counted_by || m->param[p].lo == m->param[p].hi;
    for (int64_t i = 0; i < POINTS && !matters; ++i) {
      if (!draw(q, i, &at)) continue;
      look(m, q->like.n_guard, &at, &seen[0]);
      at.param[p] = at.param[p] < m->param[p].hi ? m->param[p].hi : m->param[p].lo;
      look(m, q->like.n_guard, &at, &seen[1]);
      matters = memcmp(&seen[0], &seen[1], sizeof seen[0]) != 0;
    }
    if (!matters)
      sal_model_inquiry_put(q, SAL_MODEL_NOTE, "%s%s", q->v->text[0] ? ", " : "nothing depends on ",
                            m->param[p].name);
  }
  if (!q->v->text[0])
    sal_model_inquiry_put(q, SAL_MODEL_FINE, "each of them matters to f, a gap or a jump");
  return SAL_OK;
}
