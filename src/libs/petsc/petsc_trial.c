/** y' = -y, y(0) = 1, up to t = 5, with an event that does not come. */
#include "base.h"
#include "petsc_engine.h"

/* Options under which no step succeeds make PETSc try for ever. */
enum { MOST_CALLS = 50000 };

typedef struct {
  TS ts;
  Vec y, ahead, middle; /* ahead: at the start of the last step */
  Mat J;
  int calls; /* of the right-hand side */
} trial;

static PetscErrorCode count_call(trial *w)
{
  return ++w->calls > MOST_CALLS ? PETSC_ERR_NOT_CONVERGED : 0;
}

static PetscErrorCode slope(TS ts, PetscReal t, Vec at, Vec into, void *user)
{
  (void)ts, (void)t;
  PetscCall(count_call(user));
  PetscCall(VecCopy(at, into));
  return VecScale(into, -1);
}

static PetscErrorCode residual(TS ts, PetscReal t, Vec at, Vec rate, Vec into, void *user)
{
  (void)ts, (void)t;
  PetscCall(count_call(user));
  return VecWAXPY(into, 1, at, rate);
}

static PetscErrorCode jacobian(TS ts, PetscReal t, Vec at, Vec rate, PetscReal shift, Mat matrix,
                               Mat into, void *user)
{
  (void)ts, (void)t, (void)at, (void)rate, (void)matrix, (void)user;
  PetscCall(MatSetValue(into, 0, 0, shift + 1, INSERT_VALUES));
  PetscCall(MatAssemblyBegin(into, MAT_FINAL_ASSEMBLY));
  return MatAssemblyEnd(into, MAT_FINAL_ASSEMBLY);
}

static PetscErrorCode no_event(TS ts, PetscReal t, Vec at, PetscScalar gap[], void *user)
{
  (void)ts, (void)t, (void)at, (void)user;
  gap[0] = 1;
  return 0;
}

static PetscErrorCode keep_start(TS ts)
{
  trial *w;

  PetscCall(TSGetApplicationContext(ts, &w));
  return VecCopy(w->y, w->ahead);
}

static PetscErrorCode prepare(trial *w, const sal_petsc_kind *kind, double tolerance)
{
  PetscInt both = 0;
  PetscBool stops = PETSC_FALSE;

  PetscCall(VecCreateSeq(PETSC_COMM_SELF, 1, &w->y));
  PetscCall(VecDuplicate(w->y, &w->ahead));
  PetscCall(VecDuplicate(w->y, &w->middle));
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, 1, 1, NULL, &w->J));
  PetscCall(VecSet(w->y, 1));
  PetscCall(TSCreate(PETSC_COMM_SELF, &w->ts));
  PetscCall(TSSetProblemType(w->ts, TS_NONLINEAR));
  PetscCall(TSSetApplicationContext(w->ts, w));
  if (kind->implicit) {
    PetscCall(TSSetIFunction(w->ts, NULL, residual, w));
    PetscCall(TSSetIJacobian(w->ts, w->J, w->J, jacobian, NULL));
  } else {
    PetscCall(TSSetRHSFunction(w->ts, NULL, slope, w));
  }
  PetscCall(TSSetTimeStep(w->ts, 0.5));
  PetscCall(TSSetFromOptions(w->ts));
  PetscCall(TSSetEventHandler(w->ts, 1, &both, &stops, no_event, NULL, NULL));
  PetscCall(TSSetTolerances(w->ts, tolerance, NULL, tolerance, NULL));
  PetscCall(TSSetMaxTime(w->ts, 5));
  PetscCall(TSSetMaxSteps(w->ts, 300));
  PetscCall(TSSetExactFinalTime(w->ts, TS_EXACTFINALTIME_MATCHSTEP));
  return TSSetPreStep(w->ts, keep_start);
}

/* The order from the type where it has one, else from the scheme that chooses steps. */
static PetscErrorCode ask_type(TS ts, PetscInt *order)
{
  TSType type;
  PetscReal theta = 1;

  PetscCall(TSGetType(ts, &type));
  if (strcmp(type, TSRK) == 0) return TSRKGetOrder(ts, order);
  if (strcmp(type, TSBDF) == 0) return TSBDFGetOrder(ts, order);
  if (strcmp(type, TSCN) == 0 || strcmp(type, TSTHETA) == 0) PetscCall(TSThetaGetTheta(ts, &theta));
  if (theta == 0.5) *order = 2;
  return 0;
}

/* The order, and the number of steps. */
static PetscErrorCode ask_order(TS ts, int *order, int *steps)
{
  PetscInt n, known = 0;
  const PetscInt *orders;
  TSAdapt adapt;

  PetscCall(TSGetAdapt(ts, &adapt));
  PetscCall(TSAdaptCandidatesGet(adapt, &n, &orders, NULL, NULL, NULL));
  PetscCall(ask_type(ts, &known));
  if (known > 0 || n > 0) *order = known > 0 ? known : orders[0];
  PetscCall(TSGetStepNumber(ts, &n));
  *steps = n;
  return 0;
}

/* The middle of the last step, beside that of the line through its ends. */
static PetscErrorCode ask_between(const trial *w, bool *curved)
{
  PetscReal t0, t1;
  const PetscScalar *y0, *y1, *m;

  PetscCall(TSGetPrevTime(w->ts, &t0));
  PetscCall(TSGetTime(w->ts, &t1));
  if (TSInterpolate(w->ts, 0.5 * (t0 + t1), w->middle)) return 0;
  PetscCall(VecGetArrayRead(w->ahead, &y0));
  PetscCall(VecGetArrayRead(w->y, &y1));
  PetscCall(VecGetArrayRead(w->middle, &m));
  *curved = fabs(m[0] - 0.5 * (y0[0] + y1[0])) > 1e-12;
  PetscCall(VecRestoreArrayRead(w->middle, &m));
  PetscCall(VecRestoreArrayRead(w->y, &y1));
  return VecRestoreArrayRead(w->ahead, &y0);
}

static PetscErrorCode solve(trial *w, const sal_petsc_kind *kind, double tolerance,
                            sal_petsc_trial *out)
{
  PetscCall(prepare(w, kind, tolerance));
  PetscCall(TSSolve(w->ts, w->y));
  PetscCall(TSGetConvergedReason(w->ts, &out->reason));
  PetscCall(ask_order(w->ts, &out->order, &out->steps));
  return ask_between(w, &out->curved);
}

sal_petsc_trial sal_petsc_trial_run(const sal_petsc_kind *kind, PetscOptions options,
                                    double tolerance)
{
  sal_petsc_trial out = {.reason = TS_CONVERGED_ITERATING, .order = 1};
  trial w = {0};

  out.code = PetscOptionsPush(options);
  if (out.code == 0) out.code = solve(&w, kind, tolerance, &out);
  (void)TSDestroy(&w.ts);
  (void)MatDestroy(&w.J);
  (void)VecDestroy(&w.middle);
  (void)VecDestroy(&w.ahead);
  (void)VecDestroy(&w.y);
  (void)PetscOptionsPop();
  return out;
}
