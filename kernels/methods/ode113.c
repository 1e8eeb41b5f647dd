/** @file kernels/methods/ode113.c
 *  Adams-Bashforth-Moulton PECE with local extrapolation, predictors of order 1 to 12.
 *
 *  Shampine & Gordon, Computer Solution of Ordinary Differential Equations, 1975: the step of
 *  chapter 10 in the coefficients of chapter 5.  As in Shampine & Reichelt, SIAM J. Sci. Comput. 18
 *  (1997) 1-22, the norm is the maximum norm, here with the weights max(|y_i|, thr) of the step's
 *  start, and the last step is stretched to the end instead of passing it.
 *
 *  Symbols and indices are the book's, from 1.  phi_i are modified divided differences of f on the
 *  mesh, psi_i = t_n+1 - t_n+1-i, and ns counts the steps of the present size in a row: what has an
 *  index up to ns has its constant-step value and is not computed anew.
 */
#include "lane_math.h"
#include "norm.h"
#include "start.h"

enum { TOP = 12, ROW = TOP + 4 };

typedef struct {
  int k, kold, knew; /* order of this step, of the last one, and the one its error suggests */
  int ns, fails;     /* failures of this step so far */
  bool phase1;       /* start: raise the order and double the step each time */
  double hold;       /* size of the last step */
  double erk, erkm1; /* local error at order k and at order k - 1 */
  double psi[ROW], alpha[ROW], beta[ROW], sigma[ROW], g[ROW], v[ROW], w[ROW];
  double phi[][ROW]; /* [n] rows: a component's differences, and in phi[l][0] its 1 / weight */
} adams;

/* |gamma*_i|, the error constants of the correctors at constant step, rounded as in the book. */
static const double gstar[] = {1,     .5,     .0833,  .0417,  .0264,  .0188,  .0143,
                               .0114, .00936, .00789, .00679, .00592, .00524, .00468};

static adams *adams_of(const sal_step_state *s) { return (adams *)(void *)s->mem; }

static int words(int n) { return (int)(sizeof(adams) / sizeof(sal_v)) + n * ROW; }

static int adams_top_order(const sal_step_state *s)
{
  return s->max_order > 0 && s->max_order < TOP ? s->max_order : TOP;
}

static void adams_begin(sal_step_state *s)
{
  adams *a = adams_of(s);

  a->k = 1;
  a->kold = a->knew = a->ns = a->fails = 0;
  a->phase1 = true;
  a->hold = 0;
  a->g[1] = a->sigma[1] = 1;
  a->g[2] = 0.5;
  for (int l = 0; l < s->n; ++l) {
    double *phi = a->phi[l];
    for (int i = 0; i < ROW; ++i) phi[i] = 0;
    phi[1] = s->f[l];
  }
}

/* Fixed steps grow from a tiny one, so that the low orders of the start leave no trace. */
static void start(sal_step_state *s, sal_m lanes)
{
  sal_start_explicit(s, lanes, 0.25, 0.5);
  if (s->fixed > 0) s->absh = 0x1p-20 * s->fixed;
  adams_begin(s);
}

static void retry(sal_step_state *s, sal_m lanes)
{
  (void)lanes;
  adams_begin(s);
}

/* g_i, the integrals of the predictor's basis polynomials: chapter 5, the triangle of v and w. */
static void adams_integrals(adams *a)
{
  const int k = a->k, ns = a->ns;
  double *v = a->v, *w = a->w;

  if (ns == 1) {
    for (int q = 1; q <= k; ++q) v[q] = w[q] = 1.0 / (q * (q + 1));
  } else {
    if (k > a->kold) {
      v[k] = 1.0 / (k * (k + 1));
      for (int j = 1; j <= ns - 2; ++j) v[k - j] -= a->alpha[j + 1] * v[k - j + 1];
    }
    for (int q = 1; q <= k + 1 - ns; ++q) w[q] = v[q] -= a->alpha[ns] * v[q + 1];
    a->g[ns + 1] = w[1];
  }
  for (int i = ns + 2; i <= k + 1; ++i) {
    for (int q = 1; q <= k + 2 - i; ++q) w[q] -= a->alpha[i - 1] * w[q + 1];
    a->g[i] = w[1];
  }
}

static void adams_coefficients(adams *a, double h)
{
  const int k = a->k, ns = a->ns;
  double *psi = a->psi, sum = ns * h;

  if (k < ns) return;
  a->beta[ns] = 1;
  a->alpha[ns] = 1.0 / ns;
  a->sigma[ns + 1] = 1;
  for (int i = ns + 1; i <= k; ++i) {
    const double old = psi[i - 1];
    psi[i - 1] = sum;
    a->beta[i] = a->beta[i - 1] * sum / old;
    sum = old + h;
    a->alpha[i] = h / sum;
    a->sigma[i + 1] = i * a->alpha[i] * a->sigma[i];
  }
  psi[k] = sum;
  adams_integrals(a);
}

