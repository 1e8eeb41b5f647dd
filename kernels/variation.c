/** @file kernels/variation.c
 *  The variational equation as a flow of its own, made from a model's, which an ordinary method
 *  integrates.  State and a few columns of Phi at a time, as many as a method's state can hold, so
 *  that its error test covers both.
 */
#include "variation.h"
#include "flow_jacobian.h"
#include "lane_math.h"
#include "stages.h"

/** What sal_phase.inner points to here. */
typedef struct {
  const sal_flow *flow;
  const void *inner; /* of the model */
  int n, n_continuous;
  int columns; /* of Phi after the n states */
} variational;

/* D[i] = d f_i / d q of discrete state k, by a difference; y [n]. */
static void differentiate_discrete(const variational *in, const sal_phase *base, sal_v t,
                                   const sal_v y[], int k, sal_v D[])
{
  const int nc = in->n_continuous, at = nc + k;
  sal_phase beside = *base;
  sal_v x[SAL_MAX_STATE], side[2][SAL_MAX_STATE];

  memcpy(x, y, (size_t)in->n * sizeof *x);
  beside.q = x + nc;
  const sal_v d = (y[at] + 0x1p-17 * sal_max(sal_abs(y[at]), 1)) - y[at];
  for (int a = 0; a < 2; ++a) {
    x[at] = y[at] + (a ? d : -d);
    in->flow->rhs(&beside, t, y, side[a]);
  }
  for (int i = 0; i < nc; ++i) D[i] = (side[1][i] - side[0][i]) / (2 * d);
}

/* What discrete states add to the columns, which hold still themselves. */
static void add_discrete(const variational *in, const sal_phase *base, sal_v t, const sal_v y[],
                         sal_v dy[])
{
  const int n = in->n, nc = in->n_continuous;
  sal_v D[SAL_MAX_STATE];

  for (int c = 0; c <= in->columns; ++c)
    for (int i = nc; i < n; ++i) dy[c * n + i] = 0;
  for (int k = 0; k < n - nc; ++k) {
    differentiate_discrete(in, base, t, y, k, D);
    for (int c = 1; c <= in->columns; ++c)
      for (int i = 0; i < nc; ++i) dy[c * n + i] += D[i] * y[c * n + nc + k];
  }
}

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const variational *in = s->inner;
  const int n = in->n, nc = in->n_continuous;
  sal_phase base = *s;
  sal_v J[SAL_MAX_STATE * SAL_MAX_STATE];

  base.inner = in->inner;
  base.q = y + nc;
  in->flow->rhs(&base, t, y, dy);
  sal_flow_jacobian(in->flow, nc, &base, t, y, J);
  for (int c = 1; c <= in->columns; ++c)
    for (int i = 0; i < nc; ++i) {
      sal_v sum = sal_set(0);
      for (int j = 0; j < nc; ++j) sum += J[i * nc + j] * y[c * n + j];
      dy[c * n + i] = sum;
    }
  if (nc < n) add_discrete(in, &base, t, y, dy);
}

static void stages(const sal_phase *s, const sal_step *step, const sal_stage_table *table, int from,
                   int to, sal_v k[], sal_v x[])
{
  const variational *in = s->inner;

  sal_stages(rhs, in->n * (1 + in->columns), s, step, table, from, to, k, x);
}

/* No guard, row or jump: the loop below looks for no contacts.  No jac: an implicit method forms
 * differences. */
static const sal_flow varied = {.rhs = rhs, .stages = stages};

typedef struct {
  sal_step_state s;
  sal_m closed[SAL_MAX_GUARD];
  double p[SAL_MAX_P];
  variational in;
} variation;

/* Freezes the mode: the only conversion of a mode into a phase here. */
static void freeze_mode(variation *v, const sal_model *model, const double param[],
                        const bool closed[])
{
  const int n_guard = sal_model_guards(model, param);

  sal_model_fill(model, param, v->p);
  for (int k = 0; k < n_guard; ++k) v->closed[k] = SAL_MASK(closed[k]);
  v->s.phase = (sal_phase){.n_guard = n_guard,
                           .count = n_guard,
                           .p = v->p,
                           .closed = v->closed,
                           .held = ~sal_none(),
                           .inner = &v->in};
}

static int most_columns(const sal_model *m)
{
  const int fit = SAL_VARIATION_TOGETHER / m->n_state - 1;
  return fit < 1 ? 1 : fit < m->n_state ? fit : m->n_state;
}

