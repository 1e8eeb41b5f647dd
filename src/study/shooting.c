/** F(u) = 0 with u the unknowns at the start of each piece, and F how far the end of each piece is from
 *  the start of the next.
 */
#include "shooting.h"
#include "base.h"
#include "petsc_calls.h"
#include "petsc_start.h"
#include <float.h>

/* Where a piece does not arrive the residual is one that no line search takes. */
static void write_residual(const sal_shooting_problem *s, bool arrived, PetscScalar f[])
{
  for (int i = 0; i < s->n_piece; ++i) {
    const sal_shooting_piece *p = &s->at[i], *q = &s->at[(i + 1) % s->n_piece];
    for (int j = 0; j < q->n; ++j) {
      const int k = q->unknown[j];
      f[q->first + j] = arrived ? (p->end[k] - q->y[k]) / q->size[j] : 1e10;
    }
  }
}

static PetscErrorCode residual(SNES snes, Vec u, Vec f, void *context)
{
  sal_shooting_problem *s = context;
  const PetscScalar *from;
  PetscScalar *to;

  (void)snes;
  PetscCall(VecGetArrayRead(u, &from));
  sal_shooting_pieces_place(s, from);
  PetscCall(VecRestoreArrayRead(u, &from));
  const bool arrived = sal_shooting_pieces_run(s, false);
  PetscCall(VecGetArray(f, &to));
  write_residual(s, arrived, to);
  PetscCall(VecRestoreArray(f, &to));
  return s->err == SAL_OK ? 0 : PETSC_ERR_MEM;
}

/* Entry of a piece's derivative: state `row` at its end by state `column` at its start. */
static double derivative(const sal_shooting_piece *p, int row, int column)
{
  const sal_return_map *m = p->map;
  int a = 0, b = 0;

  while (m->unknown[a] != row) ++a;
  while (m->unknown[b] != column) ++b;
  return p->dp[a * m->n_unknown + b];
}

static PetscErrorCode jacobian(SNES snes, Vec u, Mat J, Mat P, void *context)
{
  sal_shooting_problem *s = context;
  const PetscScalar *from;

  (void)snes, (void)P;
  PetscCall(VecGetArrayRead(u, &from));
  sal_shooting_pieces_place(s, from);
  PetscCall(VecRestoreArrayRead(u, &from));
  if (!sal_shooting_pieces_run(s, true))
    return s->err == SAL_OK ? PETSC_ERR_NOT_CONVERGED : PETSC_ERR_MEM;
  PetscCall(MatZeroEntries(J));
  for (int i = 0; i < s->n_piece; ++i) {
    const sal_shooting_piece *p = &s->at[i], *q = &s->at[(i + 1) % s->n_piece];
    for (int a = 0; a < q->n; ++a) {
      for (int b = 0; b < p->n; ++b)
        PetscCall(MatSetValue(J, q->first + a, p->first + b,
                              derivative(p, q->unknown[a], p->unknown[b]) * p->size[b] / q->size[a],
                              ADD_VALUES));
      PetscCall(MatSetValue(J, q->first + a, q->first + a, -1, ADD_VALUES));
    }
  }
  PetscCall(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
  return 0;
}

static const char *words_for(SNESConvergedReason reason, double norm, double accept)
{
  static const struct {
    SNESConvergedReason reason;
    const char *words;
  } row[] = {
      {SNES_CONVERGED_FNORM_ABS, "the residual is rounding"},
      {SNES_CONVERGED_SNORM_RELATIVE, "the steps are rounding"},
      {SNES_DIVERGED_LINE_SEARCH, "no shorter step makes the residual smaller"},
      {SNES_DIVERGED_MAX_IT, "too many iterations"},
      {SNES_DIVERGED_FUNCTION_COUNT, "too many runs of the map"},
      {SNES_DIVERGED_LINEAR_SOLVE, "the Jacobian is singular"},
      {SNES_DIVERGED_FNORM_NAN, "the residual is not a number"},
  };

  if (norm <= accept && reason == SNES_DIVERGED_LINE_SEARCH) return "rounding stops it";
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i)
    if (row[i].reason == reason) return row[i].words;
  return SNESConvergedReasons[reason];
}

/** PETSc objects of a solve. */
typedef struct {
  SNES snes;
  Vec u, f;
  Mat J;
} solver;

static PetscErrorCode make_solver(sal_shooting_problem *s, const sal_cycle_setup *setup, solver *v)
{
  KSP ksp;
  PC pc;

  PetscCall(VecCreateSeq(PETSC_COMM_SELF, s->n, &v->u));
  PetscCall(VecDuplicate(v->u, &v->f));
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, s->n, s->n, NULL, &v->J));
  PetscCall(SNESCreate(PETSC_COMM_SELF, &v->snes));
  PetscCall(SNESSetType(v->snes, SNESNEWTONLS));
  PetscCall(SNESSetFunction(v->snes, v->f, residual, s));
  PetscCall(SNESSetJacobian(v->snes, v->J, v->J, jacobian, s));
  PetscCall(SNESSetTolerances(v->snes, 1e-15, 1e-50, 4 * DBL_EPSILON,
                              setup->max_iterations > 0 ? setup->max_iterations : 40, 500));
  PetscCall(SNESGetKSP(v->snes, &ksp));
  PetscCall(KSPSetType(ksp, KSPPREONLY));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCLU));
  return 0;
}

