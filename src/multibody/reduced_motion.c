/** Accelerations and multipliers of the state-space form. */
#include "reduced.h"
#include <lapacke.h>
#include <string.h>

/* tau = -Phi_qq q' q' of the first n constraints, and what the Jacobians need of it. */
static void form_tau(sal_reduced *r, int n)
{
  const sal_system *s = r->system;

  for (int k = 0; k < n; ++k) {
    sal_constraint_turn turn;
    if (sal_constraint_is_constant(s, &s->constraint[k])) continue;
    sal_constraint_along(s, r->value, r->q, r->qd, &s->constraint[k], &turn);
    memcpy(r->along[k], turn.along, sizeof turn.along);
    memcpy(r->third[k], turn.third, sizeof turn.third);
    r->tau[k] = -turn.bend;
  }
}

/* c = [Phi_u^-1 tau; 0] */
static void form_c(sal_reduced *r)
{
  memset(r->c, 0, (size_t)r->n * sizeof *r->c);
  memcpy(r->phi, r->tau, (size_t)r->m * sizeof *r->phi);
  if (r->m > 0) sal_reduced_back(r, r->phi);
  for (int i = 0; i < r->m; ++i) r->c[r->u[i]] = r->phi[i];
}

/* N = I without joints, so that Mhat is M. */
static void form_free_Mhat(sal_reduced *r)
{
  for (int b = 0; b < r->system->n_body; ++b) {
    const sal_body *body = &r->system->body[b];
    const int n = sal_system_coordinates(body->kind);
    sal_inertia_block M;
    sal_inertia_of(r->system, r->value, r->q, b, M);
    for (int k = 0; k < n; ++k)
      memcpy(sal_reduced_line(r->Mhat, body->first + k, r->n_v) + body->first, M[k],
             (size_t)n * sizeof **M);
  }
}

/* N^T M N, body by body. */
static void form_Mhat(sal_reduced *r)
{
  const int n_v = r->n_v;

  if (r->m == 0) {
    form_free_Mhat(r);
    return;
  }
  memset(r->Mhat, 0, (size_t)(n_v * n_v) * sizeof *r->Mhat);
  for (int b = 0; b < r->system->n_body; ++b) {
    const sal_body *body = &r->system->body[b];
    const int n = sal_system_coordinates(body->kind);
    const double *N = sal_reduced_line(r->N, body->first, n_v);
    sal_inertia_block M;
    sal_inertia_of(r->system, r->value, r->q, b, M);
    for (int k = 0; k < n; ++k) {
      double *y = r->work;
      memset(y, 0, (size_t)n_v * sizeof *y);
      for (int l = 0; l < n; ++l)
        if (M[k][l] != 0)
          for (int j = 0; j < n_v; ++j) y[j] += M[k][l] * N[l * n_v + j];
      for (int i = 0; i < n_v; ++i)
        if (N[k * n_v + i] != 0)
          for (int j = 0; j < n_v; ++j) r->Mhat[i * n_v + j] += N[k * n_v + i] * y[j];
    }
  }
}

/* Sliding friction as a share of the multiplier of rigid contact k, -mu times its sense, along the constraint
 *  *which; 0: there is none. */
static double rub_of(const sal_reduced *r, int k, int *which)
{
  const sal_ground *g = &r->system->ground[k];

  if (g->kind != SAL_GROUND_RIGID || g->partner < 0 || r->closed[g->partner]) return 0;
  const sal_ground *grip = &r->system->ground[g->partner];
  *which = grip->which;
  return -r->value[grip->mu] * r->sense[grip->number];
}

/* Adds friction to the column of the multiplier of the a-th closed lock, which has the lock's row. */
static void add_rub(sal_reduced *r, int a, double column[])
{
  int which = -1;
  const double rub = rub_of(r, r->contact[a], &which);

  if (rub != 0)
    sal_reduced_row_times(&r->system->constraint[which], r->row[which], r->n_v, r->N, rub, column);
}

/* The rows of the closed locks beside Mhat, and right sides. */
static void form_small(sal_reduced *r)
{
  const sal_system *s = r->system;
  const int n_v = r->n_v, size = n_v + r->n_c;

  memset(r->small, 0, (size_t)(size * size) * sizeof *r->small);
  for (int i = 0; i < n_v; ++i)
    memcpy(sal_reduced_line(r->small, i, size), sal_reduced_line(r->Mhat, i, n_v),
           (size_t)n_v * sizeof *r->Mhat);
  for (int a = 0; a < r->n_c; ++a) {
    const sal_constraint *c = &s->constraint[r->lock[a]];
    double *g = sal_reduced_line(r->small, n_v + a, size);
    sal_reduced_row_times(c, r->row[r->lock[a]], n_v, r->N, 1, g);
    for (int j = 0; j < n_v; ++j) r->small[j * size + n_v + a] = g[j];
    add_rub(r, a, g);
    r->Qhat[n_v + a] = r->tau[r->lock[a]];
    for (int l = 0; l < SAL_PAIR; ++l)
      if (c->column[l] >= 0) r->Qhat[n_v + a] -= r->row[r->lock[a]][l] * r->c[c->column[l]];
  }
}

