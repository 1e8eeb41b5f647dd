/** PETSc's TS as an engine: what integrates a trajectory, what options make of it, and its runs; the options that are allowed.
 */
#pragma once

#include "engine.h"
#include "err.h"
#include "petsc_calls.h"
#include <petscsys.h>

/* ---- petsc_solver.c ----
 *  A TS that integrates a trajectory of an engine's run: its making, and its functions f and Jacobian.
 *
 *  Explicit types get f as TSSetRHSFunction.  All others get F(t, y, y') = y' - f = 0 and
 *  dF/dy + shift dF/dy' = shift - df/dy: where only f is given, TSROSW and TSARKIMEX take all of it as the
 *  explicit part and never ask for a Jacobian.
 */

/** How a program of one's own gives TS the same functions, as lines of code; and the first step that it
 *  is given (petsc_engine.c), with the root that is taken of the tolerance. */
#define SAL_PETSC_EXPLICIT_FUNCTIONS                                                               \
  "TSSetRHSFunction(ts, NULL, rhs, NULL); /* rhs(ts, t, y, dy, user): dy = f(t, y) */\n"
#define SAL_PETSC_IMPLICIT_FUNCTIONS                                                               \
  "TSSetIFunction(ts, NULL, residual, NULL); /* residual(ts, t, y, dy, F, user): F = dy - f(t, "   \
  "y); with TSSetRHSFunction J is not used */\n"                                                   \
  "TSSetIJacobian(ts, J, J, jacobian, NULL); /* jacobian(ts, t, y, dy, a, J, P, user): J = a I - " \
  "df/dy */\n"
#define SAL_PETSC_FIRST_STEP(ROOT)                                                                 \
  "TSSetTimeStep(ts, fmin(t_end - t, 0.8 * pow(TOL, 1.0 / " ROOT                                   \
  ") / rate)); /* at the start and after each event; rate: the largest |f_i| / max(|y_i|, 1) "     \
  "*/\n"

/** Definition of a method of PETSc, beside its description. */
typedef struct {
  const char *options; /* "-ts_type rosw -ts_rosw_type ra34pw2" */
  bool implicit;       /* is it given the Jacobian? */
} sal_petsc_kind;

/** Object that an engine's `open` makes, used run by run. */
typedef struct {
  const sal_petsc_kind *kind;
  const sal_setup *setup;
  PetscOptions options; /* those of the method, after those of PETSC_OPTIONS */
  Vec y, between;       /* the state; values inside a step */
  Mat J;
  double *f, *rows; /* [n], [n][sal_engine_row] */

  /* State of the run. */
  sal_engine_run *run;
  TS ts;
  bool stop;           /* the run is over: set where an error is returned */
  bool anew;           /* the run has refused the step: the solve is to begin anew */
  bool f_bad, was_bad; /* the last f, the last stage was not finite */
  bool pending;        /* a step has been made, and may still be rolled back */
  bool changed;        /* an event ended the step: it has been reported */
  bool interpolates;
  double t_step;             /* the end of that step */
  int64_t rolled;            /* steps rolled back by the event handler */
  bool fresh;                /* the Jacobian has not been factorised */
  double gap[SAL_MAX_GUARD]; /* at run->t, and as last evaluated */
  double gap_now[SAL_MAX_GUARD];
  bool fired[SAL_MAX_GUARD];
} sal_petsc_solver;

/** Is a TS type one that takes f alone? */
bool sal_petsc_is_explicit(const char *type);

/** The options of a method in an own database: those every method has, then those of the environment
 *  (`with_environment`), then its own; later ones win. */
PetscErrorCode sal_petsc_options(const sal_petsc_kind *kind, bool with_environment,
                                 PetscOptions *out);

/** Makes the TS of a run: type and all that options set, f, Jacobian, tolerances, the final time.
 *  TSDestroy frees it. */
PetscErrorCode sal_petsc_solver_make(sal_petsc_solver *s, TS *out);

/** Ends the run where it has used up its steps or work or where steps no longer move t; to be called
 *  wherever PETSc may go on for ever.  Returns what the callback then returns. */
PetscErrorCode sal_petsc_solver_check(sal_petsc_solver *s, TS ts);

/* ---- petsc_trial.c ----
 *  Properties of a TS with given options, found by solving y' = -y.
 */

/** Result of a trial. */
typedef struct {
  PetscErrorCode code; /* 0: it was solved; see also reason */
  TSConvergedReason reason;
  int order; /* of the type; 1 where PETSc does not say */
  int steps;
  bool curved; /* is what TSInterpolate gives more than a straight line? */
} sal_petsc_trial;

/** Solves with the options of `options`, which records which of them were used; steps are counted up to
 *  some hundreds. */
sal_petsc_trial sal_petsc_trial_run(const sal_petsc_kind *kind, PetscOptions options,
                                    double tolerance);

/* ---- petsc_engine.c ----
 *  Runs of PETSc's TS as an engine.
 *
 *  PETSc's own solve makes the steps; the run gets each accepted one, with TSInterpolate for what is
 *  between its ends, which is a straight line for many types (and where a type has no formula, one is
 *  drawn here).
 *
 *  *Events* are TSEvent's: a step in which a gap changes its sign is rolled back and repeated, shorter and
 *  shorter, by regula falsi, until the gap is below EVENT_SHARE of the tolerance (or -ts_event_tol).
 *  `direction` is 0, whose other values do not end in 3.18, and crossings out of the mode are found by
 *  the fall of their gap.  Each ends the solve (`terminate`) and another one goes on after it: inside one
 *  solve TSEvent makes the rest of the interrupted step without a test of its error.
 *
 *  *The first step*, after an event as well, is none of TS's business (it takes 0.1): it is the one in which
 *  f changes the state by tolerance^(1 / order), as in MATLAB's suite, or -ts_dt.  The order counts up to 3:
 *  TSEvent sees no crossing in a step that begins on the surface, so that a high order's first step would
 *  pass over whole contacts unseen.
 */

/** Functions of sal_engine (engine.h). */
const char *sal_petsc_version(void);
void *sal_petsc_open(const sal_setup *setup, int n);
void sal_petsc_run(sal_engine_run *run, void *own);
void sal_petsc_close(void *own);

/* Which of PETSc's options a sweep may set, and to what.
 *
 * Sweeps, cubes and journals are passed on between people, and PETSc's options can write files, open
 * sockets, load libraries and start programs.  So their text is cut here, and PETSc is handed pairs of a
 * name in one table and a value of the type that the table gives: a number within bounds,
 * a truth, or a word of a list.  None of these is a path.  PETSc's own reader of such texts, which handles quotes,
 * prefixes and files of options, never sees one.
 *
 * Everything else is for the user alone: PETSC_OPTIONS of the environment, and --petsc-options. */

/** Sets the options in `text`, "-ts_type rk -ts_rk_type 5dp", in a database; of an option that is there twice
 *  the last value counts.  Fails with one message, headed by `where`, on a name that is not in the
 *  table and on a value that is not of its type; what has been set until then stays. */
sal_err sal_petsc_allowed_set(const char *where, const char *text, PetscOptions out);

enum { SAL_PETSC_ALLOWED_MOST = 160 };
/** The names in the table, ended by NULL; returns how many there are. */
int sal_petsc_allowed_names(const char *names[SAL_PETSC_ALLOWED_MOST + 1]);
