/** @file src/io/cube/cube_create.h
 *  The frame of a cube: everything but the values along cells.
 */
#ifndef SAL_CUBE_CREATE_H
#define SAL_CUBE_CREATE_H

#include "cube.h"
#include "datatype.h"
#include "err.h"
#include "sweep.h"

/** Makes path.part on one rank, with all datasets, labels, axes and provenance, and claims the disk
 *  space that values along cells will need.  made: the file is there already, new and empty. */
SAL_MUST_CHECK sal_err sal_cube_create(const char *path, const sal_sweep *sweep,
                                       const sal_cube_origin *origin, bool made);

enum { SAL_CUBE_CREATE_NAME = 256 };
/** Kind of the datasets that say what solvers and strategies are; `saltus diff` passes over them. */
#define SAL_CUBE_CREATE_ABOUT "description"
/** How many datasets there are along cells beside the metrics: the number of the cell, parameters,
 *  options, initial states.  They have no values yet. */
int sal_cube_create_columns(const sal_sweep *sweep);
/** Name and type of one of them; 0 is the number, 1 + i column i of sal_sweep_cell. */
sal_datatype sal_cube_create_column(const sal_sweep *sweep, int i, char name[SAL_CUBE_CREATE_NAME]);

#endif
