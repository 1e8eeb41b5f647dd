/** A run: first step, accepted steps, events, and why it ended. */
#include "petsc_engine.h"
#include "base.h"
#include "petsc_start.h"
#include "scalar_math.h"
#include <float.h>

#define EVENT_SHARE 1e-3 /* of the tolerance: a gap that counts as 0 */

/** A step whose end is given. */
typedef struct {
  sal_petsc_solver *s;
  double t1;
  const double *y1;
} ended_step;

static void draw_line(const ended_step *e, double t, double y[])
{
  const sal_engine_run *run = e->s->run;
  const double share = (t - run->t) / (e->t1 - run->t);

  for (int i = 0; i < run->n; ++i) y[i] = run->y[i] + share * (e->y1[i] - run->y[i]);
}

static void value_at(void *with, double t, double y[])
{
  const ended_step *e = with;
  sal_petsc_solver *s = e->s;
  const PetscScalar *at;

  if (s->interpolates && TSInterpolate(s->ts, t, s->between) == 0 &&
      VecGetArrayRead(s->between, &at) == 0) {
    memcpy(y, at, (size_t)s->run->n * sizeof *y);
    (void)VecRestoreArrayRead(s->between, &at);
    return;
  }
  s->interpolates = false;
  draw_line(e, t, y);
}

/* The final time may be missed by rounding. */
static double end_of_step(const sal_petsc_solver *s, TS ts, PetscReal t)
{
  TSConvergedReason reason = TS_CONVERGED_ITERATING;

  (void)TSGetConvergedReason(ts, &reason);
  const double end = s->run->t_end;
  return reason == TS_CONVERGED_TIME || fabs(t - end) <= 10 * DBL_EPSILON * end ? end : t;
}

/* A step that the run has not taken: does it go on from where it stands? */
static bool begins_anew(sal_petsc_solver *s)
{
  if (!sal_engine_begins_anew(s->run)) return false;
  --s->run->steps;
  ++s->rolled;
  return true;
}

/* fired: the gaps that have fallen through 0 at its end; NULL: none. */
static PetscErrorCode accept_step(sal_petsc_solver *s, TS ts, PetscReal t, Vec at,
                                  const bool fired[])
{
  const PetscScalar *y1;
  sal_engine_run *run = s->run;

  ++run->steps;
  s->pending = false;
  PetscCall(VecGetArrayRead(at, &y1));
  ended_step e = {.s = s, .t1 = end_of_step(s, ts, t), .y1 = y1};
  if (e.t1 <= run->t)
    run->outcome = SAL_OUT_UNDERFLOW;
  else if (fired)
    s->stop = !sal_engine_meet(run, e.t1, y1, fired, value_at, &e);
  else
    s->stop = !sal_engine_advance(run, e.t1, y1, value_at, &e);
  PetscCall(VecRestoreArrayRead(at, &y1));
  s->anew = s->stop && begins_anew(s);
  s->stop = (s->stop && !s->anew) || run->outcome != SAL_OUT_DONE;
  return s->stop || s->anew ? TSSetConvergedReason(ts, TS_CONVERGED_USER) : 0;
}

/* After each step, ahead of the event handler, which may roll it back. */
static PetscErrorCode step_made(TS ts)
{
  sal_petsc_solver *s;

  PetscCall(TSGetApplicationContext(ts, &s));
  s->rolled += s->pending;
  s->pending = true;
  s->changed = false;
  PetscCall(TSGetTime(ts, &s->t_step));
  return s->run->n_gap > 0 ? sal_petsc_solver_check(s, ts) : 0;
}

/* After each step that stays. */
static PetscErrorCode step_stays(TS ts)
{
  sal_petsc_solver *s;
  PetscReal t;
  Vec at;

  PetscCall(TSGetApplicationContext(ts, &s));
  PetscCall(TSGetTime(ts, &t));
  if (s->changed || t != s->t_step) return 0;
  PetscCall(TSGetSolution(ts, &at));
  memcpy(s->gap, s->gap_now, (size_t)s->run->n_gap * sizeof *s->gap);
  return accept_step(s, ts, t, at, NULL);
}

static PetscErrorCode gaps(TS ts, PetscReal t, Vec at, PetscScalar gap[], void *user)
{
  sal_petsc_solver *s = user;
  const PetscScalar *y;

  (void)ts;
  PetscCall(VecGetArrayRead(at, &y));
  sal_engine_gaps(s->run, t, y, gap);
  PetscCall(VecRestoreArrayRead(at, &y));
  memcpy(s->gap_now, gap, (size_t)s->run->n_gap * sizeof *gap);
  if (t == s->run->t) memcpy(s->gap, gap, (size_t)s->run->n_gap * sizeof *gap);
  return 0;
}

/* Zeros out of the mode: below 0, or falling there.  After an event its own gap starts at 0 and grows. */
static bool find_fired(sal_petsc_solver *s, PetscInt n, const PetscInt which[])
{
  bool any = false;

  memset(s->fired, 0, sizeof s->fired);
  for (PetscInt i = 0; i < n; ++i) {
    const PetscInt k = which[i];
    s->fired[k] = s->gap_now[k] < s->gap[k];
    any = any || s->fired[k];
  }
  return any;
}

