/** @file src/sweep/extension.h
 *  A sweep with more cells, spread evenly over the box of its axes.  The cells that are there keep their
 *  numbers.
 *
 *  Where the first axis is of Sobol or random points it gets more of them: the first ones are as they
 *  were.  Else, where each axis has one quantity, the points of Sobol's sequence are added as
 *  scattered cells (scattered.h): in the logarithm on axes for which sal_axis_column_by_log is true,
 *  whole quantities rounded, options and discrete states by the values of their axes in turn.  Points
 *  that are cells already, and such as make no sense to the model, are passed over; so the next
 *  extension goes on where this one ends.
 */
#ifndef SAL_EXTENSION_H
#define SAL_EXTENSION_H

#include "sweep.h"

enum { SAL_MAX_EXTENSION = 1000000 };

/** *text receives the sweep file with up to `wanted` further cells, for the caller to sal_free.
 *  *added: how many; fewer where the other axes have several cells for each point of the first, and
 *  where whole numbers and options leave no more.  Fails (SAL_ERR_INPUT) where no cell can be added. */
SAL_MUST_CHECK sal_err sal_extension_text(const sal_sweep *sweep, int64_t wanted, char **text,
                                          int64_t *added);

#endif
