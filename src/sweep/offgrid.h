/** @file src/sweep/offgrid.h
 *  Points off the grid of a sweep: a second sweep with the same contenders on cells that lie
 *  anywhere between those of the first.
 *
 *  Each number that an axis varies is drawn by itself, from random.h: on a linear axis uniformly
 *  between its ends, on a logarithmic one uniformly in the logarithm, on a list one of its values,
 *  on an axis of random or Sobol points uniformly in their box (in the logarithm of
 *  the columns that are drawn so), and on rows uniformly between the
 *  least and the largest of them, in the logarithm where stencil.h takes that, too.  An option
 *  keeps its axis: each of its choices has all the points.  A draw depends on the seed, the number
 *  of the point and the place of the quantity; a point whose parameters make no sense together is
 *  drawn again.
 *
 *  A point may have a replicate: every quantity is moved by SAL_REPLICATE_SHARE of its range, in
 *  the measure in which it is drawn, to a side that is drawn, too, or to the other side where the
 *  range ends.  Options, whole quantities and lists keep their values.
 */
#ifndef SAL_OFFGRID_H
#define SAL_OFFGRID_H

#include "sweep.h"

enum { SAL_MAX_OFFGRID = 100000 };
#define SAL_REPLICATE_SHARE 1e-4

/** *text receives the sweep file of `points` draws, for the caller to sal_free: the sweep's own
 *  text with other cells, and without repeats for timing.  With replicates the second half of the
 *  cells are replicates of the first, in the same order, and options vary fastest.  Fails when no
 *  axis varies a number (with replicates: one that can be moved), or the draws make no sense. */
SAL_MUST_CHECK sal_err sal_offgrid_text(const sal_sweep *sweep, int64_t points, uint64_t seed,
                                        bool replicates, char **text);

/** Is the second half of the cells of `points` the replicates of the first, on the axes of `sweep`?
 *  Returns the first cell that has no replicate; -1: all have. */
int64_t sal_offgrid_without_replicates(const sal_sweep *sweep, const sal_sweep *points);

#endif
