/** Rigid contacts of bodies that are closed, or touch, at an event: all of them as one problem, in the independent
 *  coordinates, with Mhat v'' = Qhat (10).  Points that stand, and friction of soft contacts that holds, bound it.
 */
#include "arm.h"
#include "base.h"
#include "contact_jump.h"
#include "impact.h"
#include "state_space.h"
#include <float.h>

/** A system at a state, y = (v, v', discrete states). */
typedef struct {
  sal_reduced *r;
  double *own, *words;
  double t, *y, *sense;
  bool turns;               /* second derivatives of gaps are needed */
  bool bare[SAL_MAX_GUARD]; /* [n_ground] the mode without rigid contacts */
  sal_contact_motion motion;
  int of[SAL_MAX_GUARD], bound[SAL_MAX_GUARD]; /* contacts that are rigid / of the bounds */
} system_at;

static const sal_ground *grip_of(const sal_system *s, int k)
{
  return s->ground[k].partner < 0 ? NULL : &s->ground[s->ground[k].partner];
}

int sal_rigid_together_count(const sal_system *s)
{
  int n = 0;

  for (int k = 0; k < s->n_ground; ++k) n += sal_system_rigid(s, k);
  return n;
}

bool sal_rigid_together_may(const sal_system *s)
{
  bool ends = false;

  for (int k = 0; k < s->n_ground; ++k) ends |= s->ground[k].reach > 0;
  return ends || sal_rigid_together_count(s) >= 2;
}

bool sal_rigid_together_is_redundant(const sal_reduced *r)
{
  const sal_system *s = r->system;
  int n = 0;

  if (!sal_rigid_together_may(s)) return false;
  for (int k = 0; k < s->n_ground; ++k) {
    const bool grips = sal_system_grips_rigid(s, k) && r->closed[s->ground[k].partner];
    n += r->closed[k] && (sal_system_rigid(s, k) || grips);
  }
  for (int a = 0; a < r->n_c; ++a) n -= sal_system_of_rigid(s, r->contact[a]);
  return n > 0;
}

static void row_of(const sal_reduced *r, int which, double row[], double *turn)
{
  const sal_constraint *c = &r->system->constraint[which];

  if (r->few_rows) sal_constraint_slope(r->system, r->value, r->q, c, r->row[which]);
  memset(row, 0, (size_t)r->n_v * sizeof *row);
  if (r->m > 0) sal_reduced_row_times(c, r->row[which], r->n_v, r->N, 1, row);
  for (int l = 0; l < SAL_PAIR && r->m == 0; ++l)
    if (c->column[l] >= 0) row[c->column[l]] += r->row[which][l];
  *turn = -r->tau[which];
  for (int l = 0; l < SAL_PAIR; ++l)
    if (c->column[l] >= 0) *turn += r->row[which][l] * r->c[c->column[l]];
}

double sal_rigid_beyond(const sal_reduced *r, const sal_ground *g, const double dq[], double *rate)
{
  if (g->reach == 0) return -INFINITY;
  const sal_constraint *c = &r->system->constraint[g->reach];
  const double at = sal_constraint_value(r->system, r->value, r->q, c);
  const double low = r->value[g->ends] - at, high = at - r->value[g->ends + 1];
  if (dq) *rate = (high > low ? 1 : -1) * sal_pair_dot(c->column, r->row[g->reach], dq);
  return fmax(low, high);
}

double sal_rigid_gap(const sal_reduced *r, const sal_ground *g)
{
  return fmax(sal_reduced_height(r, g), sal_rigid_beyond(r, g, NULL, NULL));
}

/* Where the sphere of a contact touches, in the frame of its body: P_j - radius A' n. */
static void find_point(const sal_reduced *r, const sal_ground *g)
{
  const sal_constraint *c = &r->system->constraint[g->which];
  const sal_arm arm = {.body = c->j.body, .s = g->point};
  double *point = r->value + g->point, n[3], axis[3], found[3];

  sal_arm_place(r->system, r->value, r->q, &c->a, n);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) point[j] = i == j;
    sal_arm_place(r->system, r->value, r->q, &arm, axis);
    found[i] = r->value[c->j.s + i] -
               r->value[g->radius] * (n[0] * axis[0] + n[1] * axis[1] + n[2] * axis[2]);
  }
  memcpy(point, found, sizeof found);
}

