/** @file kernels/methods/ode15s.c
 *  Numerical differentiation formulas of order 1 to 5, quasi-constant step, for stiff systems.
 *
 *  Shampine & Reichelt, SIAM J. Sci. Comput. 18 (1997) 1-22, section 2.  With backward differences
 *  D^m y at constant step h, gamma_k = sum 1/j and prediction yp, order k solves
 *
 *    sum_m D^m y_n+1 / m = h f(t_n+1, y_n+1) + kappa_k gamma_k (y_n+1 - yp),   yp = sum_m D^m y_n
 *
 *  by simplified Newton iterations for d = y_n+1 - yp.  A change of h is a linear map of the
 *  differences and a new factorisation of I - h J / (gamma_k (1 - kappa_k)); J is kept for as long
 *  as the iteration converges.
 */
#include "jacobian.h"
#include "lane_math.h"
#include "linear.h"
#include "norm.h"
#include "start.h"

enum { TOP = 5, ROW = TOP + 3 };

typedef struct {
  int k, constant;      /* order; steps with this k and h so far */
  double h;             /* the step the differences belong to */
  double rate;          /* of convergence, seen with these factors; 0: not known yet */
  bool factored, fresh; /* the factors fit h, k and J; J was formed at this (t, y) */
  bool failed;          /* this step has failed an error test */
} ndf;

/* Backward differences [n][ROW], a component's contiguous, from index 1; the others [n], [n][n]. */
typedef struct {
  double (*dif)[ROW], *d, *psi, *delta, *weight, *LU;
  sal_m *piv;
} ndf_arrays;

/* By order: gamma_k, the scale 1 / (gamma_k (1 - kappa_k)) of h f in the formula, and the constant
 * kappa_k gamma_k + 1 / (k + 1) of the local error in D^k+1 y. */
#define FORMULA(k, gamma, kappa)                                                                   \
  {                                                                                                \
    (gamma), 1 / ((gamma) * (1 - (kappa))), (kappa) * (gamma) + 1.0 / ((k) + 1)                    \
  }
static const struct {
  double gamma, scale, error;
} formula[TOP + 1] = {{0},
                      FORMULA(1, 1.0, -0.1850),
                      FORMULA(2, 3.0 / 2, -1.0 / 9),
                      FORMULA(3, 11.0 / 6, -0.0823),
                      FORMULA(4, 25.0 / 12, -0.0415),
                      FORMULA(5, 137.0 / 60, 0)};

/* x (x+1) .. (x+m-1) / m!, row m, in powers of x. */
static const double power[TOP + 1][TOP + 1] = {
    {0},
    {0, 1},
    {0, 1.0 / 2, 1.0 / 2},
    {0, 1.0 / 3, 1.0 / 2, 1.0 / 6},
    {0, 1.0 / 4, 11.0 / 24, 1.0 / 4, 1.0 / 24},
    {0, 1.0 / 5, 5.0 / 12, 7.0 / 24, 1.0 / 12, 1.0 / 120}};

static int words(int n) { return (int)(sizeof(ndf) / sizeof(sal_v)) + n * (ROW + 4) + 2 * n * n; }

static ndf *ndf_of(const sal_step_state *s) { return (ndf *)(void *)s->mem; }

static ndf_arrays ndf_arrays_of(const sal_step_state *s)
{
  const size_t n = (size_t)s->n;
  double(*const dif)[ROW] = (void *)(s->mem + sizeof(ndf) / sizeof(sal_v));
  double *const rest = dif[n];

  return (ndf_arrays){dif,
                      rest,
                      rest + n,
                      rest + 2 * n,
                      rest + 3 * n,
                      rest + 4 * n,
                      (sal_m *)(void *)(rest + 4 * n + n * n)};
}

static int ndf_top_order(const sal_step_state *s)
{
  return s->max_order > 0 && s->max_order < TOP ? s->max_order : TOP;
}

