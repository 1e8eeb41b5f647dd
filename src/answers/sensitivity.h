/** @file src/answers/sensitivity.h
 *  How much of a figure's variance over a sweep each of its axes explains.
 *
 *  The figure is a number, or a word such as the name of a winner: of words the variance is that of
 *  their shares, 1 - sum p^2 (Gini), so that the share explained is the tau of Goodman and Kruskal.
 *
 *  `alone`: variance of the mean at each point of the axis, over the variance of all (eta squared;
 *  the first-order index of Sobol).  `with`: 1 minus the share that the other axes explain together
 *  (the total index): what the axis does alone and by working together with others.  A sweep has
 *  all combinations of its axes' points, so both are exact for its cells, no estimates.  Where
 * cells are without a figure the rest no longer is a full grid, and the shares alone may add up to
 * more than 1.
 *
 *  Within an axis of rows, random or Sobol points, which varies several quantities at once, the
 *  share of one quantity is a correlation ratio: its points in bins of about equal number by that
 *  quantity, and what chance alone would explain taken off (Kelley's epsilon squared; of Sobol
 * points, which are more even than chance, that is a little too much).  What is left is at least 0.
 * It has no `with`.
 */
#ifndef SAL_SENSITIVITY_H
#define SAL_SENSITIVITY_H

#include "parameter_column.h"
#include "parameter_point.h"

/** Of an axis (column -1), or of one quantity of an axis that varies several. */
typedef struct {
  int    axis, column; /* column: as in sal_axis */
  double alone, with;  /* NaN: not known, or the figure is the same everywhere */
} sal_effect;

enum { SAL_MAX_EFFECT = SAL_MAX_AXIS + SAL_MAX_QUANTITY };

/** Cells of the full grid, the first ones of the sweep; any others do not count here. */
int64_t sal_sensitivity_cells(const sal_sweep *sweep);

/** figure [sal_sensitivity_cells], NaN: none; of words (n_word > 0) their numbers 0 .. n_word - 1.
 * Fills effect [SAL_MAX_EFFECT] with those of all axes that have more than one point, each followed
 * by its quantities if it has several; *n of them.  Fails for want of memory. */
SAL_MUST_CHECK sal_err sal_sensitivity(const sal_sweep *sweep, int n_word, const double figure[],
                                       int *n, sal_effect effect[]);

#endif