static void form_Qhat(sal_reduced *r)
{
  const sal_force_place at = sal_reduced_place(r);
  double *y = r->work;

  memset(r->Q, 0, (size_t)r->n * sizeof *r->Q);
  sal_inertia_force(r->system, r->value, r->q, r->qd, r->Q);
  sal_force_add(&at, r->Q);
  if (r->m == 0) {
    memcpy(r->Qhat, r->Q, (size_t)r->n_v * sizeof *r->Q);
    return;
  }
  sal_inertia_times(r->system, r->value, r->q, r->c, y);
  memset(r->Qhat, 0, (size_t)r->n_v * sizeof *r->Qhat);
  for (int i = 0; i < r->n; ++i)
    for (int j = 0; j < r->n_v; ++j) r->Qhat[j] += r->N[i * r->n_v + j] * (r->Q[i] - y[i]);
}

static bool solve_free(sal_reduced *r)
{
  for (int i = 0; i < r->n; ++i) {
    const double mass = sal_reduced_line(r->Mhat, i, r->n)[i];
    if (!(mass > 0)) return false;
    r->vdd[i] = r->Qhat[i] / mass;
  }
  return true;
}

static bool solve_small(sal_reduced *r)
{
  const int size = r->n_v + r->n_c;

  if (r->small_fits)
    memset(r->Qhat + r->n_v, 0, (size_t)r->n_c * sizeof *r->Qhat);
  else
    form_small(r);
  memcpy(r->vdd, r->Qhat, (size_t)size * sizeof *r->vdd);
  if (size == 0) return true;
  if (!r->small_fits &&
      LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, size, size, r->small, size, r->pivot_small) != 0)
    return false;
  r->small_fits = r->straight;
  return LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', size, 1, r->small, size, r->pivot_small, r->vdd,
                             size) == 0;
}

void sal_reduced_project(sal_reduced *r, bool turns)
{
  form_tau(r, r->m + (turns ? r->system->n_lock : 0));
  form_c(r);
  form_Mhat(r);
  form_Qhat(r);
}

bool sal_reduced_accelerate(sal_reduced *r)
{
  if (r->known >= SAL_REDUCED_ACCELERATIONS) return true;
  if (r->chain) {
    const sal_force_place at = sal_reduced_place(r);
    if (!r->chain->way->accelerate(r->chain, &at, r->vdd)) return false;
    r->known = SAL_REDUCED_ACCELERATIONS;
    return true;
  }
  sal_reduced_project(r, true);
  if (!(sal_reduced_is_free(r) ? solve_free(r) : solve_small(r))) return false;
  if (r->m == 0) memcpy(r->qdd, r->vdd, (size_t)r->n * sizeof *r->vdd); /* N = I */
  for (int i = 0; i < r->n && r->m > 0; ++i) {
    r->qdd[i] = r->c[i];
    for (int j = 0; j < r->n_v; ++j) r->qdd[i] += r->N[i * r->n_v + j] * r->vdd[j];
  }
  memset(r->lambda + r->m, 0, (size_t)r->system->n_lock * sizeof *r->lambda);
  for (int a = 0; a < r->n_c; ++a) {
    int which = -1;
    const double mu = r->vdd[r->n_v + a], rub = rub_of(r, r->contact[a], &which);
    r->lambda[r->lock[a]] = mu;
    if (rub != 0) r->lambda[which] = rub * mu;
  }
  r->known = SAL_REDUCED_ACCELERATIONS;
  return true;
}

/* Phi_u^T lambda = (Q - M q'' - G^T mu)_u */
bool sal_reduced_multiply(sal_reduced *r)
{
  double *y = r->work;

  if (!sal_reduced_accelerate(r)) return false;
  if (r->known >= SAL_REDUCED_MULTIPLIERS) return true;
  sal_inertia_times(r->system, r->value, r->q, r->qdd, y);
  for (int i = 0; i < r->n; ++i) y[i] = r->Q[i] - y[i];
  for (int k = r->m; k < r->m + r->system->n_lock; ++k) {
    const sal_constraint *c = &r->system->constraint[k];
    for (int l = 0; l < SAL_PAIR && r->lambda[k] != 0; ++l)
      if (c->column[l] >= 0) y[c->column[l]] -= r->row[k][l] * r->lambda[k];
  }
  for (int i = 0; i < r->m; ++i) r->lambda[i] = y[r->u[i]];
  if (r->m > 0)
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', r->m, 1, r->lu, r->m, r->pivot, r->lambda, r->m);
  r->known = SAL_REDUCED_MULTIPLIERS;
  return true;
}
