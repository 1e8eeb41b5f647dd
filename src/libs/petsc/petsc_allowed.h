/** @file src/libs/petsc/petsc_allowed.h
 *  Which of PETSc's options a sweep may set, and to what.
 *
 *  Sweeps, cubes and journals are passed on between people, and PETSc's options can write files, open
 *  sockets, load libraries and start programs.  So their text is cut here, and PETSc is handed pairs of a
 *  name in one table and a value of the type that the table gives: a number within bounds,
 *  a truth, or a word of a list.  None of these is a path.  PETSc's own reader of such texts, which handles quotes,
 *  prefixes and files of options, never sees one.
 *
 *  Everything else is for the user alone: PETSC_OPTIONS of the environment, and --petsc-options.
 */
#ifndef SAL_PETSC_ALLOWED_H
#define SAL_PETSC_ALLOWED_H

#include "err.h"
#include <petscsys.h>

/** Sets the options in `text`, "-ts_type rk -ts_rk_type 5dp", in a database; of an option that is there twice
 *  the last value counts.  Fails with one message, headed by `where`, on a name that is not in the
 *  table and on a value that is not of its type; what has been set until then stays. */
SAL_MUST_CHECK sal_err sal_petsc_allowed_set(const char *where, const char *text, PetscOptions out);

enum { SAL_PETSC_ALLOWED_MOST = 160 };
/** The names in the table, ended by NULL; returns how many there are. */
int sal_petsc_allowed_names(const char *names[SAL_PETSC_ALLOWED_MOST + 1]);

#endif
