/** The uncertainty of an error at a tolerance between two levels, beside its neighbours' scatter: how far the errors at a
 *  place lie from the line between their planes at the two levels.
 *
 *  It comes from inner levels that are left out: the plane of each one differs from the line between those of the two
 *  levels around it.  This difference is of a place, common to all cells around it, and does not fall with their number.
 *  It grows with the width of the gap by a power, found by leaving out three levels in place of one.  Errors are rougher
 *  over narrower gaps, to which half of that power scales it, as the quarter decades of two systems show.  Each gap of each
 *  pair of method and strategy has a median and a spread, from the inner levels in and around the gap, so that the ends of
 *  the range have their own; all share one distribution in units of the spread.
 */
#pragma once

#include "sweep.h"

/* The distribution that errors have around their planes, in units of their scatter: one for all configurations and places.
 *
 * It is that of the residuals at cells left out of their planes, by 257 quantiles and the 32 smallest and largest
 * values; between these it is linear.  No probability is above 1 - 1/n of the n residuals it is made of. */

enum { SAL_BETWEEN_SHAPE_QUANTILES = 257, SAL_BETWEEN_SHAPE_TAIL = 32 };
enum { SAL_BETWEEN_SHAPE_BINS = 1024 }; /* in which knots are found */
enum { SAL_BETWEEN_SHAPE_KNOTS = SAL_BETWEEN_SHAPE_QUANTILES + 2 * SAL_BETWEEN_SHAPE_TAIL };

/** Plain data. */
typedef struct {
  int n;                              /* knots; 0: nothing is known, and all probabilities are 0 */
  double at[SAL_BETWEEN_SHAPE_KNOTS]; /* [n] ascending */
  double below[SAL_BETWEEN_SHAPE_KNOTS]; /* [n] the share of residuals up to at[i], below 1 */
  int16_t before
      [SAL_BETWEEN_SHAPE_BINS]; /* number of knots below each bin of equal width, where a search may begin; 0 is right, but slow */
} sal_error_shape;

/** Makes the shape of n residuals over their scatter, and sorts them. */
void sal_error_shape_make(int64_t n, double residual[], sal_error_shape *shape);
/** Makes the bins of knots from elsewhere. */
void sal_error_shape_index(sal_error_shape *shape);
/** The share of residuals up to z. */
double sal_error_shape_below(const sal_error_shape *shape, double z);

/* The tolerances that an answer may have, and those that follow a miss.
 *
 * Between two neighbouring tolerances of a sweep, levels, there are about four steps a decade: more would not be better answers, but more that are best by chance; with time stepping, whose errors and
 * work are in proportion to rtol and 1 / rtol, there are eight.  After a
 * miss the tolerance is divided by 10^(3/4), again and again. */

/** A tolerance between levels. */
typedef struct {
  double tolerance;
  int level;    /* the looser one */
  double share; /* 0 .. 1 of the way to the next one, in the logarithm; 0: the level itself */
  int next;     /* step of the next attempt; -1: it is tighter than the last level */
  int run;      /* the sweep's tolerance at this place; -1: it has none */
} sal_surrogate_step;

/** Candidates come first, loosest first; sal_surrogate_steps_free frees. */
typedef struct {
  int n_level, level[SAL_MAX_LIST]; /* numbers of the sweep's, loosest first */
  int n_all, place[SAL_MAX_LIST];   /* levels of the sweep, and which of them each one is */
  double decades[SAL_MAX_LIST];     /* [n_all] -log10 of their tolerances */
  int n_candidate, n, room;
  sal_surrogate_step *at; /* [n] */
} sal_surrogate_steps;

sal_err sal_surrogate_steps_create(const sal_sweep *sweep, sal_surrogate_steps *steps);
/** With every other level left out, the odd ones by `parity` 0, or the even ones by 1; of one or two levels all but one.
 *  Candidates are all levels, those left out as tolerances between, and no attempts follow them. */
sal_err sal_surrogate_steps_thin(const sal_sweep *sweep, int parity, sal_surrogate_steps *steps);
void sal_surrogate_steps_free(sal_surrogate_steps *steps);

/* ---- between levels ---- */

enum {
  SAL_BETWEEN_QUANTILES = 32,
  SAL_BETWEEN_PAIRS = SAL_MAX_LIST * SAL_MAX_LIST,
  SAL_BETWEEN_ROOM = 2 * SAL_BETWEEN_PAIRS
};

/** Plain data. */
typedef struct {
  int n_pair;
  int n_part; /* gaps, or runs of neighbouring ones where the room is too small for all; 0: unknown, there are too few levels */
  double power[SAL_BETWEEN_PAIRS]; /* [n_pair] of the width, 0 .. 1 */
  double shift[SAL_BETWEEN_ROOM],
      spread[SAL_BETWEEN_ROOM];     /* [n_pair][n_part] amid a gap of one decade, of ln error */
  double at[SAL_BETWEEN_QUANTILES]; /* middles of equal shares of the distribution, ascending */
} sal_between_levels;

/** The part of a gap between two neighbouring ones of n_level levels. */
int sal_between_levels_part(const sal_between_levels *between, int n_level, int gap);
/** The difference of a pair at a step: its median and spread, 0 at a level.  Returns false where they are unknown. */
bool sal_between_levels_at(const sal_between_levels *between, const sal_surrogate_steps *steps,
                           const sal_surrogate_step *step, int pair, double *shift, double *spread);

/** The probability that an error is at most `above` over the middle of its distribution: that of the scatter, shifted by
 *  each quantile of a difference of this spread. */
double sal_between_levels_below(const sal_between_levels *between, const sal_error_shape *shape,
                                double above, double scatter, double spread);
