/** @file src/sweep/around.h
 *  A sweep around one point of a model: Sobol points in a box about it, every solver, the strategies that may win.
 */
#ifndef SAL_AROUND_H
#define SAL_AROUND_H

#include "err.h"
#include "model.h"
#include <stdint.h>

/** Options of a sweep around a point; everything is borrowed. */
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
  double budget;       /* of a run, in evaluations of f; 0: none but max_attempts */
  bool stiff;          /* explicit solvers are held back: implicit ones are the baselines */
  /* By a pilot: */
  double amplification; /* of errors, over the tolerance; 0: not known */
  double answer;        /* rtol around which quarter decades run; 0: decades alone */
  int haste; /* 0: none; below SAL_AROUND_HASTES: the less time there is, the less is run */
} sal_around;

/** Parts that are left out where there is little time: from 1 on two decades of rtol, from 2 on all quantities but three and all
 *  strategies but one, and references are less exact; last all quantities but one and most solvers. */
enum { SAL_AROUND_HASTES = 4 };

/** Approximate work of a cell of such a haste, in units of one without. */
double sal_around_share(int haste);

/** How many quantities vary: the parameters and continuous states that have a range to be studied (of a model without
 *  any: those that are not 0), are not whole, and have room around the point; the first of them in haste. */
int sal_around_varies(const sal_around *around);

/** Fewer cells have no plane through them: three for each quantity that varies, and some to judge it by; without haste four. */
int64_t sal_around_fewest(const sal_around *around);

/** *text receives the sweep file, for the caller to sal_free.  Fails where nothing varies. */
SAL_MUST_CHECK sal_err sal_around_text(const sal_around *around, char **text);

#endif
