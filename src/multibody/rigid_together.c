/** Rigid contacts of bodies that are closed, or touch, at an event: all of them as one problem, in the independent
 *  coordinates, with Mhat v'' = Qhat (10).
 */
#include "contact_jump.h"
#include "force.h"
#include "impact.h"
#include "memory.h"
#include "state_space.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { N = SAL_TOUCH_MOST };

/** A system at a state, y = (v, v', discrete states). */
typedef struct {
  sal_reduced *r;
  double *own;
  double t, *y, *sense;
  bool bare[SAL_MAX_GUARD]; /* [n_ground] the mode without rigid contacts */
  sal_contact_motion motion;
  sal_contact_mode mode[N];
  int of[N];
} system_at;

static const sal_ground *grip_of(const sal_system *s, int k)
{
  return s->ground[k].partner < 0 ? NULL : &s->ground[s->ground[k].partner];
}

static bool is_rigid(const sal_system *s, int k) { return s->ground[k].kind == SAL_GROUND_RIGID; }

bool sal_rigid_together_may(const sal_system *s)
{
  int n = 0;

  for (int k = 0; k < s->n_ground; ++k) n += is_rigid(s, k);
  return n >= 2 && n <= N && s->n_v <= N && s->n_load == 0;
}

bool sal_rigid_together_is_redundant(const sal_reduced *r)
{
  const sal_system *s = r->system;
  int n = 0;

  if (!sal_rigid_together_may(s)) return false;
  for (int k = 0; k < s->n_ground; ++k) {
    const sal_ground *g = &s->ground[k];
    const bool grips = g->kind == SAL_GROUND_GRIP && is_rigid(s, g->partner);
    n += r->closed[k] && (is_rigid(s, k) || (grips && r->closed[g->partner]));
  }
  for (int a = 0; a < r->n_c; ++a) {
    const sal_ground *g = &s->ground[r->contact[a]];
    n -= is_rigid(s, r->contact[a]) || (g->kind == SAL_GROUND_GRIP && is_rigid(s, g->partner));
  }
  return n > 0;
}

/* Does friction of a soft contact hold?  It is not part of the problem. */
static bool holds_softly(const sal_system *s, const bool closed[])
{
  for (int k = 0; k < s->n_ground; ++k)
    if (s->ground[k].kind == SAL_GROUND_GRIP && !is_rigid(s, s->ground[k].partner) && closed[k])
      return true;
  return false;
}

static void row_of(const sal_reduced *r, int which, double row[], double *turn)
{
  const sal_constraint *c = &r->system->constraint[which];

  memset(row, 0, N * sizeof *row);
  sal_reduced_row_times(c, r->row[which], r->n_v, r->N, 1, row);
  *turn = -r->tau[which];
  for (int l = 0; l < SAL_PAIR; ++l)
    if (c->column[l] >= 0) *turn += r->row[which][l] * r->c[c->column[l]];
}

static void terms_of(const sal_reduced *r, int k, sal_contact_terms *t)
{
  const sal_ground *g = &r->system->ground[k], *grip = grip_of(r->system, k);

  *t = (sal_contact_terms){.restitution = r->value[g->restitution]};
  t->gap = sal_constraint_value(r->system, r->value, r->q, &r->system->constraint[g->which]);
  row_of(r, g->which, t->normal, &t->turn);
  if (!grip) return;
  t->mu = r->value[grip->mu];
  t->hold = r->value[grip->still];
  row_of(r, grip->which, t->along, &t->slide_turn);
}

static bool evaluate(void *of, sal_contact_motion *m)
{
  system_at *s = of;
  sal_reduced *r = s->r;
  const size_t n = (size_t)r->n_v;

  memcpy(s->y, m->q, n * sizeof *s->y);
  memcpy(s->y + n, m->v, n * sizeof *s->y);
  if (!sal_reduced_move(r, s->y, s->y + n)) return false;
  sal_reduced_enter(r, s->bare);
  if (!sal_reduced_accelerate(r)) return false;
  m->n = r->n_v;
  m->m = 0;
  m->moment = 8 * DBL_EPSILON * fabs(s->t);
  memcpy(m->mass, r->Mhat, n * n * sizeof *m->mass);
  memcpy(m->load, r->Qhat, n * sizeof *m->load);
  for (int k = 0; k < r->system->n_ground; ++k) {
    if (!is_rigid(r->system, k)) continue;
    s->of[m->m] = k;
    terms_of(r, k, &m->terms[m->m++]);
  }
  return true;
}

static void leave(const system_at *s) { sal_free(s->own); }

