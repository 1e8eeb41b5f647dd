/** Landing and release of points. */
#include "arm.h"
#include "base.h"
#include "impact.h"
#include "model.h"
#include <float.h>

/* The independent coordinate that is the height itself, -1: there is none. */
static int coordinate_of(const sal_reduced *r, int constraint)
{
  const int *column = r->system->constraint[constraint].column;
  int found = -1, n = 0;

  for (int l = 0; l < SAL_PAIR; ++l) {
    if (column[l] < 0 || r->row[constraint][l] == 0) continue;
    ++n;
    for (int j = 0; j < r->n_v; ++j)
      if (r->v[j] == column[l] && r->row[constraint][l] == 1) found = j;
  }
  return n == 1 ? found : -1;
}

/* Where the slopes of a closed lock's multiplier stand in J. */
static int rank_of(const sal_reduced *r, const sal_ground *g)
{
  int a = 0;

  while (a < r->n_c && r->lock[a] != g->which) ++a;
  return r->n_v + a;
}

void sal_lock_multiplier(sal_reduced *r, const sal_ground *g, const double dy[], double *gap,
                         double *rate)
{
  const int size = r->n_v + r->n_c, at = rank_of(r, g);

  *gap = r->lambda[g->which];
  *rate = 0;
  if (at == size || r->straight) return; /* it has no constraint of its own, or does not change */
  *rate = NAN;
  if (!sal_reduced_linearize(r)) return;
  *rate = 0;
  for (int j = 0; j < 2 * r->n_v; ++j) *rate += r->J[j * size + at] * dy[j];
}

void sal_lock_gaps(sal_reduced *r, const sal_ground *g, sal_lock_mode mode, const double dy[],
                   const double dq[], double gap[2], double rate[2])
{
  const sal_constraint *c = &r->system->constraint[g->which];

  gap[0] =
      mode.stands ? -1 : sal_reduced_height(r, g); /* without a load a point that stands stays */
  rate[0] = mode.stands ? 0 : sal_pair_dot(c->column, r->row[g->which], dq);
  gap[1] = mode.stands && mode.loaded ? -1 : 1;
  rate[1] = 0;
  if (mode.stands) {
    const int which = mode.loaded ? 0 : 1;
    sal_lock_multiplier(r, g, dy, &gap[which], &rate[which]);
  }
}

/* Moves v so that the multiplier is on the side that the mode has it on. */
static void settle(sal_reduced *r, const sal_ground *g, double y[], double side)
{
  const int size = r->n_v + r->n_c, at = rank_of(r, g), held = coordinate_of(r, g->which);
  double scale = 0, square = 0;

  if (!sal_reduced_move(r, y, y + r->n_v) || !sal_reduced_linearize(r)) return;
  for (int j = 0; j < r->n_v; ++j) {
    const double slope = j == held ? 0 : r->J[j * size + at];
    scale = fmax(scale, fabs(slope) * (1 + fabs(y[j])));
    square += slope * slope;
  }
  const double goal = side * 64 * DBL_EPSILON * (scale + fabs(r->lambda[g->which]));
  const double off = goal - r->lambda[g->which];
  if (side * off <= 0 || !(square > 0)) return;
  for (int j = 0; j < r->n_v; ++j)
    if (j != held) y[j] += off / square * r->J[j * size + at];
}

/* Height and its rate, where they are states, are exactly 0 on the ground. */
static void put_down(sal_reduced *r, const sal_ground *g, double y[])
{
  const int j = coordinate_of(r, g->which);

  if (j < 0) return;
  y[j] -= sal_reduced_height(r, g);
  y[r->n_v + j] = 0;
}

void sal_lock_land(sal_reduced *r, const sal_ground *g, double y[], bool *loaded)
{
  double x[SAL_MAX_Q];

  *loaded = true;
  if (!sal_impact_project(r, r->qd, x)) return;
  for (int j = 0; j < r->n_v; ++j) y[r->n_v + j] = x[r->v[j]];
  put_down(r, g, y);
  if (sal_reduced_move(r, y, y + r->n_v) && sal_reduced_accelerate(r))
    *loaded = r->lambda[g->which] <= 0;
}

/* Height'' in a mode without the lock, and what rounding makes of it. */
static bool moves_up(sal_reduced *r, const sal_ground *g)
{
  bool closed[SAL_MAX_GUARD];

  memcpy(closed, r->closed, (size_t)r->system->n_ground * sizeof *closed);
  closed[g - r->system->ground] = false;
  sal_reduced_enter(r, closed);
  if (!sal_reduced_accelerate(r)) return true;
  const sal_constraint *c = &r->system->constraint[g->which];
  return sal_pair_dot(c->column, r->row[g->which], r->qdd) - r->tau[g->which] > 0;
}

bool sal_lock_release(sal_reduced *r, const sal_ground *g, double y[])
{
  bool closed[SAL_MAX_GUARD];

  memcpy(closed, r->closed, (size_t)r->system->n_ground * sizeof *closed);
  put_down(r, g, y);
  if (!sal_reduced_move(r, y, y + r->n_v)) return true;
  if (moves_up(r, g)) return true;
  closed[g - r->system->ground] = true;
  sal_reduced_enter(r, closed);
  settle(r, g, y, 1);
  return false;
}

void sal_lock_load(sal_reduced *r, const sal_ground *g, double y[]) { settle(r, g, y, -1); }

void sal_lock_hold(const sal_reduced *r, double dy[])
{
  for (int a = 0; a < r->n_c; ++a) {
    const int j = coordinate_of(r, r->lock[a]);
    if (j >= 0) dy[r->n_v + j] = 0;
  }
}
