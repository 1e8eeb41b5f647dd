/** PETSc TS: rk-TYPE (rk-5dp, rk-3bs, ...), rosw-TYPE (rosw-ra34pw2, ...) and bdf, with the
 *  analytic Jacobian and a dense direct solver.  `event` is its own event handler, which changes
 *  the mode.
 *
 *  An infinite norm in a trial step is an error there, no rejection: with events steps are limited
 *  (LONGEST), so that at loose tolerances it is more accurate than asked.
 */
#include "flight.h"
#include <petscts.h>
#include <string.h>

#define LONGEST 0.05
#define EVENT_SLACK 1e-10 /* |y1| that counts as the root */
#define AFTER_EVENT 1e-4  /* first step after one */

typedef struct {
  Vec y;
  Mat matrix;
  hopper hopper;
  long jacobians, events;
} solver;

static PetscErrorCode rhs(TS ts, PetscReal t, Vec at, Vec slope, void *user)
{
  const PetscScalar *y;
  PetscScalar *dy;

  (void)ts, (void)t;
  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(at, &y));
  PetscCall(VecGetArray(slope, &dy));
  hopper_rhs(&((solver *)user)->hopper, y, dy);
  PetscCall(VecRestoreArrayRead(at, &y));
  PetscCall(VecRestoreArray(slope, &dy));
  PetscFunctionReturn(0);
}

/* Implicit methods get F(t, y, y') = y' - f = 0 and dF/dy + shift dF/dy': where only f is given,
 * rosw takes all of it as the explicit part and never needs a Jacobian. */
static PetscErrorCode residual(TS ts, PetscReal t, Vec at, Vec slope, Vec into, void *user)
{
  PetscFunctionBeginUser;
  PetscCall(rhs(ts, t, at, into, user));
  PetscCall(VecAYPX(into, -1, slope));
  PetscFunctionReturn(0);
}

static PetscErrorCode jacobian(TS ts, PetscReal t, Vec at, Vec slope, PetscReal shift, Mat matrix,
                               Mat into, void *user)
{
  static const PetscInt index[FLIGHT_STATES] = {0, 1, 2, 3};
  solver *s = user;
  const PetscScalar *y;
  double J[FLIGHT_STATES][FLIGHT_STATES];

  (void)ts, (void)t, (void)slope, (void)matrix;
  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(at, &y));
  hopper_jacobian(&s->hopper, y, J);
  PetscCall(VecRestoreArrayRead(at, &y));
  for (int i = 0; i < FLIGHT_STATES; ++i)
    for (int j = 0; j < FLIGHT_STATES; ++j) J[i][j] = (i == j ? shift : 0) - J[i][j];
  PetscCall(MatSetValues(into, FLIGHT_STATES, index, FLIGHT_STATES, index, J[0], INSERT_VALUES));
  PetscCall(MatAssemblyBegin(into, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(into, MAT_FINAL_ASSEMBLY));
  ++s->jacobians;
  PetscFunctionReturn(0);
}

static PetscErrorCode gap(TS ts, PetscReal t, Vec at, PetscScalar g[], void *user)
{
  const PetscScalar *y;

  (void)ts, (void)t, (void)user;
  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(at, &y));
  g[0] = y[0];
  PetscCall(VecRestoreArrayRead(at, &y));
  PetscFunctionReturn(0);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the signature is PETSc's */
static PetscErrorCode met(TS ts, PetscInt n, PetscInt which[], PetscReal t, Vec at,
                          PetscBool forward, void *user)
{
  solver *s = user;
  PetscScalar *y;

  (void)ts, (void)n, (void)which, (void)t, (void)forward;
  PetscFunctionBeginUser;
  PetscCall(VecGetArray(at, &y));
  s->hopper.closed = y[1] < 0;
  y[0] = 0;
  PetscCall(VecRestoreArray(at, &y));
  ++s->events;
  PetscFunctionReturn(0);
}

