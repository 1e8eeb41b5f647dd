/** @file src/libs/library_methods.c
 *  The libraries, in one table.
 */
#include "library_methods.h"
#include "recorded_method.h"
#include <stddef.h>
#ifdef SALTUS_PETSC
#include "petsc_methods.h"
#include "petsc_start.h"
#endif
#ifdef SALTUS_SUNDIALS
#include "sundials_methods.h"
#define SUNDIALS_METHODS sal_sundials_methods
#else
#define SUNDIALS_METHODS NULL
#endif

static const sal_method *const none[] = {NULL};

const sal_library sal_libraries[] = {
    {.name = "PETSc",
#ifdef SALTUS_PETSC
     .methods = sal_petsc_methods,
     .make = sal_petsc_make,
     .free = sal_petsc_free,
     .start = sal_petsc_start,
     .finalize = sal_petsc_end,
#endif
     .environment = "PETSC_OPTIONS",
     .missing = "install PETSc (libpetsc-real-dev) and configure with -DSALTUS_PETSC=ON"},
    {.name = "SUNDIALS",
     .methods = SUNDIALS_METHODS,
     .missing = "install SUNDIALS 6 (libsundials-dev) and configure with -DSALTUS_SUNDIALS=ON"},
    {.name = "recorded", /* trajectories of any program, from files */
     .methods = none,
     .make = sal_recorded_make,
     .free = sal_recorded_drop,
     .elsewhere = sal_recorded_elsewhere},
    {.name = NULL}};
