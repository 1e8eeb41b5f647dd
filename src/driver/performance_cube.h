/** @file src/driver/performance_cube.h
 *  A cube as answers are made from it (performance_table.h), and the options that say how.
 */
#ifndef SAL_PERFORMANCE_CUBE_H
#define SAL_PERFORMANCE_CUBE_H

#include "choose.h"
#include "err.h"
#include "performance_table.h"

/** The options as given; strings are borrowed, NULL: all, or presets. */
typedef struct {
  const char *methods, *strategies; /* which may win */
  const char *work;                 /* what a run costs */
  const char *points;               /* scope: global or per-cell */
  const char *duration;             /* what SD is: work or time */
  const char *by;                   /* which error; NULL: as the sweep says */
} sal_performance_words;

/** A cube, opened; sal_performance_cube_free frees it. */
typedef struct {
  sal_sweep             sweep;
  sal_performance_table table;
  bool                  method[SAL_MAX_LIST], strategy[SAL_MAX_LIST]; /* which may win */
  bool                  same_program;                                 /* see sal_cube */
} sal_performance_cube;

/** With points, or without; or with them where the error is one of trajectories, as they are, and
 *  none of these was stopped at a cap. */
typedef enum {
  SAL_PERFORMANCE_ERRORS,
  SAL_PERFORMANCE_POINTS,
  SAL_PERFORMANCE_EITHER
} sal_performance_scope;

/** Reads what answers need: work and errors, and points if wanted.  Fails when no contender can be
 *  trusted anywhere, as in a cube without references, when the cube has no such error, and when points
 *  are wanted of runs that were stopped. */
SAL_MUST_CHECK sal_err sal_performance_cube_open(const char                  *path,
                                                 const sal_performance_words *words,
                                                 sal_performance_scope        scope,
                                                 sal_performance_cube        *out);
void                   sal_performance_cube_free(sal_performance_cube *cube);

/** An asked error: a number above 0. */
SAL_MUST_CHECK sal_err sal_performance_error(const char *text, double *error);
/** "1e-2,1e-4": error [SAL_MAX_QUESTION], none of them twice. */
SAL_MUST_CHECK sal_err sal_performance_errors(const char *list, int *n, double error[]);
/** An asked tolerance: the number of one that the sweep has. */
SAL_MUST_CHECK sal_err sal_performance_tolerance(const sal_sweep *sweep, double wanted,
                                                 int *tolerance);

#endif
