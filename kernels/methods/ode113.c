/** Adams-Bashforth-Moulton PECE with local extrapolation, predictors of order 1 to 12.
 *
 *  Shampine & Gordon, Computer Solution of Ordinary Differential Equations, 1975: the step of
 *  chapter 10 in the coefficients of chapter 5.  As in Shampine & Reichelt, SIAM J. Sci. Comput. 18
 *  (1997) 1-22, the norm is the maximum norm, here with the weights max(|y_i|, thr) of the step's
 *  start, and the last step is stretched to the end instead of passing it.
 *
 *  Symbols and indices are the book's, from 1.  phi_i are modified divided differences of f on the
 *  mesh, psi_i = t_n+1 - t_n+1-i, and ns counts the steps of the present size in a row: what has an
 *  index up to ns has its constant-step value and is not computed anew.
 *
 *  Each lane has its own order, its own ns and its own history.  Loops run over all orders that some lane
 *  has, and change what belongs to the order of a lane alone.
 */
#include "lane_math.h"
#include "norm.h"
#include "orders.h"
#include "sizes.h"
#include "start.h"

enum { TOP = 12, ROW = TOP + 4 };

typedef struct {
  sal_m k, kold, knew; /* order of this step, of the last one, and the one its error suggests */
  sal_m ns, fails;     /* failures of this step so far */
  sal_m phase1;        /* start: raise the order and double the step each time */
  sal_v hold;          /* size of the last step */
  sal_v erk, erkm1;    /* local error at order k and at order k - 1 */
  sal_v psi[ROW], alpha[ROW], beta[ROW], sigma[ROW], g[ROW], v[ROW];
  sal_v phi[][ROW]; /* [n] rows: a component's differences, and in phi[l][0] its 1 / weight */
} adams;

/* |gamma*_i|, the error constants of the correctors at constant step, rounded as in the book. */
static const double gstar[] = {1,     .5,     .0833,  .0417,  .0264,  .0188,  .0143,
                               .0114, .00936, .00789, .00679, .00592, .00524, .00468};

static adams *adams_of(const sal_step_state *s) { return (adams *)(void *)s->mem; }

static int words(int n, int row)
{
  (void)row;
  return (int)(sizeof(adams) / sizeof(sal_v)) + n * ROW;
}

static int adams_top_order(const sal_step_state *s)
{
  return s->max_order > 0 && s->max_order < TOP ? s->max_order : TOP;
}

/* ---- start ---- */

static void adams_begin(sal_step_state *s, sal_m lanes)
{
  adams *a = adams_of(s);
  const sal_m none = sal_none();

  sal_orders_put_int(&a->k, lanes, none + 1);
  sal_orders_put_int(&a->kold, lanes, none);
  sal_orders_put_int(&a->knew, lanes, none);
  sal_orders_put_int(&a->ns, lanes, none);
  sal_orders_put_int(&a->fails, lanes, none);
  a->phase1 |= lanes;
  sal_orders_put(&a->hold, lanes, sal_set(0));
  sal_orders_put(&a->g[1], lanes, sal_set(1));
  sal_orders_put(&a->sigma[1], lanes, sal_set(1));
  sal_orders_put(&a->g[2], lanes, sal_set(0.5));
  for (int l = 0; l < s->n; ++l) {
    sal_v *phi = a->phi[l];
    for (int i = 0; i < ROW; ++i) sal_orders_put(&phi[i], lanes, sal_set(0));
    sal_orders_put(&phi[1], lanes, s->f[l]);
  }
}

/* Fixed steps grow from a tiny one, so that the low orders of the start leave no trace. */
static void start(sal_step_state *s, sal_m lanes)
{
  sal_start_explicit(s, lanes, 0.25, 0.5);
  if (s->fixed > 0) sal_orders_put(&s->absh, lanes, sal_set(0x1p-20 * s->fixed));
  adams_begin(s, lanes);
}

static void retry(sal_step_state *s, sal_m lanes) { adams_begin(s, lanes); }

