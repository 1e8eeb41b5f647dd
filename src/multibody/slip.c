/** Impacts, release, stick and slip of rigid contacts with friction. */
#include "arm.h"
#include "force.h"
#include "impact.h"
#include "model.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* An impulse that is rounding, of that of the contact that closes. */
static const double grain = 1e-9;
/* A speed of slip that is none, and one against its sense that no location of an event leaves; of 1 and the
 * largest velocity. */
static const double zero_speed = 1e-12, wrong_sense = 1e-6;
/* A hold that is at its bound, of that. */
static const double at_bound = 1 - 1e-6;

static bool is_rigid(const sal_system *s, int k) { return s->ground[k].kind == SAL_GROUND_RIGID; }

static bool is_grip(const sal_system *s, int k)
{
  return s->ground[k].kind == SAL_GROUND_GRIP && is_rigid(s, s->ground[k].partner);
}

bool sal_slip_has_any(const sal_system *s)
{
  for (int k = 0; k < s->n_ground; ++k)
    if (is_grip(s, k)) return true;
  return false;
}

static double fastest(const sal_slip_jump *j)
{
  double most = 0;

  for (int i = 0; i < j->r->n_v; ++i) most = fmax(most, fabs(j->y[j->r->n_v + i]));
  return 1 + most;
}

static const sal_ground *ground_of(const sal_slip_jump *j, int k)
{
  return &j->r->system->ground[k];
}

static double *sense_of(const sal_slip_jump *j, int k)
{
  return &j->sense[ground_of(j, k)->number];
}

static void enter(const sal_slip_jump *j)
{
  sal_reduced_slide(j->r, j->sense);
  sal_reduced_enter(j->r, j->closed);
}

static void open(const sal_slip_jump *j, int k)
{
  const int grip = ground_of(j, k)->partner;

  j->closed[k] = false;
  if (grip >= 0) j->closed[grip] = false;
}

/* Friction that held pushes against the slip that begins. */
static void let_slide(const sal_slip_jump *j, int k, double held)
{
  j->closed[k] = false;
  *sense_of(j, k) = held < 0 ? -1 : 1;
}

/* Figures of the closed locks, of each contact; 0 of those that have none. */
static void spread(const sal_reduced *r, const double of_lock[], double figure[])
{
  memset(figure, 0, (size_t)r->system->n_ground * sizeof *figure);
  for (int a = 0; a < r->n_c; ++a) figure[r->contact[a]] = of_lock[a];
}

/* The closed rigid contact other than `but` that would have to pull, by more than `some`, most; -1: none. */
static int worst_pull(const sal_slip_jump *j, const double figure[], int but, double some)
{
  int worst = -1;

  for (int k = 0; k < j->r->system->n_ground; ++k)
    if (is_rigid(j->r->system, k) && j->closed[k] && k != but && figure[k] > some) {
      some = figure[k];
      worst = k;
    }
  return worst;
}

/* Friction that holds and exceeds most[] most, and by more than `some`; -1: none. */
static int worst_slip(const sal_slip_jump *j, const double figure[], const double most[],
                      double some)
{
  int worst = -1;

  for (int k = 0; k < j->r->system->n_ground; ++k)
    if (is_grip(j->r->system, k) && j->closed[k] && fabs(figure[k]) - most[k] > some) {
      some = fabs(figure[k]) - most[k];
      worst = k;
    }
  return worst;
}

static void bound_impulses(const sal_slip_jump *j, const double impulse[], double most[])
{
  for (int k = 0; k < j->r->system->n_ground; ++k) {
    const sal_ground *g = ground_of(j, k);
    if (is_grip(j->r->system, k)) most[k] = j->r->value[g->still] * fmax(0, -impulse[g->partner]);
  }
}

static void take(const sal_slip_jump *j, const double x[])
{
  for (int i = 0; i < j->r->n_v; ++i) j->y[j->r->n_v + i] = x[j->r->v[i]];
}

