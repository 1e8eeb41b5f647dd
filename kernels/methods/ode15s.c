/** Numerical differentiation formulas of order 1 to 5, quasi-constant step, for stiff systems.
 *
 *  Shampine & Reichelt, SIAM J. Sci. Comput. 18 (1997) 1-22, section 2.  With backward differences
 *  D^m y at constant step h, gamma_k = sum 1/j and prediction yp, order k solves
 *
 *    sum_m D^m y_n+1 / m = h f(t_n+1, y_n+1) + kappa_k gamma_k (y_n+1 - yp),   yp = sum_m D^m y_n
 *
 *  by simplified Newton iterations for d = y_n+1 - yp.  A change of h is a linear map of the
 *  differences and a new factorisation of I - h J / (gamma_k (1 - kappa_k)); J is kept for as long
 *  as the iteration converges.
 *
 *  Each lane has its own order, step and factors.
 */
#include "differences.h"
#include "jacobian.h"
#include "lane_math.h"
#include "matrix.h"
#include "norm.h"
#include "sizes.h"
#include "start.h"

enum { TOP = SAL_DIFFERENCES_TOP };

typedef struct {
  sal_m k, constant;     /* order; steps with this k and h so far */
  sal_v h;               /* the step the differences belong to */
  sal_v h_lu;            /* h / (gamma_k (1 - kappa_k)) of the factors */
  sal_v rate;            /* of convergence, seen with these factors; 0: not known yet */
  sal_m factored, fresh; /* the factors fit h, k and J; J was formed at this (t, y) */
  sal_m failed;          /* this step has failed an error test */
} ndf;

/* Memory, for n states: theirs [n], and the factors [n][row]. */
typedef struct {
  ndf *a;
  sal_differences_row *D;
  sal_v *weight, *LU;
  sal_m *piv;
} ndf_memory;

/* By order: gamma_k, the scale 1 / (gamma_k (1 - kappa_k)) of h f in the formula, and the constant
 * kappa_k gamma_k + 1 / (k + 1) of the local error in D^k+1 y. */
#define KAPPA(formula)                                                                             \
  {                                                                                                \
    0, formula(1, 1.0, -0.1850), formula(2, 3.0 / 2, -1.0 / 9), formula(3, 11.0 / 6, -0.0823),     \
        formula(4, 25.0 / 12, -0.0415), formula(5, 137.0 / 60, 0), 0                               \
  }
#define GAMMA(k, gamma, kappa) (gamma)
#define SCALE(k, gamma, kappa) (1 / ((gamma) * (1 - (kappa))))
#define ERROR(k, gamma, kappa) ((kappa) * (gamma) + 1.0 / ((k) + 1))
static const double gammas[TOP + 2] = KAPPA(GAMMA), scales[TOP + 2] = KAPPA(SCALE),
                                 errors[TOP + 2] = KAPPA(ERROR);

static int words(int n, int row)
{
  return (int)(sizeof(ndf) / sizeof(sal_v)) + n * (SAL_DIFFERENCES_ROW + 1) + 2 * n * row;
}

SAL_INLINE ndf_memory ndf_memory_of(int n, const sal_step_state *s)
{
  sal_differences_row *const D = (void *)(s->mem + sizeof(ndf) / sizeof(sal_v));
  sal_v *const rest = D[n];

  return (ndf_memory){(ndf *)(void *)s->mem, D, rest, rest + n,
                      (sal_m *)(void *)(rest + n + n * sal_matrix_row(n, s))};
}

static int ndf_top_order(const sal_step_state *s)
{
  return s->max_order > 0 && s->max_order < TOP ? s->max_order : TOP;
}

/* The first difference from f; the Jacobian is the one of (t, y). */
static void retry(sal_step_state *s, sal_m lanes)
{
  const ndf_memory m = ndf_memory_of(s->n, s);
  ndf *a = m.a;

  sal_orders_put_int(&a->k, lanes, sal_none() + 1);
  sal_orders_put_int(&a->constant, lanes, sal_none());
  sal_orders_put(&a->h, lanes, s->absh);
  sal_orders_put(&a->rate, lanes, sal_set(0));
  a->fresh |= lanes;
  a->factored &= ~lanes;
  a->failed &= ~lanes;
  for (int l = 0; l < s->n; ++l) m.D[l][1] = sal_sel(lanes, s->absh * s->f[l], m.D[l][1]);
}