static PetscErrorCode take_state(const sal_petsc_solver *s, Vec into)
{
  PetscScalar *y;

  PetscCall(VecGetArrayWrite(into, &y));
  memcpy(y, s->run->y, (size_t)s->run->n * sizeof *y);
  return VecRestoreArrayWrite(into, &y);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the signature is PETSc's */
static PetscErrorCode zero_met(TS ts, PetscInt n, PetscInt which[], PetscReal t, Vec at,
                               PetscBool forward, void *user)
{
  sal_petsc_solver *s = user;

  (void)forward;
  const bool any = find_fired(s, n, which);
  memcpy(s->gap, s->gap_now, (size_t)s->run->n_gap * sizeof *s->gap);
  s->changed = true;
  PetscCall(accept_step(s, ts, t, at, any ? s->fired : NULL));
  return s->stop || s->anew || !any ? 0 : take_state(s, at);
}

/* Where the gap is steep its zero lies between two times: a secant then leads to a step of no length. */
static PetscErrorCode step_begins(TS ts)
{
  PetscReal t, h;

  PetscCall(TSGetTime(ts, &t));
  PetscCall(TSGetTimeStep(ts, &h));
  const double least = 4 * DBL_EPSILON * fabs(t);
  return h < least ? TSSetTimeStep(ts, least) : 0;
}

/* Steps of some spacings of time are as near as it gets. */
static PetscErrorCode set_shortest(const sal_petsc_solver *s)
{
  char text[32];
  PetscBool given;

  PetscCall(PetscOptionsHasName(NULL, NULL, "-ts_event_dt_min", &given));
  (void)snprintf(text, sizeof text, "%.17g", 64 * DBL_EPSILON * s->run->t_end);
  return given ? 0 : PetscOptionsSetValue(NULL, "-ts_event_dt_min", text);
}

/* A handler of its own for each solve: with two gaps through 0 in one step the one that is not reached
 * keeps its interval in mind, of which later steps then make a length below 0. */
static PetscErrorCode watch_gaps(sal_petsc_solver *s, TS ts)
{
  PetscInt both[SAL_MAX_GUARD] = {0};
  PetscBool stops[SAL_MAX_GUARD], given;

  for (int k = 0; k < s->run->n_gap; ++k) stops[k] = PETSC_TRUE;
  PetscCall(TSSetPreStep(ts, step_begins));
  PetscCall(TSSetEventHandler(ts, s->run->n_gap, both, stops, gaps, zero_met, s));
  PetscCall(PetscOptionsGetReal(NULL, NULL, "-ts_event_tol", &s->run->zero, &given));
  if (given) return 0;
  s->run->zero = EVENT_SHARE * sal_setup_least_atol(s->setup);
  return TSSetEventTolerances(ts, s->run->zero, NULL);
}

/* How long f takes to change the state by tolerance^(1 / order), relative to its size. */
static double first_step(const sal_petsc_solver *s)
{
  const sal_engine_run *run = s->run;
  const sal_setup *u = s->setup;
  const int order = u->method->order < 3 ? u->method->order : 3;
  const double whole = fmin(run->hmax, run->t_end - run->t);
  double rate = 0;

  sal_engine_rhs(s->run, run->t, run->y, s->f);
  for (int i = 0; i < run->n; ++i)
    rate = fmax(rate, fabs(s->f[i]) / fmax(fabs(run->y[i]), sal_setup_atol(u, i) / u->rtol));
  rate /= 0.8 * sal_scalar_pow(u->rtol, 1.0 / order);
  return fmin(run->first, whole * rate > 1 ? 1 / rate : whole);
}

static PetscErrorCode make(sal_petsc_solver *s)
{
  PetscCall(take_state(s, s->y));
  PetscCall(sal_petsc_solver_make(s, &s->ts));
  PetscCall(TSSetPostEvaluate(s->ts, step_made));
  PetscCall(TSSetPostStep(s->ts, step_stays));
  return s->run->n_gap > 0 ? set_shortest(s) : 0;
}

/* From where the run stands, as the first step: of later ones TSSolve neither looks at the gaps where it
 * begins nor forgets what it has rejected. */
static PetscErrorCode begin(sal_petsc_solver *s)
{
  PetscInt rejected;

  PetscCall(TSGetStepRejections(s->ts, &rejected));
  s->rolled += rejected;
  PetscCall(TSSetStepNumber(s->ts, 0));
  PetscCall(TSSetTime(s->ts, s->run->t));
  if (s->anew) PetscCall(take_state(s, s->y));
  s->anew = false;
  PetscCall(s->run->n_gap > 0 ? watch_gaps(s, s->ts) : 0);
  return TSRestartStep(s->ts);
}

/* Up to the end, and anew after each event. */
static PetscErrorCode solve(sal_petsc_solver *s)
{
  TSConvergedReason reason;
  PetscReal h = 0;
  PetscBool given;

  PetscCall(PetscOptionsGetReal(NULL, NULL, "-ts_dt", &h, &given));
  do {
    PetscCall(begin(s));
    PetscCall(TSSetTimeStep(s->ts, given ? h : first_step(s)));
    PetscCall(TSSolve(s->ts, s->y));
    PetscCall(TSGetConvergedReason(s->ts, &reason));
  } while ((reason == TS_CONVERGED_EVENT || s->anew) && !s->stop);
  return 0;
}

/* The reason of the solve takes precedence over the code of the error that it raises. */
static sal_library_reason reason_of(PetscErrorCode code, TSConvergedReason reason)
{
  static const struct {
    int code;
    sal_library_reason reason;
  } codes[] = {{PETSC_ERR_FP, SAL_LIBRARY_PETSC_FP},
               {PETSC_ERR_MAT_LU_ZRPVT, SAL_LIBRARY_PETSC_ZERO_PIVOT},
               {PETSC_ERR_MEM, SAL_LIBRARY_PETSC_MEMORY},
               {PETSC_ERR_SUP, SAL_LIBRARY_PETSC_SUPPORT},
               {PETSC_ERR_NOT_CONVERGED, SAL_LIBRARY_PETSC_NOT_CONVERGED},
               {PETSC_ERR_CONV_FAILED, SAL_LIBRARY_PETSC_NOT_CONVERGED},
               {PETSC_ERR_ARG_OUTOFRANGE, SAL_LIBRARY_PETSC_OUT_OF_RANGE}},
    reasons[] = {{TS_DIVERGED_NONLINEAR_SOLVE, SAL_LIBRARY_TS_NONLINEAR},
                 {TS_DIVERGED_STEP_REJECTED, SAL_LIBRARY_TS_REJECTED},
                 {TSFORWARD_DIVERGED_LINEAR_SOLVE, SAL_LIBRARY_TS_LINEAR}};

  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; ++i)
    if (reasons[i].code == (int)reason) return reasons[i].reason;
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i)
    if (codes[i].code == code) return codes[i].reason;
  return SAL_LIBRARY_OTHER;
}

