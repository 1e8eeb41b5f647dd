/** A trajectory by an integrator of SUNDIALS: open, run and close of its engines.
 *
 *  Each step is asked for by itself (CV_ONE_STEP), up to a stop time at the end of the run.  Events are
 *  those of the library's own root finding, for gaps that fall; after one the solver starts anew.
 *  Nothing is shared between two that are open, so threads may each have one.
 */
#pragma once

#include "provider.h"
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

/* ---- sundials_package.c ----
 *  In what the integrators of SUNDIALS differ: CVODE, and ERKStep and ARKStep of ARKODE, whose functions
 *  have names of their own and the same arguments.
 */

typedef int sal_sundials_rhs(realtype t, N_Vector y, N_Vector dy, void *user);
typedef int sal_sundials_gaps(realtype t, N_Vector y, realtype *gap, void *user);
typedef int sal_sundials_jacobian(realtype t, N_Vector y, N_Vector dy, SUNMatrix J, void *user,
                                  N_Vector, N_Vector, N_Vector);
typedef void sal_sundials_hear(int code, const char *module, const char *function, char *text,
                               void *user);

/** Counts of a package since its last (re)start. */
typedef struct {
  long steps, failed, factorisations, solves;
} sal_sundials_counts;

/** Which return code means what. */
typedef struct {
  int code;
  sal_outcome outcome;
  sal_library_reason reason;
} sal_sundials_flag;

/** The functions of a package; all return 0 or more where they succeed, and evolve as CVode() does.
 *  Return codes and modes above 0 (CV_ROOT_RETURN, CV_ONE_STEP) are the same numbers in all. */
typedef struct {
  /* A solver for f from (0, y), made with `setting` of the method's row; NULL: no memory. */
  void *(*create)(int setting, sal_sundials_rhs *f, N_Vector y, SUNContext context);
  int (*begin)(void *memory, sal_sundials_rhs *f, double t, N_Vector y);
  int (*evolve)(void *memory, realtype t_out, N_Vector y, realtype *t, int mode);
  /* k-th derivative of the interpolant of the last step at t */
  int (*derivative)(void *memory, realtype t, int k, N_Vector value);
  int (*last_order)(void *memory,
                    int *order); /* NULL: the degree of the interpolant is the row's */
  int (*count)(void *memory, sal_sundials_counts *counts);
  int (*tolerances)(void *memory, realtype rtol, N_Vector atol);
  int (*user)(void *memory, void *user);
  int (*listener)(void *memory, sal_sundials_hear *hear, void *user);
  int (*stop)(void *memory, realtype t);
  int (*first)(void *memory, realtype h);   /* 0: the library's own */
  int (*longest)(void *memory, realtype h); /* 0: any */
  int (*fixed)(void *memory, realtype h);   /* NULL: has none */
  int (*linear)(void *memory, SUNLinearSolver solver, SUNMatrix matrix);
  int (*jacobian)(void *memory, sal_sundials_jacobian *jacobian);
  int (*fixed_point)(void *memory, SUNNonlinearSolver solver);
  int (*most_order)(void *memory, int order); /* NULL: it has one order */
  int (*roots)(void *memory, int n, sal_sundials_gaps *gaps);
  int (*direction)(void *memory, int direction[]);
  int (*rises)(void *memory, int found[]);
  void (*free)(void **memory);
  const sal_sundials_flag *flag; /* ended by the code 0 */
  /* begin leaves it in mind that a root was found, and each step then looks at g, and at the
   * interpolant, at its start once more: ARKODE 6.4.  A new solver does not. */
  bool keeps_root;
  int too_close;
} sal_sundials_package;

/** CVODE; ERKStep; ARKStep with an explicit table, and with an implicit one. */
extern const sal_sundials_package sal_sundials_cvode, sal_sundials_erk, sal_sundials_ark,
    sal_sundials_dirk;

/** The settings of an engine. */
typedef struct {
  const sal_sundials_package *package;
  int setting; /* package->create's */
  int degree;  /* of the interpolant; 0: the order of the step */
  bool newton; /* with dense factorisations; else by fixed points, or none */
} sal_sundials_settings;

void *sal_sundials_open(const sal_setup *setup, int n);
void sal_sundials_run(sal_engine_run *run, void *own);
void sal_sundials_close(void *own);

/* The integrators of SUNDIALS as methods: one row each in sundials_methods.def.
 *
 * Hindmarsh et al., ACM Trans. Math. Softw. 31 (2005) 363-396, doi:10.1145/1089014.1089020;
 * Gardner et al., ACM Trans. Math. Softw. 48 (2022) 31, doi:10.1145/3539801. */

/** All of them, ended by NULL. */
extern const sal_method *const sal_sundials_methods[];
extern const sal_provider sal_sundials_provider;
