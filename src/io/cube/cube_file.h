/** @file src/io/cube/cube_file.h
 *  A cube read a few cells at a time, for those that do not fit into memory.
 */
#ifndef SAL_CUBE_FILE_H
#define SAL_CUBE_FILE_H

#include "cube.h"
#include "err.h"
#include "tile.h"

typedef struct sal_cube_file sal_cube_file;

/** Opens a cube (serial) and reads its frame, everything but the metrics, into *frame; the caller
 *  frees both. */
SAL_MUST_CHECK sal_err sal_cube_file_open(const char *path, sal_cube_file **file, sal_cube *frame);
/** Reads n of the metrics, and all metrics of cells, of result->count cells from result->first on;
 *  the arrays are there, and other metrics are NaN.  So is a metric that the file does not have.  A
 *  metric of which all cells are read in their order is verified with the last of them. */
SAL_MUST_CHECK sal_err sal_cube_file_read(sal_cube_file *file, int n, const int metric[],
                                          sal_tile_result *result);
void                   sal_cube_file_close(sal_cube_file **file);

#endif
