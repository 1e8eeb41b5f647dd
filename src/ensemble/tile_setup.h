/** @file src/ensemble/tile_setup.h
 *  How contenders run.
 */
#ifndef SAL_TILE_SETUP_H
#define SAL_TILE_SETUP_H

#include "sweep.h"

/** How a contender of the sweep runs; is its pair of method and strategy left out? */
sal_setup sal_tile_setup(const sal_sweep *sweep, int contender);
bool sal_tile_leaves_out(const sal_sweep *sweep, int contender);

/** Work space of a thread, enough for references and for every contender. */
size_t sal_tile_setup_bytes(const sal_sweep *sweep, int width);

#endif
