/** Right-hand side, Jacobian, gaps and jumps. */
#include "state_space.h"
#include "arm.h"
#include "base.h"
#include "impact.h"
#include "scalar_math.h"

/* The solver at y, in the memory of the trajectory or, at a single point, in some of its own. */
typedef struct {
  sal_reduced *r; /* NULL: the position does not exist */
  double *own;
} visit;

static bool pushes_only(const sal_scalar_phase *s)
{
  const sal_state_space *in = s->inner;

  return in->tires >= 0 && s->p[in->tires] > 0;
}

/* How deep the road presses a tire in, as if it were not an obstacle. */
static double pressed(const sal_reduced *r, const sal_ground *g)
{
  const sal_force_place at = sal_reduced_place(r);
  sal_force_state f;

  sal_force_at(&at, &r->system->force[g->which], &f);
  return f.l;
}

static double slip_speed(const sal_reduced *r, const sal_ground *g)
{
  return fabs(sal_grip_speed(r, g));
}

static double tire_height(const sal_reduced *r, const sal_ground *g) { return -pressed(r, g); }

static double soft_gap(const sal_reduced *r, const sal_ground *g)
{
  const sal_force_place at = sal_reduced_place(r);
  double gap, unused;

  sal_force_gap(&at, &r->system->force[g->which], NULL, &gap, &unused);
  return gap;
}

/* The gap of a contact that is open. */
static double open_gap(const sal_reduced *r, const sal_ground *g)
{
  static double (*const kinds[SAL_N_GROUND_KIND])(const sal_reduced *, const sal_ground *) = {
      [SAL_GROUND_LOCK] = sal_reduced_height, [SAL_GROUND_TIRE] = tire_height,
      [SAL_GROUND_RIGID] = sal_rigid_gap,     [SAL_GROUND_SOFT] = soft_gap,
      [SAL_GROUND_GRIP] = slip_speed,
  };

  return kinds[g->kind](r, g);
}

/* The discrete states before those of friction. */
static int first_sense(const sal_system *system) { return system->adapts ? system->n_v + 1 : 0; }

/* Without a frozen mode nothing has said yet which way it slides: the speed does. */
static void take_senses(sal_reduced *r, const sal_scalar_phase *s)
{
  double sense[SAL_MAX_GUARD];

  for (int k = 0; k < r->system->n_ground; ++k) {
    const sal_ground *g = &r->system->ground[k];
    if (g->kind != SAL_GROUND_GRIP) continue;
    sense[g->number] =
        s->held ? s->q[first_sense(r->system) + g->number] : (sal_grip_speed(r, g) < 0 ? -1 : 1);
  }
  if (r->system->n_grip > 0) sal_reduced_slide(r, sense);
}

static void enter_mode(sal_reduced *r, const sal_scalar_phase *s)
{
  const sal_system *system = r->system;
  bool closed[SAL_MAX_GUARD];

  r->pushes = pushes_only(s);
  take_senses(r, s);
  for (int k = 0; k < system->n_ground; ++k) {
    const sal_ground *g = &system->ground[k];
    if (g->kind == SAL_GROUND_TIRE && !pushes_only(s))
      closed[k] = true;
    else if (s->held)
      closed[k] = s->closed[k] != 0;
    else
      closed[k] = open_gap(r, g) <= 0 && (g->kind != SAL_GROUND_GRIP || closed[g->partner]);
  }
  sal_reduced_enter(r, closed);
}

static void choose_coordinates(sal_reduced *r, const double q[])
{
  int v[SAL_MAX_FREEDOM];

  for (int j = 0; j < r->n_v; ++j) v[j] = (int)lround(q[j]);
  sal_reduced_choose(r, v);
}

static visit arrive(const sal_scalar_phase *s, const double y[])
{
  const sal_state_space *in = s->inner;
  const sal_system *system = in->system;
  visit at = {NULL, NULL};

  if (!s->memory) at.own = sal_alloc(sal_reduced_words(system), sizeof *at.own);
  if (!s->memory && !at.own) return at;
  sal_reduced *r = sal_reduced_open(system, s->memory ? s->memory : at.own, s->p);
  if (system->adapts) choose_coordinates(r, s->q);
  if (!sal_reduced_move(r, y, y + r->n_v)) return at;
  enter_mode(r, s);
  at.r = r;
  return at;
}

static void leave(const visit *at) { sal_free(at->own); }