/* The first difference from f; the Jacobian is the one of (t, y). */
static void retry(sal_step_state *s, sal_m lanes)
{
  const ndf_arrays m = ndf_arrays_of(s);

  (void)lanes;
  *ndf_of(s) = (ndf){.k = 1, .h = s->absh, .fresh = true};
  for (int l = 0; l < s->n; ++l) m.dif[l][1] = s->absh * s->f[l];
}

/* Fixed steps grow from a tiny one, so that the low orders of the start leave no trace. */
static void start(sal_step_state *s, sal_m lanes)
{
  sal_start_stiff(s, lanes, 0.5);
  if (s->fixed > 0) s->absh = 0x1p-20 * s->fixed;
  retry(s, lanes);
}

/* D <- D R U for steps r times as long: R_ij = prod_{m<=i} (m-1-jr)/m, U_ij = (-1)^i C(j,i). */
static void ndf_rescale(const sal_step_state *s, ndf *a, double dif[][ROW])
{
  static const double U[TOP + 1][TOP + 1] = {{0},
                                             {0, -1, -2, -3, -4, -5},
                                             {0, 0, 1, 3, 6, 10},
                                             {0, 0, 0, -1, -4, -10},
                                             {0, 0, 0, 0, 1, 5},
                                             {0, 0, 0, 0, 0, -1}};
  const int k = a->k;
  const double r = s->h / a->h;
  double R[TOP + 1][TOP + 1], row[TOP + 1];

  for (int j = 1; j <= k; ++j) {
    double product = 1;
    for (int i = 1; i <= k; ++i) R[i][j] = product *= (i - 1 - j * r) / i;
  }
  for (int l = 0; l < s->n; ++l) {
    double *D = dif[l];
    for (int j = 1; j <= k; ++j) {
      row[j] = 0;
      for (int i = 1; i <= k; ++i) row[j] += D[i] * R[i][j];
    }
    for (int j = 1; j <= k; ++j) {
      D[j] = 0;
      for (int i = 1; i <= j; ++i) D[j] += row[i] * U[i][j];
    }
  }
  a->h = s->h;
  a->constant = 0;
  a->factored = false;
}

static void ndf_factorise(sal_step_state *s, sal_m lanes, ndf *a, const ndf_arrays *m)
{
  const int n = s->n;
  const double hk = s->h * formula[a->k].scale;

  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m->LU[i * n + j] = (i == j ? 1.0 : 0.0) - hk * s->J[i * n + j];
  sal_linear_factorise(n, m->LU, m->piv);
  sal_method_count_lu(s, lanes, 1);
  a->factored = true;
  a->rate = 0;
}

/* The Jacobian at (t, y).  s->f is replaced, being the slope of the interpolant so far. */
static void ndf_renew_jacobian(sal_step_state *s, sal_m lanes, ndf *a)
{
  if (!s->analytic) sal_method_rhs(s, lanes, s->t, s->y, s->f);
  sal_jacobian_form(s, lanes);
  a->fresh = true;
  a->factored = false;
}

/* |x|_W, and the same of the differences of order i. */
static double ndf_norm(int n, const double weight[], const double x[])
{
  double e = 0;

  for (int l = 0; l < n; ++l) e = sal_norm_worse(e, weight[l] * sal_abs(x[l]));
  return e;
}

static double ndf_norm_of_order(int i, int n, const ndf_arrays *m)
{
  double e = 0;

  for (int l = 0; l < n; ++l) e = sal_norm_worse(e, m->weight[l] * sal_abs(m->dif[l][i]));
  return e;
}

/* yn = prediction, psi = the known part of the formula, d = 0.  Returns |yn|_W. */
static double ndf_predict(sal_step_state *s, const ndf *a, const ndf_arrays *m)
{
  for (int l = 0; l < s->n; ++l) {
    const double *D = m->dif[l];
    double y = s->y[l], psi = 0;
    for (int i = 1; i <= a->k; ++i) {
      y += D[i];
      psi += formula[i].gamma * D[i];
    }
    s->yn[l] = y;
    m->psi[l] = psi * formula[a->k].scale;
    m->d[l] = 0;
    m->weight[l] = 1.0 / sal_max(sal_max(sal_abs(s->y[l]), sal_abs(y)), s->thr);
  }
  return ndf_norm(s->n, m->weight, s->yn);
}

