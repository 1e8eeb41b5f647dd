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
#include "start.h"

enum { Z, ZN, BASE, BEND, E, N_VECTOR };

static int words(int n) { return N_VECTOR * n + 1 + sal_newton_words(n); }

static sal_v *ode23t_vector(const sal_step_state *s, int which) { return s->mem + which * s->n; }

static sal_v *ode23t_previous(const sal_step_state *s) { return s->mem + N_VECTOR * s->n; }

static sal_newton ode23t_newton(const sal_step_state *s)
{
  return sal_newton_split(s->n, s->mem + N_VECTOR * s->n + 1);
}

static void start(sal_step_state *s, sal_m lanes)
{
  const int        n    = s->n;
  const sal_newton nw   = ode23t_newton(s);
  sal_v           *bend = ode23t_vector(s, BEND);

  sal_start_stiff(s, lanes, 1.0 / 3);
  sal_newton_reset(&nw, lanes);
  *ode23t_previous(s) = sal_sel(lanes, sal_set(0), *ode23t_previous(s));
  for (int i = 0; i < n; ++i) {
    sal_v curvature = s->T[i];
    for (int j = 0; j < n; ++j) curvature += s->J[i * n + j] * s->f[j];
    bend[i] = sal_sel(lanes, curvature, bend[i]);
  }
}

static void retry(sal_step_state *s, sal_m lanes) { (void)s, (void)lanes; }

static sal_m ode23t_stages(sal_step_state *s, sal_m lanes)
{
  const int        n  = s->n;
  const sal_newton nw = ode23t_newton(s);
  sal_v *z = ode23t_vector(s, Z), *zn = ode23t_vector(s, ZN), *base = ode23t_vector(s, BASE),
        *bend = ode23t_vector(s, BEND);

  for (int i = 0; i < n; ++i) {
    base[i] = s->y[i] + 0.5 * z[i];
    zn[i]   = sal_sel(lanes, s->h * (s->f[i] + s->h * bend[i]), zn[i]);
  }
  return sal_newton_solve(s, lanes, &nw, 0.5, s->tn, base, zn);
}

static sal_m step(sal_step_state *s, sal_m lanes)
{
  const int        n  = s->n;
  const sal_newton nw = ode23t_newton(s);
  const sal_v      h  = s->h;
  const sal_v      hp = sal_sel(sal_gt(*ode23t_previous(s), sal_set(0)), *ode23t_previous(s), h);
  sal_v *z = ode23t_vector(s, Z), *zn = ode23t_vector(s, ZN), *bend = ode23t_vector(s, BEND),
        *e = ode23t_vector(s, E);

  for (int i = 0; i < n; ++i) z[i] = h * s->f[i];
  const sal_m solved = sal_newton_step(s, lanes, &nw, 0.5, ode23t_stages);
  for (int i = 0; i < n; ++i) {
    s->yn[i] = s->y[i] + 0.5 * z[i] + 0.5 * zn[i];
    s->fn[i] = zn[i] / h;
    e[i]     = h * h * h / 6.0 * ((s->fn[i] - s->f[i]) / h - bend[i]) / (h + hp);
  }
  return sal_newton_test(s, solved, &nw, e);
}

static void advance(sal_step_state *s, sal_m lanes)
{
  const sal_newton nw   = ode23t_newton(s);
  sal_v           *bend = ode23t_vector(s, BEND);

  for (int i = 0; i < s->n; ++i) bend[i] = sal_sel(lanes, (s->fn[i] - s->f[i]) / s->h, bend[i]);
  *ode23t_previous(s) = sal_sel(lanes, s->h, *ode23t_previous(s));
  sal_assign(s->n, lanes, s->f, s->fn);
  sal_newton_grow(s, lanes, &nw);
}

static int dense(sal_step_state *s, sal_v c[])
{
  const int    n = s->n;
  const sal_v *z = ode23t_vector(s, Z), *zn = ode23t_vector(s, ZN);

  for (int i = 0; i < n; ++i) {
    const sal_v rest = s->yn[i] - s->y[i] - z[i], turn = zn[i] - z[i];
    c[i]         = s->y[i];
    c[n + i]     = z[i];
    c[2 * n + i] = 3.0 * rest - turn;
    c[3 * n + i] = turn - 2.0 * rest;
  }
  return 3;
}

const sal_method_ops SAL_FN(sal_ode23t) = {.words   = words,
                                           .start   = start,
                                           .step    = step,
                                           .advance = advance,
                                           .retry   = retry,
                                           .dense   = dense};

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(ode23t)
const sal_method sal_ode23t = {
    .name      = "ode23t",
    .title     = "trapezoidal rule with a free interpolant",
    .source    = "doi:10.1137/S003614459933425X",
    .order     = 2,
    .min_order = 2,
    .implicit  = true,
    SAL_METHOD_OPS(ode23t),
};
#endif