/* Contacts: those of the system, of which locks come first, a load for each lock (impact.h), and the
 * one that chooses a partition.  Rigid contacts have no load. */
static int count_guards(const sal_system *system)
{
  return system->n_ground + system->n_load + system->adapts;
}

/* The contact that is the load of lock k. */
static int load_of(const sal_system *system, int k) { return system->n_ground + k; }

static void fill(int n, double value, double x[])
{
  for (int i = 0; i < n; ++i) x[i] = value;
}

static void rhs(const sal_scalar_phase *s, double t, const double y[], double dy[])
{
  const sal_state_space *in = s->inner;
  const int n_v = in->system->n_v;
  SAL_OWN_BY(leave) const visit at = arrive(s, y);

  (void)t;
  if (at.r && sal_reduced_accelerate(at.r)) {
    memcpy(dy, y + n_v, (size_t)n_v * sizeof *dy);
    memcpy(dy + n_v, at.r->vdd, (size_t)n_v * sizeof *dy);
    sal_lock_hold(at.r, dy);
  } else {
    fill(2 * n_v, NAN, dy);
  }
}

/* [[0, I], [J1, J2]] */
static void jac(const sal_scalar_phase *s, double t, const double y[], double J[])
{
  const sal_state_space *in = s->inner;
  const int n_v = in->system->n_v, n = 2 * n_v;
  SAL_OWN_BY(leave) const visit at = arrive(s, y);

  (void)t;
  if (at.r && sal_reduced_linearize(at.r)) {
    const sal_reduced *r = at.r;
    fill(n_v * n, 0, J);
    for (int i = 0; i < n_v; ++i) J[i * n + n_v + i] = 1;
    for (int i = 0; i < n_v; ++i)
      for (int j = 0; j < n; ++j) J[(n_v + i) * n + j] = r->J[j * (n_v + r->n_c) + i];
  } else {
    fill(n * n, NAN, J);
  }
}

/* A tire's gap: how far it is above the road.  Where it stands, its force is clipped at 0: a gap made
 * of the force would jump where the slope of the road does. */
static void tire_gap(const sal_reduced *r, const sal_ground *g, const double dq[], double *gap,
                     double *rate)
{
  const sal_force_place at = sal_reduced_place(r);

  *gap = -pressed(r, g);
  *rate = -sal_force_stretch(&at, &r->system->force[g->which], dq);
}

/* The point where a gap is looked at: the phase, and the slope as a change of the state and of q. */
typedef struct {
  const sal_scalar_phase *s;
  const double *dy, *dq, *dqd;
  double *gap, *rate;
} outlook;

static void look_at_lock(const outlook *o, sal_reduced *r, int k)
{
  const sal_ground *g = &r->system->ground[k];
  const int load = load_of(r->system, k);
  const sal_lock_mode mode = {r->closed[k], o->s->held && o->s->closed[load]};
  double gaps[2], rates[2];

  sal_lock_gaps(r, g, mode, o->dy, o->dq, gaps, rates);
  if (!o->s->held)
    gaps[0] = sal_reduced_height(r, g); /* nothing has said yet that the point stands */
  o->gap[k] = gaps[0], o->rate[k] = rates[0];
  o->gap[load] = gaps[1], o->rate[load] = rates[1];
}

static void look_at_tire(const outlook *o, sal_reduced *r, int k)
{
  if (pushes_only(o->s)) tire_gap(r, &r->system->ground[k], o->dq, &o->gap[k], &o->rate[k]);
}

static void look_at_rigid(const outlook *o, sal_reduced *r, int k)
{
  const sal_ground *g = &r->system->ground[k];

  if (o->s->held && r->closed[k]) {
    sal_lock_multiplier(r, g, o->dy, &o->gap[k], &o->rate[k]);
  } else {
    o->gap[k] = sal_reduced_height(r, g);
    o->rate[k] = sal_pair_dot(r->system->constraint[g->which].column, r->row[g->which], o->dq);
  }
}

static void look_at_soft(const outlook *o, sal_reduced *r, int k)
{
  const sal_force_place at = sal_reduced_place(r);

  sal_force_gap(&at, &r->system->force[r->system->ground[k].which], o->dq, &o->gap[k], &o->rate[k]);
}

