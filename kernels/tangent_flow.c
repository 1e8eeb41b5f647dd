/** The flow of a model with tangent vectors (lane half).  Derivatives that the base does not provide
 *  are differences along the vector: f where it has no Jacobian or a discrete state moves,
 *  gaps with respect to discrete states, and jumps.
 */
#include "jump_slope.h"
#include "leap.h"
#include "program.h"
#include "stages.h"
#include "tangent_model.h"

/* Step of differences of second order, for fields and gaps, relative to a state of size 1. */
#define FIELD_STEP 0x1p-17

/** View of a tangent model for the functions below. */
typedef struct {
  const sal_tangent_model *of;
  const sal_flow *flow; /* of the base */
  sal_phase phase;      /* of the base: the same mode and parameters */
} view;

static view view_of(const sal_phase *s)
{
  const sal_tangent_model *t = s->inner;
  view v = {.of = t, .flow = t->base->SAL_WIDTH(w), .phase = *s};

  v.phase.inner = t->base->inner;
  return v;
}

/* Largest modulus of v [n], at least `most`. */
static sal_v size_of(int n, const sal_v v[], sal_v most)
{
  for (int i = 0; i < n; ++i) most = sal_max(sal_abs(v[i]), most);
  return most;
}

/* Length of a step along a vector of that size from a state of size 1 or more; 1 for none. */
static sal_v step_along(double step, sal_v state, sal_v vector)
{
  return sal_sel(sal_gt(vector, sal_set(0)), step * state / vector, sal_set(1));
}

/* ---- inside a mode -------------------------------------------------------------------------- */

/* dy [n_continuous] = derivative of f along (x, q), q [n - n_continuous] of the discrete states, by
 * differences; x may be NULL. */
static void differentiate_field(const view *v, sal_v t, const sal_v y[], const sal_v x[],
                                const sal_v q[], sal_v dy[])
{
  const int n = v->of->n_continuous, nd = v->of->n - n;
  const sal_v one = sal_set(1);
  const sal_v size = size_of(nd, v->phase.q, size_of(x ? n : 0, y, one));
  const sal_v h =
      step_along(FIELD_STEP, size, size_of(nd, q, x ? size_of(n, x, sal_set(0)) : sal_set(0)));
  sal_phase at = v->phase;
  sal_v state[SAL_MAX_DENSE], discrete[SAL_MAX_DENSE], beside[2][SAL_MAX_DENSE];

  at.q = discrete;
  for (int side = 0; side < 2; ++side) {
    const sal_v by = side ? h : -h;
    for (int i = 0; i < n; ++i) state[i] = x ? y[i] + by * x[i] : y[i];
    for (int i = 0; i < nd; ++i) discrete[i] = v->phase.q[i] + by * q[i];
    v->flow->rhs(&at, t, state, beside[side]);
  }
  for (int i = 0; i < n; ++i) dy[i] = (beside[1][i] - beside[0][i]) / (2.0 * h);
}

/* Adds the part of the discrete states, where any of them moves. */
static void add_discrete(const view *v, sal_v t, const sal_v y[], const sal_v q[], sal_v dy[])
{
  const int nd = v->of->n - v->of->n_continuous;
  sal_v by_q[SAL_MAX_DENSE];

  if (!sal_any(sal_gt(size_of(nd, q, sal_set(0)), sal_set(0)))) return;
  differentiate_field(v, t, y, NULL, q, by_q);
  for (int i = 0; i < v->of->n_continuous; ++i) dy[i] += by_q[i];
}

static void multiply(int n, const sal_v J[], const sal_v x[], sal_v out[])
{
  for (int i = 0; i < n; ++i) {
    sal_v sum = sal_set(0);
    for (int j = 0; j < n; ++j) sum += J[i * n + j] * x[j];
    out[i] = sum;
  }
}

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const view v = view_of(s);
  const int n = v.of->n_continuous, nd = v.of->n - n;
  sal_v J[SAL_MAX_DENSE * SAL_MAX_DENSE / 4];

  v.flow->rhs(&v.phase, t, y, dy);
  if (v.flow->jac) v.flow->jac(&v.phase, t, y, J);
  for (int c = 1; c <= v.of->n_vector; ++c) {
    const sal_v *x = y + c * n, *q = s->q + c * nd;
    if (!v.flow->jac) {
      differentiate_field(&v, t, y, x, q, dy + c * n);
      continue;
    }
    multiply(n, J, x, dy + c * n);
    if (nd > 0) add_discrete(&v, t, y, q, dy + c * n);
  }
}