/* Fixed steps grow from a tiny one, so that the low orders of the start leave no trace. */
static void start(sal_step_state *s, sal_m lanes)
{
  sal_start_stiff(s, lanes, 0.5);
  if (s->fixed > 0) s->absh = sal_sel(lanes, sal_set(0x1p-20 * s->fixed), s->absh);
  retry(s, lanes);
}

/* Another order: other factors. */
SAL_INLINE void ndf_change_order(ndf *a, sal_m lanes, sal_m k)
{
  a->k = sal_pick(lanes, k, a->k);
  a->factored &= ~lanes;
}

/* The differences of steps of the present size. */
SAL_INLINE void ndf_rescale(int n, const sal_step_state *s, sal_m lanes, const ndf_memory *m)
{
  ndf *a = m->a;

  sal_differences_rescale(n, m->D, a->k, lanes, s->h / a->h);
  sal_orders_put(&a->h, lanes, s->h);
  sal_orders_put_int(&a->constant, lanes, sal_none());
  a->factored &= ~lanes;
}

/* Factors of the same J and h are the same bits, so they may be formed again in every lane. */
SAL_INLINE void ndf_factorise(int n, sal_step_state *s, sal_m lanes, const ndf_memory *m, sal_v hk)
{
  ndf *a = m->a;

  a->h_lu = sal_sel(lanes, hk, a->h_lu);
  sal_orders_put(&a->rate, lanes, sal_set(0));
  a->factored |= lanes;
  sal_matrix_shift(n, s, a->h_lu, m->LU);
  sal_matrix_factorise(n, s, m->LU, m->piv);
  sal_method_count_lu(s, lanes, 1);
}

/* The Jacobian at (t, y).  s->f is replaced, being the slope of the interpolant so far. */
static void ndf_renew_jacobian(sal_step_state *s, sal_m lanes, ndf *a)
{
  if (!s->analytic) {
    sal_method_rhs(s, lanes, s->t, s->y, s->fn);
    sal_assign(s->n, lanes, s->f, s->fn);
  }
  sal_jacobian_form(s, lanes);
  a->fresh |= lanes;
  a->factored &= ~lanes;
}

/* |x|_W */
SAL_INLINE sal_v ndf_norm(int n, const sal_v weight[], const sal_v x[])
{
  sal_norm_sizes norm = sal_norm_no_sizes();

  for (int l = 0; l < n; ++l) sal_norm_add_size(&norm, weight[l] * sal_abs(x[l]));
  return sal_norm_size(&norm);
}

/* A step on its way: the iterate, how far it is from the prediction, the known part of the formula; the scale of h f
 * in it, and times h. */
typedef struct {
  sal_v at[SAL_MAX_STATE], d[SAL_MAX_STATE], psi[SAL_MAX_STATE], scale, hk;
} ndf_step;

/* at = prediction, psi = the known part of the formula, d = 0.  Returns |at|_W. */
SAL_INLINE sal_v ndf_predict(int n, const sal_step_state *s, sal_m lanes, const ndf_memory *m,
                             ndf_step *x)
{
  const ndf *a = m->a;
  const int most = sal_differences_most(a->k);
  const sal_m only = sal_orders_only(lanes);
  sal_norm_sizes norm = sal_norm_no_sizes();

  for (int l = 0; l < n; ++l) {
    sal_v y = s->y[l], psi = sal_set(0);
    for (int i = 1; i <= most; ++i) {
      const sal_v term = sal_differences_term(a->k, m->D[l], i);
      y += term;
      psi += gammas[i] * term;
    }
    sal_orders_put(&x->at[l], only, y);
    sal_orders_put(&x->d[l], only, sal_set(0));
    x->psi[l] = psi * x->scale;
    m->weight[l] = 1.0 / sal_max(sal_max(sal_abs(s->y[l]), sal_abs(y)), s->thr[l]);
    sal_norm_add_size(&norm, m->weight[l] * sal_abs(y));
  }
  return sal_norm_size(&norm);
}