static void conclude(sal_petsc_solver *s, PetscErrorCode code)
{
  TSConvergedReason reason = TS_CONVERGED_ITERATING;
  PetscInt rejected = 0;
  sal_engine_run *run = s->run;

  if (s->ts) (void)TSGetConvergedReason(s->ts, &reason);
  if (s->ts) (void)TSGetStepRejections(s->ts, &rejected);
  run->failed = rejected + s->rolled;
  if (run->outcome != SAL_OUT_DONE || run->t >= run->t_end) return;
  run->outcome = SAL_OUT_LIBRARY;
  run->reason = reason_of(code, reason);
}

void sal_petsc_run(sal_engine_run *run, void *own)
{
  sal_petsc_solver *s = own;

  s->run = run;
  s->ts = NULL;
  s->stop = s->anew = s->f_bad = s->was_bad = s->pending = s->changed = s->fresh = false;
  s->interpolates = true;
  s->rolled = run->failed;
  sal_petsc_forget();
  PetscErrorCode code = PetscOptionsPush(s->options);
  if (code == 0) code = make(s);
  if (code == 0) code = solve(s);
  conclude(s, code);
  (void)TSDestroy(&s->ts);
  (void)PetscOptionsPop();
}

const char *sal_petsc_version(void)
{
  static _Thread_local char text[32];

  (void)snprintf(text, sizeof text, "%d.%d.%d", PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR,
                 PETSC_VERSION_SUBMINOR);
  return text;
}

static PetscErrorCode make_room(sal_petsc_solver *s, int n)
{
  const sal_model *m = s->setup->model;

  PetscCall(sal_petsc_options(s->kind, true, &s->options));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, n, &s->y));
  PetscCall(VecDuplicate(s->y, &s->between));
  if (!s->kind->implicit) return 0;
  if (!sal_engine_has_band(m)) return MatCreateSeqDense(PETSC_COMM_SELF, n, n, NULL, &s->J);
  return MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, m->band.lower + m->band.upper + 1, NULL, &s->J);
}

void *sal_petsc_open(const sal_setup *setup, int n)
{
  sal_petsc_solver *s = sal_alloc(1, sizeof *s);

  if (!s) return NULL;
  s->kind = setup->method->engine->settings;
  s->setup = setup;
  s->f = sal_alloc((size_t)n, sizeof *s->f);
  s->rows = sal_alloc((size_t)n * (size_t)sal_engine_row(setup->model), sizeof *s->rows);
  if (s->f && s->rows && sal_petsc_start() == SAL_OK && make_room(s, n) == 0) return s;
  sal_petsc_close(s);
  return NULL;
}

void sal_petsc_close(void *own)
{
  sal_petsc_solver *s = own;

  (void)MatDestroy(&s->J);
  (void)VecDestroy(&s->between);
  (void)VecDestroy(&s->y);
  if (s->options) (void)PetscOptionsDestroy(&s->options);
  sal_free_all(s->rows, s->f, s);
}