/* yn = y + h sum g_i phi*_i with phi*_i = beta_i phi_i; phi_i = the differences that this
 * prediction implies at tn; phi_k+2 keeps the old phi_k+1. */
static void adams_predict(sal_step_state *s, adams *a)
{
  const int k = a->k;
  const double *beta = a->beta, *g = a->g;

  for (int l = 0; l < s->n; ++l) {
    double *phi = a->phi[l], slope = 0, sum = 0;
    phi[k + 2] = phi[k + 1];
    phi[k + 1] = 0;
    for (int i = k; i >= 1; --i) {
      const double star = beta[i] * phi[i];
      slope += g[i] * star;
      sum += star;
      phi[i] = sum;
    }
    s->yn[l] = s->y[l] + s->h * slope;
  }
}

/* Error of this step, whose slope at the prediction is fn; chapter 7. */
static double adams_estimate(const sal_step_state *s, adams *a)
{
  const int k = a->k;
  double e0 = 0, e1 = 0, e2 = 0;

  for (int l = 0; l < s->n; ++l) {
    double *phi = a->phi[l];
    const double d = s->fn[l] - phi[1];
    const double weight = 1.0 / sal_max(sal_abs(s->y[l]), s->thr);
    e0 = sal_norm_worse(e0, weight * sal_abs(d));
    e1 = sal_norm_worse(e1, weight * sal_abs(phi[k] + d));
    if (k > 2) e2 = sal_norm_worse(e2, weight * sal_abs(phi[k - 1] + d));
    phi[0] = weight;
  }
  a->erk = s->h * e0 * a->sigma[k + 1] * gstar[k];
  a->erkm1 = s->h * e1 * a->sigma[k] * gstar[k - 1];
  a->knew = k;
  if (k == 2 && a->erkm1 <= 0.5 * a->erk) a->knew = 1;
  if (k > 2) {
    const double erkm2 = s->h * e2 * a->sigma[k - 1] * gstar[k - 2];
    if (sal_norm_worse(a->erkm1, erkm2) <= a->erk) a->knew = k - 1;
  }
  return s->h * e0 * (a->g[k] - a->g[k + 1]);
}

/* Takes the prediction back and lowers absh: halves three times, then follows the estimate.  The
 * new size may happen to be that of the last step, but psi_1 is lost at order 1 and would stay
 * wrong: ns = 0 has everything computed anew, as in SLATEC's revision of the book's code. */
static void adams_reject(sal_step_state *s, adams *a)
{
  const int k = a->k;
  double ratio = 0.5;

  a->phase1 = false;
  for (int l = 0; l < s->n; ++l) {
    double *phi = a->phi[l];
    for (int i = 1; i <= k; ++i) phi[i] = (phi[i] - phi[i + 1]) / a->beta[i];
  }
  for (int i = 2; i <= k; ++i) a->psi[i - 1] = a->psi[i] - s->h;
  if (++a->fails >= 3) a->knew = 1;
  if (a->fails > 3 && 0.5 * s->rtol < 0.25 * a->erk) ratio = sal_sqrt(0.5 * s->rtol / a->erk);
  a->k = a->knew;
  a->ns = 0;
  s->absh = sal_max(ratio * s->h, s->hmin);
}

/* yn by the corrector of order k + 1, and the slope there; false where that is not a number. */
static bool adams_correct(sal_step_state *s, sal_m lanes, const adams *a)
{
  const double hg = s->h * a->g[a->k + 1];
  bool ok = true;

  for (int l = 0; l < s->n; ++l) s->yn[l] += hg * (s->fn[l] - a->phi[l][1]);
  sal_method_rhs(s, lanes, s->tn, s->yn, s->fn);
  for (int l = 0; l < s->n; ++l) ok &= s->fn[l] - s->fn[l] == 0;
  return ok;
}

static void adams_update(sal_step_state *s, adams *a)
{
  const int k = a->k;

  for (int l = 0; l < s->n; ++l) {
    double *phi = a->phi[l];
    const double d = s->fn[l] - phi[1];
    phi[k + 1] = d;
    phi[k + 2] = d - phi[k + 2];
    for (int i = 1; i <= k; ++i) phi[i] += d;
  }
  a->kold = k;
  a->hold = s->h;
  a->fails = 0;
}

