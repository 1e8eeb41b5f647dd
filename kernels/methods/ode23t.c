/** @file kernels/methods/ode23t.c
 *  Trapezoidal rule with the free cubic Hermite dense output.  Shampine, Reichelt & Kierzenka, SIAM
 *  Review 41 (1999) 538-552.  With scaled slopes z = h f:
 *
 *    yn = y + z / 2 + zn / 2,   local error -(h^3 / 12) y''',
 *    y''' = 2 ((fn - f) / h - (f - fp) / hp) / (h + hp),
 *
 *  where fp is the slope one accepted step hp back.  `bend` holds (f - fp) / hp; in a first step it
 *  is y'' = df/dt + J f, and hp = h.
 *  Own memory: z, zn, base, bend, e [n] each, hp (0: first step), then Newton's.
 */
#include "newton.h"

enum { Z, ZN, BASE, BEND, E, N_VECTOR };

static int words(int n) { return N_VECTOR * n + 1 + sal_newton_words(n); }

static sal_v *vector(const sal_stepper *s, int which) { return s->mem + which * s->n; }

static sal_v *previous(const sal_stepper *s) { return s->mem + N_VECTOR * s->n; }

static sal_newton newton(const sal_stepper *s)
{
  return sal_newton_split(s->n, s->mem + N_VECTOR * s->n + 1);
}

static void start(sal_stepper *s, sal_m lanes)
{
  const int        n    = s->n;
  const sal_newton nw   = newton(s);
  sal_v           *bend = vector(s, BEND);

  sal_start_stiff(s, lanes, 1.0 / 3);
  sal_newton_reset(&nw, lanes);
  *previous(s) = sal_sel(lanes, sal_set(0), *previous(s));
  for (int i = 0; i < n; ++i) {
    sal_v curvature = s->T[i];
    for (int j = 0; j < n; ++j) curvature += s->J[i * n + j] * s->f[j];
    bend[i] = sal_sel(lanes, curvature, bend[i]);
  }
}

static void retry(sal_stepper *s, sal_m lanes) { (void)s, (void)lanes; }

static sal_m stages(sal_stepper *s, sal_m lanes)
{
  const int        n  = s->n;
  const sal_newton nw = newton(s);
  sal_v *z = vector(s, Z), *zn = vector(s, ZN), *base = vector(s, BASE), *bend = vector(s, BEND);

  for (int i = 0; i < n; ++i) {
    base[i] = s->y[i] + 0.5 * z[i];
    zn[i]   = sal_sel(lanes, s->h * (s->f[i] + s->h * bend[i]), zn[i]);
  }
  return sal_newton_solve(s, lanes, &nw, 0.5, s->tn, base, zn);
}

static sal_m trial(sal_stepper *s, sal_m lanes)
{
  const int        n  = s->n;
  const sal_newton nw = newton(s);
  const sal_v      h  = s->h;
  const sal_v      hp = sal_sel(sal_gt(*previous(s), sal_set(0)), *previous(s), h);
  sal_v *z = vector(s, Z), *zn = vector(s, ZN), *bend = vector(s, BEND), *e = vector(s, E);

  for (int i = 0; i < n; ++i) z[i] = h * s->f[i];
  const sal_m solved = sal_newton_step(s, lanes, &nw, 0.5, stages);
  for (int i = 0; i < n; ++i) {
    s->yn[i] = s->y[i] + 0.5 * z[i] + 0.5 * zn[i];
    s->fn[i] = zn[i] / h;
    e[i]     = h * h * h / 6.0 * ((s->fn[i] - s->f[i]) / h - bend[i]) / (h + hp);
  }
  return sal_newton_test(s, solved, &nw, e);
}

static void advance(sal_stepper *s, sal_m lanes)
{
  const sal_newton nw   = newton(s);
  sal_v           *bend = vector(s, BEND);

  for (int i = 0; i < s->n; ++i) bend[i] = sal_sel(lanes, (s->fn[i] - s->f[i]) / s->h, bend[i]);
  *previous(s) = sal_sel(lanes, s->h, *previous(s));
  sal_assign(s->n, lanes, s->f, s->fn);
  sal_newton_grow(s, lanes, &nw);
}

static int dense(sal_stepper *s, sal_v c[])
{
  const int    n = s->n;
  const sal_v *z = vector(s, Z), *zn = vector(s, ZN);

  for (int i = 0; i < n; ++i) {
    const sal_v rest = s->yn[i] - s->y[i] - z[i], turn = zn[i] - z[i];
    c[i]         = s->y[i];
    c[n + i]     = z[i];
    c[2 * n + i] = 3.0 * rest - turn;
    c[3 * n + i] = turn - 2.0 * rest;
  }
  return 3;
}

const sal_scheme SAL_FN(sal_ode23t) = {words, start, trial, advance, retry, dense};

#if SAL_LANES == 1
SAL_DECLARE_SCHEMES(ode23t)
const sal_method sal_ode23t = {
    .name      = "ode23t",
    .title     = "trapezoidal rule with a free interpolant",
    .source    = "doi:10.1137/S003614459933425X",
    .order     = 2,
    .min_order = 2,
    .implicit  = true,
    SAL_SCHEMES(ode23t),
};
#endif
