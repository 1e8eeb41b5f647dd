/** TS and what it calls: f, the Jacobian, the counts of its linear algebra. */
#include "base.h"
#include "petsc_engine.h"

PetscErrorCode sal_petsc_solver_check(sal_petsc_solver *s, TS ts)
{
  PetscInt rejected;
  PetscReal t, h;
  sal_engine_run *run = s->run;

  PetscCall(TSGetStepRejections(ts, &rejected));
  PetscCall(TSGetTime(ts, &t));
  PetscCall(TSGetTimeStep(ts, &h));
  run->failed = rejected + s->rolled;
  if (!sal_engine_used_up(run) && !(t + h > t))
    run->outcome = s->was_bad || s->f_bad ? SAL_OUT_NOT_FINITE : SAL_OUT_UNDERFLOW;
  s->stop = s->stop || run->outcome != SAL_OUT_DONE;
  return s->stop ? PETSC_ERR_USER : 0;
}

static bool is_finite(PetscInt n, const double y[])
{
  bool all = true;

  for (PetscInt i = 0; i < n; ++i) all = all && isfinite(y[i]);
  return all;
}

static PetscErrorCode explicit_slope(TS ts, PetscReal t, Vec at, Vec slope, void *user)
{
  sal_petsc_solver *s = user;
  const PetscScalar *y;
  PetscScalar *dy;

  if (sal_petsc_solver_check(s, ts)) return PETSC_ERR_USER;
  PetscCall(VecGetArrayRead(at, &y));
  PetscCall(VecGetArrayWrite(slope, &dy));
  sal_engine_rhs(s->run, t, y, dy);
  s->f_bad = !is_finite(s->run->n, dy);
  PetscCall(VecRestoreArrayWrite(slope, &dy));
  PetscCall(VecRestoreArrayRead(at, &y));
  return 0;
}

static PetscErrorCode residual(TS ts, PetscReal t, Vec at, Vec slope, Vec into, void *user)
{
  sal_petsc_solver *s = user;
  const PetscScalar *y, *dy;
  PetscScalar *F;

  if (sal_petsc_solver_check(s, ts)) return PETSC_ERR_USER;
  PetscCall(VecGetArrayRead(at, &y));
  PetscCall(VecGetArrayRead(slope, &dy));
  PetscCall(VecGetArrayWrite(into, &F));
  sal_engine_rhs(s->run, t, y, s->f);
  s->f_bad = !is_finite(s->run->n, s->f);
  for (int i = 0; i < s->run->n; ++i) F[i] = dy[i] - s->f[i];
  PetscCall(VecRestoreArrayWrite(into, &F));
  PetscCall(VecRestoreArrayRead(slope, &dy));
  PetscCall(VecRestoreArrayRead(at, &y));
  return 0;
}

/* Row by row, as a sparse matrix that PETSc orders by itself. */
static PetscErrorCode put_band(const sal_petsc_solver *s, PetscReal shift, Mat into)
{
  const sal_model *m = s->setup->model;
  const int n = s->run->n, row = sal_engine_row(m), lower = m->band.lower, upper = m->band.upper;
  PetscInt column[SAL_MAX_STATE];
  PetscScalar value[SAL_MAX_STATE];

  for (int p = 0; p < n; ++p) {
    const PetscInt i = sal_engine_state(m, p);
    PetscInt count = 0;
    for (int q = p > lower ? p - lower : 0; q < n && q <= p + upper; ++q) {
      column[count] = sal_engine_state(m, q);
      value[count++] = (p == q ? shift : 0) - s->rows[p * row + q - p + lower];
    }
    PetscCall(MatSetValues(into, 1, &i, count, column, value, INSERT_VALUES));
  }
  return 0;
}

/* PETSc keeps a dense matrix by columns. */
static PetscErrorCode put_full(const sal_petsc_solver *s, PetscReal shift, Mat into)
{
  const int n = s->run->n;
  PetscScalar *column;

  PetscCall(MatDenseGetArrayWrite(into, &column));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      column[(size_t)j * (size_t)n + (size_t)i] = (i == j ? shift : 0) - s->rows[i * n + j];
  return MatDenseRestoreArrayWrite(into, &column);
}

