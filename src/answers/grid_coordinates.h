/** @file src/answers/grid_coordinates.h
 *  Grid coordinates of cells: places in the grid of a sweep, in gaps of its axes.  Place (2, 0.5)
 *  is the third point of the first axis and halfway between the first two of the second one, in the
 *  measure of each axis.
 */
#ifndef SAL_GRID_COORDINATES_H
#define SAL_GRID_COORDINATES_H

#include "sweep.h"

/** One axis: its points by their values. */
typedef struct {
  const sal_axis *axis;
  bool            divides; /* there is something between two points: neither discrete nor whole */
  int64_t         stride;  /* of its points in the number of a cell */
  int64_t        *order;   /* [n_point] the points, ascending in value */
  int64_t        *rank;    /* [n_point] of each point in that */
} sal_grid_axis;

/** Of all axes, which have one quantity each; sal_grid_coordinates_free frees, also after a
 *  failure. */
typedef struct {
  const sal_sweep *sweep; /* borrowed */
  int              n;
  sal_grid_axis    axis[SAL_MAX_AXIS];
} sal_grid_coordinates;
SAL_MUST_CHECK sal_err sal_grid_coordinates_create(const sal_sweep      *sweep,
                                                   sal_grid_coordinates *grid);
void                   sal_grid_coordinates_free(sal_grid_coordinates *grid);

/** Where a cell lies: place [n]. */
void sal_grid_coordinates_place(const sal_grid_coordinates *grid, int64_t cell, double place[]);
/** The value of axis a at a place on it. */
double sal_grid_coordinates_value(const sal_grid_coordinates *grid, int a, double place);
/** The cell of the grid next to a place. */
int64_t sal_grid_coordinates_nearest(const sal_grid_coordinates *grid, const double place[]);

/** Calls found(with, point) for the scattered points that may lie less than `reach` <= 2 from a
 *  place on every axis; on one that does not divide they have the same value. */
void sal_grid_coordinates_around(const sal_grid_coordinates *grid, const double place[],
                                 double reach, void (*found)(void *with, int64_t point),
                                 void  *with);

#endif
