/** @file src/orbit/orbit_path.h
 *  An orbit between its events: its trajectory on a mesh, and extremes between the mesh points.
 */
#ifndef SAL_ORBIT_PATH_H
#define SAL_ORBIT_PATH_H

#include "cycle.h"

/* ---- orbit_path.c ----
 *  The trajectory of an orbit over its period, on a uniform mesh.
 */

/** Follows the orbit from the cell's point over `period`, cut into n_mesh parts: state [n_mesh + 1][n_state];
 *  mode [n_mesh + 1], may be NULL: is contact 0 closed?  Fails only for want of memory. */
SAL_MUST_CHECK sal_err sal_orbit_path_sample(const sal_return_map *map, const sal_cycle *cell,
                                             double period, int64_t n_mesh, double state[],
                                             uint8_t mode[]);

/* ---- extreme.c ----
 *  Extremes between the points of a mesh, by a polynomial through neighbours.
 */

enum { SAL_EXTREME_POINTS = 7 }; /* of the polynomial */

/** The largest value beside point j of v [SAL_EXTREME_POINTS], which is not exceeded by its neighbours',
 *  within from .. to, where v is smooth; *at: where, in units of the mesh, from point 0 on. */
double sal_extreme_beside(const double v[], int j, double from, double to, double *at);

#endif
