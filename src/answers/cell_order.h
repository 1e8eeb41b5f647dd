/** Cells in an order in which neighbours are close: by boxes, halved again and again along what is longest (Morton's order of
 *  the boxes).
 *
 *  It is a permutation of places and cells that is computed, not stored.  An axis of a grid is halved by its points, one of
 *  Sobol's sequence by the equations of its boxes (sobol_points.h); an axis of words is halved first, so that samples stay
 *  together.  Rows and random points are not halved and keep their order, and so do scattered cells, which come last.
 */
#pragma once

#include "sweep.h"

typedef struct sal_cell_order sal_cell_order;

/** Creates the order of the cells of a sweep, which is borrowed.  sal_cell_order_free frees. */
sal_err sal_cell_order_create(const sal_sweep *sweep, sal_cell_order **order);
/** The order of the numbers themselves. */
sal_err sal_cell_order_plain(const sal_sweep *sweep, sal_cell_order **order);
void sal_cell_order_free(sal_cell_order **order);

/** Is any axis halved, so that it is another order than that of the numbers? */
bool sal_cell_order_has_boxes(const sal_cell_order *order);

/** The cell at a place, and the place of a cell: 0 .. n_cell - 1 both. */
int64_t sal_cell_order_cell(const sal_cell_order *order, int64_t place);
int64_t sal_cell_order_place(const sal_cell_order *order, int64_t cell);