/* Points the arrays after `v` in the work space; returns how many bytes there are in all. */
static size_t lay_out_work(const sal_setup *setup, variation *v)
{
  const size_t n = (size_t)setup->model->n_state * (size_t)(1 + most_columns(setup->model));
  const size_t own = (size_t)setup->method->w1->words((int)n);
  const size_t rounded = (sizeof(variation) + 63) / 64 * 64;

  if (v) {
    double *const block = (double *)(void *)((char *)v + rounded);
    v->s.y = block;
    v->s.yn = block + n;
    v->s.f = block + 2 * n;
    v->s.fn = block + 3 * n;
    v->s.T = block + 4 * n;
    v->s.J = block + 5 * n;
    v->s.J_new = block + 5 * n + n * n;
    v->s.mem = block + 5 * n + 2 * n * n;
  }
  return rounded + (5 * n + 2 * n * n + own) * sizeof(double);
}

size_t sal_variation_bytes(const sal_setup *setup) { return lay_out_work(setup, NULL); }

static bool state_is_finite(const sal_step_state *s)
{
  for (int i = 0; i < s->n; ++i)
    if (!isfinite(s->y[i]) || !isfinite(s->f[i])) return false;
  return true;
}

static void begin_variation(sal_step_state *s, const sal_setup *setup, double longest)
{
  const double most = setup->max_step > 0 ? setup->max_step : 0.1 * (s->t_end - s->t);

  s->hmax = sal_min(longest, most);
  s->hmin = 16.0 * sal_lane_spacing(s->t);
  s->again = sal_none();
  s->method->start(s, ~sal_none());
}

/* Size of this attempt, by the rules of the trajectory loop; a repeated attempt keeps its size. */
static void propose_variation(sal_step_state *s)
{
  const double rest = s->t_end - s->t;
  bool last = false;

  if (!s->again) {
    s->hmin = 16.0 * sal_lane_spacing(s->t);
    s->absh = sal_max(sal_min(s->absh, s->hmax), s->hmin); /* hmax may be no step at all */
    last = 1.1 * s->absh >= rest;
    if (last) s->absh = rest;
  }
  s->tn = last ? s->t_end : s->t + s->absh;
  s->h = s->tn - s->t;
}

/* To t_end without looking for contacts. */
static sal_outcome integrate_to_end(sal_step_state *s, const sal_setup *setup, double longest)
{
  const int64_t most = setup->max_attempts > 0 ? setup->max_attempts : 1000000000;

  begin_variation(s, setup, longest);
  for (int64_t i = 0; i < most && !sal_setup_halts(setup); ++i) {
    propose_variation(s);
    const double tried = s->absh;
    if (s->method->step(s, ~sal_none())) {
      s->t = s->tn;
      sal_assign(s->n, ~sal_none(), s->y, s->yn);
      if (s->t >= s->t_end) return state_is_finite(s) ? SAL_OUT_DONE : SAL_OUT_NOT_FINITE;
      s->method->advance(s, ~sal_none());
      s->again = sal_none();
    } else {
      if (tried <= s->hmin) return state_is_finite(s) ? SAL_OUT_UNDERFLOW : SAL_OUT_NOT_FINITE;
      s->again = ~sal_none();
    }
  }
  return sal_setup_halts(setup) ? SAL_OUT_HALTED : SAL_OUT_STEP_CAP;
}

/* Sets y to the state and `columns` unit vectors from the one of rank `first` on. */
static void load_columns(variation *v, const double y[], int first, int columns)
{
  const int n = v->in.n;

  v->in.columns = columns;
  v->s.n = n * (1 + columns);
  for (int i = 0; i < v->s.n; ++i) v->s.y[i] = i < n ? y[i] : 0;
  for (int c = 0; c < columns; ++c) v->s.y[n * (1 + c) + first + c] = 1;
}

sal_outcome sal_variation_run(const sal_setup *setup, const double param[], const bool closed[],
                              double t0, double t1, double y[], double Phi[], void *work)
{
  const sal_model *m = setup->model;
  const int n = m->n_state, most = most_columns(m);
  const double longest = sal_model_longest_step(m, param, y);
  variation *v = work;

  memset(work, 0, sal_variation_bytes(setup));
  v->in = (variational){
      .flow = m->w1, .inner = m->inner, .n = n, .n_continuous = sal_model_continuous(m)};
  v->s.flow = &varied;
  v->s.method = setup->method->w1;
  v->s.inner = setup->method->inner;
  v->s.rtol = setup->rtol;
  v->s.thr = setup->atol / setup->rtol;
  v->s.max_order = setup->max_order;
  v->s.t_end = t1;
  lay_out_work(setup, v);
  freeze_mode(v, m, param, closed);
  for (int first = 0; first < n; first += most) {
    const int columns = n - first < most ? n - first : most;
    v->s.t = t0;
    load_columns(v, y, first, columns);
    const sal_outcome end = integrate_to_end(&v->s, setup, longest);
    if (end != SAL_OUT_DONE) return end;
    for (int c = 0; c < columns; ++c)
      for (int i = 0; i < n; ++i) Phi[i * n + first + c] = v->s.y[n * (1 + c) + i];
  }
  for (int i = 0; i < n; ++i) y[i] = v->s.y[i];
  return SAL_OUT_DONE;
}