/* Friction in space: both directions of the point that touches. */
static void cone_of(const sal_reduced *r, const sal_ground *g, sal_contact_terms *t)
{
  double unused;

  if (g->point > 0) find_point(r, g);
  for (int i = 0; i < 2; ++i)
    sal_constraint_slope(r->system, r->value, r->q, &r->system->constraint[g->cone + i],
                         r->row[g->cone + i]);
  t->mu = r->value[g->mu];
  row_of(r, g->cone, t->along, &unused);
  row_of(r, g->cone + 1, t->across, &unused);
}

static void terms_of(const sal_reduced *r, int k, sal_contact_terms *t)
{
  const sal_ground *g = &r->system->ground[k], *grip = grip_of(r->system, k);

  t->restitution = r->value[g->restitution];
  t->poisson = g->poisson;
  t->gap = sal_rigid_gap(r, g);
  t->beneath = g->reach > 0 ? t->gap - sal_reduced_height(r, g) : 0;
  t->stale = r->few_rows && t->gap > 0;
  if (t->stale) return;
  row_of(r, g->which, t->normal, &t->turn);
  if (g->cone > 0 && t->across) cone_of(r, g, t);
  if (!grip) return;
  t->mu = r->value[grip->mu];
  t->hold = r->value[grip->still];
  row_of(r, grip->which, t->along, &t->slide_turn);
}

/* Bounds: points that stand, which come first among contacts, then friction of soft contacts that holds. */
static void bind(system_at *s, sal_contact_motion *m)
{
  const sal_system *system = s->r->system;

  m->n_bound = m->n_fixed = 0;
  for (int k = 0; k < system->n_ground; ++k) {
    const sal_ground *g = &system->ground[k];
    const bool stands = g->kind == SAL_GROUND_LOCK;
    const bool holds = g->kind == SAL_GROUND_GRIP && !sal_system_rigid(system, g->partner);
    if (!s->bare[k] || !(stands || holds)) continue;
    row_of(s->r, g->which, m->bound + (size_t)m->n_bound * (size_t)m->n, &m->bends[m->n_bound]);
    s->bound[m->n_bound++] = k;
    m->n_fixed += stands;
  }
}

/* Another start of Newton's method may change positions by this. */
static double grain_of(const sal_reduced *r, const double v[])
{
  double size = 1;

  for (int j = 0; j < r->n_v; ++j) size = fmax(size, fabs(v[j]));
  return r->m > 0 ? 4 * DBL_EPSILON * size : 0;
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
  sal_reduced_project(r, s->turns);
  memcpy(m->load, r->Qhat, n * sizeof *m->load);
  if (m->load_only) return true;
  m->m = 0;
  m->moment = 8 * DBL_EPSILON * fabs(s->t);
  m->grain = grain_of(r, m->q);
  memcpy(m->mass, r->Mhat, n * n * sizeof *m->mass);
  for (int k = 0; k < r->system->n_ground; ++k) {
    if (!sal_system_rigid(r->system, k)) continue;
    s->of[m->m] = k;
    terms_of(r, k, &m->terms[m->m++]);
  }
  bind(s, m);
  return true;
}

static void leave(const system_at *s) { sal_free_all(s->own, s->words); }

