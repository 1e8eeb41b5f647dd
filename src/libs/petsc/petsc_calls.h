/** PETSc's functions, found by name in the library that sal_petsc_start loads.
 *
 *  Linked to the program, PETSc and the hundred libraries that it needs would take two thirds of the time of a short
 *  command, most of which never use it.  Here each place of a call looks its function up once and keeps it.  To be
 *  called after sal_petsc_start alone.  A function that petsc_names.txt does not list is one that the linker does not
 *  find: add it.
 */
#pragma once

#include <petscts.h>

/** A function or a variable of PETSc, where it was loaded; ends the process, as the loader would, where PETSc lacks
 *  it: then it is of another version than its headers.  One thread of a process calls it, as with all of PETSc. */
void *sal_petsc_calls_find(const char *name);

#define SAL_PETSC_FOUND(name)                                                                      \
  (*__extension__({                                                                                \
    static __typeof__(&name) sal_found;                                                            \
    if (!sal_found) sal_found = (__typeof__(&name))sal_petsc_calls_find(#name);                    \
    sal_found;                                                                                     \
  }))
#include "petsc_names.h" /* of petsc_names.txt: #define NAME SAL_PETSC_FOUND(NAME) */

/** MatSetValue, which is a function of PETSc's headers, and calls MatSetValues. */
static inline PetscErrorCode sal_petsc_calls_set(Mat m, PetscInt i, PetscInt j, PetscScalar value,
                                                 InsertMode mode)
{
  return MatSetValues(m, 1, &i, 1, &j, &value, mode);
}
#define MatSetValue sal_petsc_calls_set