/* ---- coefficients ---- */

/* A row of v for an order that has just been raised. */
SAL_INLINE void adams_raise(adams *a, sal_m lanes, sal_orders k, sal_orders ns)
{
  for (int i = k.lo; i <= k.hi; ++i) {
    const sal_m raised = sal_orders_at(lanes, a->k, i);
    sal_orders_put(&a->v[i], raised, sal_set(1.0 / (i * (i + 1))));
    for (int j = 1; j <= ns.hi - 2 && j < i; ++j)
      sal_orders_put(&a->v[i - j], raised & SAL_MASK(a->ns >= j + 2),
                     a->v[i - j] - a->alpha[j + 1] * a->v[i - j + 1]);
  }
}

/* The row of w that the integrals begin with, and from ns = 2 on the first of them. */
SAL_INLINE void adams_first_row(adams *a, sal_m lanes, sal_orders k, sal_orders ns, sal_v w[])
{
  const sal_m first = lanes & SAL_MASK(a->ns == 1), other = lanes & SAL_MASK(a->ns > 1);
  const sal_m raised = other & SAL_MASK(a->k > a->kold);
  const sal_v alpha = 1.0 / sal_to_double(a->ns);

  if (sal_any(first))
    for (int q = 1; q <= k.hi; ++q)
      sal_orders_put(&a->v[q], first & SAL_MASK(a->k >= q), sal_set(1.0 / (q * (q + 1))));
  if (sal_any(raised))
    adams_raise(a, raised, sal_orders_of(a->k, raised), sal_orders_of(a->ns, raised));
  if (sal_any(other))
    for (int q = 1; q <= k.hi + 1 - ns.lo; ++q)
      sal_orders_put(&a->v[q], other & SAL_MASK(a->k + 1 - a->ns >= q),
                     a->v[q] - alpha * a->v[q + 1]);
  for (int q = 1; q <= k.hi; ++q) w[q] = a->v[q];
  if (sal_any(other))
    for (int i = ns.lo; i <= ns.hi; ++i)
      sal_orders_put(&a->g[i + 1], other & SAL_MASK(a->ns == i), w[1]);
}

/* g_i, the integrals of the predictor's basis polynomials: chapter 5, the triangle of v and w. */
static void adams_integrals(adams *a, sal_m lanes, sal_orders k, sal_orders ns)
{
  sal_v w[ROW];

  memset(w, 0, sizeof w);
  adams_first_row(a, lanes, k, ns, w);
  for (int i = ns.lo + 2; i <= k.hi + 1; ++i) {
    const sal_m in = sal_orders_from(lanes, a->k, i - 1) &
                     (SAL_LANES == 1 ? ~sal_none() : SAL_MASK(a->ns <= i - 2));
    for (int q = 1; q <= k.hi + 2 - i; ++q)
      sal_orders_put(&w[q], in, w[q] - a->alpha[i - 1] * w[q + 1]);
    sal_orders_put(&a->g[i], in, w[1]);
  }
}

static void adams_coefficients(adams *a, sal_m lanes, sal_v h)
{
  const sal_m in = lanes & SAL_MASK(a->k >= a->ns);
  sal_v *psi = a->psi, sum = sal_to_double(a->ns) * h;

  if (!sal_any(in)) return;
  const sal_orders k = sal_orders_of(a->k, in), ns = sal_orders_of(a->ns, in);
  for (int i = ns.lo; i <= k.hi; ++i) {
    const sal_m begins = in & SAL_MASK(a->ns == i);
    const sal_m goes_on = sal_orders_from(in, a->k, i) & SAL_MASK(a->ns < i);
    sal_orders_put(&a->beta[i], begins, sal_set(1));
    sal_orders_put(&a->alpha[i], begins, sal_set(1.0 / i));
    sal_orders_put(&a->sigma[i + 1], begins, sal_set(1));
    if (i > ns.lo) {
      const sal_v old = psi[i - 1];
      sal_orders_put(&psi[i - 1], goes_on, sum);
      sal_orders_put(&a->beta[i], goes_on, a->beta[i - 1] * sum / old);
      sal_orders_put(&sum, goes_on, old + h);
      sal_orders_put(&a->alpha[i], goes_on, h / sum);
      sal_orders_put(&a->sigma[i + 1], goes_on, (double)i * a->alpha[i] * a->sigma[i]);
    }
    sal_orders_put(&psi[i], in & SAL_MASK(a->k == i), sum);
  }
  adams_integrals(a, in, k, ns);
}