/* Impulses that are rounding, where contact k takes this one: of that, and of the momenta. */
static double rounding(const sal_slip_jump *j, double impulse)
{
  double p[SAL_MAX_Q], most = 0;

  sal_inertia_times(j->r->system, j->r->value, j->r->q, j->r->qd, p);
  for (int i = 0; i < j->r->n; ++i) most = fmax(most, fabs(p[i]));
  return grain * fabs(impulse) + 64 * DBL_EPSILON * most;
}

/* The velocities x after the impact of contact k that leaves it at this speed; false: it does not need to push.  Friction that does
 * not stop the slip acts afterwards against the impulse that would have stopped it, so that friction takes energy. */
static bool hit(const sal_slip_jump *j, int k, double speed, double x[])
{
  double of_lock[SAL_MAX_GUARD] = {0}, impulse[SAL_MAX_GUARD], most[SAL_MAX_GUARD] = {0};

  for (int turn = 0; turn <= j->r->system->n_ground; ++turn) {
    enter(j);
    if (!sal_impact_strike(j->r, k, speed, x, of_lock)) return false;
    spread(j->r, of_lock, impulse);
    bound_impulses(j, impulse, most);
    const double some = rounding(j, impulse[k]);
    const int slides = worst_slip(j, impulse, most, some);
    const int pulls = slides < 0 ? worst_pull(j, impulse, k, some) : -1;
    if (slides >= 0) {
      let_slide(j, slides, impulse[slides]);
    } else if (pulls >= 0) {
      open(j, pulls);
    } else {
      return speed > 0 || impulse[k] <= some;
    }
  }
  return true;
}

/* Senses of what slides are those of the speeds. */
static void face_motion(const sal_slip_jump *j)
{
  for (int k = 0; k < j->r->system->n_ground; ++k) {
    const sal_ground *g = ground_of(j, k);
    if (!is_grip(j->r->system, k) || j->closed[k]) continue;
    const double speed = sal_grip_speed(j->r, g);
    if (fabs(speed) > zero_speed * fastest(j)) *sense_of(j, k) = speed < 0 ? -1 : 1;
  }
}

/* All that does not slide may hold, but for k. */
static void try_to_hold(const sal_slip_jump *j, int but, bool tried[])
{
  for (int k = 0; k < j->r->system->n_ground; ++k) {
    const sal_ground *g = ground_of(j, k);
    tried[k] = k == but;
    if (k == but || !is_grip(j->r->system, k) || !j->closed[g->partner]) continue;
    if (!j->closed[k] && fabs(sal_grip_speed(j->r, g)) > zero_speed * fastest(j)) continue;
    j->closed[k] = tried[k] = true;
  }
}

/* The speed that begins to slide: some roundings, and what friction gives in some roundings of time, lest rounding turn
 * it back where forces just balance. */
static double first_speed(const sal_slip_jump *j, int k)
{
  const sal_ground *g = ground_of(j, k);
  const double least = 16 * DBL_EPSILON * fastest(j), t = fabs(j->t);
  double of_lock[2][SAL_MAX_GUARD] = {{0}}, impulse[2][SAL_MAX_GUARD], x[SAL_MAX_Q];
  const double most = sal_grip_bound(j->r, g);

  for (int i = 0; i < 2; ++i) {
    if (!sal_impact_strike(j->r, k, i, x, of_lock[i])) return least;
    spread(j->r, of_lock[i], impulse[i]);
  }
  const double inertia = fabs(impulse[1][k] - impulse[0][k]);
  return inertia > 0 ? least + 8 * (nextafter(t, INFINITY) - t) * most / inertia : least;
}

/* Puts the speed of slip, which is none, on the side of its sense. */
static void begin_slip(const sal_slip_jump *j, int k)
{
  const sal_ground *g = ground_of(j, k);
  double x[SAL_MAX_Q];

  enter(j);
  if (j->r->carried[k] || *sense_of(j, k) * sal_grip_speed(j->r, g) > zero_speed * fastest(j))
    return;
  if (!sal_reduced_accelerate(j->r)) return;
  j->closed[k] = true;
  enter(j);
  if (sal_reduced_accelerate(j->r) &&
      sal_impact_strike(j->r, k, *sense_of(j, k) * first_speed(j, k), x, NULL))
    take(j, x);
  j->closed[k] = false;
  sal_reduced_move(j->r, j->y, j->y + j->r->n_v);
}

