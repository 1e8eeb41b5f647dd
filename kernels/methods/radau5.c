/** Radau IIA of order 5, for stiff systems and for M dy/dt = f(t, y) with a constant matrix M, which
 *  may be singular.  Hairer & Wanner, Solving Ordinary Differential Equations II, 2nd ed., section
 *  IV.8 (the program RADAU5).
 *
 *  The increments z_i = Y_i - y of the stages at c = (4 - sqrt 6, 4 + sqrt 6, 10) / 10 solve
 *  M z = h (A (x) I) f(Y).  With T^-1 A^-1 T = diag(gamma, [alpha -beta; beta alpha]) and w = T^-1 z
 *  one simplified Newton iteration is one real and one complex system,
 *
 *    (M - h g J) dw_1 = h g (T^-1 f)_1 - M w_1,                 g = 1 / gamma,
 *    (M - h m J) dw_c = h m (T^-1 f)_c - M w_c,  w_c = w_2 + i w_3,  m = 1 / (alpha + i beta),
 *
 *  and yn = y + z_3.  The cubic through y and the stages is the dense output, and the starting values
 *  of the step after it; it is of order 4, so events are met by repeating the step.  J is kept for as
 *  long as the iteration converges at rate 1e-3.
 *
 *  The error g (M - h g J)^-1 (h f(t, y) + M (e, z)) is of order 3, so that errors between
 *  steps, of order 4, are proportional to the tolerance.  Component i of differential index k is
 *  measured in h^(k-1).
 */
#include "jacobian.h"
#include "newton.h"
#include "sizes.h"
#include "start.h"

