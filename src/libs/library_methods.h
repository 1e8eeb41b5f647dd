/** @file src/libs/library_methods.h
 *  Integrators of other libraries as methods (kernels/engine.h): which ones this build has.
 */
#ifndef SAL_LIBRARY_METHODS_H
#define SAL_LIBRARY_METHODS_H

#include "engine.h"
#include "err.h"

/** A library that methods may come from.  The names of its methods begin with its own in small letters
 *  and '-': "petsc-bdf". */
typedef struct {
  const char *name;                 /* "PETSc" */
  const sal_method *const *methods; /* NULL-terminated; NULL: this build has none of them */
  const char *missing;              /* what to do about it: "configure with -DSALTUS_SUNDIALS=ON" */
  /** A method of the library that its own options select, called `name`; both texts are copied.
   *  Fails with one message on an option that the library does not know or that selects no integrator.
   *  The caller frees it with sal_library_free.  NULL: the library takes no options. */
  sal_err (*make)(const char *where, const char *name, const char *options, sal_method **out);
  void (*free)(sal_method *method);
  /** Options that name a file to be read: the same with another file in the place of that one, to be freed with
   *  sal_free; NULL: no memory.  NULL: options of this library name none. */
  char *(*elsewhere)(const char *options, const char *file);
  const char
      *environment; /* variable by which the user gives it more than a sweep may; NULL: none */
  sal_err (*start)(void); /* loads it, as its first run does; NULL: it is linked, or left out */
  void (*finalize)(void); /* sal_library_finalize; NULL: it keeps nothing */
} sal_library;

/** Every library, built in or not; the last one has no name. */
extern const sal_library sal_libraries[];

/** The library called `name`, however it is spelt in capitals; NULL: there is none. */
const sal_library *sal_library_named(const char *name);

/** The library whose name a method's name begins with, be there such a method or not; NULL: none. */
const sal_library *sal_library_of(const char *method);

/** Numerics chosen by the CPU that runs of these methods use, "OpenBLAS Haswell": of the libraries of methods, else of
 *  the program; "": none. */
const char *sal_library_kernels(int n, const sal_method *const method[]);

/** Frees what `make` has made; NULL is nothing. */
void sal_library_free(sal_method *method);

/** Hands out resources that libraries keep for the whole process, at its end: PetscFinalize.  To be called
 *  by the thread that ran their methods, ahead of MPI_Finalize; harmless where none were used. */
void sal_library_finalize(void);

#endif