static PetscErrorCode free_solver(solver *v)
{
  PetscCall(SNESDestroy(&v->snes));
  PetscCall(MatDestroy(&v->J));
  PetscCall(VecDestroy(&v->f));
  PetscCall(VecDestroy(&v->u));
  return 0;
}

static PetscErrorCode run_solver(sal_shooting_problem *s, solver *v, SNESConvergedReason *reason,
                                 sal_shooting_report *report)
{
  PetscScalar *u;
  const PetscScalar *at;
  PetscInt iterations;
  PetscReal norm;

  PetscCall(VecGetArray(v->u, &u));
  for (int i = 0; i < s->n_piece; ++i)
    for (int j = 0; j < s->at[i].n; ++j)
      u[s->at[i].first + j] = s->at[i].y[s->at[i].unknown[j]] / s->at[i].size[j];
  PetscCall(VecRestoreArray(v->u, &u));
  PetscCall(SNESSolve(v->snes, NULL, v->u));
  PetscCall(SNESGetConvergedReason(v->snes, reason));
  PetscCall(SNESGetIterationNumber(v->snes, &iterations));
  PetscCall(SNESGetFunctionNorm(v->snes, &norm));
  PetscCall(VecGetArrayRead(v->u, &at));
  sal_shooting_pieces_place(s, at);
  PetscCall(VecRestoreArrayRead(v->u, &at));
  report->iterations = iterations;
  report->norm = norm;
  return 0;
}

/* Leaves the solution, or the best there is, in the starts of the pieces. */
static sal_err solve(sal_shooting_problem *s, const sal_cycle_setup *setup, sal_cycle *c,
                     sal_shooting_report *report)
{
  const double accept = setup->accept > 0 ? setup->accept : fmax(1e3 * s->map->setup.rtol, 1e-10);
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  solver v = {0};

  sal_petsc_forget();
  report->pieces = s->n_piece;
  PetscErrorCode code = make_solver(s, setup, &v);
  if (code == 0) code = run_solver(s, &v, &reason, report);
  const PetscErrorCode freed = free_solver(&v);
  if (s->err != SAL_OK) return s->err;
  if (code == PETSC_ERR_NOT_CONVERGED) {
    report->reason = "a piece did not reach its end";
    c->why = sal_cycle_of_return(s->why);
    return SAL_OK;
  }
  if (code != 0 || freed != 0)
    return sal_fail(SAL_ERR_MEMORY, "PETSc failed: %s", sal_petsc_message(code ? code : freed));
  report->reason = words_for(reason, report->norm, accept);
  c->why = report->norm <= accept ? SAL_CYCLE_FOUND : SAL_CYCLE_DIVERGES;
  return SAL_OK;
}

/* Fills the data of the orbit whose point on the section the first piece holds. */
static sal_err complete(const sal_return_map *map, const sal_cycle_setup *setup,
                        const sal_shooting_piece *first, sal_cycle *c)
{
  const int m = map->n_unknown;
  SAL_OWN double *dp = sal_alloc((size_t)m * (size_t)m, sizeof *dp);
  double end[SAL_MAX_STATE];

  if (!dp) return sal_fail(SAL_ERR_MEMORY, "no memory for the derivative of an orbit");
  memcpy(c->y, first->y, (size_t)map->model.n_state * sizeof *c->y);
  sal_return p = {.param = c->param, .start = c->y, .closed = c->closed, .end = end, .dp = dp};
  SAL_TRY(sal_return_map_run(map, 1, &p));
  const double *const of[] = {dp};
  c->period = p.time;
  c->closure = sal_cycle_residual(map, c->y, end);
  if (p.why != SAL_RETURN_MADE) c->why = sal_cycle_of_return(p.why);
  if (c->dp) memcpy(c->dp, dp, (size_t)m * (size_t)m * sizeof *dp);
  return sal_cycle_checks_run(map, setup, 1, of, c);
}

static sal_err try_way(const sal_return_map *map, const sal_cycle_setup *setup, bool multiple,
                       sal_cycle *c, sal_shooting_report *report)
{
  SAL_OWN_BY(sal_shooting_pieces_free) sal_shooting_problem s = {.map = map, .param = c->param};
  const char *flaw = NULL;

  sal_err err =
      multiple ? sal_shooting_pieces_phases(&s, c, &flaw) : sal_shooting_pieces_whole(&s, c);
  if (err == SAL_OK && flaw) {
    report->reason = flaw;
  } else if (err == SAL_OK && !sal_shooting_pieces_run(&s, false)) {
    err = s.err;
    c->why = sal_cycle_of_return(s.why);
    report->reason = "the guess does not come back";
  } else if (err == SAL_OK) {
    err = solve(&s, setup, c, report);
    if (err == SAL_OK && c->why == SAL_CYCLE_FOUND) err = complete(map, setup, s.at, c);
  }
  c->iterations = report->iterations;
  return err;
}

sal_err sal_shooting_find(const sal_return_map *map, const sal_cycle_setup *setup,
                          sal_shooting_way way, sal_cycle *c, sal_shooting_report *report)
{
  *report = (sal_shooting_report){.norm = NAN};
  c->why = SAL_CYCLE_DIVERGES;
  SAL_TRY(sal_petsc_start());
  if (way != SAL_SHOOTING_MULTIPLE) SAL_TRY(try_way(map, setup, false, c, report));
  if (way == SAL_SHOOTING_MULTIPLE || (way == SAL_SHOOTING_EITHER && c->why == SAL_CYCLE_DIVERGES))
    SAL_TRY(try_way(map, setup, true, c, report));
  return SAL_OK;
}
