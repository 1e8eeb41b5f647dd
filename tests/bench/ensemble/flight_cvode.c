/** SUNDIALS CVODE: bdf and adams, both with dense Newton and the analytic Jacobian: with difference
 *  quotients bdf is a little slower, and with fixed-point iteration adams twice to four times.
 *  `event` is its own root finding with a new start at each root.  The solver is made once and used
 *  again, as a careful user would.
 */
#include "flight_sundials.h"
#include <cvode/cvode.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct {
  hopper hopper;
  SUNContext sundials;
  N_Vector y;
  SUNMatrix matrix;
  SUNLinearSolver linear;
  void *cvode;
} solver;

static int jacobian(realtype t, N_Vector y, N_Vector dy, SUNMatrix matrix, void *user, N_Vector a,
                    N_Vector b, N_Vector c)
{
  double J[FLIGHT_STATES][FLIGHT_STATES];

  (void)t, (void)dy, (void)a, (void)b, (void)c;
  hopper_jacobian(user, N_VGetArrayPointer_Serial(y), J);
  for (int i = 0; i < FLIGHT_STATES; ++i)
    for (int j = 0; j < FLIGHT_STATES; ++j) SM_ELEMENT_D(matrix, i, j) = J[i][j];
  return 0;
}

/* The counters begin anew with each start. */
static void count(const solver *s, flight_work *work)
{
  long steps = 0, failed = 0, jacobians = 0;

  CVodeGetNumSteps(s->cvode, &steps);
  CVodeGetNumErrTestFails(s->cvode, &failed);
  CVodeGetNumJacEvals(s->cvode, &jacobians);
  work->steps += (double)steps;
  work->failed += (double)failed;
  work->jacobians += (double)jacobians;
}

static void begin(const solver *s, double t)
{
  CVodeReInit(s->cvode, t, s->y);
  CVodeSetStopTime(s->cvode, FLIGHT_T_END);
}

static void solve(solver *s, flight_task *task, int i, flight_work *work)
{
  double *y = N_VGetArrayPointer_Serial(s->y);
  realtype t = 0;
  int flag, rises = 0, n = 0;

  s->hopper = flight_begin(task, i, y);
  begin(s, 0);
  while ((flag = CVode(s->cvode, FLIGHT_T_END, s->y, &t, CV_NORMAL)) == CV_ROOT_RETURN &&
         t < FLIGHT_T_END && n < FLIGHT_MOST_EVENTS) {
    CVodeGetRootInfo(s->cvode, &rises);
    s->hopper.closed = rises < 0;
    y[0] = 0;
    count(s, work);
    begin(s, t);
    ++n;
  }
  count(s, work);
  work->events += n;
  flight_finish(task, i, &s->hopper, y, flag < 0 || n == FLIGHT_MOST_EVENTS, work);
}

static void pass(flight_task *task, void *context, flight_work *work)
{
  for (int i = 0; i < task->n; ++i) solve(context, task, i, work);
}

static void create(solver *s, const flight_task *task)
{
  const bool bdf = strcmp(task->method, "bdf") == 0;

  if (!bdf && strcmp(task->method, "adams") != 0) flight_refuse("%s: bdf or adams", task->method);
  SUNContext_Create(NULL, &s->sundials);
  s->y = N_VNew_Serial(FLIGHT_STATES, s->sundials);
  s->matrix = SUNDenseMatrix(FLIGHT_STATES, FLIGHT_STATES, s->sundials);
  s->linear = SUNLinSol_Dense(s->y, s->matrix, s->sundials);
  s->cvode = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, s->sundials);
  CVodeInit(s->cvode, rhs, 0, s->y);
  CVodeSStolerances(s->cvode, task->tolerance, task->tolerance);
  CVodeSetUserData(s->cvode, &s->hopper);
  CVodeSetMaxNumSteps(s->cvode, NO_STEP_LIMIT);
  CVodeSetLinearSolver(s->cvode, s->linear, s->matrix);
  CVodeSetJacFn(s->cvode, jacobian);
  if (task->event) {
    CVodeRootInit(s->cvode, 1, gap);
    CVodeSetNoInactiveRootWarn(s->cvode);
  }
}

static void destroy(solver *s)
{
  CVodeFree(&s->cvode);
  SUNLinSolFree(s->linear);
  SUNMatDestroy(s->matrix);
  N_VDestroy(s->y);
  SUNContext_Free(&s->sundials);
}

int main(int argc, char *argv[])
{
  flight_task task;
  solver s = {0};

  flight_read(argc, argv, &task);
  create(&s, &task);
  const int status = flight_run(&task, pass, &s);
  destroy(&s);
  return status;
}
