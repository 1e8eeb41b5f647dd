/** PETSc lives once a process: its start and its end, for all that use it.
 *
 *  Debian's is built without thread safety: one thread of a process uses it, ever.  Its world is this
 *  process alone (MPI_COMM_SELF), so that ranks may start it or not as they like, and
 *  `-log_view` names each rank that did.
 */
#pragma once

#include "err.h"
#include <petscsys.h>

/** Starts PETSc, and MPI where it is not started, which main ends; nothing when it runs.  Options are taken from
 *  the environment variable PETSC_OPTIONS, and not from .petscrc. */
sal_err sal_petsc_start(void);

/** "OpenBLAS Haswell": the BLAS that PETSc is linked to, where that chooses its kernels by the CPU; else "". */
const char *sal_petsc_kernels(void);

/** Ends PETSc, where it runs; it cannot be started again. */
void sal_petsc_end(void);

/** PETSc's message on its last failure since sal_petsc_forget: the text where it arose, else that of the
 *  code.  PETSc prints no failure itself. */
const char *sal_petsc_message(PetscErrorCode code);
void sal_petsc_forget(void);
