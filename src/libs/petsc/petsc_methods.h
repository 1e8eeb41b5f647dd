/** PETSc's TS as methods: those that have a name here, and any other by its options. */
#pragma once

#include "provider.h"

/** NULL-terminated. */
extern const sal_method *const sal_petsc_methods[];
extern const sal_provider sal_petsc_provider;

/** sal_provider.make: PETSc is started for it, and solves y' = -y with the options as a trial.  The
 *  type and its order are queried from PETSc where available; embedded and dense orders are 0
 *  where they are not. */
sal_err sal_petsc_make(const char *where, const char *name, const char *options, sal_method **out);
void sal_petsc_free(sal_method *method);
