/** @file src/answers/surrogate_raster.h
 *  Points of a picture of answers: a raster over two quantities, in panels over a third, all others fixed; and which
 *  quantities such a picture is to be drawn over.
 *
 *  A quantity decides as much as the answered method changes when it alone is drawn anew: the total effect of a
 *  categorical variable, as Jansen estimates it (Comp. Phys. Comm. 117, 1999): how often the methods at a point and at
 *  the same point with another value of the quantity differ, over how often those at two points do.  Points are those of
 *  a Kronecker sequence.
 */
#ifndef SAL_SURROGATE_RASTER_H
#define SAL_SURROGATE_RASTER_H

#include "surrogate.h"

enum { SAL_SURROGATE_X, SAL_SURROGATE_Y, SAL_SURROGATE_PANEL, SAL_N_SURROGATE_AXIS };

/** The box lo .. hi [n_param + n_option + n_state], lo equal to hi where a quantity is fixed.  Values are in the
 *  middle of as many parts of an axis as it has pixels, equal in the coordinate of the surrogate; values of integer
 *  quantities are rounded. */
typedef struct {
  int axis[SAL_N_SURROGATE_AXIS]; /* coordinates of the surrogate; -1: none, of one pixel */
  int size[SAL_N_SURROGATE_AXIS]; /* pixels, and panels */
  double lo[SAL_MAX_QUANTITY], hi[SAL_MAX_QUANTITY];
} sal_surrogate_raster;

int64_t sal_surrogate_raster_count(const sal_surrogate_raster *raster);
/** Point i, x running fastest, then y, then panels: value [n_param + n_option + n_state]. */
void sal_surrogate_raster_point(const sal_surrogate_raster *raster,
                                const sal_surrogate_coordinates *coordinates, int64_t i,
                                double value[]);

/** Influence of each coordinate [n] on the winner in a box, 0 .. 1 and somewhat more by chance; all 0 where one method answers
 *  everywhere.  Fixed coordinates have 0. */
SAL_MUST_CHECK sal_err sal_surrogate_raster_decides(sal_surrogate *surrogate,
                                                    const sal_surrogate_question *question,
                                                    const double lo[], const double hi[],
                                                    double share[]);

/** Puts the coordinates that are free (lo < hi) and on no axis yet onto the axes of two or more pixels that have none, in order
 *  of their influence; among equals the first one.  Remaining coordinates are fixed at their middle. */
void sal_surrogate_raster_settle(sal_surrogate_raster *raster,
                                 const sal_surrogate_coordinates *coordinates,
                                 const double share[]);

#endif
