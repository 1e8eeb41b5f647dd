/** SUNDIALS ARKODE's explicit pairs: dp5 (Dormand-Prince 5(4)) and bs3 (Bogacki-Shampine 3(2)).
 *  `event` is its own root finding with a new start at each root.  The solver is made once and used
 *  again, as a careful user would.
 */
#include "flight_sundials.h"
#include <arkode/arkode_erkstep.h>
#include <string.h>

typedef struct {
  hopper hopper;
  SUNContext sundials;
  N_Vector y;
  void *ark;
} solver;

/* The counters begin anew with each start. */
static void count(const solver *s, flight_work *work)
{
  long steps = 0, failed = 0;

  ERKStepGetNumSteps(s->ark, &steps);
  ERKStepGetNumErrTestFails(s->ark, &failed);
  work->steps += (double)steps;
  work->failed += (double)failed;
}

static void begin(const solver *s, double t)
{
  ERKStepReInit(s->ark, rhs, t, s->y);
  ERKStepSetStopTime(s->ark, FLIGHT_T_END);
}

static void solve(solver *s, flight_task *task, int i, flight_work *work)
{
  double *y = N_VGetArrayPointer_Serial(s->y);
  realtype t = 0;
  int flag, rises = 0, n = 0;

  s->hopper = flight_begin(task, i, y);
  begin(s, 0);
  while ((flag = ERKStepEvolve(s->ark, FLIGHT_T_END, s->y, &t, ARK_NORMAL)) == ARK_ROOT_RETURN &&
         t < FLIGHT_T_END && n < FLIGHT_MOST_EVENTS) {
    ERKStepGetRootInfo(s->ark, &rises);
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

int main(int argc, char *argv[])
{
  flight_task task;
  solver s = {0};

  flight_read(argc, argv, &task);
  const bool bs3 = strcmp(task.method, "bs3") == 0;
  if (!bs3 && strcmp(task.method, "dp5") != 0) flight_refuse("%s: dp5 or bs3", task.method);
  SUNContext_Create(NULL, &s.sundials);
  s.y = N_VNew_Serial(FLIGHT_STATES, s.sundials);
  s.ark = ERKStepCreate(rhs, 0, s.y, s.sundials);
  ERKStepSetTableNum(s.ark, bs3 ? ARKODE_BOGACKI_SHAMPINE_4_2_3 : ARKODE_DORMAND_PRINCE_7_4_5);
  ERKStepSStolerances(s.ark, task.tolerance, task.tolerance);
  ERKStepSetUserData(s.ark, &s.hopper);
  ERKStepSetMaxNumSteps(s.ark, NO_STEP_LIMIT);
  if (task.event) {
    ERKStepRootInit(s.ark, 1, gap);
    ERKStepSetNoInactiveRootWarn(s.ark);
  }
  const int status = flight_run(&task, pass, &s);
  ERKStepFree(&s.ark);
  N_VDestroy(s.y);
  SUNContext_Free(&s.sundials);
  return status;
}
