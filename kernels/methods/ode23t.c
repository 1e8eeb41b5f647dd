/** Trapezoidal rule with the free cubic Hermite dense output.  Shampine, Reichelt & Kierzenka, SIAM
 *  Review 41 (1999) 538-552.  With scaled slopes z = h f:
 *
 *    yn = y + z / 2 + zn / 2,   local error -(h^3 / 12) y''',
 *    y''' = 2 ((fn - f) / h - (f - fp) / hp) / (h + hp),
 *
 *  where fp is the slope one accepted step hp back.  `bend` holds (f - fp) / hp; in a first step it
 *  is y'' = df/dt + J f, and hp = h.
 *  Own memory: z, zn, bend [n] each, hp (0: first step), then Newton's.
 */
#include "newton.h"
#include "sizes.h"
#include "start.h"

enum { Z, ZN, BEND, N_VECTOR };

static int words(int n, int row) { return N_VECTOR * n + 1 + sal_newton_words(n, row); }

SAL_INLINE sal_v *ode23t_vector(int n, const sal_step_state *s, int which)
{
  return s->mem + which * n;
}

SAL_INLINE sal_v *ode23t_previous(int n, const sal_step_state *s) { return s->mem + N_VECTOR * n; }

SAL_INLINE sal_newton ode23t_newton(int n, const sal_step_state *s)
{
  return sal_newton_split(n, s, s->mem + N_VECTOR * n + 1);
}

static void start(sal_step_state *s, sal_m lanes)
{
  const int n = s->n;
  const sal_newton nw = ode23t_newton(n, s);
  sal_v *bend = ode23t_vector(n, s, BEND);

  sal_start_stiff(s, lanes, 1.0 / 3);
  sal_newton_reset(&nw, lanes);
  *ode23t_previous(n, s) = sal_sel(lanes, sal_set(0), *ode23t_previous(n, s));
  for (int i = 0; i < n; ++i) s->fn[i] = s->T[i];
  sal_matrix_times(n, s, s->f, s->fn);
  sal_assign(n, lanes, bend, s->fn);
}

static void retry(sal_step_state *s, sal_m lanes) { (void)s, (void)lanes; }

SAL_INLINE sal_m ode23t_stages(int n, sal_step_state *s, sal_m lanes)
{
  const sal_newton nw = ode23t_newton(n, s);
  const sal_v *bend = ode23t_vector(n, s, BEND), h = s->h;
  sal_v *zn = ode23t_vector(n, s, ZN), base[SAL_MAX_STATE];

  for (int i = 0; i < n; ++i) {
    base[i] = s->y[i] + 0.5 * (h * s->f[i]);
    zn[i] = sal_sel(lanes, h * (s->f[i] + h * bend[i]), zn[i]);
  }
  return sal_newton_solve(n, s, lanes, &nw, 0.5, s->tn, base, zn);
}

SAL_INLINE sal_m ode23t_step(int n, sal_step_state *s, sal_m lanes)
{
  const sal_newton nw = ode23t_newton(n, s);
  const sal_v h = s->h;
  const sal_v hp = sal_sel(sal_gt(*ode23t_previous(n, s), sal_set(0)), *ode23t_previous(n, s), h);
  const sal_m solved = sal_newton_step(n, s, lanes, &nw, 0.5, ode23t_stages);
  const sal_v *zn = ode23t_vector(n, s, ZN), *bend = ode23t_vector(n, s, BEND);
  sal_v *z = ode23t_vector(n, s, Z), e[SAL_MAX_STATE];

  for (int i = 0; i < n; ++i) {
    z[i] = h * s->f[i];
    s->yn[i] = s->y[i] + 0.5 * z[i] + 0.5 * zn[i];
    s->fn[i] = zn[i] / h;
    e[i] = h * h * h / 6.0 * ((s->fn[i] - s->f[i]) / h - bend[i]) / (h + hp);
  }
  return sal_newton_test(n, s, solved, &nw, e);
}

static sal_m step(sal_step_state *s, sal_m lanes)
{
  return SAL_SIZES_CALL(ode23t_step, s->n, s, lanes);
}

SAL_INLINE void ode23t_advance(int n, sal_step_state *s, sal_m lanes)
{
  const sal_newton nw = ode23t_newton(n, s);
  sal_v *bend = ode23t_vector(n, s, BEND);

  for (int i = 0; i < n; ++i) {
    bend[i] = sal_sel(lanes, (s->fn[i] - s->f[i]) / s->h, bend[i]);
    s->f[i] = sal_sel(lanes, s->fn[i], s->f[i]);
  }
  *ode23t_previous(n, s) = sal_sel(lanes, s->h, *ode23t_previous(n, s));
  sal_newton_grow(s, lanes, &nw);
}

static void advance(sal_step_state *s, sal_m lanes)
{
  SAL_SIZES_CALL(ode23t_advance, s->n, s, lanes);
}

static int dense(sal_step_state *s, sal_v c[])
{
  const int n = s->n;
  const sal_v *z = ode23t_vector(n, s, Z), *zn = ode23t_vector(n, s, ZN);

  for (int i = 0; i < n; ++i) {
    const sal_v rest = s->yn[i] - s->y[i] - z[i], turn = zn[i] - z[i];
    c[i] = s->y[i];
    c[n + i] = z[i];
    c[2 * n + i] = 3.0 * rest - turn;
    c[3 * n + i] = turn - 2.0 * rest;
  }
  return 3;
}

const sal_method_ops SAL_FN(sal_ode23t) = {SAL_METHOD_STEPS};

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(ode23t)
const sal_method sal_ode23t = {
    .name = "ode23t",
    .title = "trapezoidal rule with a free interpolant",
    .source = "doi:10.1137/S003614459933425X",
    .order = 2,
    .min_order = 2,
    .implicit = true,
    SAL_METHOD_OPS(ode23t),
};
#endif