static void stages(const sal_phase *s, const sal_step *step, const sal_stage_table *table, int from,
                   int to, sal_v k[], sal_v x[])
{
  const sal_tangent_model *t = s->inner;

  sal_stages(rhs, t->n_continuous * (1 + t->n_vector), s, step, table, from, to, k, x);
}

/* Lanes in which the contact is not noticed. */
static sal_m is_muted(const sal_phase *s, const sal_mute *mute, sal_v t)
{
  const sal_v now = sal_model_clock(s, t);
  sal_m in = sal_none();

  for (int j = -1; j <= 1; ++j)
    in |= sal_ge(now, sal_set(mute->from + j * mute->period)) &
          sal_le(now, sal_set(mute->to + j * mute->period));
  return in;
}

static void mute(const sal_phase *s, const view *v, sal_v t, sal_v gap[], sal_v rate[])
{
  for (int i = 0; i < v->of->n_mute; ++i) {
    const int k = v->of->mute[i].contact;
    const sal_m muted = is_muted(s, &v->of->mute[i], t);
    gap[k] = sal_sel(muted, sal_set(1), gap[k]);
    rate[k] = sal_sel(muted, sal_set(0), rate[k]);
  }
}

static void guard(const sal_phase *s, sal_v t, const sal_v y[], const sal_v dy[], sal_v gap[],
                  sal_v rate[])
{
  const view v = view_of(s);

  v.flow->guard(&v.phase, t, y, dy, gap, rate);
  mute(s, &v, t, gap, rate);
}

static void range(const sal_phase *s, sal_v t0, sal_v t1, const sal_v y0[], const sal_v y1[],
                  const sal_v dy0[], const sal_v dy1[], sal_v gap0[], sal_v gap1[], sal_v rate0[],
                  sal_v rate1[])
{
  const view v = view_of(s);

  v.flow->range(&v.phase, t0, t1, y0, y1, dy0, dy1, gap0, gap1, rate0, rate1);
  mute(s, &v, t0, gap0, rate0);
  mute(s, &v, t0, gap1, rate1);
}

/* ---- at an event ---------------------------------------------------------------------------- */

/** An event of contact k: what is the same for all vectors. */
typedef struct {
  const view *v;
  sal_phase before; /* the mode ahead of it */
  int k;
  sal_v t;
  const sal_v *y;                                /* [n] ahead of the jump, discrete states after */
  sal_v f_before[SAL_MAX_DENSE];                 /* [n]; 0 for discrete states */
  sal_v f_after[SAL_MAX_DENSE];                  /* [n] likewise */
  sal_v by_time, speed;                          /* h_t; h_t + Dh f- */
  sal_m leaps;                                   /* h was not 0 */
  sal_v gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD]; /* scratch */
} event;

/* Dh x: the rate along x less the one along nothing, and a difference for the discrete states. */
static sal_v differentiate_gap(event *e, const sal_v x[])
{
  const int n = e->v->of->n_continuous, nd = e->v->of->n - n;
  const sal_v *q = e->y + n, *by_q = x + n;
  const sal_v zero = sal_set(0), vector = size_of(nd, by_q, zero);
  sal_phase at = e->before;
  sal_v none[SAL_MAX_DENSE], discrete[SAL_MAX_DENSE], side[2];

  e->v->flow->guard(&e->before, e->t, e->y, x, e->gap, e->rate);
  const sal_v slope = e->rate[e->k] - e->by_time;
  if (!sal_any(sal_gt(vector, zero))) return slope;

  const sal_v h = step_along(FIELD_STEP, size_of(nd, q, sal_set(1)), vector);
  for (int i = 0; i < n; ++i) none[i] = zero;
  at.q = discrete;
  for (int a = 0; a < 2; ++a) {
    for (int i = 0; i < nd; ++i) discrete[i] = q[i] + (a ? h : -h) * by_q[i];
    e->v->flow->guard(&at, e->t, e->y, none, e->gap, e->rate);
    side[a] = e->gap[e->k];
  }
  return slope + (side[1] - side[0]) / (2.0 * h);
}

