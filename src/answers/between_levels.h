/** @file src/answers/between_levels.h
 *  The uncertainty of an error at a tolerance between two levels, beside its neighbours' scatter: how far the errors at a
 *  place lie from the line between their planes at the two levels.
 *
 *  It comes from inner levels that are left out: the plane of each one differs from the line between those of the two
 *  levels around it.  This difference is of a place, common to all cells around it, and does not fall with their number.
 *  It grows with the width of the gap by a power, found by leaving out three levels in place of one.  Errors are rougher
 *  over narrower gaps, to which half of that power scales it, as the quarter decades of two systems show.  Each gap of each
 *  pair of method and strategy has a median and a spread, from the inner levels in and around the gap, so that the ends of
 *  the range have their own; all share one distribution in units of the spread.
 */
#ifndef SAL_BETWEEN_LEVELS_H
#define SAL_BETWEEN_LEVELS_H

#include "error_shape.h"
#include "surrogate_steps.h"

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

#endif
