/** Whether a sweep of points off the grid goes together with the map that is asked at them. */
#pragma once

#include "sweep.h"

/** Fails unless the points sweep runs methods and strategies of the map between the ends of its
 *  tolerances on the map's system, the same way. */
sal_err sal_regret_points_check(const char *map_path, const sal_sweep *map, const char *path,
                                const sal_sweep *points);