/* ---- step ---- */

/* yn = y + h sum g_i phi*_i with phi*_i = beta_i phi_i; phi_i = the differences that this
 * prediction implies at tn; phi_k+2 keeps the old phi_k+1. */
SAL_INLINE void adams_predict(int n, sal_step_state *s, adams *a, sal_m lanes, sal_orders k)
{
  sal_v slope[SAL_MAX_STATE], sum[SAL_MAX_STATE];

  for (int l = 0; l < n; ++l) slope[l] = sum[l] = sal_set(0);
  for (int i = k.hi; i >= 1; --i) {
    const bool mixed = i >= k.lo;
    const sal_m top = mixed ? sal_orders_at(lanes, k.of, i) : sal_none();
    const sal_m in = mixed ? sal_orders_from(lanes, k.of, i) : sal_orders_only(lanes);
    for (int l = 0; l < n; ++l) {
      sal_v *phi = a->phi[l];
      if (mixed) {
        sal_orders_put(&phi[i + 2], top, phi[i + 1]);
        sal_orders_put(&phi[i + 1], top, sal_set(0));
      }
      const sal_v star = a->beta[i] * phi[i];
      slope[l] += sal_from_bits(sal_bits(a->g[i] * star) & in);
      sum[l] += sal_from_bits(sal_bits(star) & in);
      sal_orders_put(&phi[i], in, sum[l]);
    }
  }
  for (int l = 0; l < n; ++l) s->yn[l] = s->y[l] + s->h * slope[l];
}

/* Errors of orders k, k - 1 and k - 2 of a step whose slope at the prediction is fn, without their constants. */
SAL_INLINE void adams_differences(int n, const sal_step_state *s, adams *a, sal_m lanes,
                                  sal_orders k, sal_v e[3])
{
  const sal_m third = SAL_MASK(k.of > 2);
  sal_norm_sizes norm[3];

  for (int i = 0; i < 3; ++i) norm[i] = sal_norm_no_sizes();
  for (int l = 0; l < n; ++l) {
    sal_v *phi = a->phi[l];
    const sal_v d = s->fn[l] - phi[1];
    const sal_v weight = 1.0 / sal_max(sal_abs(s->y[l]), s->thr[l]);
    sal_norm_add_size(&norm[0], weight * sal_abs(d));
    sal_norm_add_size(&norm[1], weight * sal_abs(sal_gather(phi, k.of) + d));
    if (k.hi > 2) {
      const sal_v size = weight * sal_abs(sal_gather(phi, k.of - 1) + d);
      sal_norm_add_size(&norm[2], sal_from_bits(sal_bits(size) & third));
    }
    sal_orders_put(&phi[0], sal_orders_only(lanes), weight);
  }
  for (int i = 0; i < 3; ++i) e[i] = sal_norm_size(&norm[i]);
}