/* A contact that the forces do not hold opens, or slides; friction k, -1: none, slides in any case. */
static void resolve(const sal_slip_jump *j, int but)
{
  const int n = j->r->system->n_ground;
  bool tried[SAL_MAX_GUARD] = {false};
  double of_lock[SAL_MAX_GUARD] = {0}, force[SAL_MAX_GUARD], most[SAL_MAX_GUARD] = {0};

  if (!sal_reduced_move(j->r, j->y, j->y + j->r->n_v)) return;
  face_motion(j);
  try_to_hold(j, but, tried);
  for (int turn = 0; turn <= n; ++turn) {
    enter(j);
    if (!sal_reduced_accelerate(j->r)) return;
    for (int a = 0; a < j->r->n_c; ++a) of_lock[a] = j->r->lambda[j->r->lock[a]];
    spread(j->r, of_lock, force);
    for (int k = 0; k < n; ++k)
      if (is_grip(j->r->system, k)) most[k] = sal_grip_bound(j->r, ground_of(j, k));
    const int pulls = worst_pull(j, force, -1, 0);
    const int slides = pulls < 0 ? worst_slip(j, force, most, 0) : -1;
    if (pulls >= 0)
      open(j, pulls);
    else if (slides >= 0)
      let_slide(j, slides, force[slides]);
    else
      break;
  }
  for (int k = 0; k < n; ++k)
    if (tried[k] && !j->closed[k] && j->closed[ground_of(j, k)->partner]) begin_slip(j, k);
}

/* Takes what integration has left of the speed of gaps. */
static void take_rest(const sal_slip_jump *j)
{
  double x[SAL_MAX_Q];

  enter(j);
  if (sal_impact_project(j->r, j->r->qd, x, NULL)) take(j, x);
}

/* The impact of contact k, that comes at this speed. */
static void collide(const sal_slip_jump *j, int k, double coming, double e)
{
  const int grip = ground_of(j, k)->partner;
  double x[SAL_MAX_Q];

  if (grip >= 0) j->closed[grip] = true;
  const bool met = hit(j, k, -e * coming, x);
  if (met) take(j, x);
  if (!met || e * coming != 0) open(j, k);
}

void sal_slip_close(const sal_slip_jump *j, int k, bool rests)
{
  const sal_ground *g = ground_of(j, k);
  const sal_constraint *c = &j->r->system->constraint[g->which];
  const double coming = sal_pair_dot(c->column, j->r->row[g->which], j->r->qd);
  bool before[SAL_MAX_GUARD];

  memcpy(before, j->closed, (size_t)j->r->system->n_ground * sizeof *before);
  if (rests && fabs(coming) <= zero_speed * fastest(j))
    take_rest(j); /* without an impact friction has none, either */
  else
    collide(j, k, coming, rests ? 0 : j->r->value[g->restitution]);
  resolve(j, -1);
  sal_rigid_place(j->r, before, j->closed, j->y);
}

void sal_slip_open(const sal_slip_jump *j, int k)
{
  bool before[SAL_MAX_GUARD];

  j->closed[k] = true;
  memcpy(before, j->closed, (size_t)j->r->system->n_ground * sizeof *before);
  take_rest(j);
  open(j, k);
  resolve(j, -1);
  sal_rigid_place(j->r, before, j->closed, j->y);
}

void sal_slip_change(const sal_slip_jump *j, int k, bool closes)
{
  const sal_ground *g = ground_of(j, k);

  j->closed[k] = false;
  if (!j->closed[g->partner]) return;
  if (closes && *sense_of(j, k) * sal_grip_speed(j->r, g) < -wrong_sense * fastest(j)) {
    *sense_of(j, k) = -*sense_of(j, k); /* the initial state has another one */
    return;
  }
  j->closed[k] = true;
  take_rest(j);
  resolve(j, -1);
  if (closes || !j->closed[k]) return;
  const double held = j->r->lambda[g->which];
  if (fabs(held) < at_bound * sal_grip_bound(j->r, g)) return; /* the others take it */
  let_slide(j, k, held);
  resolve(j, k);
}
