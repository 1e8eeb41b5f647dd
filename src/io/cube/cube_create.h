/** @file src/io/cube/cube_create.h
 *  The frame of a cube: everything but the metrics' values.
 */
#ifndef SAL_CUBE_CREATE_H
#define SAL_CUBE_CREATE_H

#include "cube.h"
#include "err.h"
#include "sweep.h"

/** Makes path.part on one rank, with all datasets, labels, coordinates and provenance, and claims
 *  the disk space the metrics will need. */
SAL_MUST_CHECK sal_err sal_cube_create(const char *path, const sal_sweep *sweep,
                                       const sal_cube_origin *origin);

#endif