/* One iteration; returns the size of the change. */
SAL_INLINE sal_v ndf_iterate(int n, sal_step_state *s, sal_m lanes, const ndf_memory *m,
                             ndf_step *x)
{
  sal_v slope[SAL_MAX_STATE], delta[SAL_MAX_STATE];

  sal_method_rhs(s, lanes, s->tn, x->at, slope);
  for (int l = 0; l < n; ++l) delta[l] = x->hk * slope[l] - (x->psi[l] + x->d[l]);
  sal_matrix_substitute(n, s, m->LU, m->piv, delta);
  sal_method_count_solve(s, lanes, 1);
  for (int l = 0; l < n; ++l) {
    sal_orders_put(&x->d[l], lanes, x->d[l] + delta[l]);
    sal_orders_put(&x->at[l], lanes, x->at[l] + delta[l]);
  }
  return ndf_norm(n, m->weight, delta);
}

/* Lanes at work, and those that have converged; the last change, and one of mere rounding. */
typedef struct {
  sal_m todo, converged;
  sal_v last, least;
} ndf_run;

/* Judges a change of `size` after which `left` more may be tried.  The rate is kept also when the second
 * change is mere rounding, as in flight, where f is linear and J nearly exact. */
SAL_INLINE void ndf_judge(ndf_run *run, sal_v size, int left, double rtol, sal_v *rate)
{
  const sal_m seen = run->todo & sal_gt(run->last, sal_set(0)), first = run->todo & ~seen;
  sal_m done = run->todo & sal_le(size, run->least), bad = sal_none();

  if (sal_any(seen)) {
    bad = seen & ~sal_le(size, 0.9 * run->last);
    *rate = sal_sel(seen & ~bad, sal_max(0.9 * *rate, size / run->last), *rate);
    bad &= ~done;
  }
  run->last = size;
  if (sal_any(run->todo & ~(done | bad))) {
    const sal_v error = size * *rate / (1.0 - *rate);
    if (sal_any(first)) {
      const sal_m finite = sal_lt(size, sal_set(INFINITY));
      done |= first & finite & sal_gt(*rate, sal_set(0)) & sal_le(error, sal_set(0.05 * rtol));
      bad |= first & ~finite;
    }
    if (sal_any(seen)) {
      sal_v final = error;
      for (int i = 0; i < left; ++i) final *= *rate;
      done |= seen & ~bad & sal_le(error, sal_set(0.5 * rtol));
      bad |= seen & sal_lt(sal_set(0.5 * rtol), final);
    }
  }
  run->converged |= done;
  run->todo &= ~(done | bad);
}

/* Lanes in which the iteration has converged; in the others it is too slow, or foreseen to be. */
SAL_INLINE sal_m ndf_newton(int n, sal_step_state *s, sal_m lanes, const ndf_memory *m, ndf_step *x)
{
  ndf_run run = {.todo = lanes, .converged = sal_none(), .last = sal_set(0)};

  run.least = 100 * 0x1p-52 * ndf_predict(n, s, lanes, m, x);
  for (int left = (s->fixed > 0 ? 20 : 4) - 1; left >= 0 && sal_any(run.todo); --left)
    ndf_judge(&run, ndf_iterate(n, s, run.todo, m, x), left, s->rtol, &m->a->rate);
  return run.converged;
}

/* Solves for the step; returns the lanes that could.  A failure with an old Jacobian renews it, one
 * with a fresh Jacobian shortens the step. */
SAL_INLINE sal_m ndf_solve(int n, sal_step_state *s, sal_m lanes, const ndf_memory *m, ndf_step *x)
{
  ndf *a = m->a;
  sal_m ok = sal_none(), todo = lanes;

  if (sal_any(todo & ~a->factored)) ndf_factorise(n, s, todo & ~a->factored, m, x->hk);
  for (;;) {
    ok |= ndf_newton(n, s, todo, m, x);
    todo &= ~ok & ~a->fresh;
    if (!sal_any(todo)) break;
    sal_count(&s->n_renewed, todo, 1);
    ndf_renew_jacobian(s, todo, a);
    ndf_factorise(n, s, todo, m, x->hk);
  }
  s->absh = sal_sel(lanes & ~ok, sal_max(0.3 * s->h, s->hmin), s->absh);
  return ok;
}

