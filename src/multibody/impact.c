/** Projection of velocities onto all constraints. */
#include "impact.h"
#include "force.h"
#include "memory.h"
#include <lapacke.h>
#include <string.h>

/* Friction that slides adds its share of the impulse of a rigid contact to that one's column. */
static void add_rubs(const sal_reduced *r, int size, double A[])
{
  for (int a = 0; a < r->n_c; ++a) {
    int which = -1;
    const double rub = sal_reduced_rub(r, r->contact[a], &which);
    if (rub == 0) continue;
    const sal_constraint *c = &r->system->constraint[which];
    for (int l = 0; l < SAL_PAIR; ++l)
      if (c->column[l] >= 0) A[(r->n + r->m + a) * size + c->column[l]] += rub * r->row[which][l];
  }
}

/* The columns of [M G^T; G 0]. */
static void form_saddle(const sal_reduced *r, int size, double A[])
{
  const sal_system *s = r->system;

  for (int b = 0; b < s->n_body; ++b) {
    const sal_body *body = &s->body[b];
    const int n = sal_system_coordinates(body->kind);
    sal_inertia_block M;
    sal_inertia_of(s, r->value, r->q, b, M);
    for (int k = 0; k < n; ++k)
      for (int l = 0; l < n; ++l) A[(body->first + l) * size + body->first + k] = M[k][l];
  }
  for (int k = 0; k < r->m + r->n_c; ++k) {
    const int number = k < r->m ? k : r->lock[k - r->m];
    const sal_constraint *c = &s->constraint[number];
    for (int l = 0; l < SAL_PAIR; ++l)
      if (c->column[l] >= 0) {
        A[c->column[l] * size + r->n + k] = r->row[number][l];
        A[(r->n + k) * size + c->column[l]] = r->row[number][l];
      }
  }
}

/* As sal_impact_project; contact k, -1: none, gets this speed, and friction that slides `rubs`. */
static bool solve(const sal_reduced *r, int k, double speed, bool rubs, const double p[],
                  double x[], double impulse[])
{
  const int size = r->n + r->m + r->n_c;
  const size_t room = (size_t)size * (size_t)size + (size_t)size;
  SAL_OWN double *A = sal_alloc(room, sizeof *A);
  SAL_OWN int *swap = sal_alloc((size_t)size, sizeof *swap);

  if (!A || !swap) return false;
  double *b = A + (size_t)size * (size_t)size;
  form_saddle(r, size, A);
  if (rubs) add_rubs(r, size, A);
  sal_inertia_times(r->system, r->value, r->q, p, b);
  for (int a = 0; a < r->n_c; ++a)
    if (r->contact[a] == k) b[r->n + r->m + a] = speed;
  const bool done = LAPACKE_dgesv_work(LAPACK_COL_MAJOR, size, 1, A, size, swap, b, size) == 0;
  memcpy(x, b, (size_t)r->n * sizeof *x);
  if (impulse) memcpy(impulse, b + r->n + r->m, (size_t)r->n_c * sizeof *x);
  return done;
}

bool sal_impact_project(const sal_reduced *r, const double p[], double x[], double impulse[])
{
  return solve(r, -1, 0, false, p, x, impulse);
}

bool sal_impact_strike(const sal_reduced *r, int k, double speed, double x[], double impulse[])
{
  return solve(r, k, speed, true, r->qd, x, impulse);
}
