/** Where cells begin that follow each other along the last axis of a sweep (orbit.continue): each where the one before it has
 *  come to.
 *
 *  Depends on the line of cells alone, so that ranks, tiles and resumed runs agree; each thread walks the lines that its
 *  cells are on.
 */
#pragma once

#include "spectrum.h"
#include "sweep.h"
#include "tile_tasks.h"

/** Lines of cells; sal_cell_chain_destroy frees them, after a failure, too. */
typedef struct sal_cell_chain sal_cell_chain;

/** Sweep and map are borrowed; setup: of the long runs of cells. */
sal_err sal_cell_chain_create(const sal_sweep *sweep, const sal_return_map *map,
                              const sal_spectrum_setup *setup, sal_cell_chain **out);
void sal_cell_chain_destroy(sal_cell_chain **chain);

/** The states start [count][n_state] from which `count` <= SAL_TILE_MOST cells begin. */
sal_err sal_cell_chain_starts(sal_cell_chain *chain, int64_t first, int64_t count, double start[]);
