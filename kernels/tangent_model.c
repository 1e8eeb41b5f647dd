/** The descriptor of a model with tangent vectors, and the order of its states: continuous ones of
 *  the base and of each vector, discrete ones of the base and of each vector, delays; of a base that resets
 *  also d of the last event for each vector, and when that was.
 */
#include "tangent_model.h"
#include "model_point.h"
#include <string.h>

SAL_DECLARE_FLOWS(tangent)
SAL_DECLARE_FLOWS(tangent_ranged) /* of a base with bounds of its gaps */

int sal_tangent_model_most(const sal_model *base)
{
  const int fit =
      (SAL_MAX_DENSE - base->n_state - base->resets) / (base->n_state + 1 + base->resets);

  return sal_model_has_mass(base) ? 0 : fit < base->n_state ? fit : base->n_state;
}

/* The continuous states of the base come first; what bounds a step depends on no other ones. */
static double longest_step(const void *inner, const double param[], const double y[])
{
  const sal_tangent_model *t = inner;

  return t->base->longest_step(t->base->inner, param, y);
}

/* The stops of the base, and both ends of the times in which a contact is not noticed. */
static double next_stop(const void *inner, const double param[], double t, double *since)
{
  const sal_tangent_model *m = inner;
  double next = INFINITY;

  *since = t;
  if (m->base->next_stop) next = m->base->next_stop(m->base->inner, param, t, since);
  for (int i = 0; i < m->n_mute; ++i) {
    const sal_mute *mute = &m->mute[i];
    if (!isfinite(mute->to - mute->from)) continue;
    const double after = t + 0x1p-48 * (fabs(t) + fabs(mute->to) + mute->period);
    *since = after > *since ? after : *since;
    for (int j = -1; j <= 1; ++j) {
      const double from = mute->from + j * mute->period, to = mute->to + j * mute->period;
      if (from > *since && from < next) next = from;
      if (to > *since && to < next) next = to;
    }
  }
  return next;
}

static void constants(const void *inner, const double param[], double c[])
{
  const sal_tangent_model *t = inner;

  t->base->constants(t->base->inner, param, c);
}

/* Where part c starts, the base's or a vector's: its continuous states, its discrete ones. */
static int continuous_at(const sal_tangent_model *t, int c) { return c * t->n_continuous; }
static int discrete_at(const sal_tangent_model *t, int c)
{
  return (1 + t->n_vector) * t->n_continuous + c * (t->n - t->n_continuous);
}

/* Part c of the full state. */
static void read_part(const sal_tangent_model *t, const double full[], int c, double to[])
{
  const size_t nc = (size_t)t->n_continuous, nd = (size_t)t->n - nc;

  memcpy(to, full + continuous_at(t, c), nc * sizeof *full);
  memcpy(to + nc, full + discrete_at(t, c), nd * sizeof *full);
}

/* Vectors go through the jumps of one contact after the other.  They are known where these make the state that all
 * contacts make together; else the contacts count as unsolved. */
static sal_together jump_together(const void *inner, const double words[], double t, double y[],
                                  bool closed[], bool fired[], const bool rests[],
                                  const double memory[])
{
  const sal_tangent_model *m = inner;
  double joint[SAL_MAX_STATE], each[SAL_MAX_STATE], unit = 0, off = 0;
  bool after[SAL_MAX_GUARD], mode[SAL_MAX_GUARD], event[SAL_MAX_GUARD], any = false;
  const int n_guard = sal_model_guards(m->base, words);

  read_part(m, y, 0, joint);
  read_part(m, y, 0, each);
  for (int k = 0; k < n_guard; ++k) {
    after[k] = closed[k];
    mode[k] = closed[k] != fired[k];
    event[k] = fired[k];
    any |= rests[k];
  }
  const sal_together found =
      m->base->jump_together(m->base->inner, words, t, joint, after, event, rests, memory);
  if (found != SAL_TOGETHER_DONE || any) return any ? SAL_TOGETHER_NONE : found;
  for (int k = 0; k < n_guard; ++k) {
    if (!fired[k]) continue;
    mode[k] = closed[k];
    sal_model_jump(m->base, words, k, mode, t, each);
  }
  for (int i = 0; i < m->n_continuous; ++i) {
    const double size = fabs(joint[i]), apart = fabs(joint[i] - each[i]);
    if (size > unit) unit = size;
    if (!isfinite(each[i])) off = INFINITY;
    if (apart > off) off = apart;
  }
  return off <= 1e-6 * unit ? SAL_TOGETHER_NONE : SAL_TOGETHER_UNSOLVED;
}

void sal_tangent_model_make(const sal_model *base, int n_vector, sal_tangent_model *out)
{
  const int n = base->n_state, discrete = base->n_discrete;
  const int more = base->resets && n_vector > 0 ? 2 * n_vector + 1 : n_vector;
  const bool ranged = sal_model_has_range(base);

  *out = (sal_tangent_model){
      .model = *base, .base = base, .n_vector = n_vector, .n = n, .n_continuous = n - discrete};
  sal_model *m = &out->model;
  m->n_state = n * (1 + n_vector) + more;
  m->n_discrete = discrete * (1 + n_vector) + more;
  m->inner = out;
  if (base->longest_step) m->longest_step = longest_step;
  if (base->next_stop) m->next_stop = next_stop;
  if (base->constants) m->constants = constants;
  if (base->jump_together)
    m->jump_together = base->single ? NULL : jump_together; /* a single one is its own jump */
  m->energy = NULL; /* these ask for the states in the base's order, and for its inner */
  m->equilibrium = NULL;
  m->mechanical = NULL;
  m->kinetic = NULL;
  m->adhesion = NULL;
  m->flaw = NULL;
  m->pattern = NULL;
  m->band.lower = 0;
  m->band.upper = 0;
  m->band.order = NULL;
  m->w1 = ranged ? &sal_tangent_ranged_w1 : &sal_tangent_w1;
  if (base->w4) m->w4 = ranged ? SAL_W4(&sal_tangent_ranged_w4) : SAL_W4(&sal_tangent_w4);
  if (base->w8) m->w8 = ranged ? SAL_W8(&sal_tangent_ranged_w8) : SAL_W8(&sal_tangent_w8);
  memset(m->velocity, 0, sizeof m->velocity);
}

void sal_tangent_model_mute(sal_tangent_model *t, int n, const sal_mute mute[])
{
  t->n_mute = n;
  for (int i = 0; i < n; ++i) t->mute[i] = mute[i];
  if (n > 0) t->model.next_stop = next_stop;
}

void sal_tangent_model_load(const sal_tangent_model *t, const double y[], const double v[],
                            double full[])
{
  const size_t nc = (size_t)t->n_continuous, nd = (size_t)t->n - nc;

  for (int c = 0; c <= t->n_vector; ++c) {
    const double *from = c == 0 ? y : v + (c - 1) * t->n;
    memcpy(full + continuous_at(t, c), from, nc * sizeof *full);
    memcpy(full + discrete_at(t, c), from + nc, nd * sizeof *full);
  }
  for (int i = discrete_at(t, 1 + t->n_vector); i < t->model.n_state; ++i) full[i] = 0;
}

void sal_tangent_model_read(const sal_tangent_model *t, const double full[], double y[], double v[],
                            double delay[])
{
  for (int c = 0; c <= t->n_vector; ++c) read_part(t, full, c, c == 0 ? y : v + (c - 1) * t->n);
  for (int c = 0; delay && c < t->n_vector; ++c)
    delay[c] = full[discrete_at(t, 1 + t->n_vector) + c];
}