/* absh for the next attempt after a failed error test, at this order or one below. */
static void ndf_shrink(sal_step_state *s, sal_m lanes, const ndf_memory *m, const sal_v d[],
                       sal_v err)
{
  ndf *a = m->a;
  const sal_m first = lanes & ~a->failed, falls = first & SAL_MASK(a->k > 1);
  const sal_v order = sal_to_double(a->k), least = sal_set(0.1);
  sal_norm_sizes norm = sal_norm_no_sizes();
  sal_v ratio = sal_set(0.5);

  ratio = sal_sel(
      first, sal_max(0.833 * sal_lane_pow_by(s->rtol / err, 1.0 / (order + 1.0)), least), ratio);
  if (sal_any(falls)) {
    for (int l = 0; l < s->n; ++l)
      sal_norm_add_size(&norm, m->weight[l] * sal_abs(sal_gather(m->D[l], a->k) + d[l]));
    const sal_v e =
        sal_norm_size(&norm) * sal_look_up(errors, sal_pick(falls, a->k - 1, sal_none()));
    const sal_v lower = sal_max(0.769 * sal_lane_pow_by(s->rtol / e, 1.0 / order), least);
    const sal_m down = falls & sal_gt(lower, ratio);
    ratio = sal_sel(down, sal_min(sal_set(1), lower), ratio);
    ndf_change_order(a, down, a->k - 1);
    a->constant = sal_pick(down, sal_none(), a->constant);
  }
  a->failed |= lanes;
  s->absh = sal_sel(lanes, sal_max(ratio * s->h, s->hmin), s->absh);
}

/* The differences at tn, and the slope of the interpolant there. */
SAL_INLINE void ndf_update(int n, sal_step_state *s, sal_m lanes, const ndf_memory *m,
                           const sal_v d[])
{
  ndf *a = m->a;

  sal_differences_append(n, m->D, a->k, lanes, d, s->fn);
  for (int l = 0; l < n; ++l) s->fn[l] = s->fn[l] / s->h;
  a->failed &= ~lanes;
  a->fresh &= ~lanes;
  sal_count(&a->constant, lanes, 1);
}

/* Steps that differ by the rounding of t alone count as equal. */
SAL_INLINE sal_m ndf_try(int n, sal_step_state *s, sal_m lanes)
{
  const ndf_memory m = ndf_memory_of(n, s);
  ndf *a = m.a;
  const sal_m other = lanes & sal_gt(sal_abs(s->h - a->h), sal_lane_spacing(s->tn));
  ndf_step x;

  for (int l = 0; l < n; ++l) x.at[l] = s->y[l], x.d[l] = sal_set(0);
  x.scale = sal_look_up(scales, a->k);
  x.hk = s->h * x.scale;
  if (sal_any(other)) ndf_rescale(n, s, other, &m);
  const sal_m solved = ndf_solve(n, s, lanes, &m, &x);
  const sal_v err = ndf_norm(n, m.weight, x.d) * sal_look_up(errors, a->k);
  const sal_m ok = s->fixed > 0 ? solved : solved & sal_le(err, sal_set(s->rtol));
  for (int l = 0; l < n; ++l) s->yn[l] = x.at[l];
  if (sal_any(ok)) ndf_update(n, s, ok, &m, x.d);
  if (sal_any(solved & ~ok)) ndf_shrink(s, solved & ~ok, &m, x.d, err);
  return ok;
}

static sal_m step(sal_step_state *s, sal_m lanes)
{
  return sal_any(lanes) ? SAL_SIZES_CALL(ndf_try, s->n, s, lanes) : lanes;
}

/* Growth (rtol / err)^(1/p) / safety, at most 10; without growth it is 1 and costs no power. */
SAL_INLINE sal_v ndf_growth(sal_v err, sal_m lanes, double rtol, double safety, sal_m p)
{
  const int most = SAL_LANES == 1 ? (int)sal_highest(p) : TOP + 1;
  sal_v scaled = err;

  for (int i = 1; i <= most; ++i)
    scaled = sal_sel(sal_orders_from(~sal_none(), p, i), scaled * safety, scaled);
  const sal_m grows = lanes & sal_lt(scaled, sal_set(rtol));
  if (!sal_any(grows)) return sal_set(1);
  const sal_v inverse = safety * sal_lane_pow_by(err / rtol, 1.0 / sal_to_double(p));
  const sal_v growth = sal_sel(sal_gt(inverse, sal_set(0.1)), 1.0 / inverse, sal_set(10));
  return sal_sel(grows, growth, sal_set(1));
}

