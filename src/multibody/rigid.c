/** Impacts and release of rigid contacts. */
#include "arm.h"
#include "impact.h"
#include "model.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { LIFTS = 64 };

static double distance(const sal_reduced *r, const sal_ground *g)
{
  return sal_constraint_value(r->system, r->value, r->q, &r->system->constraint[g->which]);
}

static bool is_rigid(const sal_reduced *r, int k)
{
  return r->system->ground[k].kind == SAL_GROUND_RIGID;
}

void sal_rigid_gap(sal_reduced *r, const sal_ground *g, bool stands, const double dy[],
                   const double dq[], double *gap, double *rate)
{
  if (stands) {
    sal_lock_multiplier(r, g, dy, gap, rate);
  } else {
    *gap = distance(r, g);
    *rate = sal_pair_dot(r->system->constraint[g->which].column, r->row[g->which], dq);
  }
}

/* The closed rigid contact other than `but` whose figure, one for each closed lock, is above 0 by most: the
 * one that would have to pull; -1: there is none. */
static int worst_pull(const sal_reduced *r, const double figure[], int but)
{
  double most = 0;
  int worst = -1;

  for (int a = 0; a < r->n_c; ++a)
    if (is_rigid(r, r->contact[a]) && r->contact[a] != but && figure[a] > most) {
      most = figure[a];
      worst = r->contact[a];
    }
  return worst;
}

/* Projects q' onto the closed locks, of which those that would have to pull open; false: k itself would. */
static bool project(sal_reduced *r, int k, double x[], bool closed[])
{
  double impulse[SAL_MAX_GUARD] = {0};

  for (int turn = 0; turn < r->system->n_ground; ++turn) {
    sal_reduced_enter(r, closed);
    if (!sal_impact_project(r, r->qd, x, impulse)) return false;
    const int pulls = worst_pull(r, impulse, k);
    if (pulls < 0) break;
    closed[pulls] = false;
  }
  for (int a = 0; a < r->n_c; ++a)
    if (r->contact[a] == k) return impulse[a] <= 0;
  return true; /* it follows from the others */
}

/* Opens what would have to pull without an impact. */
static void let_go(sal_reduced *r, const double y[], bool closed[])
{
  for (int turn = 0; turn < r->system->n_ground; ++turn) {
    double lambda[SAL_MAX_GUARD];
    sal_reduced_enter(r, closed);
    if (!sal_reduced_move(r, y, y + r->n_v) || !sal_reduced_accelerate(r)) return;
    for (int a = 0; a < r->n_c; ++a) lambda[a] = r->lambda[r->lock[a]];
    const int pulls = worst_pull(r, lambda, -1);
    if (pulls < 0) return;
    closed[pulls] = false;
  }
}

/* Moves v along the gradient of the distance, by what brings that to `to` if it is linear. */
static void shift(sal_reduced *r, const sal_ground *g, double to, double y[])
{
  double slope[SAL_MAX_FREEDOM] = {0}, square = 0;

  sal_reduced_row_times(&r->system->constraint[g->which], r->row[g->which], r->n_v, r->N, 1, slope);
  for (int j = 0; j < r->n_v; ++j) square += slope[j] * slope[j];
  if (!(square > 0)) return;
  const double by = (to - distance(r, g)) / square;
  for (int j = 0; j < r->n_v; ++j) y[j] += by * slope[j];
}

/* The distance becomes 0 where the contact is closed; where it is open, above 0 by what another start of
 * Newton's method may change. */
static void put(sal_reduced *r, int k, bool closed, double y[])
{
  const sal_ground *g = &r->system->ground[k];
  double size = 0;

  for (int j = 0; j < r->n_v; ++j) size = fmax(size, fabs(y[j]));
  const double grain = DBL_EPSILON * (1 + size);
  double to = closed ? 0 : 4 * grain;
  for (int turn = 0; turn < (closed ? 1 : LIFTS); ++turn, to *= 2) {
    if (!sal_reduced_move(r, y, y + r->n_v)) return;
    const double now = distance(r, g);
    if (!closed && now >= 2 * grain && now <= 2 * to) return;
    shift(r, g, to, y);
  }
}

void sal_rigid_place(sal_reduced *r, const bool before[], const bool closed[], double y[])
{
  for (int side = 1; side >= 0; --side)
    for (int k = 0; k < r->system->n_ground; ++k)
      if (is_rigid(r, k) && before[k] && closed[k] == (side == 1)) put(r, k, closed[k], y);
}

static void settle(sal_reduced *r, const bool before[], double y[], bool closed[])
{
  let_go(r, y, closed);
  sal_rigid_place(r, before, closed, y);
}

void sal_rigid_close(sal_reduced *r, int k, bool rests, double y[], bool closed[])
{
  const double e = rests ? 0 : r->value[r->system->ground[k].restitution];
  bool before[SAL_MAX_GUARD];
  double x[SAL_MAX_Q];

  memcpy(before, closed, (size_t)r->system->n_ground * sizeof *before);
  if (project(r, k, x, closed)) {
    for (int j = 0; j < r->n_v; ++j) {
      const double v = r->qd[r->v[j]];
      y[r->n_v + j] = e > 0 ? v + (1 + e) * (x[r->v[j]] - v) : x[r->v[j]];
    }
    if (e > 0) closed[k] = false;
  } else {
    closed[k] = false;
  }
  settle(r, before, y, closed);
}

void sal_rigid_open(sal_reduced *r, int k, double y[], bool closed[])
{
  bool before[SAL_MAX_GUARD];
  double x[SAL_MAX_Q];

  closed[k] = true;
  memcpy(before, closed, (size_t)r->system->n_ground * sizeof *before);
  sal_reduced_enter(r, closed);
  if (sal_impact_project(r, r->qd, x, NULL)) /* what integration has left of the speed of the gap */
    for (int j = 0; j < r->n_v; ++j) y[r->n_v + j] = x[r->v[j]];
  closed[k] = false;
  settle(r, before, y, closed);
}