static PetscErrorCode choose(TS ts, solver *s, const char *method)
{
  const char *type = strchr(method, '-');

  PetscFunctionBeginUser;
  if (type && strncmp(method, "rk-", 3) == 0) {
    PetscCall(TSSetRHSFunction(ts, NULL, rhs, s));
    PetscCall(TSSetType(ts, TSRK));
    PetscCall(TSRKSetType(ts, type + 1));
    PetscFunctionReturn(0);
  }
  PetscCall(TSSetIFunction(ts, NULL, residual, s));
  PetscCall(TSSetIJacobian(ts, s->matrix, s->matrix, jacobian, s));
  if (type && strncmp(method, "rosw-", 5) == 0) {
    PetscCall(TSSetType(ts, TSROSW));
    PetscCall(TSRosWSetType(ts, type + 1));
  } else if (strcmp(method, "bdf") == 0) {
    PetscCall(TSSetType(ts, TSBDF));
  } else {
    flight_refuse("%s: rk-TYPE, rosw-TYPE or bdf", method);
  }
  PetscFunctionReturn(0);
}

static PetscErrorCode prepare(TS ts, solver *s, const flight_task *task)
{
  PetscInt both = 0; /* directions */
  PetscBool stops = PETSC_FALSE;
  TSAdapt adapt;

  PetscFunctionBeginUser;
  PetscCall(TSSetProblemType(ts, TS_NONLINEAR));
  PetscCall(choose(ts, s, task->method));
  PetscCall(TSSetFromOptions(ts));
  PetscCall(TSSetTimeStep(ts, FLIGHT_FIRST));
  PetscCall(TSSetMaxTime(ts, FLIGHT_T_END));
  PetscCall(TSSetMaxSteps(ts, PETSC_MAX_INT));
  PetscCall(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP));
  PetscCall(TSSetTolerances(ts, task->tolerance, NULL, task->tolerance, NULL));
  PetscCall(TSSetMaxStepRejections(ts, -1));
  PetscCall(TSSetMaxSNESFailures(ts, -1));
  PetscCall(TSGetAdapt(ts, &adapt));
  PetscCall(TSAdaptSetType(adapt, TSADAPTBASIC));
  if (!task->event) PetscFunctionReturn(0);
  PetscCall(TSSetEventHandler(ts, 1, &both, &stops, gap, met, s));
  PetscCall(TSSetEventTolerances(ts, EVENT_SLACK, NULL));
  PetscCall(TSSetPostEventIntervalStep(ts, AFTER_EVENT));
  PetscCall(TSAdaptSetStepLimits(adapt, 0, LONGEST));
  PetscFunctionReturn(0);
}

static PetscErrorCode solve(solver *s, flight_task *task, int i, flight_work *work)
{
  PetscInt steps, failed;
  PetscScalar *y;
  TSConvergedReason reason;
  TS ts;

  PetscFunctionBeginUser;
  PetscCall(VecGetArray(s->y, &y));
  s->hopper = flight_begin(task, i, y);
  PetscCall(VecRestoreArray(s->y, &y));
  PetscCall(TSCreate(PETSC_COMM_SELF, &ts));
  PetscCall(prepare(ts, s, task));
  const bool broken = TSSolve(ts, s->y) != 0; /* an error there is an outcome here */
  PetscCall(TSGetConvergedReason(ts, &reason));
  PetscCall(TSGetStepNumber(ts, &steps));
  PetscCall(TSGetStepRejections(ts, &failed));
  work->steps += steps;
  work->failed += failed;
  PetscCall(VecGetArray(s->y, &y));
  flight_finish(task, i, &s->hopper, y, broken || reason < 0, work);
  PetscCall(VecRestoreArray(s->y, &y));
  PetscCall(TSDestroy(&ts));
  PetscFunctionReturn(0);
}

static void pass(flight_task *task, void *context, flight_work *work)
{
  solver *s = context;

  s->jacobians = s->events = 0;
  for (int i = 0; i < task->n; ++i)
    if (solve(s, task, i, work)) flight_refuse("%s: row %d cannot be set up", task->method, i);
  work->jacobians = (double)s->jacobians;
  work->events = (double)s->events;
}

int main(int argc, char *argv[])
{
  flight_task task;
  solver s = {0};
  int n_word = 1;

  flight_read(argc, argv, &task);
  PetscCall(PetscInitialize(&n_word, &argv, NULL, NULL));
  PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  PetscCall(PetscOptionsSetValue(NULL, "-ksp_type", "preonly"));
  PetscCall(PetscOptionsSetValue(NULL, "-pc_type", "lu"));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, FLIGHT_STATES, &s.y));
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, FLIGHT_STATES, FLIGHT_STATES, NULL, &s.matrix));
  const int status = flight_run(&task, pass, &s);
  PetscCall(MatDestroy(&s.matrix));
  PetscCall(VecDestroy(&s.y));
  PetscCall(PetscFinalize());
  return status;
}
