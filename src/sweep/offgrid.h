/** @file src/sweep/offgrid.h
 *  Points off the grid of a sweep: a second sweep with the same configurations on cells that lie
 *  anywhere between those of the first.
 *
 *  Each number that an axis varies is drawn by itself, from random.h: on a linear axis uniformly
 *  between its ends, on a logarithmic one uniformly in the logarithm, on a list one of its values,
 *  on an axis of random or Sobol points uniformly in their box (in the logarithm of
 *  the columns that are drawn so), and on rows uniformly between the
 *  least and the largest of them, in the logarithm where the surrogate (surrogate.h) takes that, too.  An option
 *  keeps its axis: each of its choices has all the points.  A draw depends on the seed, the number
 *  of the point and the place of the quantity; a point whose parameters make no sense together is
 *  drawn again.
 *
 *  A point may have replicates: every quantity is moved by up to SAL_REPLICATE_SHARE of its range to
 *  either side, in the measure in which it is drawn, and not beyond the range.  Options, whole
 *  quantities and lists keep their values.  Errors jump by more between them than what is solved
 *  changes: they are draws from the distribution of each configuration's error at the point.
 */
#ifndef SAL_OFFGRID_H
#define SAL_OFFGRID_H

#include "sweep.h"

enum { SAL_MAX_OFFGRID = 100000, SAL_MAX_REPLICATES = 64 };
#define SAL_REPLICATE_SHARE 1e-4

typedef struct {
  int64_t points;
  int replicates; /* cells of each point: itself, and replicates - 1 beside it */
  uint64_t seed;
  const bool *method, *strategy; /* that are run; NULL: all */
} sal_offgrid_request;

/** *text receives the sweep file of the points, for the caller to sal_free: the sweep's own text
 *  with other cells, without repeats for timing, without cutoffs, and with tolerances a quarter of a
 *  decade apart between those of the sweep (a half, or none, where these are too many).  The cells
 *  of a point follow each other, the point itself first; options vary fastest.  Fails when no axis
 *  varies a number (with replicates: one that can be moved), or the draws make no sense. */
SAL_MUST_CHECK sal_err sal_offgrid_text(const sal_sweep *sweep, const sal_offgrid_request *request,
                                        char **text);

/** How many cells of `points` in a row stand for one point on the axes of `sweep`, not counting what
 *  options add: 1 where they are not replicates. */
int64_t sal_offgrid_replicates(const sal_sweep *sweep, const sal_sweep *points);

#endif