/* Error of this step, and the order that suggests itself; chapter 7. */
SAL_INLINE sal_v adams_estimate(int n, const sal_step_state *s, adams *a, sal_m lanes, sal_orders k)
{
  const sal_v h = s->h;
  sal_v e[3];

  adams_differences(n, s, a, lanes, k, e);
  const sal_v erk = h * e[0] * sal_gather(a->sigma + 1, k.of) * sal_look_up(gstar, k.of);
  const sal_v erkm1 = h * e[1] * sal_gather(a->sigma, k.of) * sal_look_up(gstar, k.of - 1);
  sal_orders_put(&a->erk, sal_orders_only(lanes), erk);
  sal_orders_put(&a->erkm1, sal_orders_only(lanes), erkm1);
  sal_m lower = SAL_MASK(k.of == 2) & sal_le(erkm1, 0.5 * erk);
  if (k.hi > 2) {
    const sal_m third = SAL_MASK(k.of > 2), of = sal_pick(third, k.of, sal_none() + 3);
    const sal_v erkm2 = h * e[2] * sal_gather(a->sigma, of - 1) * sal_look_up(gstar, of - 2);
    lower |= third & sal_le(sal_orders_worse(erkm1, erkm2), erk);
  }
  sal_orders_put_int(&a->knew, sal_orders_only(lanes), k.of + lower);
  return h * e[0] * (sal_gather(a->g, k.of) - sal_gather(a->g + 1, k.of));
}

/* Takes the prediction back and lowers absh: halves three times, then follows the estimate.  The
 * new size may happen to be that of the last step, but psi_1 is lost at order 1 and would stay
 * wrong: ns = 0 has everything computed anew, as in SLATEC's revision of the book's code. */
static void adams_reject(sal_step_state *s, adams *a, sal_m lanes, sal_orders k)
{
  const double half = 0.5 * s->rtol;

  a->phase1 &= ~lanes;
  for (int l = 0; l < s->n; ++l) {
    sal_v *phi = a->phi[l];
    for (int i = 1; i <= k.hi; ++i)
      sal_orders_put(&phi[i], sal_orders_from(lanes, k.of, i), (phi[i] - phi[i + 1]) / a->beta[i]);
  }
  for (int i = 2; i <= k.hi; ++i)
    sal_orders_put(&a->psi[i - 1], sal_orders_from(lanes, k.of, i), a->psi[i] - s->h);
  sal_count(&a->fails, lanes, 1);
  sal_orders_put_int(&a->knew, lanes & SAL_MASK(a->fails >= 3), sal_none() + 1);
  const sal_m often = SAL_MASK(a->fails > 3) & sal_lt(sal_set(half), 0.25 * a->erk);
  const sal_v ratio = sal_sel(often, sal_sqrt(half / a->erk), sal_set(0.5));
  sal_orders_put_int(&a->k, lanes, a->knew);
  sal_orders_put_int(&a->ns, lanes, sal_none());
  sal_orders_put(&s->absh, lanes, sal_max(ratio * s->h, s->hmin));
}

/* yn by the corrector of order k + 1, and the slope there; returns the lanes where that is a number. */
SAL_INLINE sal_m adams_correct(int n, sal_step_state *s, const adams *a, sal_m lanes, sal_orders k)
{
  const sal_v hg = s->h * sal_gather(a->g + 1, k.of);
  sal_m ok = lanes;

  for (int l = 0; l < n; ++l) s->yn[l] += hg * (s->fn[l] - a->phi[l][1]);
  sal_method_rhs(s, lanes, s->tn, s->yn, s->fn);
  for (int l = 0; l < n; ++l) ok &= sal_eq(s->fn[l] - s->fn[l], sal_set(0));
  return ok;
}

SAL_INLINE void adams_update(int n, const sal_step_state *s, adams *a, sal_m lanes, sal_orders k)
{
  const sal_m only = sal_orders_only(lanes);
  sal_v d[SAL_MAX_STATE];

  for (int l = 0; l < n; ++l) d[l] = s->fn[l] - a->phi[l][1];
  for (int i = 1; i < k.lo; ++i)
    for (int l = 0; l < n; ++l) sal_orders_put(&a->phi[l][i], only, a->phi[l][i] + d[l]);
  for (int i = k.lo; i <= k.hi; ++i) {
    const sal_m top = sal_orders_at(lanes, k.of, i), in = sal_orders_from(lanes, k.of, i);
    for (int l = 0; l < n; ++l) {
      sal_v *phi = a->phi[l];
      sal_orders_put(&phi[i], in, phi[i] + d[l]);
      sal_orders_put(&phi[i + 1], top, d[l]);
      sal_orders_put(&phi[i + 2], top, d[l] - phi[i + 2]);
    }
  }
  sal_orders_put_int(&a->kold, lanes, a->k);
  sal_orders_put(&a->hold, lanes, s->h);
  sal_orders_put_int(&a->fails, lanes, sal_none());
}

