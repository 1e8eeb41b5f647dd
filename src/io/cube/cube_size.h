/** @file src/io/cube/cube_size.h
 *  What a cube takes: on the disk, and in memory while it is written.
 */
#ifndef SAL_CUBE_SIZE_H
#define SAL_CUBE_SIZE_H

#include "sweep.h"
#include <stdbool.h>
#include <stdint.h>

/** Bytes the cube of a sweep will take on the disk, to a few per cent. */
int64_t sal_cube_bytes(const sal_sweep *sweep);
/** The part of them that is no metric: coordinates and labels. */
int64_t sal_cube_frame_bytes(const sal_sweep *sweep);

/** Bytes to claim after the frame of a cube, so that all metrics fit in. */
int64_t sal_cube_room(const sal_sweep *sweep);

/** Cells a rank should bring to one round, so that memory stays bounded; at least 1. */
int64_t sal_cube_round(const sal_sweep *sweep);

/** Bytes of memory that a rank takes to write it when it has `cells` of the cells, the results of a
 *  round included; the first rank, which makes the frame, takes most. */
int64_t sal_cube_memory(const sal_sweep *sweep, int64_t cells, bool first);

#endif