static void look_at_grip(const outlook *o, sal_reduced *r, int k)
{
  const sal_grip_slope slope = {o->dy, o->dq, o->dqd};

  sal_grip_gap(r, k, o->s->held && r->closed[k], &slope, &o->gap[k], &o->rate[k]);
}

static void ground_gaps(const outlook *o, sal_reduced *r)
{
  static void (*const look[SAL_N_GROUND_KIND])(const outlook *, sal_reduced *, int) = {
      [SAL_GROUND_LOCK] = look_at_lock,   [SAL_GROUND_TIRE] = look_at_tire,
      [SAL_GROUND_RIGID] = look_at_rigid, [SAL_GROUND_SOFT] = look_at_soft,
      [SAL_GROUND_GRIP] = look_at_grip,
  };

  for (int k = 0; k < r->system->n_ground; ++k) look[r->system->ground[k].kind](o, r, k);
}

/* Beyond the end of its segment a contact is open, whatever its height and its force. */
static void end_segments(const outlook *o, const sal_reduced *r)
{
  double rate = 0;

  for (int k = 0; k < r->system->n_ground; ++k) {
    const double beyond = sal_rigid_beyond(r, &r->system->ground[k], o->dq, &rate);
    if (!(beyond > o->gap[k])) continue;
    o->gap[k] = beyond;
    o->rate[k] = rate;
  }
}

/* Do no gaps depend on the state? */
static bool holds_always(const sal_scalar_phase *s, const sal_system *system)
{
  bool only_tires = !system->adapts && !pushes_only(s);

  for (int k = 0; k < system->n_ground; ++k)
    only_tires = only_tires && system->ground[k].kind == SAL_GROUND_TIRE;
  return only_tires;
}

static void guard(const sal_scalar_phase *s, double t, const double y[], const double dy[],
                  double gap[], double rate[])
{
  const sal_state_space *in = s->inner;
  const sal_system *system = in->system;
  const int n_v = system->n_v, n_guard = count_guards(system);
  double dq[SAL_MAX_Q], dqd[SAL_MAX_Q];

  fill(n_guard, -1, gap);
  fill(n_guard, 0, rate);
  if (holds_always(s, system)) return;
  SAL_OWN_BY(leave) const visit at = arrive(s, y);
  if (at.r && sal_reduced_accelerate(at.r)) {
    sal_reduced_vary(at.r, dy, dq);
    if (system->n_grip > 0) sal_reduced_vary_rates(at.r, dq, dy + n_v, dqd);
    const outlook o = {s, dy, dq, dqd, gap, rate};
    ground_gaps(&o, at.r);
    if (s->held && sal_rigid_together_is_redundant(at.r))
      sal_rigid_together_gaps(in, s->p, t, y, s->q, dy, at.r->closed, s->memory, gap, rate);
    end_segments(&o, at.r);
    if (system->adapts) {
      const int k = n_guard - 1;
      gap[k] = sal_scalar_log(SAL_STATE_SPACE_WORSE) + s->q[n_v] - sal_reduced_condition(at.r);
      rate[k] = -sal_reduced_condition_rate(at.r, dq);
    }
  } else {
    fill(n_guard, NAN, gap);
    fill(n_guard, NAN, rate);
  }
}

/* Other coordinates: those of the largest pivots here. */
static void choose_anew(sal_reduced *r, double y[])
{
  const sal_system *system = r->system;
  double *A = r->S, q[SAL_MAX_Q], qd[SAL_MAX_Q];
  int u[SAL_MAX_Q], v[SAL_MAX_FREEDOM], row[SAL_MAX_Q];
  const int last = 3 * r->n_v;

  memset(A, 0, (size_t)(r->m * r->n) * sizeof *A);
  for (int k = 0; k < r->m; ++k)
    for (int l = 0; l < SAL_PAIR; ++l) {
      const int c = system->constraint[k].column[l];
      if (c >= 0) A[k * r->n + c] += r->row[k][l];
    }
  if (sal_partition_choose(r->m, r->n, A, u, v, row) < r->m) return;
  memcpy(q, r->q, (size_t)r->n * sizeof *q);
  memcpy(qd, r->qd, (size_t)r->n * sizeof *qd);
  for (int j = 0; j < r->n_v; ++j) {
    y[j] = q[v[j]];
    y[r->n_v + j] = qd[v[j]];
    y[2 * r->n_v + j] = v[j];
  }
  sal_reduced_choose(r, v);
  if (sal_reduced_move(r, y, y + r->n_v)) y[last] = sal_reduced_condition(r);
}

