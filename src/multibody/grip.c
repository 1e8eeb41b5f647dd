/** Friction that holds and slides. */
#include "arm.h"
#include "base.h"
#include "impact.h"
#include "model.h"
#include <float.h>

/* A speed of slip against its sense, of 1 and the largest velocity, that no location of an event leaves. */
static const double wrong_sense = 1e-6;
/* One that is none. */
static const double still = 1e-12;

static const sal_force *force_of(const sal_reduced *r, const sal_ground *g)
{
  return &r->system->force[r->system->ground[g->partner].which];
}

/* Bound of friction without a normal force, a share of the lighter body's weight: where that force begins and ends, slip and
 * friction are both 0 but for rounding, which must not make it slide and stick by turns. */
static double trace(const sal_reduced *r, const sal_ground *g)
{
  const sal_system *s = r->system;
  const sal_constraint *c = &s->constraint[g->which];
  const int bodies[2] = {c->i.body, c->j.body};
  const double *gravity = r->value + s->gravity;
  double mass = INFINITY;

  for (int i = 0; i < 2; ++i)
    if (bodies[i] >= 0) mass = fmin(mass, r->value[s->body[bodies[i]].mass]);
  return 1e-10 * mass * (1 + fabs(gravity[0]) + fabs(gravity[1]));
}

static bool is_rigid(const sal_reduced *r, const sal_ground *g)
{
  return r->system->ground[g->partner].kind == SAL_GROUND_RIGID;
}

/* In tension above 0. */
static double normal_force(const sal_reduced *r, const sal_ground *g)
{
  const sal_force_place at = sal_reduced_place(r);
  sal_force_state f;

  if (is_rigid(r, g)) return r->lambda[r->system->ground[g->partner].which];
  sal_force_at(&at, force_of(r, g), &f);
  return f.F;
}

/* The most that friction holds at the solver's point, which has its accelerations. */
static double bound_of(const sal_reduced *r, const sal_ground *g)
{
  return r->value[g->still] * fmax(0, -normal_force(r, g)) + trace(r, g);
}

/* The change of the normal force; 0 where it is none. */
static double normal_change(sal_reduced *r, const sal_ground *g, const sal_grip_slope *along)
{
  const sal_force_place at = sal_reduced_place(r);
  double force, change;

  if (!(bound_of(r, g) > trace(r, g))) return 0;
  if (!is_rigid(r, g)) return sal_force_change(&at, force_of(r, g), along->dq, along->dqd);
  sal_lock_multiplier(r, &r->system->ground[g->partner], along->dy, &force, &change);
  return change;
}

double sal_grip_speed(const sal_reduced *r, const sal_ground *g)
{
  return sal_pair_dot(r->system->constraint[g->which].column, r->row[g->which], r->qd);
}

double sal_grip_start(const sal_system *s, const sal_ground *g)
{
  const sal_constraint *c = &s->constraint[g->which];
  sal_constraint_row row;

  sal_constraint_slope(s, s->value, s->q0, c, row);
  return sal_pair_dot(c->column, row, s->qd0) < 0 ? -1 : 1;
}

/* The speed's change; (Phi_q q')_q is known where accelerations are. */
static double speed_change(const sal_reduced *r, const sal_ground *g, const sal_grip_slope *along)
{
  const int *column = r->system->constraint[g->which].column;

  return sal_pair_dot(column, r->row[g->which], along->dqd) +
         sal_pair_dot(column, r->along[g->which], along->dq);
}

void sal_grip_gap(sal_reduced *r, int k, bool holds, const sal_grip_slope *along, double *gap,
                  double *rate)
{
  const sal_ground *g = &r->system->ground[k];
  const double sense = r->sense[g->number];

  *gap = 1;
  *rate = 0;
  if (!r->closed[g->partner] || (!holds && r->carried[k])) return;
  if (holds) {
    double lambda, change;
    sal_lock_multiplier(r, g, along->dy, &lambda, &change);
    const double side = lambda < 0 ? -1 : 1;
    *gap = fabs(lambda) - bound_of(r, g);
    *rate = side * change + r->value[g->still] * normal_change(r, g, along);
  } else {
    *gap = sense * sal_grip_speed(r, g);
    *rate = sense * speed_change(r, g, along);
  }
}

static double fastest(const sal_reduced *r, const double y[])
{
  double most = 0;

  for (int j = 0; j < r->n_v; ++j) most = fmax(most, fabs(y[r->n_v + j]));
  return most;
}

/* Velocities without slip, with the grip closed; false: they contradict each other. */
static bool stop(sal_reduced *r, int k, double y[])
{
  bool closed[SAL_MAX_GUARD];
  double x[SAL_MAX_Q];

  memcpy(closed, r->closed, (size_t)r->system->n_ground * sizeof *closed);
  closed[k] = true;
  sal_reduced_enter(r, closed);
  if (!sal_impact_project(r, r->qd, x)) return false;
  for (int j = 0; j < r->n_v; ++j) y[r->n_v + j] = x[r->v[j]];
  return sal_reduced_move(r, y, y + r->n_v) && sal_reduced_accelerate(r);
}

/* Makes the speed of slip what it is, by some roundings, on the side of the sense. */
static void begin_slip(sal_reduced *r, const sal_ground *g, double sense, double y[])
{
  double slope[SAL_MAX_FREEDOM] = {0}, square = 0;

  sal_reduced_row_times(&r->system->constraint[g->which], r->row[g->which], r->n_v, r->N, 1, slope);
  for (int j = 0; j < r->n_v; ++j) square += slope[j] * slope[j];
  if (!(square > 0)) return;
  const double by =
      (sense * 16 * DBL_EPSILON * (1 + fastest(r, y)) - sal_grip_speed(r, g)) / square;
  for (int j = 0; j < r->n_v; ++j) y[r->n_v + j] += by * slope[j];
}

bool sal_grip_holds(sal_reduced *r, int k, bool closes, double y[], double *sense)
{
  const sal_ground *g = &r->system->ground[k];

  if (!r->closed[g->partner]) return false; /* both have changed at once */
  if (closes && *sense * sal_grip_speed(r, g) < -wrong_sense * (1 + fastest(r, y))) {
    *sense = -*sense;
    return false;
  }
  if (!stop(r, k, y)) return false;
  const double lambda = r->lambda[g->which];
  if (closes && fabs(lambda) <= bound_of(r, g)) return true;
  *sense = lambda < 0 ? -1 : 1; /* what holds pushes against the slip that begins */
  begin_slip(r, g, *sense, y);
  return false;
}

bool sal_grip_lands(sal_reduced *r, int k, double y[], double *sense)
{
  const sal_ground *g = &r->system->ground[k];
  const double speed = sal_grip_speed(r, g);

  *sense = speed < 0 ? -1 : 1;
  return fabs(speed) <= still * (1 + fastest(r, y)) && sal_grip_holds(r, k, true, y, sense);
}