/* Steps that differ by the rounding of t alone count as equal, else ns would never grow. */
SAL_INLINE sal_m adams_step(int n, sal_step_state *s, sal_m lanes)
{
  adams *a = adams_of(s);
  sal_m ok = sal_none();

  const sal_m other = sal_gt(sal_abs(s->h - a->hold), sal_lane_spacing(s->tn));
  sal_orders_put_int(&a->ns, lanes & other, sal_none());
  sal_count(&a->ns, lanes & SAL_MASK(a->ns <= a->kold), 1);
  const sal_orders k = sal_orders_of(a->k, lanes);
  adams_coefficients(a, lanes, s->h);
  adams_predict(n, s, a, lanes, k);
  sal_method_rhs(s, lanes, s->tn, s->yn, s->fn);
  const sal_v err = adams_estimate(n, s, a, lanes, k);
  const sal_m accurate = s->fixed > 0 ? lanes : lanes & sal_le(err, sal_set(s->rtol));
  if (sal_any(accurate)) ok = adams_correct(n, s, a, accurate, k);
  if (sal_any(ok)) adams_update(n, s, a, ok, k);
  if (sal_any(lanes & ~ok)) adams_reject(s, a, lanes & ~ok, k);
  return ok;
}

static sal_m step(sal_step_state *s, sal_m lanes)
{
  return sal_any(lanes) ? SAL_SIZES_CALL(adams_step, s->n, s, lanes) : lanes;
}

/* ---- the next step ---- */

/* Local error at order k + 1, known at constant step only. */
static sal_v adams_error_above(const sal_step_state *s, const adams *a, sal_m k)
{
  sal_v e = sal_set(0);

  for (int l = 0; l < s->n; ++l)
    e = sal_orders_worse(e, a->phi[l][0] * sal_abs(sal_gather(a->phi[l] + 2, k)));
  return s->h * sal_look_up(gstar + 1, k) * e;
}

/* The order of the next step, and in erk the error it would have made in this one; chapter 7. */
static void adams_choose_order(const sal_step_state *s, adams *a, sal_m lanes)
{
  const sal_m lower = SAL_MASK(a->knew < a->k), capped = SAL_MASK(a->k == adams_top_order(s));

  a->phase1 &= ~(lanes & (lower | capped));
  const sal_m asks = lanes & ~a->phase1 & ~lower, early = asks & SAL_MASK(a->k + 1 > a->ns);
  const sal_m knows = asks & ~early, any = lanes & ~early, beyond_first = SAL_MASK(a->k > 1);
  sal_v above = sal_set(0);

  if (sal_any(knows))
    above = sal_sel(knows, adams_error_above(s, a, sal_pick(knows, a->k, sal_none() + 1)), above);
  const sal_m down =
      any & (lower | (~a->phase1 & beyond_first & sal_le(a->erkm1, sal_min(a->erk, above))));
  const sal_v least = sal_sel(beyond_first, sal_set(1), sal_set(0.5)) * a->erk;
  const sal_m up = any & ~down & (a->phase1 | (~capped & sal_lt(above, least)));
  sal_orders_put(&a->erk, down, a->erkm1);
  sal_orders_put(&a->erk, up, above);
  sal_count(&a->k, down, -1);
  sal_count(&a->k, up, 1);
}