void sal_state_space_restate(const void *functions, const double words[], double y[],
                             double memory[])
{
  const sal_scalar_functions *f = functions;
  const sal_system *system = ((const sal_state_space *)f->inner)->system;
  const double *rest = y + 2 * system->n_v;
  sal_reduced *r = sal_reduced_open(system, memory, words);

  choose_coordinates(r, rest);
  if (!sal_reduced_move(r, y, y + r->n_v)) return;
  if (sal_reduced_condition(r) > sal_scalar_log(SAL_STATE_SPACE_WORSE) + rest[r->n_v])
    choose_anew(r, y);
}

static void jump_lock(sal_scalar_phase *s, sal_reduced *r, int k, double y[])
{
  const sal_ground *g = &r->system->ground[k];
  const int load = load_of(r->system, k);
  bool loaded;

  if (s->closed[k]) {
    sal_lock_land(r, g, y, &loaded);
    s->closed[load] = -(int64_t)loaded;
  } else {
    s->closed[k] = -(int64_t)!sal_lock_release(r, g, y);
    s->closed[load] = 0;
  }
}

/* A rigid contact or its friction changes; where that has no solution the state is not a number. */
static void jump_rigid(sal_scalar_phase *s, int k, double t, double y[])
{
  const sal_state_space *in = s->inner;
  const int n = count_guards(in->system);
  bool closed[SAL_MAX_GUARD], fired[SAL_MAX_GUARD] = {false}, rests[SAL_MAX_GUARD] = {false};

  for (int i = 0; i < n; ++i) closed[i] = s->closed[i] != 0;
  fired[k] = true;
  rests[k] = s->rests;
  if (sal_rigid_together_change(in, s->p, t, y, closed, fired, rests, s->memory) !=
      SAL_TOGETHER_DONE)
    fill(2 * in->system->n_v, NAN, y);
  for (int i = 0; i < n; ++i) s->closed[i] = -(int64_t)closed[i];
}

static bool has_grip(const sal_ground *g) { return g->kind == SAL_GROUND_SOFT && g->partner >= 0; }

/* A grip changes, or the force that it belongs to. */
static void jump_grip(sal_scalar_phase *s, sal_reduced *r, int k, double y[])
{
  const sal_ground *g = &r->system->ground[k];
  const int grip = g->kind == SAL_GROUND_GRIP ? k : g->partner;
  double *sense = &y[2 * r->n_v + first_sense(r->system) + r->system->ground[grip].number];
  const bool holds = g->kind == SAL_GROUND_GRIP ? sal_grip_holds(r, k, s->closed[k], y, sense)
                                                : sal_grip_lands(r, grip, y, sense);

  s->closed[grip] = -(int64_t)holds;
}

static void jump(sal_scalar_phase *s, int k, double t, double y[])
{
  const sal_state_space *in = s->inner;
  const sal_system *system = in->system;
  const int loads = system->n_ground + system->n_load;

  SAL_OWN_BY(leave) const visit at = arrive(s, y);
  if (at.r && k == loads) {
    choose_anew(at.r, y);
    s->closed[k] = 0;
  } else if (at.r && k >= system->n_ground && s->closed[k]) {
    sal_lock_load(at.r, &system->ground[k - system->n_ground], y);
  } else if (at.r && k < system->n_load) {
    jump_lock(s, at.r, k, y);
  } else if (k < system->n_ground && sal_system_of_rigid(system, k)) {
    jump_rigid(s, k, t, y);
  } else if (at.r && k < system->n_ground &&
             (system->ground[k].kind == SAL_GROUND_GRIP || has_grip(&system->ground[k]))) {
    jump_grip(s, at.r, k, y);
  }
}

double sal_state_space_step(const void *functions, const double param[], const double y[])
{
  const sal_scalar_functions *f = functions;
  const sal_state_space *in = f->inner;

  return in->longest > 0 ? in->longest : sal_passage_step(in->system, param, y);
}

void sal_state_space_functions(const sal_state_space *space, sal_scalar_functions *out)
{
  const bool contacts = count_guards(space->system) > 0;

  *out = (sal_scalar_functions){.n = 2 * space->system->n_v,
                                .rhs = rhs,
                                .jac = jac,
                                .guard = contacts ? guard : NULL,
                                .jump = contacts ? jump : NULL,
                                .inner = space};
}