/* The solver in memory, at the first state of y [n_state] and in a mode. */
static void enter(system_at *s, const sal_state_space *in, const double param[], double memory[],
                  const bool closed[])
{
  const sal_system *system = in->system;
  const int n = system->n_v;
  int chosen[SAL_MAX_FREEDOM];

  s->r = sal_reduced_open(system, memory, param);
  if (s->r->chain) sal_reduced_leave_chain(s->r);
  for (int j = 0; j < n && system->adapts; ++j) chosen[j] = (int)lround(s->y[2 * n + j]);
  if (system->adapts) sal_reduced_choose(s->r, chosen);
  s->r->pushes = in->tires >= 0 && param[in->tires] > 0;
  if (system->n_grip > 0) sal_reduced_slide(s->r, s->sense);
  for (int k = 0; k < system->n_ground; ++k) {
    const sal_ground *g = &system->ground[k];
    s->bare[k] = (g->kind == SAL_GROUND_TIRE && !s->r->pushes) ||
                 (closed[k] && !sal_system_rigid(system, k));
    if (sal_system_grips_rigid(system, k)) s->bare[k] = false;
  }
}

/* Without joints each body has a block of the mass, and a contact moves the bodies at its sides. */
static void note_pattern(const sal_system *s, sal_contact_motion *m)
{
  m->steady = m->affine = s->n_force == 0;
  for (int b = 0; b < s->n_body; ++b) {
    const int first = s->body[b].first, n = sal_system_coordinates(s->body[b].kind);
    for (int i = first; i < first + n; ++i) {
      m->first[i] = first;
      m->last[i] = first + n - 1;
    }
    m->steady &= s->body[b].kind != SAL_BODY_SPATIAL;
    m->affine &= s->body[b].kind == SAL_BODY_PARTICLE;
  }
  for (int i = 0, k = 0; k < s->n_ground; ++k) {
    if (!sal_system_rigid(s, k)) continue;
    const int *column = s->constraint[s->ground[k].which].column;
    m->affine &= s->constraint[s->ground[k].which].kind == SAL_CONSTRAINT_DOT2;
    sal_contact_terms *t = &m->terms[i++];
    t->from = m->n;
    t->to = 0;
    for (int l = 0; l < SAL_PAIR; ++l) {
      if (column[l] < 0) continue;
      t->from = column[l] < t->from ? column[l] : t->from;
      t->to = column[l] >= t->to ? column[l] + 1 : t->to;
    }
  }
}

/* At y [n_state], in a mode; r is NULL where the position does not exist.  Coordinates that are chosen anew have more than one
 * position far from the initial one, so the trajectory's solver in `memory` is followed. */
static system_at arrive(const sal_state_space *in, const double param[], double t, double y[],
                        const bool closed[], const double memory[])
{
  const sal_system *system = in->system;
  const int n = system->n_v, n_rigid = sal_rigid_together_count(system), n_bound = system->n_lock;
  system_at s = {.t = t, .y = y, .turns = true, .sense = y + n + n + (system->adapts ? n + 1 : 0)};

  s.own = sal_alloc(sal_reduced_words(system), sizeof *s.own);
  s.words = sal_alloc(sal_contact_motion_words(n, n_rigid, n_bound), sizeof *s.words);
  if (!s.own || !s.words) return s;
  sal_contact_motion_lay_out(&s.motion, n, n_rigid, n_bound, s.words);
  s.motion.in_sequence = system->in_sequence;
  const sal_reduced *followed = (const void *)memory;
  sal_reduced *own = sal_reduced_open(system, s.own, param);
  if (system->adapts && followed && followed->ready) sal_reduced_follow(own, followed);
  enter(&s, in, param, s.own, closed);
  memcpy(s.motion.q, y, (size_t)n * sizeof *y);
  memcpy(s.motion.v, y + n, (size_t)n * sizeof *y);
  if (s.r->m == 0) note_pattern(system, &s.motion);
  if (!evaluate(&s, &s.motion)) s.r = NULL;
  for (int i = 0; i < s.motion.m && s.r; ++i) {
    const sal_ground *grip = grip_of(system, s.of[i]);
    s.motion.mode[i] = (sal_contact_mode){.closed = closed[s.of[i]], .rubs = grip != NULL};
    if (!grip) continue;
    s.motion.mode[i].sticks = s.motion.mode[i].closed && closed[grip - system->ground];
    s.motion.mode[i].sense = s.sense[grip->number];
  }
  return s;
}