/* Doubles, keeps or shrinks the step, so that it stays constant for long. */
static sal_v adams_choose_step(const sal_step_state *s, const adams *a)
{
  const sal_v half = sal_set(0.5 * s->rtol), power = 1.0 / sal_to_double(a->k + 1);
  const sal_v to_order = sal_from_bits((a->k + 1 + 1023) << 52); /* 2^(k + 1) */
  const sal_m longer = a->phase1 | sal_ge(half, a->erk * to_order), same = sal_ge(half, a->erk);
  sal_v size = sal_sel(longer, 2.0 * s->absh, s->absh);

  if (sal_any(~(longer | same)))
    size = sal_sel(longer | same, size,
                   s->absh * sal_max(sal_set(0.5),
                                     sal_min(sal_set(0.9), sal_lane_pow_by(half / a->erk, power))));
  return size;
}

static void advance(sal_step_state *s, sal_m lanes)
{
  adams *a = adams_of(s);

  sal_assign(s->n, lanes, s->f, s->fn);
  if (s->fixed <= 0) {
    adams_choose_order(s, a, lanes);
    sal_orders_put(&s->absh, lanes, adams_choose_step(s, a));
    return;
  }
  const sal_m low = lanes & SAL_MASK(a->k < adams_top_order(s)), constant = SAL_MASK(a->ns > a->k);
  sal_orders_put(&s->absh, lanes & ~low & constant, sal_min(sal_set(s->fixed), 2.0 * s->absh));
  sal_count(&a->k, low, 1);
}

/* ---- dense output ---- */

/* Chapter 5, interpolation: y = yn + xi sum_j G_j(xi) phi_j with xi = t - tn, and the G_j as the
 * last of a triangle of polynomials w_i, here in powers of x = xi / h.  For the states first .. end - 1, c [degree + 1][end -
 * first].  A lane of a lower order has zeros above its degree. */
SAL_INLINE int adams_dense(const sal_step_state *s, int first, int end, sal_v c[])
{
  const adams *a = adams_of(s);
  const int n = end - first, m = sal_orders_of(a->kold, ~sal_none()).hi + 1;
  sal_v w[ROW][ROW], term = sal_set(0);

  for (int i = 1; i <= m; ++i) w[i][0] = sal_set(1.0 / i);
  for (int l = 0; l < n; ++l) {
    c[l] = s->yn[first + l];
    c[n + l] = s->h * a->phi[first + l][1];
  }
  for (int j = 2; j <= m; ++j) {
    const sal_m in = sal_orders_from(~sal_none(), a->kold, j - 1);
    const sal_v slope = s->h / a->psi[j - 1], shift = term / a->psi[j - 1];
    for (int i = 1; i <= m + 1 - j; ++i) {
      w[i][j - 1] = sal_set(0);
      for (int p = j - 1; p >= 1; --p)
        w[i][p] = shift * w[i][p] + slope * (w[i][p - 1] - w[i + 1][p - 1]);
      w[i][0] *= shift;
    }
    for (int l = 0; l < n; ++l) {
      const sal_v d = s->h * a->phi[first + l][j];
      c[j * n + l] = sal_sel(in, d * w[1][j - 1], sal_set(0));
      for (int p = 0; p < j - 1; ++p)
        sal_orders_put(&c[(p + 1) * n + l], in, c[(p + 1) * n + l] + d * w[1][p]);
    }
    term = a->psi[j - 1];
  }
  return m;
}

static int dense(sal_step_state *s, sal_v c[]) { return adams_dense(s, 0, s->n, c); }

static int dense_one(sal_step_state *s, int i, sal_v c[]) { return adams_dense(s, i, i + 1, c); }

const sal_method_ops SAL_FN(sal_ode113) = {SAL_METHOD_STEPS, .dense_one = dense_one};

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(ode113)
const sal_method sal_ode113 = {
    .name = "ode113",
    .title = "Adams-Bashforth-Moulton PECE of variable order 1 to 12",
    .source =
        "Shampine & Gordon 1975, ISBN 0-7167-0461-7; doi:10.1137/S1064827594276424, section 4",
    .order = TOP + 1,
    .min_order = 2,
    .origin = 1,
    SAL_METHOD_OPS(ode113),
};
#endif
