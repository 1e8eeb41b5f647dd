/** @file src/libs/sundials/sundials_run.h
 *  A trajectory by an integrator of SUNDIALS: open, run and close of its engines.
 *
 *  Each step is asked for by itself (CV_ONE_STEP), up to a stop time at the end of the run.  Events are
 *  those of the library's own root finding, for gaps that fall; after one the solver starts anew.
 *  Nothing is shared between two that are open, so threads may each have one.
 */
#ifndef SAL_SUNDIALS_RUN_H
#define SAL_SUNDIALS_RUN_H

#include "engine.h"
#include "sundials_package.h"

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

#endif
