/** Projection of velocities onto all constraints. */
#include "impact.h"
#include "base.h"
#include <lapacke.h>

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

bool sal_impact_project(const sal_reduced *r, const double p[], double x[])
{
  const int size = r->n + r->m + r->n_c;
  const size_t room = (size_t)size * (size_t)size + (size_t)size;
  SAL_OWN double *A = sal_alloc(room, sizeof *A);
  SAL_OWN int *swap = sal_alloc((size_t)size, sizeof *swap);

  if (!A || !swap) return false;
  double *b = A + (size_t)size * (size_t)size;
  form_saddle(r, size, A);
  sal_inertia_times(r->system, r->value, r->q, p, b);
  const bool done = LAPACKE_dgesv_work(LAPACK_COL_MAJOR, size, 1, A, size, swap, b, size) == 0;
  memcpy(x, b, (size_t)r->n * sizeof *x);
  return done;
}