static PetscErrorCode jacobian(TS ts, PetscReal t, Vec at, Vec slope, PetscReal shift, Mat matrix,
                               Mat into, void *user)
{
  sal_petsc_solver *s = user;
  const PetscScalar *y;

  (void)slope, (void)matrix;
  if (sal_petsc_solver_check(s, ts)) return PETSC_ERR_USER;
  PetscCall(VecGetArrayRead(at, &y));
  sal_engine_jacobian(s->run, t, y, s->rows);
  PetscCall(VecRestoreArrayRead(at, &y));
  PetscCall(sal_engine_has_band(s->setup->model) ? put_band(s, shift, into)
                                                 : put_full(s, shift, into));
  PetscCall(MatAssemblyBegin(into, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(into, MAT_FINAL_ASSEMBLY));
  s->fresh = true;
  return 0;
}

/* A stage whose f is not a number is a step to be repeated, smaller. */
static PetscErrorCode accept_stage(TS ts, PetscReal t, Vec at, PetscBool *accept)
{
  sal_petsc_solver *s;
  const PetscScalar *y;

  (void)t;
  PetscCall(TSGetApplicationContext(ts, &s));
  if (sal_petsc_solver_check(s, ts)) return PETSC_ERR_USER;
  PetscCall(VecGetArrayRead(at, &y));
  *accept = !s->f_bad && is_finite(s->run->n, y);
  s->was_bad = !*accept;
  s->f_bad = false;
  PetscCall(VecRestoreArrayRead(at, &y));
  return 0;
}

/* After each solve: a Jacobian that has changed was factorised for it. */
static PetscErrorCode count_solve(KSP ksp, Vec b, Vec x, void *user)
{
  sal_petsc_solver *s = user;
  PetscBool kept;
  PetscInt iterations;

  (void)b, (void)x;
  PetscCall(KSPGetIterationNumber(ksp, &iterations));
  PetscCall(KSPGetReusePreconditioner(ksp, &kept));
  if (!kept && s->fresh) {
    s->fresh = false;
    ++s->run->factorisations;
  }
  s->run->solves += iterations > 1 ? iterations : 1;
  return 0;
}

bool sal_petsc_is_explicit(const char *type)
{
  static const char *const types[] = {TSRK, TSEULER, TSSSP, TSGLEE};

  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (strcmp(type, types[i]) == 0) return true;
  return false;
}

/* Only the user's own words are cut by PETSc. */
PetscErrorCode sal_petsc_options(const sal_petsc_kind *kind, bool with_environment,
                                 PetscOptions *out)
{
  const char *environment = with_environment ? getenv("PETSC_OPTIONS") : NULL;
  const char *always =
      kind->implicit ? "-ts_max_reject -1 -ts_max_snes_failures -1 -ksp_type preonly -pc_type lu"
                     : "-ts_max_reject -1";

  PetscCall(PetscOptionsCreate(out));
  if (sal_petsc_allowed_set("PETSc", always, *out)) return PETSC_ERR_MEM;
  if (environment) PetscCall(PetscOptionsInsertString(*out, environment));
  return sal_petsc_allowed_set("PETSc", kind->options, *out) ? PETSC_ERR_MEM : 0;
}

static PetscErrorCode set_functions(sal_petsc_solver *s, TS ts)
{
  SNES snes;
  KSP ksp;

  PetscCall(TSSetFunctionDomainError(ts, accept_stage));
  if (!s->kind->implicit) return TSSetRHSFunction(ts, NULL, explicit_slope, s);
  PetscCall(TSSetIFunction(ts, NULL, residual, s));
  PetscCall(TSSetIJacobian(ts, s->J, s->J, jacobian, s));
  PetscCall(TSGetSNES(ts, &snes));
  PetscCall(SNESGetKSP(snes, &ksp));
  PetscCall(KSPSetPostSolve(ksp, count_solve, s));
  return 0;
}

static PetscErrorCode set_tolerances(const sal_petsc_solver *s, TS ts)
{
  PetscScalar *atol;
  Vec floor;

  PetscCall(VecDuplicate(s->y, &floor));
  PetscCall(VecGetArrayWrite(floor, &atol));
  for (int i = 0; i < s->run->n; ++i) atol[i] = sal_setup_atol(s->setup, i);
  PetscCall(VecRestoreArrayWrite(floor, &atol));
  PetscCall(TSSetTolerances(ts, s->setup->atol, floor, s->setup->rtol, NULL));
  return VecDestroy(&floor);
}

static PetscErrorCode set_limits(const sal_petsc_solver *s, TS ts)
{
  TSAdapt adapt;
  PetscReal least, most;

  PetscCall(set_tolerances(s, ts));
  PetscCall(TSSetMaxTime(ts, s->run->t_end));
  PetscCall(TSSetMaxSteps(ts, PETSC_MAX_INT));
  PetscCall(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP));
  PetscCall(TSGetAdapt(ts, &adapt));
  PetscCall(TSAdaptGetStepLimits(adapt, &least, &most));
  PetscCall(TSAdaptSetStepLimits(adapt, least, fmin(most, s->run->hmax)));
  return 0;
}

PetscErrorCode sal_petsc_solver_make(sal_petsc_solver *s, TS *out)
{
  PetscCall(TSCreate(PETSC_COMM_SELF, out));
  PetscCall(TSSetProblemType(*out, TS_NONLINEAR));
  PetscCall(TSSetApplicationContext(*out, s));
  PetscCall(set_functions(s, *out));
  PetscCall(TSSetFromOptions(*out));
  PetscCall(set_limits(s, *out));
  PetscCall(TSSetSolution(*out, s->y));
  return 0;
}