enum { STAGES = 3, MAX_ITERATION = 7, N_SINGLE = 8 };
static const double c[STAGES] = {0.15505102572168219018, 0.64494897427831780982, 1};
static const double T[STAGES][STAGES] = {
    {0.091232394870892942792, -0.14125529502095420843, -0.030029194105147424492},
    {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
    {0.96604818261509293619, 1, 0}};
static const double inverse_T[STAGES][STAGES] = {
    {4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
    {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
    {-0.50287263494578687605, 2.5719269498556054292, -0.59603920482822492497}};
static const double g_real = 0.27488882959567736775; /* g, and m = m_real - i m_imag */
static const double m_real = 0.16255558520216131613;
static const double m_imag = 0.18494932440714078428;
static const double e[STAGES] = {-10.048809399827415562, 1.3821427331607488958, -1.0 / 3};
static const double converges = 1e-3; /* a rate at which J is kept */

typedef struct {
  sal_v *z, *w, *g;           /* [3][n] increments, transformed; scratch */
  sal_v *now, *past;          /* [3][n] the cubic in (t - tn) / h, of this step and the last one */
  sal_v *f, *err;             /* [n] f at (t, y); scratch */
  sal_v *M, *E, *re, *im;     /* [n][row] mass; the real and the complex matrix, factorised */
  sal_m *piv, *piv_c, *spare; /* [n][row] */
  sal_v *h_lu, *rate;         /* of these factors; 0: none yet, < 0: not yet known */
  sal_v *h_past, *error_past; /* of the last accepted step; 0: there is none */
  sal_v *error, *shrink, *count; /* of this step: error, h over the size wished next, iterations */
  sal_m *fresh;                  /* lanes whose J is from this (t, y) */
} radau;

static int words(int n, int row) { return n * (5 * STAGES + 2 + 7 * row) + N_SINGLE; }

static radau radau_of(const sal_step_state *s)
{
  const int n = s->n, part = STAGES * n, size = n * sal_matrix_row(n, s);
  sal_v *vector = s->mem, *matrix = vector + 5 * part + 2 * n, *single = matrix + 7 * size;

  return (radau){.z = vector,
                 .w = vector + part,
                 .g = vector + 2 * part,
                 .now = vector + 3 * part,
                 .past = vector + 4 * part,
                 .f = vector + 5 * part,
                 .err = vector + 5 * part + n,
                 .M = matrix,
                 .E = matrix + size,
                 .re = matrix + 2 * size,
                 .im = matrix + 3 * size,
                 .piv = (sal_m *)(void *)(matrix + 4 * size),
                 .piv_c = (sal_m *)(void *)(matrix + 5 * size),
                 .spare = (sal_m *)(void *)(matrix + 6 * size),
                 .h_lu = single,
                 .rate = single + 1,
                 .h_past = single + 2,
                 .error_past = single + 3,
                 .error = single + 4,
                 .shrink = single + 5,
                 .count = single + 6,
                 .fresh = (sal_m *)(void *)(single + 7)};
}

/* out = M x */
SAL_INLINE void radau_weigh(int n, const sal_step_state *s, const radau *m, const sal_v x[],
                            sal_v out[])
{
  for (int i = 0; i < n; ++i) {
    out[i] = x[i];
    if (!s->flow->mass) continue;
    out[i] = sal_set(0);
    for (int j = 0; j < n; ++j) out[i] += m->M[i * n + j] * x[j];
  }
}

/* The two matrices at step h as bands, factorised: such a model has the mass 1. */
static void radau_factorise_bands(const sal_step_state *s, const radau *m, sal_v h)
{
  sal_linear_band_form(&s->band, 1, -(h * g_real), s->J, m->E);
  sal_linear_band_form(&s->band, 1, -(h * m_real), s->J, m->re);
  sal_linear_band_form(&s->band, 0, h * m_imag, s->J, m->im);
  sal_linear_band_factorise(&s->band, m->E, m->piv);
  sal_linear_band_factorise_complex(&s->band, m->re, m->im, m->piv_c);
}

static void radau_factorise_full(const sal_step_state *s, const radau *m, sal_v h)
{
  const int n = s->n;

  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int at = i * n + j;
      const sal_v M = s->flow->mass ? m->M[at] : sal_set(i == j ? 1 : 0);
      m->E[at] = M - h * g_real * s->J[at];
      m->re[at] = M - h * m_real * s->J[at];
      m->im[at] = h * m_imag * s->J[at];
    }
  sal_linear_factorise(n, m->E, m->piv);
  sal_linear_factorise_complex(n, m->re, m->im, m->piv_c);
}

/* Factors of the same J and h are the same bits, so they may be formed again in every lane; steps
 * that differ by the rounding of t alone share them. */
static void radau_factorise(sal_step_state *s, sal_m lanes, const radau *m)
{
  const sal_m need = lanes & sal_gt(sal_abs(s->h - *m->h_lu), sal_lane_spacing(s->tn));

  if (!sal_any(need)) return;
  *m->h_lu = sal_sel(need, s->h, *m->h_lu);
  *m->rate = sal_sel(need, sal_set(-1), *m->rate);
  if (sal_matrix_is_band(s->n, s))
    radau_factorise_bands(s, m, *m->h_lu);
  else
    radau_factorise_full(s, m, *m->h_lu);
  sal_method_count_lu(s, need, 1 + 4);
}

/* out = A x for the three parts of the stages, n apart; out may be x. */
SAL_INLINE void radau_transform(int n, const double A[][STAGES], const sal_v x[], sal_v out[])
{
  for (int i = 0; i < n; ++i) {
    const sal_v a = x[i], b = x[n + i], d = x[2 * n + i];
    for (int k = 0; k < STAGES; ++k) out[k * n + i] = A[k][0] * a + A[k][1] * b + A[k][2] * d;
  }
}

/* A size in units of h^(index-1): higher indices are less well conditioned by as much. */
SAL_INLINE sal_v radau_size(const sal_step_state *s, int i, sal_v x)
{
  for (int k = s->model ? s->model->state[i].index : 1; k > 1; --k) x *= s->h;
  return sal_abs(x);
}

/* The starting values: the last cubic extrapolated; 0 in a first step. */
SAL_INLINE void radau_predict(int n, sal_step_state *s, sal_m lanes, const radau *m)
{
  const sal_m known = sal_gt(*m->h_past, sal_set(0));
  const sal_v ratio = s->h / sal_sel(known, *m->h_past, sal_set(1));

  for (int k = 0; k < STAGES; ++k)
    for (int i = 0; i < n; ++i) {
      const sal_v x = c[k] * ratio;
      const sal_v z = x * (m->past[i] + x * (m->past[n + i] + x * m->past[2 * n + i]));
      m->z[k * n + i] = sal_sel(lanes, sal_sel(known, z, sal_set(0)), m->z[k * n + i]);
    }
  radau_transform(n, inverse_T, m->z, m->w);
}

/* x [n] = E^-1 x */
SAL_INLINE void radau_solve(int n, const sal_step_state *s, const radau *m, sal_v x[])
{
  if (sal_matrix_is_band(n, s))
    sal_linear_band_solve(&s->band, m->E, m->piv, x);
  else
    sal_linear_solve(n, m->E, m->piv, x);
}

/* One correction in the lanes still at work; returns its weighted size. */
SAL_INLINE sal_v radau_correct(int n, sal_step_state *s, sal_m todo, const radau *m)
{
  const sal_v h = s->h; /* that of the factors differs by rounding */
  sal_norm norm = sal_norm_none();

  for (int k = 0; k < STAGES; ++k) {
    for (int i = 0; i < n; ++i) m->err[i] = s->y[i] + m->z[k * n + i];
    sal_method_rhs(s, todo, k == STAGES - 1 ? s->tn : s->t + c[k] * s->h, m->err, m->g + k * n);
  }
  radau_transform(n, inverse_T, m->g, m->g);
  sal_v *const re = m->g + n, *const im = m->g + 2 * n;
  radau_weigh(n, s, m, m->w, m->err);
  for (int i = 0; i < n; ++i) m->g[i] = h * g_real * m->g[i] - m->err[i];
  for (int i = 0; i < n; ++i) {
    const sal_v x = re[i], y = im[i];
    re[i] = h * (m_real * x + m_imag * y);
    im[i] = h * (m_real * y - m_imag * x);
  }
  radau_weigh(n, s, m, m->w + n, m->err);
  for (int i = 0; i < n; ++i) re[i] -= m->err[i];
  radau_weigh(n, s, m, m->w + 2 * n, m->err);
  for (int i = 0; i < n; ++i) im[i] -= m->err[i];
  radau_solve(n, s, m, m->g);
  if (sal_matrix_is_band(n, s))
    sal_linear_band_solve_complex(&s->band, m->re, m->im, m->piv_c, re, im);
  else
    sal_linear_solve_complex(n, m->re, m->im, m->piv_c, re, im);
  sal_method_count_solve(s, todo, 1 + 4);
  for (int i = 0; i < STAGES * n; ++i) {
    const sal_v end = s->y[i % n] + m->z[2 * n + i % n];
    sal_norm_add(&norm, radau_size(s, i % n, m->g[i]),
                 sal_max(sal_max(sal_abs(s->y[i % n]), sal_abs(end)), s->thr[i % n]));
    m->w[i] = sal_sel(todo, m->w[i] + m->g[i], m->w[i]);
  }
  radau_transform(n, T, m->w, m->g);
  sal_assign(STAGES * n, todo, m->z, m->g);
  return sal_norm_ratio(&norm, sal_set(1), 1);
}

/* Solves for the stages; returns the lanes that converged.  The rate by which a first correction may do
 * comes from the last solve with these factors and counts for less each time it is used. */
SAL_INLINE sal_m radau_iterate(int n, sal_step_state *s, sal_m lanes, const radau *m)
{
  const double share = sqrt(s->rtol);
  const double goal = s->rtol * (share < 0.03 ? share : 0.03) + 0x1p-52;
  const sal_m known = lanes & sal_ge(*m->rate, sal_set(0));
  const sal_v older = sal_lane_rough_pow(sal_max(*m->rate, sal_set(0x1p-52)), 0.8);
  sal_newton_run run = {lanes, sal_none(), sal_set(0)};

  radau_predict(n, s, lanes, m);
  *m->rate = sal_sel(known, older, *m->rate);
  *m->count = sal_sel(lanes, sal_set(0), *m->count);
  for (int k = 1; k <= MAX_ITERATION && sal_any(run.todo); ++k) {
    *m->count = sal_sel(run.todo, *m->count + 1.0, *m->count);
    const sal_v size = radau_correct(n, s, run.todo, m);
    sal_newton_judge(&run, k, MAX_ITERATION, size, goal, goal, m->rate);
    if (k == 1) *m->rate = sal_sel(run.todo, sal_set(-1), *m->rate);
  }
  return run.converged;
}

static sal_m radau_stages(sal_step_state *s, sal_m lanes, const radau *m)
{
  return SAL_SIZES_CALL(radau_iterate, s->n, s, lanes, m);
}

static void radau_renew_jacobian(sal_step_state *s, sal_m lanes, const radau *m)
{
  sal_jacobian_form_from(s, lanes, m->f);
  *m->fresh |= lanes;
  *m->h_lu = sal_sel(lanes, sal_set(0), *m->h_lu);
}

/* The cubic through y and the stages, in powers of (t - tn) / h; divided differences from tn on. */
static void radau_interpolate(const sal_step_state *s, const radau *m)
{
  const int n = s->n;
  const double a = c[1] - 1, b = c[0] - 1;

  for (int i = 0; i < n; ++i) {
    const sal_v z1 = m->z[i], z2 = m->z[n + i], z3 = m->z[2 * n + i];
    const sal_v last = (z2 - z3) / a, middle = (z1 - z2) / (c[0] - c[1]);
    const sal_v second = (middle - last) / b;
    const sal_v third = second - (middle - z1 / c[0]) / c[1];
    m->now[i] = last - a * second + a * b * third;
    m->now[n + i] = second - (a + b) * third;
    m->now[2 * n + i] = third;
  }
}

/* The error from the slope f at the beginning, in units of the tolerance; leaves it in err [n]. */
static sal_v radau_error(sal_step_state *s, sal_m lanes, const radau *m, const sal_v f[])
{
  const int n = s->n;
  sal_norm norm = sal_norm_none();

  for (int i = 0; i < n; ++i)
    m->g[i] = e[0] * m->z[i] + e[1] * m->z[n + i] + e[2] * m->z[2 * n + i];
  radau_weigh(n, s, m, m->g, m->g + n);
  for (int i = 0; i < n; ++i) m->err[i] = g_real * (s->h * f[i] + m->g[n + i]);
  radau_solve(n, s, m, m->err);
  sal_method_count_solve(s, lanes, 1);
  for (int i = 0; i < n; ++i)
    sal_norm_add(&norm, radau_size(s, i, m->err[i]),
                 sal_max(sal_max(sal_abs(s->y[i]), sal_abs(s->yn[i])), s->thr[i]));
  return sal_norm_ratio(&norm, sal_set(1), s->rtol);
}

/* x, but at least 1/8 and at most 5; a NaN is the worst. */
static sal_v radau_limit(sal_v x)
{
  return sal_sel(sal_lt(x, sal_set(5)), sal_max(x, sal_set(0.125)), sal_set(5));
}

/* In a first or repeated step an error found too large is filtered once more: a stiff component that
 * is not yet at rest looks worse than it is (IV.8.20). */
static sal_m radau_test(sal_step_state *s, sal_m lanes, const radau *m)
{
  const int n = s->n;
  const sal_m first = sal_eq(*m->h_past, sal_set(0));
  sal_v err = radau_error(s, lanes, m, m->f);
  const sal_m twice = lanes & (first | s->again) & ~sal_lt(err, sal_set(1));

  if (sal_any(twice)) {
    sal_v *const slope = m->g + 2 * n;
    for (int i = 0; i < n; ++i) m->err[i] += s->y[i];
    sal_method_rhs(s, twice, s->t, m->err, slope);
    err = sal_sel(twice, radau_error(s, twice, m, slope), err);
  }
  const sal_v safety = sal_min(sal_set(0.9), 13.5 / (*m->count + 14.0));
  const sal_m ok = lanes & sal_lt(err, sal_set(1)), fails = lanes & ~ok;
  const sal_v shrink = radau_limit(sal_sqrt(sal_sqrt(err)) / safety);
  *m->error = sal_sel(lanes, err, *m->error);
  *m->shrink = sal_sel(lanes, shrink, *m->shrink);
  s->absh = sal_sel(fails, sal_max(sal_sel(first, 0.1 * s->h, s->h / shrink), s->hmin), s->absh);
  return ok;
}

static sal_m step(sal_step_state *s, sal_m lanes)
{
  const int n = s->n;
  const radau m = radau_of(s);

  radau_factorise(s, lanes, &m);
  sal_m solved = radau_stages(s, lanes, &m);
  const sal_m renew = lanes & ~solved & ~*m.fresh;
  if (sal_any(renew)) {
    sal_count(&s->n_renewed, renew, 1);
    radau_renew_jacobian(s, renew, &m);
    radau_factorise(s, renew, &m);
    solved |= radau_stages(s, renew, &m);
  }
  s->absh = sal_sel(lanes & ~solved, sal_max(0.5 * s->h, s->hmin), s->absh);
  radau_interpolate(s, &m);
  for (int i = 0; i < n; ++i) {
    s->yn[i] = s->y[i] + m.z[2 * n + i];
    s->fn[i] = sal_sel(sal_gt(s->h, sal_set(0)), m.now[i] / s->h, s->f[i]);
  }
  return s->fixed > 0 ? solved : radau_test(s, solved, &m);
}

/* The size of the next step by the last two errors (Gustafsson, ACM TOMS 20 (1994) 496-517); small
 * growth is not worth new factors. */
static void radau_grow(sal_step_state *s, sal_m lanes, const radau *m, sal_m converges_well)
{
  const sal_m two = sal_gt(*m->error_past, sal_set(0));
  const sal_v gain = *m->h_past / s->h * sal_sqrt(sal_sqrt(*m->error * *m->error / *m->error_past));
  const sal_v shrink = sal_sel(two, sal_max(*m->shrink, radau_limit(gain / 0.9)), *m->shrink);
  const sal_v wish = sal_sel(s->again, sal_min(s->h / shrink, s->h), s->h / shrink);
  const sal_m stay = converges_well & sal_ge(wish, s->h) & sal_le(wish, 1.2 * s->h);

  s->absh = sal_sel(lanes, sal_sel(stay, s->h, wish), s->absh);
  *m->error_past = sal_sel(lanes, sal_max(*m->error, sal_set(0.01)), *m->error_past);
}

static void advance(sal_step_state *s, sal_m lanes)
{
  const int n = s->n;
  const radau m = radau_of(s);
  const sal_m well = sal_le(*m.rate, sal_set(converges)) | sal_eq(*m.count, sal_set(1));

  sal_assign(n, lanes, s->f, s->fn);
  if (s->fixed > 0)
    sal_control_fix(s, lanes);
  else
    radau_grow(s, lanes, &m, well);
  sal_assign(STAGES * n, lanes, m.past, m.now);
  *m.h_past = sal_sel(lanes, s->h, *m.h_past);
  *m.fresh &= ~lanes;
  sal_method_rhs(s, lanes, s->t, s->y, s->fn);
  sal_assign(n, lanes, m.f, s->fn);
  if (sal_any(lanes & ~well)) radau_renew_jacobian(s, lanes & ~well, &m);
}

/* With a mass matrix the slope is that of an implicit Euler step as short as the first step will be:
 * (M - h J) dy/dt = f + h df/dt gives the algebraic states theirs as well. */
static void radau_first_slope(sal_step_state *s, sal_m lanes, const radau *m)
{
  const int n = s->n;
  const sal_v h = s->absh;

  s->flow->mass(&s->phase, m->M);
  for (int i = 0; i < n * n; ++i) s->J_new[i] = m->M[i] - h * s->J[i];
  for (int i = 0; i < n; ++i) m->g[i] = m->f[i] + h * s->T[i];
  sal_linear_factorise(n, s->J_new, m->spare);
  sal_linear_solve(n, s->J_new, m->spare, m->g);
  sal_method_count_lu(s, lanes, 1);
  sal_method_count_solve(s, lanes, 1);
  sal_assign(n, lanes, s->f, m->g);
}

static void start(sal_step_state *s, sal_m lanes)
{
  const radau m = radau_of(s);

  sal_start_stiff(s, lanes, 1.0 / 4);
  sal_assign(s->n, lanes, m.f, s->f);
  if (s->flow->mass) radau_first_slope(s, lanes, &m);
  *m.h_lu = sal_sel(lanes, sal_set(0), *m.h_lu);
  *m.rate = sal_sel(lanes, sal_set(-1), *m.rate);
  *m.h_past = sal_sel(lanes, sal_set(0), *m.h_past);
  *m.error_past = sal_sel(lanes, sal_set(0), *m.error_past);
  *m.fresh |= lanes;
}

static void retry(sal_step_state *s, sal_m lanes) { (void)s, (void)lanes; }

static int dense(sal_step_state *s, sal_v out[])
{
  const radau m = radau_of(s);

  for (int i = 0; i < s->n; ++i) out[i] = s->yn[i];
  for (int i = 0; i < STAGES * s->n; ++i) out[s->n + i] = m.now[i];
  return STAGES;
}

const sal_method_ops SAL_FN(sal_radau5) = {SAL_METHOD_STEPS};

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(radau5)
const sal_method sal_radau5 = {
    .name = "radau5",
    .title = "implicit Runge-Kutta of order 5, Radau IIA",
    .source = "Hairer, Wanner, Solving ODEs II, doi:10.1007/978-3-642-05221-7, section IV.8",
    .order = 5,
    .min_order = 5,
    .dense_order = 4,
    .implicit = true,
    .mass = true,
    .restep = true,
    .origin = 1,
    SAL_METHOD_OPS(radau5),
};
#endif
