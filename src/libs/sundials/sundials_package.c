/** The tables of CVODE's, ERKStep's and ARKStep's functions. */
#include "sundials_run.h"
#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>

_Static_assert(CV_ROOT_RETURN == ARK_ROOT_RETURN && (int)CV_ONE_STEP == ARK_ONE_STEP,
               "one loop reads the codes of all packages");

static void *cvode_create(int setting, sal_sundials_rhs *f, N_Vector y, SUNContext context)
{
  void *memory = CVodeCreate(setting, context);

  if (memory && CVodeInit(memory, f, 0, y) < 0) CVodeFree(&memory);
  return memory;
}

static int cvode_begin(void *memory, sal_sundials_rhs *f, double t, N_Vector y)
{
  (void)f;
  return CVodeReInit(memory, t, y);
}

/* A failed iteration with an old Jacobian that is repeated with a new one is among them. */
static int cvode_count(void *memory, sal_sundials_counts *c)
{
  long errors = 0, f = 0, iterations = 0, unconverged = 0;
  int used, next;
  realtype first, last, proposed, t;

  *c = (sal_sundials_counts){0};
  const int status = CVodeGetIntegratorStats(memory, &c->steps, &f, &c->factorisations, &errors,
                                             &used, &next, &first, &last, &proposed, &t);
  if (status < 0) return status;
  CVodeGetNonlinSolvStats(memory, &iterations, &unconverged);
  c->failed = errors + unconverged;
  c->solves = iterations;
  return 0;
}

