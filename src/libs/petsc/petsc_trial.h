/** @file src/libs/petsc/petsc_trial.h
 *  What options make of a TS: found out by solving y' = -y with them.
 */
#ifndef SAL_PETSC_TRIAL_H
#define SAL_PETSC_TRIAL_H

#include "petsc_solver.h"

/** What became of it. */
typedef struct {
  PetscErrorCode code; /* 0: it was solved, as far as reason says */
  TSConvergedReason reason;
  int order; /* of the type; 1 where PETSc does not say */
  int steps;
  bool curved; /* is what TSInterpolate gives more than a straight line? */
} sal_petsc_trial;

/** Solves with the options of `options`, which knows then which of them were used; steps are counted up to
 *  some hundreds. */
sal_petsc_trial sal_petsc_trial_run(const sal_petsc_kind *kind, PetscOptions options,
                                    double tolerance);

#endif