/* Steps that differ by the rounding of t alone count as equal, else ns would never grow. */
static sal_m step(sal_step_state *s, sal_m lanes)
{
  adams *a = adams_of(s);

  if (sal_abs(s->h - a->hold) > sal_lane_spacing(s->tn)) a->ns = 0;
  if (a->ns <= a->kold) ++a->ns;
  adams_coefficients(a, s->h);
  adams_predict(s, a);
  sal_method_rhs(s, lanes, s->tn, s->yn, s->fn);
  const double err = adams_estimate(s, a);
  if ((s->fixed > 0 || err <= s->rtol) && adams_correct(s, lanes, a)) {
    adams_update(s, a);
    return lanes;
  }
  adams_reject(s, a);
  return sal_none();
}

/* Local error at order k + 1, known at constant step only. */
static double adams_error_above(const sal_step_state *s, const adams *a)
{
  double e = 0;

  for (int l = 0; l < s->n; ++l) e = sal_norm_worse(e, a->phi[l][0] * sal_abs(a->phi[l][a->k + 2]));
  return s->h * gstar[a->k + 1] * e;
}

/* The order of the next step, and in erk the error it would have made in this one; chapter 7. */
static void adams_choose_order(const sal_step_state *s, adams *a)
{
  const int k = a->k;
  const bool lower = a->knew < k, capped = k == adams_top_order(s);
  double above = 0;

  if (lower || capped) a->phase1 = false;
  if (!a->phase1 && !lower) {
    if (k + 1 > a->ns) return;
    above = adams_error_above(s, a);
  }
  if (lower || (!a->phase1 && k > 1 && a->erkm1 <= sal_min(a->erk, above))) {
    a->k = k - 1;
    a->erk = a->erkm1;
  } else if (a->phase1 || (!capped && above < (k > 1 ? 1.0 : 0.5) * a->erk)) {
    a->k = k + 1;
    a->erk = above;
  }
}

/* Doubles, keeps or shrinks the step, so that it stays constant for long. */
static double adams_choose_step(const sal_step_state *s, const adams *a)
{
  const double half = 0.5 * s->rtol;

  if (a->phase1 || half >= a->erk * (double)(2 << a->k)) return 2 * s->absh;
  if (half >= a->erk) return s->absh;
  return s->absh * sal_max(0.5, sal_min(0.9, sal_lane_pow(half / a->erk, 1.0 / (a->k + 1))));
}

static void advance(sal_step_state *s, sal_m lanes)
{
  adams *a = adams_of(s);

  sal_assign(s->n, lanes, s->f, s->fn);
  if (s->fixed <= 0) {
    adams_choose_order(s, a);
    s->absh = adams_choose_step(s, a);
  } else if (a->k < adams_top_order(s)) {
    ++a->k;
  } else if (a->ns > a->k) {
    s->absh = sal_min(s->fixed, 2 * s->absh);
  }
}

/* Chapter 5, interpolation: y = yn + xi sum_j G_j(xi) phi_j with xi = t - tn, and the G_j as the
 * last of a triangle of polynomials w_i, here in powers of x = xi / h. */
static int dense(sal_step_state *s, sal_v c[])
{
  const adams *a = adams_of(s);
  const int n = s->n, m = a->kold + 1;
  double w[ROW][ROW] = {{0}}, term = 0;

  for (int i = 1; i <= m; ++i) w[i][0] = 1.0 / i;
  for (int l = 0; l < n; ++l) {
    c[l] = s->yn[l];
    c[n + l] = s->h * a->phi[l][1];
  }
  for (int j = 2; j <= m; ++j) {
    const double slope = s->h / a->psi[j - 1], shift = term / a->psi[j - 1];
    for (int i = 1; i <= m + 1 - j; ++i) {
      for (int p = j - 1; p >= 1; --p)
        w[i][p] = shift * w[i][p] + slope * (w[i][p - 1] - w[i + 1][p - 1]);
      w[i][0] *= shift;
    }
    for (int l = 0; l < n; ++l) {
      const double d = s->h * a->phi[l][j];
      c[j * n + l] = d * w[1][j - 1];
      for (int p = 0; p < j - 1; ++p) c[(p + 1) * n + l] += d * w[1][p];
    }
    term = a->psi[j - 1];
  }
  return m;
}

const sal_method_ops SAL_FN(sal_ode113) = {.words = words,
                                           .start = start,
                                           .step = step,
                                           .advance = advance,
                                           .retry = retry,
                                           .dense = dense};

const sal_method sal_ode113 = {
    .name = "ode113",
    .title = "Adams-Bashforth-Moulton PECE of variable order 1 to 12",
    .source =
        "Shampine & Gordon 1975, ISBN 0-7167-0461-7; doi:10.1137/S1064827594276424, section 4",
    .order = TOP + 1,
    .min_order = 2,
    .origin = 1,
    .w1 = &sal_ode113_w1,
};
