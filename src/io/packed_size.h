/** Size of packed records, estimated from a sample. */
#pragma once

#include "sweep.h"

/** Sizes of the largest tile seen so far; zero: none yet. */
typedef struct {
  int64_t cells;                  /* seen as journals have them, without points */
  double journal;                 /* bytes of these cells in one record of a journal .. */
  double record;                  /* .. and how many more they take for each record more */
  int64_t in_cube;                /* seen as cubes have them */
  double metric[SAL_METRICS_ALL]; /* bytes of these in chunks of the cube */
} sal_packed_size;

/** Packs a tile as it goes into journals, or with its points, as it goes into the cube, if it has as many cells
 *  as any before. */
sal_err sal_packed_size_see(sal_packed_size *size, const sal_sweep *sweep,
                            const sal_tile_result *tile);
sal_err sal_packed_size_see_cube(sal_packed_size *size, const sal_sweep *sweep,
                                 const sal_tile_result *tile);

/** Bytes of so many cells in so many records of journals, and of a cell's values of a metric in chunks of the cube: of
 *  trajectories, then of cells.  Where no tile has been seen, as they are of sweeps/atlas.yaml. */
double sal_packed_size_journal(const sal_packed_size *size, const sal_sweep *sweep, double cells,
                               double records);
double sal_packed_size_metric(const sal_packed_size *size, const sal_sweep *sweep, int metric);
