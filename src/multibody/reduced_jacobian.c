/** J1 = dv''/dv and J2 = dv''/dv' of the state-space form: (26)-(35) of CSTR-01-06 with their lost
 *  dots put back, in the coordinates q.
 *
 *  Along the solution q_v = N, q'_v = D = [-Phi_u^-1 (Phi_q q')_q N; 0] (28), q'_v' = N.  From
 *  Phi_q q'' = tau follow q''_v = N J1 + [L; 0] (29) and q''_v' = N J2 + [2 D_u; 0], since
 *  tau_q' = -2 (Phi_q q')_q; from M q'' + Phi_q^T lambda = Q, multiplied by N^T, the rest (31), (35).
 */
#include "reduced.h"
#include <lapacke.h>
#include <string.h>

/* Puts X [m][n_v] into the dependent rows of A [n][n_v], 0 into the other ones. */
static void spread(const sal_reduced *r, double X[], double A[])
{
  const size_t bytes = (size_t)r->n_v * sizeof *A;

  memset(A, 0, (size_t)r->n * bytes);
  for (int i = 0; i < r->m; ++i)
    memcpy(sal_reduced_line(A, r->u[i], r->n_v), sal_reduced_line(X, i, r->n_v), bytes);
}

/* (28) */
static void form_D(sal_reduced *r)
{
  const int n_v = r->n_v;
  double *B = r->P;

  memset(B, 0, (size_t)(r->m * n_v) * sizeof *B);
  for (int k = 0; k < r->m; ++k)
    sal_reduced_row_times(&r->system->constraint[k], r->along[k], n_v, r->N, -1,
                          sal_reduced_line(B, k, n_v));
  sal_reduced_back_all(r, n_v, B);
  spread(r, B, r->D);
}

/* (tau_q - (Phi_q q'')_q) N + tau_q' D of one constraint. */
static void add_bend(const sal_reduced *r, int k, double out[])
{
  const sal_constraint *c = &r->system->constraint[k];

  sal_reduced_row_times(c, r->third[k], r->n_v, r->N, -1, out);
  sal_reduced_row_times(c, r->along2[k], r->n_v, r->N, -1, out);
  sal_reduced_row_times(c, r->along[k], r->n_v, r->D, -2, out);
}

/* (29) */
static void form_L(sal_reduced *r)
{
  const sal_system *s = r->system;
  double *B = r->P;

  for (int k = 0; k < r->m + s->n_lock; ++k) {
    sal_constraint_turn turn;
    if (sal_constraint_is_constant(s, &s->constraint[k])) continue;
    sal_constraint_along(s, r->value, r->q, r->qdd, &s->constraint[k], &turn);
    memcpy(r->along2[k], turn.along, sizeof turn.along);
  }
  memset(B, 0, (size_t)(r->m * r->n_v) * sizeof *B);
  for (int k = 0; k < r->m; ++k) add_bend(r, k, sal_reduced_line(B, k, r->n_v));
  sal_reduced_back_all(r, r->n_v, B);
  spread(r, B, r->L);
}

/* S = (M q'' + Phi_q^T lambda - Q)_q, V = Q_q' */
static void form_slopes(sal_reduced *r)
{
  const sal_system *s = r->system;
  const sal_force_place at = sal_reduced_place(r);
  const size_t n2 = (size_t)(r->n * r->n) * sizeof(double);

  memset(r->S, 0, n2);
  memset(r->V, 0, n2);
  sal_inertia_slopes(s, r->value, r->q, r->qd, r->qdd, r->S, r->V);
  sal_force_slopes(&at, r->S, r->V);
  for (int k = 0; k < r->m + s->n_lock; ++k)
    if (r->lambda[k] != 0 && !sal_constraint_is_constant(s, &s->constraint[k]))
      sal_constraint_hessian(s, r->value, r->q, &s->constraint[k], r->lambda[k], r->S);
}