/** An event in one lane. */
typedef struct {
  const event *e;
  int lane;
} lane_event;

/* The jump nearby; the mode it leaves is dropped. */
static bool jump_near(void *of, double t, double y[])
{
  const lane_event *at = of;
  const view *v = at->e->v;
  sal_m closed[SAL_MAX_GUARD], lanes = sal_none();
  sal_v state[SAL_MAX_DENSE];
  sal_phase phase = v->phase;

  memcpy(closed, phase.closed, (size_t)phase.n_guard * sizeof *closed);
  phase.closed = closed;
  phase.q = state + v->of->n_continuous;
  SAL_AT(lanes, at->lane) = -1;
  for (int i = 0; i < v->of->n; ++i) state[i] = sal_set(y[i]);
  v->flow->jump(&phase, at->e->k, lanes, sal_set(t), state);
  for (int i = 0; i < v->of->n; ++i) y[i] = SAL_AT(state[i], at->lane);
  return true;
}

/* x [n] becomes DR x + R_t dt, by differences where the model does not have it. */
static void differentiate_jump(const event *e, sal_m lanes, sal_v x[], sal_v dt)
{
  const int n = e->v->of->n;
  double y[SAL_MAX_DENSE], by[SAL_MAX_DENSE], out[SAL_MAX_DENSE];
  sal_v along[SAL_MAX_DENSE];

  if (e->v->of->base->exact_jumps)
    sal_program_jump_slope(&e->v->phase, e->k, lanes, e->t, e->y, x, dt, along);
  for (int lane = 0; lane < SAL_LANES && !e->v->of->base->exact_jumps; ++lane) {
    if (!SAL_AT(lanes, lane)) continue;
    for (int i = 0; i < n; ++i) y[i] = SAL_AT(e->y[i], lane), by[i] = SAL_AT(x[i], lane);
    sal_jump_slope(&(sal_jump){jump_near, &(lane_event){e, lane}, n, n, SAL_AT(e->t, lane),
                               SAL_AT(dt, lane), y, by},
                   out);
    for (int i = 0; i < n; ++i) SAL_AT(along[i], lane) = out[i];
  }
  sal_assign(n, lanes, x, along);
}

/* Maps the vector x [n] through the event; returns the delay of the neighbour at it: `last` where the gap
 * leaps.  Where a contact comes to rest after infinitely many impacts, all neighbours lie on its surface
 * from then on, whenever they came there. */
static sal_v carry_vector(event *e, sal_m lanes, sal_m returns, sal_v last, sal_v x[])
{
  const int n = e->v->of->n;
  const sal_v by = sal_sel(e->leaps, last, -differentiate_gap(e, x) / e->speed);
  const sal_v dt = sal_sel(e->v->phase.rests, sal_set(0), by);

  for (int i = 0; i < n; ++i) x[i] += e->f_before[i] * dt;
  if (e->v->flow->jump) differentiate_jump(e, lanes, x, dt);
  for (int i = 0; i < n; ++i) x[i] -= sal_sel(returns, sal_set(0), e->f_after[i] * dt);
  return dt;
}

/* Fields and rate ahead of the jump; y [n] is the base's state.  `at_once`: no time since the event before,
 * or the start, which alone can make a gap leap. */
static void look_before(event *e, sal_m at_once)
{
  const int n = e->v->of->n_continuous;
  sal_v none[SAL_MAX_DENSE] = {0};

  e->before.q = e->y + n;
  for (int i = 0; i < e->v->of->n; ++i) e->f_before[i] = e->f_after[i] = sal_set(0);
  e->v->flow->rhs(&e->before, e->t, e->y, e->f_before);
  e->v->flow->guard(&e->before, e->t, e->y, none, e->gap, e->rate);
  e->by_time = e->rate[e->k];
  e->v->flow->guard(&e->before, e->t, e->y, e->f_before, e->gap, e->rate);
  e->speed = e->rate[e->k];
  const sal_v size = size_of(n, e->y, sal_set(0)), fast = size_of(n, e->f_before, sal_set(0));
  e->leaps = at_once & sal_gt(sal_abs(e->gap[e->k]) * fast, SAL_LEAP * sal_abs(e->speed) * size);
}

