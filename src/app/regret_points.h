/** @file src/app/regret_points.h
 *  The points of `saltus regret`: a sweep off the grid of a map, run as `saltus run` would, and
 *  whether a cube that is there already belongs to the map.
 */
#ifndef SAL_REGRET_POINTS_H
#define SAL_REGRET_POINTS_H

#include "sweep.h"
#include <mpi.h>
#include <stdbool.h>

typedef struct {
  MPI_Comm    comm;
  const char *out;     /* the cube to write */
  const char *command; /* for its provenance */
  bool        anew;    /* journals of other points may be discarded */
  bool        quiet;
} sal_points_task;

/** Collective.  Runs a sweep, on from where journals beside the output end, and writes its cube.
 *  SAL_ERR_STOPPED after a signal; then the same call goes on from there. */
SAL_MUST_CHECK sal_err sal_points_run(const sal_points_task *task, const sal_sweep *sweep);

/** Fails unless the points sweep runs the map's contenders on the map's system, the same way. */
SAL_MUST_CHECK sal_err sal_points_belong(const char *map_path, const sal_sweep *map,
                                         const char *path, const sal_sweep *points);

#endif