/* Codes that both packages return. */
#define FLAGS(P)                                                                                   \
  {P##_TOO_MUCH_WORK, SAL_OUT_LIBRARY, SAL_LIBRARY_##P##_TOO_MUCH_WORK},                           \
      {P##_TOO_MUCH_ACC, SAL_OUT_LIBRARY, SAL_LIBRARY_##P##_TOO_MUCH_ACC},                         \
      {P##_ERR_FAILURE, SAL_OUT_LIBRARY, SAL_LIBRARY_##P##_ERR_FAILURE},                           \
      {P##_CONV_FAILURE, SAL_OUT_LIBRARY, SAL_LIBRARY_##P##_CONV_FAILURE},                         \
      {P##_LSETUP_FAIL, SAL_OUT_LIBRARY, SAL_LIBRARY_##P##_LSETUP_FAIL},                           \
      {P##_LSOLVE_FAIL, SAL_OUT_LIBRARY, SAL_LIBRARY_##P##_LSOLVE_FAIL},                           \
      {P##_RHSFUNC_FAIL, SAL_OUT_NOT_FINITE, SAL_LIBRARY_NONE},                                    \
      {P##_FIRST_RHSFUNC_ERR, SAL_OUT_NOT_FINITE, SAL_LIBRARY_NONE},                               \
      {P##_REPTD_RHSFUNC_ERR, SAL_OUT_NOT_FINITE, SAL_LIBRARY_NONE},                               \
      {P##_UNREC_RHSFUNC_ERR, SAL_OUT_NOT_FINITE, SAL_LIBRARY_NONE},                               \
      {P##_RTFUNC_FAIL, SAL_OUT_NOT_FINITE, SAL_LIBRARY_NONE},                                     \
      {P##_MEM_FAIL, SAL_OUT_LIBRARY, SAL_LIBRARY_UNPREPARED},                                     \
  {                                                                                                \
    P##_ILL_INPUT, SAL_OUT_LIBRARY, SAL_LIBRARY_##P##_ILL_INPUT                                    \
  }
static const sal_sundials_flag cvode_flags[] = {
    FLAGS(CV), {CV_NLS_FAIL, SAL_OUT_LIBRARY, SAL_LIBRARY_CV_NLS_FAIL}, {0}};

/* The functions that all packages have, by the beginning of their names; and those of implicit ones. */
#define FUNCTIONS(P)                                                                               \
  .derivative = P##GetDky, .tolerances = P##SVtolerances, .user = P##SetUserData,                  \
  .listener = P##SetErrHandlerFn, .stop = P##SetStopTime, .first = P##SetInitStep,                 \
  .longest = P##SetMaxStep, .roots = P##RootInit, .direction = P##SetRootDirection,                \
  .rises = P##GetRootInfo, .free = P##Free
#define LINEAR(P) .linear = P##SetLinearSolver, .jacobian = P##SetJacFn
#define ARKODE(P)                                                                                  \
  FUNCTIONS(P), .evolve = P##Evolve, .fixed = P##SetFixedStep, .flag = arkode_flags,               \
                .keeps_root = true, .too_close = ARK_TOO_CLOSE

const sal_sundials_package sal_sundials_cvode = {FUNCTIONS(CVode),
                                                 LINEAR(CVode),
                                                 .create = cvode_create,
                                                 .begin = cvode_begin,
                                                 .evolve = CVode,
                                                 .last_order = CVodeGetLastOrder,
                                                 .count = cvode_count,
                                                 .fixed_point = CVodeSetNonlinearSolver,
                                                 .most_order = CVodeSetMaxOrd,
                                                 .flag = cvode_flags,
                                                 .too_close = CV_TOO_CLOSE};

static const sal_sundials_flag arkode_flags[] = {FLAGS(ARK), {0}};

static void *erk_create(int setting, sal_sundials_rhs *f, N_Vector y, SUNContext context)
{
  void *memory = ERKStepCreate(f, 0, y, context);

  if (memory && ERKStepSetTableNum(memory, (ARKODE_ERKTableID)setting) < 0) ERKStepFree(&memory);
  return memory;
}

static int erk_count(void *memory, sal_sundials_counts *c)
{
  long attempts = 0;

  *c = (sal_sundials_counts){0};
  ERKStepGetNumStepAttempts(memory, &attempts);
  const int status = ERKStepGetNumSteps(memory, &c->steps);
  c->failed = attempts - c->steps;
  return status;
}

const sal_sundials_package sal_sundials_erk = {ARKODE(ERKStep), .create = erk_create,
                                               .begin = ERKStepReInit, .count = erk_count};

/* An explicit table or an implicit one, each alone. */
static void *ark_create(int setting, sal_sundials_rhs *f, N_Vector y, SUNContext context)
{
  void *memory = ARKStepCreate(f, NULL, 0, y, context);

  if (memory && ARKStepSetTableNum(memory, ARKODE_DIRK_NONE, (ARKODE_ERKTableID)setting) < 0)
    ARKStepFree(&memory);
  return memory;
}
static void *dirk_create(int setting, sal_sundials_rhs *f, N_Vector y, SUNContext context)
{
  void *memory = ARKStepCreate(NULL, f, 0, y, context);

  if (memory && ARKStepSetTableNum(memory, (ARKODE_DIRKTableID)setting, ARKODE_ERK_NONE) < 0)
    ARKStepFree(&memory);
  return memory;
}

static int ark_begin(void *memory, sal_sundials_rhs *f, double t, N_Vector y)
{
  return ARKStepReInit(memory, f, NULL, t, y);
}
static int dirk_begin(void *memory, sal_sundials_rhs *f, double t, N_Vector y)
{
  return ARKStepReInit(memory, NULL, f, t, y);
}

static int ark_count(void *memory, sal_sundials_counts *c)
{
  long errors = 0, iterations = 0, unconverged = 0;

  *c = (sal_sundials_counts){0};
  ARKStepGetNumErrTestFails(memory, &errors);
  ARKStepGetNonlinSolvStats(memory, &iterations, &unconverged);
  ARKStepGetNumLinSolvSetups(memory, &c->factorisations);
  c->failed = errors + unconverged;
  c->solves = iterations;
  return ARKStepGetNumSteps(memory, &c->steps);
}

const sal_sundials_package sal_sundials_ark = {ARKODE(ARKStep), LINEAR(ARKStep),
                                               .create = ark_create, .begin = ark_begin,
                                               .count = ark_count},
                           sal_sundials_dirk = {ARKODE(ARKStep), LINEAR(ARKStep),
                                                .create = dirk_create, .begin = dirk_begin,
                                                .count = ark_count};