/* Part c of the full state, the base's or a vector's: continuous states, then discrete ones. */
static void gather(const sal_tangent_model *t, int c, const sal_v y[], sal_v part[])
{
  const int n = t->n_continuous, nd = t->n - n;

  for (int i = 0; i < n; ++i) part[i] = y[c * n + i];
  for (int i = 0; i < nd; ++i) part[n + i] = y[(1 + t->n_vector) * n + c * nd + i];
}
static void scatter(const sal_tangent_model *t, int c, sal_m lanes, const sal_v part[], sal_v y[])
{
  const int n = t->n_continuous, nd = t->n - n;

  sal_assign(n, lanes, y + c * n, part);
  sal_assign(nd, lanes, y + (1 + t->n_vector) * n + c * nd, part + n);
}

static void jump(sal_phase *s, int k, sal_m lanes, sal_v t, sal_v y[])
{
  view v = view_of(s);
  const sal_tangent_model *m = v.of;
  const sal_section *section = &m->base->section;
  sal_m mode[SAL_MAX_GUARD];
  sal_v start[SAL_MAX_DENSE], y_after[SAL_MAX_DENSE], x[SAL_MAX_DENSE];
  event e = {.v = &v, .before = v.phase, .k = k, .t = t, .y = start};

  memcpy(mode, s->closed, (size_t)s->n_guard * sizeof *mode);
  v.phase.closed = mode; /* as the jump finds it */
  e.before.closed = s->closed;
  gather(m, 0, y, start);
  gather(m, 0, y, y_after);
  s->closed[k] ^= lanes;
  sal_v *const delay = y + m->n * (1 + m->n_vector), *const last = delay + m->n_vector;
  sal_v *const then = last + m->n_vector; /* neither of these without resets */
  const bool resets = m->base->resets && m->n_vector > 0;
  look_before(&e, resets ? sal_eq(*then, t) : sal_none());
  /* the mode ahead is needed for every vector: the jump of the state itself goes on a copy */
  sal_phase at = v.phase;
  sal_m after[SAL_MAX_GUARD];
  memcpy(after, mode, (size_t)s->n_guard * sizeof *after);
  at.closed = after;
  at.q = y_after + m->n_continuous;
  if (v.flow->jump) v.flow->jump(&at, k, lanes, t, y_after);
  v.flow->rhs(&at, t, y_after, e.f_after);

  const bool at_section = section->name && !section->period && section->contact == k;
  const sal_m closes = section->closes ? mode[k] : ~mode[k];
  const sal_m returns = at_section ? lanes & closes : sal_none();
  /* a return in no time is that of a trial point, which is beyond its surface: no other event has led there */
  e.leaps &= ~(returns & sal_eq(t, sal_set(0)));
  for (int c = 1; c <= m->n_vector; ++c) {
    gather(m, c, y, x);
    const sal_v dt = carry_vector(&e, lanes, returns, resets ? last[c - 1] : sal_set(0), x);
    scatter(m, c, lanes, x, y);
    delay[c - 1] = sal_sel(returns, delay[c - 1] + dt, delay[c - 1]);
    if (resets) last[c - 1] = sal_sel(lanes, sal_sel(returns, sal_set(0), dt), last[c - 1]);
  }
  if (resets) *then = sal_sel(lanes, t, *then);
  scatter(m, 0, lanes, y_after, y);
  memcpy(s->closed, after, (size_t)s->n_guard * sizeof *after);
}

const sal_flow SAL_FN(sal_tangent) = {.rhs = rhs, .stages = stages, .guard = guard, .jump = jump};
const sal_flow SAL_FN(sal_tangent_ranged) = {
    .rhs = rhs, .stages = stages, .guard = guard, .range = range, .jump = jump};