/* At y [n_state], in a mode; r is NULL where the position does not exist. */
static system_at arrive(const sal_state_space *in, const double param[], double t, double y[],
                        const bool closed[])
{
  const sal_system *system = in->system;
  const int n = system->n_v;
  system_at s = {.t = t, .y = y, .sense = y + n + n + (system->adapts ? n + 1 : 0)};
  int chosen[SAL_MAX_FREEDOM];

  s.own = sal_alloc(sal_reduced_words(system), sizeof *s.own);
  if (!s.own) return s;
  s.r = sal_reduced_open(system, s.own, param);
  sal_reduced_leave_chain(s.r);
  for (int j = 0; j < n && system->adapts; ++j) chosen[j] = (int)lround(y[2 * n + j]);
  if (system->adapts) sal_reduced_choose(s.r, chosen);
  s.r->pushes = in->tires >= 0 && param[in->tires] > 0;
  if (system->n_grip > 0) sal_reduced_slide(s.r, s.sense);
  for (int k = 0; k < system->n_ground; ++k) {
    const sal_ground *g = &system->ground[k];
    s.bare[k] = (g->kind == SAL_GROUND_TIRE && !s.r->pushes) || (closed[k] && !is_rigid(system, k));
    if (g->kind == SAL_GROUND_GRIP && is_rigid(system, g->partner)) s.bare[k] = false;
  }
  memcpy(s.motion.q, y, (size_t)n * sizeof *y);
  memcpy(s.motion.v, y + n, (size_t)n * sizeof *y);
  if (!evaluate(&s, &s.motion)) s.r = NULL;
  for (int i = 0; i < s.motion.m && s.r; ++i) {
    const sal_ground *grip = grip_of(system, s.of[i]);
    s.mode[i] = (sal_contact_mode){.closed = closed[s.of[i]], .rubs = grip != NULL};
    if (!grip) continue;
    s.mode[i].sticks = s.mode[i].closed && closed[grip - system->ground];
    s.mode[i].sense = s.sense[grip->number];
  }
  return s;
}

bool sal_rigid_together_jump(const void *functions, const double words[], double t, double y[],
                             bool closed[], const bool fired[], const bool rests[])
{
  const sal_scalar_functions *f = functions;
  const sal_state_space *in = f->inner;
  const sal_system *system = in->system;
  double at[SAL_MAX_STATE];
  int n = 0;

  for (int k = 0; k < system->n_ground; ++k) n += is_rigid(system, k) && (closed[k] || fired[k]);
  if (n < 2 || holds_softly(system, closed)) return false;
  memcpy(at, y,
         (size_t)(2 * system->n_v + (system->adapts ? system->n_v + 1 : 0) + system->n_grip) *
             sizeof *y);
  SAL_OWN_BY(leave) system_at s = arrive(in, words, t, at, closed);
  if (!s.r) return false;
  for (int i = 0; i < s.motion.m; ++i) {
    const sal_ground *grip = grip_of(system, s.of[i]);
    s.mode[i].rests = rests[s.of[i]];
    sal_contact_jump_note(&s.mode[i], fired[s.of[i]], grip && fired[grip - system->ground]);
  }
  if (!sal_contact_jump(&s.motion, s.mode, evaluate, &s)) return false;
  memcpy(y, s.motion.q, (size_t)system->n_v * sizeof *y);
  memcpy(y + system->n_v, s.motion.v, (size_t)system->n_v * sizeof *y);
  for (int i = 0; i < s.motion.m; ++i) {
    const sal_ground *grip = grip_of(system, s.of[i]);
    closed[s.of[i]] = s.mode[i].closed;
    if (!grip) continue;
    closed[grip - system->ground] = s.mode[i].sticks;
    y[s.sense - at + grip->number] = s.mode[i].sense;
  }
  return true;
}

/* Gaps of closed contacts: below 0 while forces hold them. */
static bool gaps_at(const sal_state_space *in, const double param[], double t, double y[],
                    const bool closed[], double gap[])
{
  SAL_OWN_BY(leave) system_at s = arrive(in, param, t, y, closed);

  if (!s.r || !sal_contact_jump_margins(&s.motion, s.mode)) return false;
  for (int i = 0; i < s.motion.m; ++i) {
    const sal_ground *grip = grip_of(in->system, s.of[i]);
    if (!s.mode[i].closed) continue;
    gap[s.of[i]] = -s.mode[i].force;
    if (grip && s.mode[i].sticks) gap[grip - in->system->ground] = -s.mode[i].pull;
  }
  return true;
}

void sal_rigid_together_gaps(const sal_state_space *in, const double param[], double t,
                             const double y[], const double discrete[], const double dy[],
                             const bool closed[], double gap[], double rate[])
{
  const sal_system *system = in->system;
  const int n = system->n_v, n_discrete = (system->adapts ? n + 1 : 0) + system->n_grip;
  double at[SAL_MAX_STATE], later[SAL_MAX_GUARD], now[SAL_MAX_GUARD], size = 1, fast = 1;

  for (int i = 0; i < 2 * n; ++i) {
    size = fmax(size, fabs(y[i]));
    fast = fmax(fast, fabs(dy[i]));
  }
  const double step = 1e-6 * size / fast;
  memcpy(at, y, (size_t)(2 * n) * sizeof *y);
  if (n_discrete > 0) memcpy(at + n + n, discrete, (size_t)n_discrete * sizeof *y);
  memcpy(now, gap, (size_t)system->n_ground * sizeof *gap);
  if (!gaps_at(in, param, t, at, closed, now)) return;
  for (int i = 0; i < 2 * n; ++i) at[i] += step * dy[i];
  memcpy(later, now, (size_t)system->n_ground * sizeof *gap);
  if (!gaps_at(in, param, t + step, at, closed, later)) return;
  for (int k = 0; k < system->n_ground; ++k) {
    const sal_ground *g = &system->ground[k];
    const bool grips = g->kind == SAL_GROUND_GRIP && is_rigid(system, g->partner);
    if (!closed[k] || !(is_rigid(system, k) || (grips && closed[g->partner]))) continue;
    gap[k] = now[k];
    rate[k] = (later[k] - now[k]) / step;
  }
}