/* One iteration; returns the size of the change. */
static double ndf_iterate(sal_step_state *s, sal_m lanes, double hk, const ndf_arrays *m)
{
  const int n = s->n;

  sal_method_rhs(s, lanes, s->tn, s->yn, s->fn);
  for (int l = 0; l < n; ++l) m->delta[l] = hk * s->fn[l] - (m->psi[l] + m->d[l]);
  sal_linear_solve(n, m->LU, m->piv, m->delta);
  sal_method_count_solve(s, lanes, 1);
  for (int l = 0; l < n; ++l) {
    m->d[l] += m->delta[l];
    s->yn[l] += m->delta[l];
  }
  return ndf_norm(n, m->weight, m->delta);
}

/* Has the iteration converged?  False: it is too slow, or foreseen to be.  The rate is kept
 * also when the second change is mere rounding, as in flight, where f is linear and J nearly
 * exact. */
static bool ndf_newton(sal_step_state *s, sal_m lanes, ndf *a, const ndf_arrays *m)
{
  const double least = 100 * 0x1p-52 * ndf_predict(s, a, m), hk = s->h * formula[a->k].scale;
  double last = 0;

  for (int left = (s->fixed > 0 ? 20 : 4) - 1; left >= 0; --left) {
    const double size = ndf_iterate(s, lanes, hk, m);
    const bool slow = last > 0 && !(size <= 0.9 * last);
    if (last > 0 && !slow) a->rate = sal_max(0.9 * a->rate, size / last);
    if (size <= least) return true;
    if (last == 0) {
      if (size - size != 0) return false;
      if (a->rate > 0 && size * a->rate / (1 - a->rate) <= 0.05 * s->rtol) return true;
    } else {
      if (slow) return false;
      const double error = size * a->rate / (1 - a->rate);
      double final = error;
      if (error <= 0.5 * s->rtol) return true;
      for (int i = 0; i < left; ++i) final *= a->rate;
      if (0.5 * s->rtol < final) return false;
    }
    last = size;
  }
  return false;
}

/* absh for the next attempt after a failed error test, at this order or one below. */
static void ndf_shrink(sal_step_state *s, ndf *a, const ndf_arrays *m, double err)
{
  const int k = a->k;
  double ratio = 0.5;

  if (!a->failed) {
    ratio = sal_max(0.833 * sal_lane_pow(s->rtol / err, 1.0 / (k + 1)), 0.1);
    if (k > 1) {
      for (int l = 0; l < s->n; ++l) m->delta[l] = m->dif[l][k] + m->d[l];
      const double e = ndf_norm(s->n, m->weight, m->delta) * formula[k - 1].error;
      const double lower = sal_max(0.769 * sal_lane_pow(s->rtol / e, 1.0 / k), 0.1);
      if (lower > ratio) {
        ratio = sal_min(1, lower);
        a->k = k - 1;
        a->factored = false;
        a->constant = 0;
      }
    }
  }
  a->failed = true;
  s->absh = sal_max(ratio * s->h, s->hmin);
}

/* The differences at tn, and the slope of the interpolant there. */
static void ndf_update(sal_step_state *s, ndf *a, const ndf_arrays *m)
{
  const int k = a->k;

  for (int l = 0; l < s->n; ++l) {
    double *D = m->dif[l], slope = 0;
    D[k + 2] = m->d[l] - D[k + 1];
    D[k + 1] = m->d[l];
    for (int i = k; i >= 1; --i) {
      D[i] += D[i + 1];
      slope += D[i] * power[i][1];
    }
    s->fn[l] = slope / s->h;
  }
  a->failed = a->fresh = false;
  ++a->constant;
}

/* Steps that differ by the rounding of t alone count as equal.  A failure with an old Jacobian
 * renews it, one with a fresh Jacobian shortens the step. */
