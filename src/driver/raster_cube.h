/** @file src/driver/raster_cube.h
 *  A picture of a cube: the surrogate asked at all points of a raster, by all ranks.
 */
#ifndef SAL_RASTER_CUBE_H
#define SAL_RASTER_CUBE_H

#include "performance_cube.h"
#include "surrogate_raster.h"
#include <mpi.h>

/** sal_raster_cube_free frees it; it must not be moved once it is open. */
typedef struct {
  sal_performance_cube cube; /* begun by the caller, for errors */
  sal_performance_source source;
  sal_surrogate *surrogate;
  sal_surrogate_question question;
  sal_surrogate_raster raster;    /* its axes as given, then settled */
  double share[SAL_MAX_QUANTITY]; /* what each coordinate decides in its box */
  double box_lo[SAL_MAX_QUANTITY], box_hi[SAL_MAX_QUANTITY]; /* of all quantities, before */
  int64_t n;
  sal_answer *spot; /* [n] on rank 0; NULL elsewhere */
} sal_raster_cube;

/** Opens the surrogate of the cube, and fills in the box of the raster; `where` heads messages about it. */
SAL_MUST_CHECK sal_err sal_raster_cube_open(sal_raster_cube *raster, const char *where);
/** Finds what decides, and settles the axes. */
SAL_MUST_CHECK sal_err sal_raster_cube_settle(sal_raster_cube *raster);
/** Collective.  Asks at all points, a run of them on each rank; the same bits for any number of ranks.  here: this
 *  rank's failure before, which all then have. */
SAL_MUST_CHECK sal_err sal_raster_cube_ask(MPI_Comm comm, sal_raster_cube *raster, sal_err here);
void sal_raster_cube_free(sal_raster_cube *raster);

#endif
