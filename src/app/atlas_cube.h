/** @file src/app/atlas_cube.h
 *  A cube as answers are made from it (atlas.h), and the options that say how.
 *
 *  A command that asks a cube for advice names sal_atlas_argp among its argp children, hands it a
 *  sal_atlas_words in ARGP_KEY_INIT, and opens the cube after parsing.
 */
#ifndef SAL_ATLAS_CUBE_H
#define SAL_ATLAS_CUBE_H

#include "atlas.h"
#include "choose.h"
#include "err.h"
#include <argp.h>

/** The options as given; strings are borrowed, NULL: all, or presets. */
typedef struct {
  const char *methods, *strategies; /* which may win */
  const char *work;                 /* what a run costs */
  const char *points;               /* scope: global or per-cell */
  const char *duration;             /* what SD is: work or time */
} sal_atlas_words;

/** Child parser; its input is a sal_atlas_words. */
extern const struct argp sal_atlas_argp;

/** A cube, opened; sal_atlas_cube_free frees it. */
typedef struct {
  sal_sweep sweep;
  sal_atlas atlas;
  bool      method[SAL_MAX_CONTENDER], strategy[SAL_MAX_CONTENDER]; /* which may win */
  bool      same_program;                                           /* see sal_cube */
} sal_atlas_cube;

/** Reads what answers need: work and errors, and points if wanted.  Fails when no contender can be
 *  trusted anywhere, as in a cube without references. */
SAL_MUST_CHECK sal_err sal_atlas_cube_open(const char *path, const sal_atlas_words *words,
                                           bool points, sal_atlas_cube *out);
void                   sal_atlas_cube_free(sal_atlas_cube *cube);

/** An asked error: a number above 0. */
SAL_MUST_CHECK sal_err sal_atlas_error(const char *text, double *error);
/** "1e-2,1e-4": error [SAL_MAX_QUESTION], none of them twice. */
SAL_MUST_CHECK sal_err sal_atlas_errors(const char *list, int *n, double error[]);
/** An asked tolerance: the number of one that the sweep has. */
SAL_MUST_CHECK sal_err sal_atlas_tolerance(const sal_sweep *sweep, double wanted, int *tolerance);

#endif
