/** @file src/sweep/around.h
 *  A sweep around one point of a model: Sobol points in a box about it, every solver, the strategies that may win.
 */
#ifndef SAL_AROUND_H
#define SAL_AROUND_H

#include "err.h"
#include "model.h"
#include <stdint.h>

/** What is wanted; everything is borrowed. */
typedef struct {
  const char *name; /* the model's, or its file as a sweep names it */
  const sal_model *model;
  const double *param, *initial; /* the point: [n_param + n_option], [n_state] */
  double share; /* half the width of the box: of each value, or of its range where that is 0 */
  int64_t points;
  double t_end;
  int home;     /* solvers and strategies that can be run there (solver_home.h); -1: all of ours */
  double error; /* the tightest that will be asked for, in units of the watched state */
  const char *solvers; /* files of solvers that are asked beside ours, by commas; NULL: none */
  bool hurried;        /* two decades of rtol less: there is little time */
} sal_around;

/** How many quantities vary: the parameters and continuous states that have a range to be studied (of a model without
 *  any: those that are not 0), are not whole, and have room around the point. */
int sal_around_varies(const sal_around *around);

/** *text receives the sweep file, for the caller to sal_free.  Fails where nothing varies. */
SAL_MUST_CHECK sal_err sal_around_text(const sal_around *around, char **text);

#endif
