/** @file tests/bench/bench_arkode.c
 *  SUNDIALS' explicit Runge-Kutta pairs on the same hoppers: METHOD is dp5 (Dormand-Prince 5(4)) or
 *  bs3 (Bogacki-Shampine 3(2)); `event` is its own root finding with a new start at each root.  The
 *  solver is made once and used again, as a careful user would.
 */
#include "bench.h"
#include <arkode/arkode_erkstep.h>
#include <math.h>
#include <nvector/nvector_serial.h>

#define FOUR_PI2 39.478417604357434475

typedef struct {
  double b, m1, c, ck, f; /* c = 4 pi^2 - m1, ck = c k */
  bool held, closed;      /* is the mode frozen, and is the contact closed then? */
} hopper;

typedef struct {
  hopper hopper;
  SUNContext sundials;
  N_Vector y;
  void *ark;
} solver;

static int rhs(realtype t, N_Vector state, N_Vector slope, void *user)
{
  const hopper *p = user;
  const double *y = N_VGetArrayPointer_Serial(state);
  double *d = N_VGetArrayPointer_Serial(slope);
  const double e = y[0] - y[2] + 1;
  double force = 0;

  (void)t;
  if (p->held ? p->closed : y[0] <= 0) {
    const double depth = fabs(y[0]);
    force = sqrt(depth) * (p->b * depth * y[1] + p->ck * y[0]);
  }
  d[0] = y[1];
  d[1] = -(force + p->c * e + p->f);
  d[2] = y[3];
  d[3] = p->m1 * e - p->f;
  return 0;
}

static int gap(realtype t, N_Vector y, realtype *g, void *user)
{
  (void)t, (void)user;
  g[0] = N_VGetArrayPointer_Serial(y)[0];
  return 0;
}

/* The counters begin anew with each start. */
static void count(const solver *s, bench_work *work)
{
  long steps = 0, f = 0;

  ERKStepGetNumSteps(s->ark, &steps);
  ERKStepGetNumRhsEvals(s->ark, &f);
  work->steps += (double)steps;
  work->rhs += (double)f;
}

static void solve(solver *s, const double set[], bool event, bench_work *work)
{
  enum { MOST_EVENTS = 3000 }; /* chattering at one instant */
  realtype t = 0;
  int flag, rises, n = 0;
  const double c = FOUR_PI2 - set[1];

  s->hopper = (hopper){set[0], set[1], c, c * set[2], set[3], event, false};
  memcpy(N_VGetArrayPointer_Serial(s->y), bench_initial, sizeof bench_initial);
  ERKStepReInit(s->ark, rhs, 0, s->y);
  ERKStepSetStopTime(s->ark, T_END);
  while ((flag = ERKStepEvolve(s->ark, T_END, s->y, &t, ARK_NORMAL)) == ARK_ROOT_RETURN &&
         t < T_END && n < MOST_EVENTS) {
    ERKStepGetRootInfo(s->ark, &rises);
    s->hopper.closed = rises < 0;
    N_VGetArrayPointer_Serial(s->y)[0] = 0;
    count(s, work);
    ERKStepReInit(s->ark, rhs, t, s->y);
    ERKStepSetStopTime(s->ark, T_END);
    ++n;
  }
  count(s, work);
  work->events += n;
  work->failed += flag < 0 || n == MOST_EVENTS;
}

static bench_work pass(const bench_task *task, void *context)
{
  bench_work work = {0};

  for (int i = 0; i < task->n_set; ++i) solve(context, task->set[i], task->event, &work);
  return work;
}

int main(int argc, char *argv[])
{
  const bench_task task = bench_read(argc, argv);
  const bool bs3 = strcmp(task.method, "bs3") == 0;
  solver s = {0};

  if ((!bs3 && strcmp(task.method, "dp5") != 0) || task.lanes > 1) {
    fprintf(stderr, "%s with %d lanes: not here\n", task.method, task.lanes);
    return 2;
  }
  SUNContext_Create(NULL, &s.sundials);
  s.y = N_VNew_Serial(4, s.sundials);
  s.ark = ERKStepCreate(rhs, 0, s.y, s.sundials);
  ERKStepSetTableNum(s.ark, bs3 ? ARKODE_BOGACKI_SHAMPINE_4_2_3 : ARKODE_DORMAND_PRINCE_7_4_5);
  ERKStepSStolerances(s.ark, task.tolerance, task.tolerance);
  ERKStepSetUserData(s.ark, &s.hopper);
  ERKStepSetMaxNumSteps(s.ark, 100000000);
  if (task.event) {
    ERKStepRootInit(s.ark, 1, gap);
    ERKStepSetNoInactiveRootWarn(s.ark);
  }
  const int status = bench_run(&task, pass, &s);
  ERKStepFree(&s.ark);
  N_VDestroy(s.y);
  SUNContext_Free(&s.sundials);
  return status;
}
