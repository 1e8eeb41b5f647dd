/** @file kernels/methods/ode23s.c
 *  Modified Rosenbrock method of order 2, L-stable, no iteration.  Shampine & Reichelt, SIAM J.
 * Sci. Comput. 18 (1997), section 3.  With W = I - h d J and T = df/dt:
 *
 *    W k1        = f(t, y) + h d T
 *    W (k2 - k1) = F1 - k1,                       F1 = f(t + h/2, y + h k1 / 2)
 *    yn          = y + h k2
 *    W k3        = F2 - e32 (k2 - F1) - 2 (k1 - F0) + h d T,   F2 = f(tn, yn)
 *    error       = (h / 6) (k1 - 2 k2 + k3)
 *
 *  J and T are formed anew at every accepted step.
 *  Own memory: k1, k2, k3, F1, F2 [n] each, W [n][n], pivots [n][n], q.
 */
#include "linear.h"
#include "start.h"

static const double d   = 0.29289321881345247560; /* 1 / (2 + sqrt 2) */
static const double e32 = 7.41421356237309504880; /* 6 + sqrt 2 */

typedef struct {
  sal_v *k1, *k2, *k3, *F1, *F2, *W, *q;
  sal_m *piv;
} memory;

static int words(int n) { return 5 * n + 2 * n * n + 1; }

static memory split(const sal_stepper *s)
{
  const int n = s->n;
  sal_v    *m = s->mem;

  return (memory){m,
                  m + n,
                  m + 2 * n,
                  m + 3 * n,
                  m + 4 * n,
                  m + 5 * n,
                  m + 5 * n + 2 * n * n,
                  (sal_m *)(void *)(m + 5 * n + n * n)};
}

static void start(sal_stepper *s, sal_m lanes) { sal_start_stiff(s, lanes, 1.0 / 3); }

static void retry(sal_stepper *s, sal_m lanes) { (void)s, (void)lanes; }

static void factorise(sal_stepper *s, sal_m lanes, const memory *m)
{
  const int n = s->n;

  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m->W[i * n + j] = (i == j ? 1.0 : 0.0) - s->h * d * s->J[i * n + j];
  sal_lu(n, m->W, m->piv);
  sal_count(&s->n_lu, lanes, 1);
}

/* W k = k in place */
static void solve(sal_stepper *s, sal_m lanes, const memory *m, sal_v k[])
{
  sal_lu_solve(s->n, m->W, m->piv, k);
  sal_count(&s->n_solve, lanes, 1);
}

static sal_m trial(sal_stepper *s, sal_m lanes)
{
  const int    n = s->n;
  const memory m = split(s);
  const sal_v  h = s->h, hd = h * d;

  factorise(s, lanes, &m);
  for (int i = 0; i < n; ++i) m.k1[i] = s->f[i] + hd * s->T[i];
  solve(s, lanes, &m, m.k1);
  for (int i = 0; i < n; ++i) s->yn[i] = s->y[i] + 0.5 * h * m.k1[i];
  sal_rhs(s, lanes, s->t + 0.5 * h, s->yn, m.F1);
  for (int i = 0; i < n; ++i) m.k2[i] = m.F1[i] - m.k1[i];
  solve(s, lanes, &m, m.k2);
  for (int i = 0; i < n; ++i) {
    m.k2[i] += m.k1[i];
    s->yn[i] = s->y[i] + h * m.k2[i];
  }
  sal_rhs(s, lanes, s->tn, s->yn, m.F2);
  s->fn = m.F2;
  if (s->fixed > 0) return lanes;
  for (int i = 0; i < n; ++i)
    m.k3[i] = m.F2[i] - e32 * (m.k2[i] - m.F1[i]) - 2.0 * (m.k1[i] - s->f[i]) + hd * s->T[i];
  solve(s, lanes, &m, m.k3);
  for (int i = 0; i < n; ++i) m.k3[i] = m.k1[i] - 2.0 * m.k2[i] + m.k3[i];

  const sal_v err = h * sal_weighted(s, m.k3, s->y, s->yn) / (6.0 * s->rtol);
  const sal_m ok  = lanes & sal_le(err, sal_set(1));
  *m.q            = sal_rough_pow(err, 1.0 / 3);
  sal_shrink(s, lanes & ~ok, *m.q, 0.8, 0.1, 0);
  return ok;
}

static void advance(sal_stepper *s, sal_m lanes)
{
  const memory m = split(s);

  sal_assign(s->n, lanes, s->f, m.F2);
  if (s->fixed <= 0) sal_grow(s, lanes, *m.q);
  sal_form_jacobian(s, lanes);
  sal_form_time_slope(s, lanes, s->absh);
}

static int dense(sal_stepper *s, sal_v c[])
{
  const int    n = s->n;
  const memory m = split(s);
  const sal_v  g = s->h / (1.0 - 2.0 * d);

  for (int i = 0; i < n; ++i) {
    c[i]         = s->y[i];
    c[n + i]     = g * (m.k1[i] - 2.0 * d * m.k2[i]);
    c[2 * n + i] = g * (m.k2[i] - m.k1[i]);
  }
  return 2;
}

const sal_scheme SAL_FN(sal_ode23s) = {words, start, trial, advance, retry, dense};

#if SAL_LANES == 1
SAL_DECLARE_SCHEMES(ode23s)
const sal_method sal_ode23s = {
    .name      = "ode23s",
    .title     = "modified Rosenbrock method of order 2",
    .source    = "doi:10.1137/S1064827594276424, section 3",
    .order     = 2,
    .min_order = 2,
    .implicit  = true,
    SAL_SCHEMES(ode23s),
};
#endif
