/** @file src/io/packed_size.h
 *  What records take when they are packed, told from some of them.
 */
#ifndef SAL_PACKED_SIZE_H
#define SAL_PACKED_SIZE_H

#include "err.h"
#include "sweep.h"
#include "tile.h"

/** Of the largest tile seen so far; zero: of none. */
typedef struct {
  int64_t cells;
  double journal; /* bytes of these cells in a journal */
} sal_packed_size;

/** Packs a tile of the sweep, whose points are not given yet, if it has as many cells as any before. */
SAL_MUST_CHECK sal_err sal_packed_size_see(sal_packed_size *size, const sal_sweep *sweep,
                                           const sal_tile_result *tile);

/** Bytes of a cell in journals; where no tile has been seen, as they are of sweeps/atlas.yaml. */
double sal_packed_size_journal(const sal_packed_size *size, const sal_sweep *sweep);

#endif
