/** @file src/libs/petsc/petsc_engine.h
 *  Runs of PETSc's TS as an engine.
 *
 *  PETSc's own solve makes the steps; the run gets each accepted one, with TSInterpolate for what is
 *  between its ends, which is a straight line for many types (and where a type has no formula, one is
 *  drawn here).
 *
 *  *Events* are TSEvent's: a step in which a gap changes its sign is rolled back and repeated, shorter and
 *  shorter, by regula falsi, until the gap is below EVENT_SHARE of the tolerance (or -ts_event_tol).
 *  `direction` is 0, whose other values do not end in 3.18, and crossings out of the mode are found by
 *  the fall of their gap.  Each ends the solve (`terminate`) and another one goes on after it: inside one
 *  solve TSEvent makes the rest of the interrupted step without a test of its error.
 *
 *  *The first step*, after an event as well, is none of TS's business (it takes 0.1): it is the one in which
 *  f changes the state by tolerance^(1 / order), as in MATLAB's suite, or -ts_dt.  The order counts up to 3:
 *  TSEvent sees no crossing in a step that begins on the surface, so that a high order's first step would
 *  pass over whole contacts unseen.
 */
#ifndef SAL_PETSC_ENGINE_H
#define SAL_PETSC_ENGINE_H

#include "engine.h"

const char *sal_petsc_version(void);
void *sal_petsc_open(const sal_setup *setup, int n);
void sal_petsc_run(sal_engine_run *run, void *own);
void sal_petsc_close(void *own);

#endif
