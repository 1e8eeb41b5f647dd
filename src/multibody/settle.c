/** Rank, partition and consistency at the initial state. */
#include "base.h"
#include "reading.h"
#include "reduced.h"

/* Residual of a constraint that a file's digits may leave. */
static const double slack = 1e-6;

/* Fails at the joint of constraint k. */
static sal_err blame(const sal_reading *r, int k, const char *format, double a)
{
  const sal_system *s = r->system;
  const int joint = s->constraint[k].joint;
  char why[256];

  snprintf(why, sizeof why, format, a);
  if (joint < 0)
    return sal_document_fail(r->document, sal_document_find(r->document, "bodies"),
                             "Euler parameters: %s", why);
  const int joints = sal_document_find(r->document, "joints");
  return sal_document_fail(r->document, sal_document_item(r->document, joints, joint),
                           "joint '%s': %s", s->joint[joint], why);
}

/* Phi_q [m][n] at the initial state. */
static void form_Phi_q(const sal_system *s, double A[])
{
  memset(A, 0, (size_t)s->n_constraint * (size_t)s->n_q * sizeof *A);
  for (int k = 0; k < s->n_constraint; ++k) {
    sal_constraint_row row;
    sal_constraint_slope(s, s->value, s->q0, &s->constraint[k], row);
    for (int l = 0; l < SAL_PAIR; ++l)
      if (s->constraint[k].column[l] >= 0) A[k * s->n_q + s->constraint[k].column[l]] += row[l];
  }
}

static sal_err check_positions(const sal_reading *r)
{
  const sal_system *s = r->system;

  for (int k = 0; k < s->n_constraint; ++k) {
    const double off = sal_constraint_value(s, s->value, s->q0, &s->constraint[k]);
    if (!(fabs(off) <= slack))
      return blame(r, k, "the initial positions miss one of its equations by %.3g; allowed: 1e-6",
                   off);
  }
  return SAL_OK;
}

/* Chooses by pivoting; the rows that find no pivot are redundant. */
static sal_err pivot(const sal_reading *r, int dependent[], int independent[])
{
  const sal_system *s = r->system;
  const int m = s->n_constraint;
  SAL_OWN double *A = sal_alloc((size_t)m * (size_t)s->n_q, sizeof *A);
  SAL_OWN int *row = sal_alloc((size_t)m, sizeof *row);

  if (!A || !row) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document->path);
  form_Phi_q(s, A);
  const int rank = sal_partition_choose(m, s->n_q, A, dependent, independent, row);
  if (rank >= m) return SAL_OK;
  return blame(
      r, row[0],
      "redundant: one of its equations follows from the other joints' (%g too many in all)",
      m - rank);
}

static sal_err read_independent(const sal_reading *r, int list, int out[])
{
  const sal_system *s = r->system;
  const int n = sal_document_count(r->document, list);

  if (n != s->n_q - s->n_constraint)
    return sal_document_fail(
        r->document, list,
        "independent: %d coordinates; %d coordinates less %d constraints leave %d", n, s->n_q,
        s->n_constraint, s->n_q - s->n_constraint);
  for (int i = 0; i < n; ++i) {
    const int item = sal_document_item(r->document, list, i);
    const char *text = sal_document_text(r->document, item);
    out[i] = text ? sal_system_find(s, text, false) : -1;
    if (out[i] < 0)
      return sal_document_fail(r->document, item,
                               "independent: '%s' is not a coordinate; they are called BODY_x, _y, "
                               "_z, _e0 .. _e3 or _theta",
                               text ? text : "");
    for (int k = 0; k < i; ++k)
      if (out[k] == out[i])
        return sal_document_fail(r->document, item, "independent: '%s' stands there twice", text);
  }
  return SAL_OK;
}

static sal_err choose(const sal_reading *r)
{
  sal_system *s = r->system;
  const int list = sal_document_find(r->document, "independent");
  int dependent[SAL_MAX_Q], chosen[SAL_MAX_Q] = {0};

  SAL_TRY(pivot(r, dependent, chosen));
  if (s->n_q <= s->n_constraint)
    return sal_document_fail(r->document, sal_document_find(r->document, "joints"),
                             "%d equations leave %d coordinates no freedom", s->n_constraint,
                             s->n_q);
  if (list) SAL_TRY(read_independent(r, list, chosen));
  s->n_v = s->n_q - s->n_constraint;
  sal_partition_sort(s->n_v, chosen); /* the order of states is that of the bodies */
  s->independent = sal_alloc((size_t)s->n_v, sizeof *s->independent);
  if (!s->independent) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document->path);
  memcpy(s->independent, chosen, (size_t)s->n_v * sizeof *chosen);
  return SAL_OK;
}

/* Solves at the initial state, and keeps the solved positions and velocities. */
static sal_err solve_start(const sal_reading *r, sal_reduced *solver)
{
  sal_system *s = r->system;
  double v[SAL_MAX_FREEDOM], vd[SAL_MAX_FREEDOM];
  const int list = sal_document_find(r->document, "independent");

  SAL_TRY(sal_start_velocity_settle(r, solver));
  for (int j = 0; j < s->n_v; ++j) {
    v[j] = s->q0[s->independent[j]];
    vd[j] = s->qd0[s->independent[j]];
  }
  if (!sal_reduced_move(solver, v, vd))
    return sal_document_fail(r->document, list ? list : 1,
                             "the positions of the other coordinates do not follow from the "
                             "independent ones at the initial state: choose others");
  if (!sal_reduced_accelerate(solver))
    return sal_document_fail(r->document, sal_document_find(r->document, "bodies"),
                             "the reduced mass matrix is singular at the initial state");
  memcpy(s->q0, solver->q, (size_t)s->n_q * sizeof *s->q0);
  memcpy(s->qd0, solver->qd, (size_t)s->n_q * sizeof *s->qd0);
  return SAL_OK;
}

sal_err sal_settle_system(sal_reading *r)
{
  sal_system *s = r->system;

  if (s->n_q > SAL_MAX_Q)
    return sal_document_fail(r->document, sal_document_find(r->document, "bodies"),
                             "%d coordinates; allowed: 1 to %d", s->n_q, SAL_MAX_Q);
  SAL_TRY(check_positions(r));
  SAL_TRY(choose(r));
  const int n_state = (s->adapts ? 3 * s->n_v + 1 : 2 * s->n_v) + s->n_grip;
  if (s->n_v > SAL_MAX_FREEDOM || n_state > SAL_MAX_STATE)
    return sal_document_fail(r->document, sal_document_find(r->document, "bodies"),
                             "%d degrees of freedom make %d states; allowed: 1 to %d", s->n_v,
                             n_state, SAL_MAX_STATE);
  SAL_OWN double *memory = sal_alloc(sal_reduced_words(s), sizeof *memory);
  if (!memory) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document->path);
  SAL_TRY(solve_start(r, sal_reduced_open(s, memory, r->preset)));
  return sal_chain_plan_make(s, &s->chain, &s->no_chain);
}
