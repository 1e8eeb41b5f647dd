/** @file src/multibody/road.h
 *  The height of the road below a wheel.
 */
#ifndef SAL_ROAD_H
#define SAL_ROAD_H

#include "system.h"

/** Height, slope and curvature at x: flat; the locus of the centre of a rigid disc that rolls over a
 *  half-cylinder, less its radius; or a polygon through points. */
void sal_road_at(const sal_road *road, const double value[], double x, double z[3]);

/** The least length along x on which the road can rise and fall again; infinite: nowhere. */
double sal_road_extent(const sal_road *road, const double value[]);

#endif
