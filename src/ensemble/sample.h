/** Some cells of a sweep, spread evenly over it, as a sweep of their own, and how well their mean
 *  stands for the mean of all.
 *
 *  Each axis is sampled by a coordinate of its own of Sobol's sequence, shifted at random but the
 *  same each time (Cranley and Patterson, 1976): the cost of a cell depends on all axes, and any
 *  order of the cells by number varies some axes before others.  Scattered cells share one more
 *  coordinate, and have their share of the sample.
 */
#pragma once

#include "sweep.h"

/** A sweep of min(n, n_cell) different cells of `sweep`, in an order of which every beginning
 *  covers all axes evenly.  It borrows all but its cells from `sweep`; sal_sample_free frees
 *  these. */
sal_err sal_sample_make(const sal_sweep *sweep, int64_t n, sal_sweep *sample);
void sal_sample_free(sal_sweep *sample);

/** Standard error of the mean of cost [n], as a share of that mean: cost of the first n cells of a
 *  sample, in its order, out of n_cell.  0 where these are all; INFINITY where n < 4 or the mean is
 *  0.  Taken from the means of eight runs of cells, each of which covers the axes by itself (batch
 *  means: Schmeiser, 1982), so that what evenness gains is counted. */
double sal_sample_error(int64_t n, int64_t n_cell, const double cost[]);
