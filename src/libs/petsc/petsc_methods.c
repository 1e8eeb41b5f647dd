/** The types of TS that have a name.
 *
 *  Only 5dp of the explicit types interpolates to its order; the other ones draw a straight line through a
 *  step, as do theta and cn, and 4l has no formula (README.md measures what that costs).
 */
#include "petsc_methods.h"
#include "petsc_engine.h"
#include "petsc_start.h"

#define TOLERANCES "TSSetTolerances(ts, TOL, NULL, TOL, NULL); /* TOL: the tolerance */\n"
#define LIMITS                                                                                     \
  "TSSetMaxStepRejections(ts, -1); TSSetMaxSteps(ts, PETSC_MAX_INT); TSSetExactFinalTime(ts, "     \
  "TS_EXACTFINALTIME_MATCHSTEP);\n"
#define DIRECT                                                                                     \
  "SNES snes; KSP ksp; PC pc; TSGetSNES(ts, &snes); SNESGetKSP(snes, &ksp); KSPSetType(ksp, "      \
  "KSPPREONLY); KSPGetPC(ksp, &pc); PCSetType(pc, PCLU);\n"
#define EXPLICIT_CALLS SAL_PETSC_EXPLICIT_FUNCTIONS TOLERANCES LIMITS
#define IMPLICIT_CALLS                                                                             \
  SAL_PETSC_IMPLICIT_FUNCTIONS TOLERANCES LIMITS "TSSetMaxSNESFailures(ts, -1);\n" DIRECT
#define EXPLICIT_OPTIONS " -ts_rtol TOL -ts_atol TOL -ts_max_reject -1\n"
#define IMPLICIT_OPTIONS                                                                           \
  " -ts_rtol TOL -ts_atol TOL -ts_max_reject -1 -ts_max_snes_failures -1 -ksp_type preonly "       \
  "-pc_type lu\n"

#define PETSC_TS "PETSc 3.18, TS: doi:10.48550/arXiv.1806.01437; "

#define ADAPT_CALL " TSAdapt adapt; TSGetAdapt(ts, &adapt); TSAdaptSetType(adapt, TSADAPTBASIC);"

#define METHOD(ID, NAME, TYPE, TITLE, SOURCE, ORDER, EMBEDDED, DENSE, CHOICE, IMPLICIT, SELECT)    \
  static const sal_petsc_kind kind_##ID = {(CHOICE), (IMPLICIT)};                                  \
  static const sal_engine engine_##ID = {.library = "PETSc",                                       \
                                         .version = sal_petsc_version,                             \
                                         .kernels = sal_petsc_kernels,                             \
                                         .type = (TYPE),                                           \
                                         .select = (SELECT),                                       \
                                         .settings = &kind_##ID,                                   \
                                         .one_thread = true,                                       \
                                         .open = sal_petsc_open,                                   \
                                         .run = sal_petsc_run,                                     \
                                         .close = sal_petsc_close};                                \
  static const sal_method method_##ID = {.name = (NAME),                                           \
                                         .title = "PETSc TS " TYPE ": " TITLE,                     \
                                         .source = PETSC_TS SOURCE,                                \
                                         .order = (ORDER),                                         \
                                         .min_order = (ORDER),                                     \
                                         .embedded = (EMBEDDED),                                   \
                                         .dense_order = (DENSE),                                   \
                                         .implicit = (IMPLICIT),                                   \
                                         .engine = &engine_##ID,                                   \
                                         SAL_ENGINE_OPS};

/* Root for the first step, by the order. */
#define ROOT_2 "2"
#define ROOT_3 "3"
#define ROOT_4 "3"
#define ROOT_5 "3"
#define ROOT_8 "3"

#define SAL_PETSC_EXPLICIT(ID, NAME, TYPE, TITLE, SOURCE, ORDER, EMBEDDED, DENSE, CALLS, CHOICE)   \
  METHOD(ID, NAME, TYPE, TITLE, SOURCE, ORDER, EMBEDDED, DENSE, CHOICE, false,                     \
         CALLS "\n" EXPLICIT_CALLS SAL_PETSC_FIRST_STEP(ROOT_##ORDER) CHOICE EXPLICIT_OPTIONS)
#define SAL_PETSC_IMPLICIT(ID, NAME, TYPE, TITLE, SOURCE, ORDER, EMBEDDED, DENSE, CALLS, CHOICE)   \
  METHOD(ID, NAME, TYPE, TITLE, SOURCE, ORDER, EMBEDDED, DENSE, CHOICE, true,                      \
         CALLS "\n" IMPLICIT_CALLS SAL_PETSC_FIRST_STEP(ROOT_##ORDER) CHOICE IMPLICIT_OPTIONS)
#include "petsc_types.def"
#undef SAL_PETSC_EXPLICIT
#undef SAL_PETSC_IMPLICIT

#define SAL_PETSC_EXPLICIT(ID, ...) &method_##ID,
#define SAL_PETSC_IMPLICIT(ID, ...) &method_##ID,
const sal_method *const sal_petsc_methods[] = {
#include "petsc_types.def"
    NULL};

const sal_provider sal_petsc_provider = {.gives = SAL_PROVIDES_LIBRARY,
                                         .name = "PETSc",
                                         .methods = sal_petsc_methods,
                                         .make = sal_petsc_make,
                                         .drop = sal_petsc_free,
                                         .environment = "PETSC_OPTIONS",
                                         .start = sal_petsc_start,
                                         .finalize = sal_petsc_end};
