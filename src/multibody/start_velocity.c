/** Velocities onto the joints: those that are given, those that follow, and the least change. */
#include "base.h"
#include "impact.h"
#include "reading.h"
#include <lapacke.h>

/* Residual of a constraint that a file's digits may leave. */
static const double slack = 1e-6;

enum { NOTED = 4 }; /* velocities that a note lists */

static double largest(int n, const double x[])
{
  double most = 0;

  for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
  return most;
}

/* Phi_q qd of constraint k at the initial positions. */
static double rate_of(const sal_system *s, int k, const double qd[])
{
  sal_constraint_row row;
  double off = 0;

  sal_constraint_slope(s, s->value, s->q0, &s->constraint[k], row);
  for (int l = 0; l < SAL_PAIR; ++l)
    if (s->constraint[k].column[l] >= 0) off += row[l] * qd[s->constraint[k].column[l]];
  return off;
}

static bool keeps_to_joints(const sal_system *s, const double qd[])
{
  const double most = slack * (1 + largest(s->n_q, qd));

  for (int k = 0; k < s->n_constraint; ++k)
    if (!(fabs(rate_of(s, k, qd)) <= most)) return false;
  return true;
}

static bool is_as_given(const sal_system *s, int i, const double qd[])
{
  return isnan(s->given[i]) || fabs(qd[i] - s->given[i]) <= slack * (1 + fabs(s->given[i]));
}

/* Velocities that follow from the independent ones; *there: the initial positions can be solved for. */
static bool follow(const sal_system *s, sal_reduced *solver, double qd[], bool *there)
{
  double v[SAL_MAX_FREEDOM], vd[SAL_MAX_FREEDOM];

  for (int j = 0; j < s->n_v; ++j) {
    v[j] = s->q0[s->independent[j]];
    vd[j] = s->qd0[s->independent[j]];
  }
  *there = sal_reduced_move(solver, v, vd);
  if (!*there) return false;
  memcpy(qd, solver->qd, (size_t)s->n_q * sizeof *qd);
  for (int i = 0; i < s->n_q; ++i)
    if (!is_as_given(s, i, qd)) return false;
  return true;
}

/* Adds the least velocities where the file gives none: Phi_q x = -Phi_q q' over their columns,
 * of least norm. */
static bool add_unsaid(const sal_system *s, double qd[])
{
  const int m = s->n_constraint, n = s->n_q, rows = m > n ? m : n;
  SAL_OWN double *A = sal_alloc((size_t)m * (size_t)n + (size_t)rows, sizeof *A);
  SAL_OWN lapack_int *swap = sal_alloc((size_t)n, sizeof *swap);
  double *b = A + (size_t)m * (size_t)n;
  int rank = 0, column[SAL_MAX_Q] = {0}, free_ones = 0;
  bool done = false;

  for (int i = 0; i < n; ++i) column[i] = isnan(s->given[i]) ? free_ones++ : -1;
  memcpy(qd, s->qd0, (size_t)n * sizeof *qd);
  for (int k = 0; A && k < m; ++k) {
    sal_constraint_row row;
    sal_constraint_slope(s, s->value, s->q0, &s->constraint[k], row);
    b[k] = -rate_of(s, k, qd);
    for (int l = 0; l < SAL_PAIR; ++l) {
      const int c = s->constraint[k].column[l];
      if (c >= 0 && column[c] >= 0) A[column[c] * m + k] += row[l];
    }
  }
  if (A && swap && free_ones > 0)
    done =
        LAPACKE_dgelsy(LAPACK_COL_MAJOR, m, free_ones, 1, A, m, b, rows, swap, 1e-10, &rank) == 0;
  for (int i = 0; done && i < n; ++i)
    if (column[i] >= 0) qd[i] += b[column[i]];
  return done && keeps_to_joints(s, qd);
}

sal_err sal_start_velocity_settle(const sal_reading *r, sal_reduced *solver)
{
  sal_system *s = r->system;
  double qd[SAL_MAX_Q];
  bool there;

  if (keeps_to_joints(s, s->qd0)) return SAL_OK;
  const bool follows = follow(s, solver, qd, &there);
  if (!there) return SAL_OK; /* which settling the positions finds, too */
  if (!follows && !add_unsaid(s, qd) && !sal_impact_project(solver, s->qd0, qd))
    return sal_document_fail(r->document, sal_document_find(r->document, "joints"),
                             "no velocities keep to the joints at the initial positions");
  memcpy(s->qd0, qd, (size_t)s->n_q * sizeof *qd);
  return SAL_OK;
}

char *sal_start_velocity_note(const sal_system *s, const char *path)
{
  sal_text out = {0};
  int n = 0;

  for (int i = 0; i < s->n_q; ++i) {
    char name[2 * SAL_LABEL];
    if (is_as_given(s, i, s->qd0) || ++n > NOTED) continue;
    sal_system_name(s, i, true, name);
    if (n == 1) sal_text_add(&out, "%s: initial velocities were put on the joints:", path);
    sal_text_add(&out, "%s %s = %.6g in place of %.6g", n > 1 ? "," : "", name, s->qd0[i],
                 s->given[i]);
  }
  if (n > NOTED) sal_text_add(&out, ", and %d more", n - NOTED);
  return n > 0 ? sal_text_take(&out) : NULL;
}