/* The choice so far. */
typedef struct {
  sal_m order;
  sal_v growth;
} ndf_choice;

/* Would an order `shift` from the last one grow more?  After k + 2 equal steps order q would have made an
 * error of its constant times D_q+1. */
SAL_INLINE void ndf_consider(int n, const sal_step_state *s, sal_m lanes, const ndf_memory *m,
                             int shift, double safety, ndf_choice *choice)
{
  const sal_m wish = m->a->k + shift;
  const sal_m can = lanes & SAL_MASK(wish >= 1) & SAL_MASK(wish <= ndf_top_order(s));
  const sal_m order = sal_pick(can, wish, sal_none() + 1);
  sal_norm_sizes norm = sal_norm_no_sizes();

  if (!sal_any(can)) return;
  for (int l = 0; l < n; ++l)
    sal_norm_add_size(&norm, m->weight[l] * sal_abs(sal_gather(m->D[l], order + 1)));
  const sal_v growth = ndf_growth(sal_norm_size(&norm) * sal_look_up(errors, order), can, s->rtol,
                                  safety, order + 1);
  const sal_m better = can & sal_gt(growth, choice->growth);
  sal_orders_put(&choice->growth, better, growth);
  sal_orders_put_int(&choice->order, better, order);
}

/* Order and step of the next step.  Only a longer step is worth a change. */
SAL_INLINE void ndf_choose(int n, sal_step_state *s, sal_m lanes, const ndf_memory *m)
{
  ndf *a = m->a;
  ndf_choice choice = {a->k, sal_set(1)};

  ndf_consider(n, s, lanes, m, 0, 1.2, &choice);
  ndf_consider(n, s, lanes, m, -1, 1.3, &choice);
  ndf_consider(n, s, lanes, m, 1, 1.4, &choice);
  sal_orders_put(&s->absh, lanes, s->absh * choice.growth);
  const sal_m moves = lanes & ~SAL_MASK(choice.order == a->k);
  ndf_change_order(a, moves, choice.order);
  sal_orders_put_int(&a->constant, moves, sal_none());
}

/* Orders of fixed steps rise step by step, then the step grows to its size. */
static void ndf_approach(sal_step_state *s, sal_m lanes, ndf *a)
{
  const sal_m rises = lanes & SAL_MASK(a->k < ndf_top_order(s));
  const sal_m doubles = lanes & ~rises & SAL_MASK(a->constant >= 4 * a->k);

  s->absh = sal_sel(doubles, sal_min(sal_set(s->fixed), 2.0 * s->absh), s->absh);
  ndf_change_order(a, rises, a->k + 1);
}

SAL_INLINE void ndf_advance(int n, sal_step_state *s, sal_m lanes)
{
  const ndf_memory m = ndf_memory_of(n, s);
  const sal_m due = lanes & SAL_MASK(m.a->constant >= m.a->k + 2);

  sal_assign(n, lanes, s->f, s->fn);
  if (s->fixed > 0)
    ndf_approach(s, lanes, m.a);
  else if (sal_any(due))
    ndf_choose(n, s, due, &m);
}

static void advance(sal_step_state *s, sal_m lanes) { SAL_SIZES_CALL(ndf_advance, s->n, s, lanes); }

static int dense(sal_step_state *s, sal_v c[])
{
  const ndf_memory m = ndf_memory_of(s->n, s);
  int degree = 0;

  for (int l = 0; l < s->n; ++l)
    degree = sal_differences_polynomial(m.D[l], m.a->k, s->yn[l], s->n, c + l);
  return degree;
}

static int dense_one(sal_step_state *s, int i, sal_v c[])
{
  const ndf_memory m = ndf_memory_of(s->n, s);

  return sal_differences_polynomial(m.D[i], m.a->k, s->yn[i], 1, c);
}

const sal_method_ops SAL_FN(sal_ode15s) = {SAL_METHOD_STEPS, .dense_one = dense_one};

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(ode15s)
const sal_method sal_ode15s = {
    .name = "ode15s",
    .title = "numerical differentiation formulas of order 1 to 5",
    .source = "doi:10.1137/S1064827594276424, section 2",
    .order = TOP,
    .min_order = 1,
    .implicit = true,
    .origin = 1,
    SAL_METHOD_OPS(ode15s),
};
#endif
