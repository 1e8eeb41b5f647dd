/** Basins of attraction: the attractors of all cells of a sweep, numbered.
 *
 *  Cells with the same parameters have attractors of their own, numbered from 1 on in the order of the cells.  Cycles
 *  differ in the period, means and spreads of the last visits of the section, motions that go on and on in means and in
 *  the largest exponent, if there is one, by more than their standard errors.
 */
#pragma once

#include "sweep.h"
#include <mpi.h>

/** Marks of the cells of a rank, then their numbers; sal_basins_free frees. */
typedef struct sal_basins sal_basins;

/** Bytes of a sweep on so many ranks: of the marks of all cells, which go to rank 0, of what a rank has and of what
 *  rank 0 has besides.  Zeros where the sweep requests no basins. */
typedef struct {
  double marks, own, first;
} sal_basins_size;
sal_basins_size sal_basins_size_of(const sal_sweep *sweep, int n_rank);

/** The sweep is borrowed; own: the cells of this rank, those of rank 0 first. */
sal_err sal_basins_create(const sal_sweep *sweep, const sal_tile *own, sal_basins **out);
void sal_basins_free(sal_basins **basins);

/** Marks some of the own cells. */
void sal_basins_add(sal_basins *basins, const sal_tile_result *result);

/** Collective.  Numbers all cells, which are marked. */
sal_err sal_basins_number(MPI_Comm comm, sal_basins *basins);

/** Fills the numbers of some of the own cells. */
void sal_basins_fill(const sal_basins *basins, sal_tile_result *result);