static sal_m step(sal_step_state *s, sal_m lanes)
{
  ndf *a = ndf_of(s);
  const ndf_arrays m = ndf_arrays_of(s);

  if (sal_abs(s->h - a->h) > sal_lane_spacing(s->tn)) ndf_rescale(s, a, m.dif);
  if (!a->factored) ndf_factorise(s, lanes, a, &m);
  while (!ndf_newton(s, lanes, a, &m)) {
    if (a->fresh) {
      s->absh = sal_max(0.3 * s->h, s->hmin);
      return sal_none();
    }
    sal_count(&s->n_renewed, lanes, 1);
    ndf_renew_jacobian(s, lanes, a);
    ndf_factorise(s, lanes, a, &m);
  }
  const double err = ndf_norm(s->n, m.weight, m.d) * formula[a->k].error;
  if (s->fixed > 0 || err <= s->rtol) {
    ndf_update(s, a, &m);
    return lanes;
  }
  ndf_shrink(s, a, &m, err);
  return sal_none();
}

/* Growth (rtol / err)^(1/p) / safety, at most 10; all that is no growth is 1 and costs no power. */
static double ndf_growth(double err, double rtol, double safety, int p)
{
  double scaled = err;

  for (int i = 0; i < p; ++i) scaled *= safety;
  if (!(scaled < rtol)) return 1;
  const double inverse = safety * sal_lane_pow(err / rtol, 1.0 / p);
  return inverse > 0.1 ? 1 / inverse : 10;
}

/* Order and step of the next step.  Only a longer step is worth a change.  After k + 2 equal steps
 * order q would have made an error of its constant times D_q+1. */
static void ndf_choose(sal_step_state *s, ndf *a, const ndf_arrays *m)
{
  static const struct {
    int shift;
    double safety;
  } candidate[] = {{0, 1.2}, {-1, 1.3}, {1, 1.4}};
  const int k = a->k;
  double best = 1;

  for (int i = 0; i < 3; ++i) {
    const int order = k + candidate[i].shift;
    if (order < 1 || order > ndf_top_order(s)) continue;
    const double e = ndf_norm_of_order(order + 1, s->n, m) * formula[order].error;
    const double grow = ndf_growth(e, s->rtol, candidate[i].safety, order + 1);
    if (grow <= best) continue;
    best = grow;
    a->k = order;
  }
  s->absh *= best;
  if (a->k == k) return;
  a->factored = false;
  a->constant = 0;
}

static void advance(sal_step_state *s, sal_m lanes)
{
  ndf *a = ndf_of(s);
  const ndf_arrays m = ndf_arrays_of(s);

  sal_assign(s->n, lanes, s->f, s->fn);
  if (s->fixed <= 0) {
    if (a->constant >= a->k + 2) ndf_choose(s, a, &m);
  } else if (a->k < ndf_top_order(s)) {
    ++a->k;
    a->factored = false;
  } else if (a->constant >= 4 * a->k) {
    s->absh = sal_min(s->fixed, 2 * s->absh);
  }
}

/* y = yn + sum_m D_m x (x+1) .. (x+m-1) / m!,  x = (t - tn) / h. */
static int dense(sal_step_state *s, sal_v c[])
{
  const int n = s->n, k = ndf_of(s)->k;
  const ndf_arrays m = ndf_arrays_of(s);

  for (int l = 0; l < n; ++l) {
    c[l] = s->yn[l];
    for (int j = 1; j <= k; ++j) {
      double sum = 0;
      for (int i = j; i <= k; ++i) sum += power[i][j] * m.dif[l][i];
      c[j * n + l] = sum;
    }
  }
  return k;
}

const sal_method_ops SAL_FN(sal_ode15s) = {.words = words,
                                           .start = start,
                                           .step = step,
                                           .advance = advance,
                                           .retry = retry,
                                           .dense = dense};

const sal_method sal_ode15s = {
    .name = "ode15s",
    .title = "numerical differentiation formulas of order 1 to 5",
    .source = "doi:10.1137/S1064827594276424, section 2",
    .order = TOP,
    .min_order = 1,
    .implicit = true,
    .origin = 1,
    .w1 = &sal_ode15s_w1,
};
