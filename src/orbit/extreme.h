/** @file src/orbit/extreme.h
 *  Extremes between the points of a mesh, by a polynomial through neighbours.
 */
#ifndef SAL_EXTREME_H
#define SAL_EXTREME_H

enum { SAL_EXTREME_POINTS = 7 }; /* of the polynomial */

/** The largest value beside point j of v [SAL_EXTREME_POINTS], 0 < j < SAL_EXTREME_POINTS - 1, which is
 *  not exceeded by its neighbours'; *at: where, in units of the mesh, from point 0 on. */
double sal_extreme_beside(const double v[], int j, double *at);

#endif