/* Has a rigid contact fired, or friction of one?  Clears these, after noting them in the modes. */
static bool take_fired(const sal_system *system, system_at *s, bool fired[], const bool rests[])
{
  bool any = false;

  for (int i = 0, k = 0; k < system->n_ground; ++k) {
    const sal_ground *grip = sal_system_rigid(system, k) ? grip_of(system, k) : NULL;
    bool *of = &fired[k], *of_grip = grip ? &fired[grip - system->ground] : NULL;
    if (!sal_system_rigid(system, k)) continue;
    any |= *of || (of_grip && *of_grip);
    if (!s) continue;
    s->motion.mode[i].rests = rests[k];
    sal_contact_jump_note(&s->motion.mode[i++], *of, of_grip && *of_grip);
    *of = false;
    if (of_grip) *of_grip = false;
  }
  return any;
}

/* Which contacts are at the ends of their segments and leave them, or beyond; false: one has come to its segment from
 * beneath, past an end. */
static bool see_ends(system_at *s)
{
  const sal_system *system = s->r->system;

  for (int i = 0; i < s->motion.m; ++i) {
    const sal_ground *g = &system->ground[s->of[i]];
    sal_contact_mode *of = &s->motion.mode[i];
    double rate = 0;
    const double beyond = sal_rigid_beyond(s->r, g, s->r->qd, &rate);
    if (of->lands && sal_reduced_height(s->r, g) < beyond - 1e-9) return false;
    of->away = beyond > -1e-12 && !of->lands && (rate > 0 || !of->closed);
  }
  return true;
}

/* Impulses are too much for friction of soft contacts that held: it slides where they have given it a speed. */
static void slip_softly(const system_at *s, bool closed[])
{
  const sal_contact_motion *m = &s->motion;

  for (int i = m->n_fixed; i < m->n_bound; ++i) {
    double speed = 0, size = 1;
    for (int j = 0; j < m->n; ++j) {
      speed += m->bound[i * m->n + j] * m->v[j];
      size = fmax(size, fabs(m->v[j]));
    }
    if (fabs(speed) <= 1e-6 * size) continue;
    closed[s->bound[i]] = false;
    s->sense[s->r->system->ground[s->bound[i]].number] = speed < 0 ? -1 : 1;
  }
}

sal_together sal_rigid_together_change(const sal_state_space *in, const double param[], double t,
                                       double y[], bool closed[], bool fired[], const bool rests[],
                                       const double memory[])
{
  const sal_system *system = in->system;
  const size_t n = (size_t)system->n_v;
  const size_t n_state = 2 * n + (system->adapts ? n + 1 : 0) + (size_t)system->n_grip;
  double at[SAL_MAX_STATE];

  if (!take_fired(system, NULL, fired, rests)) return SAL_TOGETHER_NONE;
  memcpy(at, y, n_state * sizeof *y);
  SAL_OWN_BY(leave) system_at s = arrive(in, param, t, at, closed, memory);
  if (!s.r) return SAL_TOGETHER_UNSOLVED;
  take_fired(system, &s, fired, rests);
  if (!see_ends(&s) || !sal_contact_jump(&s.motion, evaluate, &s)) return SAL_TOGETHER_UNSOLVED;
  slip_softly(&s, closed);
  for (int i = 0; i < s.motion.m; ++i) {
    const sal_ground *grip = grip_of(system, s.of[i]);
    closed[s.of[i]] = s.motion.mode[i].closed;
    if (!grip) continue;
    closed[grip - system->ground] = s.motion.mode[i].sticks;
    s.sense[grip->number] = s.motion.mode[i].sense;
  }
  memcpy(at, s.motion.q, n * sizeof *y);
  memcpy(at + n, s.motion.v, n * sizeof *y);
  memcpy(y, at, n_state * sizeof *y);
  return SAL_TOGETHER_DONE;
}

