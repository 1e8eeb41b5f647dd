/** @file src/driver/regret_run.h
 *  The cube of points at which a map is judged: drawn from the map's box, and run.
 */
#ifndef SAL_REGRET_RUN_H
#define SAL_REGRET_RUN_H

#include "offgrid.h"
#include "performance_cube.h"
#include "run_sweep.h"

/** What is wanted; strings are borrowed. */
typedef struct {
  const char *path; /* the map */
  const char *from; /* a cube of points that is there already; NULL: they are drawn and run */
  sal_offgrid_request points;         /* method and strategy are set from the map, as these say: */
  bool some_methods, some_strategies; /* only those that may win in the map are run */
  sal_performance_chooser map_as, points_as; /* how both are read */
  sal_sweep_trust trust;                     /* of their sweep */
  sal_run_options run;                       /* out: the cube of points */
} sal_regret_request;

/** Of one rank, where the caller fills `request` and leaves the rest 0; the cubes and the text are rank 0's.
 *  sal_regret_free frees it, also after a failure.  It must not be moved. */
typedef struct {
  sal_regret_request request;
  sal_performance_cube map, points;
  char *text; /* of the sweep of the points */
} sal_regret;

/** On one rank: opens the map.  Fails where it has too few cells to be asked, and where it would be overwritten. */
SAL_MUST_CHECK sal_err sal_regret_open(sal_regret *regret);
/** On one rank, unless `from`: claims the output and draws the points. */
SAL_MUST_CHECK sal_err sal_regret_draw(sal_regret *regret);
/** Collective, unless `from`: runs what was drawn on rank 0. */
SAL_MUST_CHECK sal_err sal_regret_run(MPI_Comm comm, double began, sal_regret *regret);
/** On one rank: opens the cube of points, and checks that it goes together with the map. */
SAL_MUST_CHECK sal_err sal_regret_open_points(sal_regret *regret);
void sal_regret_free(sal_regret *regret);

#endif
