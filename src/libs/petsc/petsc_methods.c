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

/* P(id, name, type, title, source, order, embedded, dense, calls, options) */
#define EXPLICIT_TYPES(P)                                                                          \
  P(rk3bs, "petsc-rk3bs", "rk 3bs", "Bogacki-Shampine 3(2)", "doi:10.1016/0893-9659(89)90079-7",   \
    3, 2, 2, "TSSetType(ts, TSRK); TSRKSetType(ts, TSRK3BS);", "-ts_type rk -ts_rk_type 3bs")      \
  P(rk5dp, "petsc-rk5dp", "rk 5dp", "Dormand-Prince 5(4)", "doi:10.1016/0771-050X(80)90013-3", 5,  \
    4, 5, "TSSetType(ts, TSRK); TSRKSetType(ts, TSRK5DP);", "-ts_type rk -ts_rk_type 5dp")         \
  P(rk8vr, "petsc-rk8vr", "rk 8vr", "Verner 8(7)", "doi:10.1007/s11075-009-9290-3", 8, 7, 2,       \
    "TSSetType(ts, TSRK); TSRKSetType(ts, TSRK8VR);", "-ts_type rk -ts_rk_type 8vr")

#define IMPLICIT_TYPES(P)                                                                          \
  P(rosw_ra34pw2, "petsc-rosw-ra34pw2", "rosw ra34pw2", "Rang-Angermann 3(2)",                     \
    "doi:10.1007/s10543-005-0035-y", 3, 2, 3,                                                      \
    "TSSetType(ts, TSROSW); TSRosWSetType(ts, TSROSWRA34PW2);",                                    \
    "-ts_type rosw -ts_rosw_type ra34pw2")                                                         \
  P(rosw_4l, "petsc-rosw-4l", "rosw 4l", "L-stable Rosenbrock 4(3)",                               \
    "Hairer & Wanner, Solving ODEs II, IV.7", 4, 3, 2,                                             \
    "TSSetType(ts, TSROSW); TSRosWSetType(ts, TSROSW4L);", "-ts_type rosw -ts_rosw_type 4l")       \
  P(arkimex_4, "petsc-arkimex-4", "arkimex 4", "Kennedy-Carpenter 4(3), implicit part",            \
    "doi:10.1016/S0168-9274(02)00138-1", 4, 3, 4,                                                  \
    "TSSetType(ts, TSARKIMEX); TSARKIMEXSetType(ts, TSARKIMEX4); TSARKIMEXSetFullyImplicit(ts, "   \
    "PETSC_TRUE);",                                                                                \
    "-ts_type arkimex -ts_arkimex_type 4 -ts_arkimex_fully_implicit")                              \
  P(bdf, "petsc-bdf", "bdf 2", "variable-step BDF of order 2", "TSBDF", 2, 0, 2,                   \
    "TSSetType(ts, TSBDF); TSBDFSetOrder(ts, 2);", "-ts_type bdf -ts_bdf_order 2")                 \
  P(cn, "petsc-cn", "cn", "trapezoidal rule", "TSCN", 2, 0, 2, "TSSetType(ts, TSCN);" ADAPT_CALL,  \
    "-ts_type cn -ts_adapt_type basic")                                                            \
  P(theta, "petsc-theta", "theta 0.5", "implicit midpoint rule", "TSTHETA", 2, 0, 2,               \
    "TSSetType(ts, TSTHETA); TSThetaSetTheta(ts, 0.5);" ADAPT_CALL,                                \
    "-ts_type theta -ts_theta_theta 0.5 -ts_adapt_type basic")

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

#define EXPLICIT_METHOD(ID, NAME, TYPE, TITLE, SOURCE, ORDER, EMBEDDED, DENSE, CALLS, CHOICE)      \
  METHOD(ID, NAME, TYPE, TITLE, SOURCE, ORDER, EMBEDDED, DENSE, CHOICE, false,                     \
         CALLS "\n" EXPLICIT_CALLS SAL_PETSC_FIRST_STEP(ROOT_##ORDER) CHOICE EXPLICIT_OPTIONS)
#define IMPLICIT_METHOD(ID, NAME, TYPE, TITLE, SOURCE, ORDER, EMBEDDED, DENSE, CALLS, CHOICE)      \
  METHOD(ID, NAME, TYPE, TITLE, SOURCE, ORDER, EMBEDDED, DENSE, CHOICE, true,                      \
         CALLS "\n" IMPLICIT_CALLS SAL_PETSC_FIRST_STEP(ROOT_##ORDER) CHOICE IMPLICIT_OPTIONS)
EXPLICIT_TYPES(EXPLICIT_METHOD)
IMPLICIT_TYPES(IMPLICIT_METHOD)

#define POINTER(ID, ...) &method_##ID,
const sal_method *const sal_petsc_methods[] = {EXPLICIT_TYPES(POINTER) IMPLICIT_TYPES(POINTER)
                                                   NULL};

const sal_provider sal_petsc_provider = {.gives = SAL_PROVIDES_LIBRARY,
                                         .name = "PETSc",
                                         .methods = sal_petsc_methods,
                                         .make = sal_petsc_make,
                                         .drop = sal_petsc_free,
                                         .environment = "PETSC_OPTIONS",
                                         .start = sal_petsc_start,
                                         .finalize = sal_petsc_end};