sal_together sal_rigid_together_jump(const void *functions, const double words[], double t,
                                     double y[], bool closed[], bool fired[], const bool rests[],
                                     const double memory[])
{
  const sal_scalar_functions *f = functions;

  return sal_rigid_together_change(f->inner, words, t, y, closed, fired, rests, memory);
}

bool sal_rigid_together_moves(const sal_system *s)
{
  for (int k = 0; k < s->n_ground; ++k)
    if (!sal_system_of_rigid(s, k)) return false;
  return s->n_load == 0;
}

bool sal_rigid_together_motion(const void *functions, const double words[], double t,
                               const double y[], double memory[], sal_contact_motion *motion)
{
  const sal_scalar_functions *f = functions;
  const sal_state_space *in = f->inner;
  const size_t n = (size_t)in->system->n_v;
  static const bool open[SAL_MAX_GUARD];
  double at[SAL_MAX_STATE];
  system_at s;

  s.t = t;
  s.y = at;
  const size_t n_other = in->system->adapts ? n + 1 : 0;
  s.sense = at + 2 * n + n_other;
  s.turns = false;
  memset(s.bare, 0, sizeof s.bare);
  memcpy(at, y, (2 * n + n_other + (size_t)in->system->n_grip) * sizeof *y);
  memcpy(motion->q, at, n * sizeof *at);
  memcpy(motion->v, at + n, n * sizeof *at);
  const bool fresh = !((const sal_reduced *)(const void *)memory)->ready;
  enter(&s, in, words, memory, open);
  s.r->few_rows = motion->closed_only && !fresh;
  if (!evaluate(&s, motion)) return false;
  if (fresh && s.r->m == 0) note_pattern(in->system, motion);
  return true;
}

/* Gaps of closed contacts: below 0 while forces hold them. */
static bool gaps_at(const sal_state_space *in, const double param[], double t, double y[],
                    const bool closed[], const double memory[], double gap[])
{
  SAL_OWN_BY(leave) system_at s = arrive(in, param, t, y, closed, memory);

  if (!s.r || !sal_contact_jump_margins(&s.motion)) return false;
  for (int i = 0; i < s.motion.m; ++i) {
    const sal_ground *grip = grip_of(in->system, s.of[i]);
    if (!s.motion.mode[i].closed) continue;
    gap[s.of[i]] = -s.motion.mode[i].force;
    if (grip && s.motion.mode[i].sticks) gap[grip - in->system->ground] = -s.motion.mode[i].pull;
  }
  return true;
}

void sal_rigid_together_gaps(const sal_state_space *in, const double param[], double t,
                             const double y[], const double discrete[], const double dy[],
                             const bool closed[], const double memory[], double gap[],
                             double rate[])
{
  const sal_system *system = in->system;
  const int n = system->n_v, n_discrete = (system->adapts ? n + 1 : 0) + system->n_grip;
  double at[SAL_MAX_STATE], later[SAL_MAX_GUARD], now[SAL_MAX_GUARD];
  const double step = sal_contact_jump_step(2 * n, y, dy);

  memcpy(at, y, (size_t)(2 * n) * sizeof *y);
  if (n_discrete > 0) memcpy(at + n + n, discrete, (size_t)n_discrete * sizeof *y);
  memcpy(now, gap, (size_t)system->n_ground * sizeof *gap);
  if (!gaps_at(in, param, t, at, closed, memory, now)) return;
  for (int i = 0; i < 2 * n; ++i) at[i] += step * dy[i];
  memcpy(later, now, (size_t)system->n_ground * sizeof *gap);
  if (!gaps_at(in, param, t + step, at, closed, memory, later)) return;
  for (int k = 0; k < system->n_ground; ++k) {
    const sal_ground *g = &system->ground[k];
    const bool grips = sal_system_grips_rigid(system, k) && closed[g->partner];
    if (!closed[k] || !(sal_system_rigid(system, k) || grips)) continue;
    gap[k] = now[k];
    rate[k] = (later[k] - now[k]) / step;
  }
}
