/** @file src/io/cube/cube_open.h
 *  Opening a cube, and its frame: dimensions and coordinates.
 */
#ifndef SAL_CUBE_OPEN_H
#define SAL_CUBE_OPEN_H

#include "cube.h"
#include "err.h"
#include "h5.h"

/** Opens a cube for reading and verifies its seals, or says why it is none.  The caller closes it. */
SAL_MUST_CHECK sal_err sal_cube_open(const char *path, sal_h5 *file);

/** Reads everything but what is along cells into *cube, which is zero before; the caller frees it.
 *  Of parameters and initial states it makes sure that they are there. */
SAL_MUST_CHECK sal_err sal_cube_open_frame(const sal_h5 *file, sal_cube *cube);
/** Reads parameters and initial states of all cells into the frame. */
SAL_MUST_CHECK sal_err sal_cube_open_columns(const sal_h5 *file, sal_cube *cube);

/** Number of trajectories. */
int64_t sal_cube_open_records(const sal_cube *cube);

#endif