/* out [n_v] += f A_row . X for a row of a matrix that is mostly 0. */
static void add_row(int n, int n_v, const double A[], const double X[], double f, double out[])
{
  for (int k = 0; k < n; ++k) {
    if (A[k] == 0) continue;
    const double a = f * A[k];
    for (int j = 0; j < n_v; ++j) out[j] += a * X[k * n_v + j];
  }
}

/* P = [-(M [L; 0] + S N - V D), V N - 2 M [D_u; 0]] */
static void form_P(sal_reduced *r)
{
  const int n = r->n, n_v = r->n_v;

  memset(r->P, 0, (size_t)(2 * n * n_v) * sizeof *r->P);
  for (int b = 0; b < r->system->n_body; ++b) {
    const sal_body *body = &r->system->body[b];
    const int dim = sal_system_coordinates(body->kind);
    sal_inertia_block M;
    sal_inertia_of(r->system, r->value, r->q, b, M);
    for (int k = 0; k < dim; ++k) {
      double *p = sal_reduced_line(r->P, body->first + k, 2 * n_v);
      add_row(dim, n_v, M[k], sal_reduced_line(r->L, body->first, n_v), -1, p);
      add_row(dim, n_v, M[k], sal_reduced_line(r->D, body->first, n_v), -2, p + n_v);
    }
  }
  for (int i = 0; i < n; ++i) {
    double *p = sal_reduced_line(r->P, i, 2 * n_v);
    add_row(n, n_v, sal_reduced_line(r->S, i, n), r->N, -1, p);
    add_row(n, n_v, sal_reduced_line(r->V, i, n), r->D, 1, p);
    add_row(n, n_v, sal_reduced_line(r->V, i, n), r->N, 1, p + n_v);
  }
}

/* N^T P, and the rows of the locks. */
static void form_MJ(sal_reduced *r)
{
  const int n_v = r->n_v, width = 2 * n_v;

  memset(r->MJ, 0, (size_t)((n_v + r->n_c) * width) * sizeof *r->MJ);
  for (int i = 0; i < r->n; ++i)
    for (int k = 0; k < n_v; ++k) {
      const double a = r->N[i * n_v + k];
      if (a == 0) continue;
      for (int j = 0; j < width; ++j) r->MJ[k * width + j] += a * r->P[i * width + j];
    }
  for (int a = 0; a < r->n_c; ++a) {
    const int k = r->lock[a];
    const sal_constraint *c = &r->system->constraint[k];
    double *out = sal_reduced_line(r->MJ, n_v + a, width);
    add_bend(r, k, out);
    sal_reduced_row_times(c, r->row[k], n_v, r->L, -1, out);
    sal_reduced_row_times(c, r->along[k], n_v, r->N, -2, out + n_v);
    sal_reduced_row_times(c, r->row[k], n_v, r->D, -2, out + n_v);
  }
}

bool sal_reduced_linearize(sal_reduced *r)
{
  if (r->known >= SAL_REDUCED_JACOBIANS) return true;
  if (r->chain) {
    const sal_force_place at = sal_reduced_place(r);
    if (!sal_reduced_accelerate(r)) return false;
    r->chain->way->linearize(r->chain, &at, r->J);
    r->known = SAL_REDUCED_JACOBIANS;
    return true;
  }
  if (!sal_reduced_multiply(r)) return false;
  const int size = r->n_v + r->n_c, width = 2 * r->n_v;
  if (r->straight) {
    memset(r->J, 0, (size_t)(size * width) * sizeof *r->J);
    r->known = SAL_REDUCED_JACOBIANS;
    return true;
  }
  const bool free = sal_reduced_is_free(r);

  form_D(r);
  form_L(r);
  form_slopes(r);
  form_P(r);
  form_MJ(r);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < width; ++j)
      r->J[j * size + i] = r->MJ[i * width + j] / (free ? r->Mhat[i * size + i] : 1);
  if (size > 0 && !free &&
      LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', size, width, r->small, size, r->pivot_small, r->J,
                          size) != 0)
    return false;
  r->known = SAL_REDUCED_JACOBIANS;
  return true;
}
