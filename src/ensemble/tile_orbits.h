/** @file src/ensemble/tile_orbits.h
 *  The long run of the cells of a tile, as far as the sweep asks about it: rest, transients, cycles
 *  and their multipliers; and the multiplier that each contender would have reported.
 */
#ifndef SAL_TILE_ORBITS_H
#define SAL_TILE_ORBITS_H

#include "err.h"
#include "reference.h"
#include "sweep.h"

/** Room and work space of one thread; sal_tile_orbits_destroy frees it. */
typedef struct sal_tile_orbits sal_tile_orbits;

SAL_MUST_CHECK sal_err sal_tile_orbits_create(const sal_sweep *sweep, int width,
                                              sal_tile_orbits **out);
void sal_tile_orbits_destroy(sal_tile_orbits **orbits);

/** Bytes of all that, about. */
size_t sal_tile_orbits_bytes(const sal_sweep *sweep);

/** The cycle of a cell, for what is compared with it. */
typedef struct {
  double state[SAL_MAX_STATE]; /* after the section */
  bool *closed;                /* [n_guard] the mode there; the caller's */
  double period, re, im;       /* leading multiplier, im >= 0 */
  int returns;                 /* k; 0: there is none */
} sal_tile_cycle;

/** Fills the metrics of `count` cells whose parameters [count][n_param + n_option], initial states
 *  [count][n_state] and references are given, and cycle [count].  Fails for want of memory only. */
SAL_MUST_CHECK sal_err sal_tile_orbits_run(sal_tile_orbits *orbits, int64_t count,
                                           const double param[], const double initial[],
                                           const sal_reference reference[], sal_tile_cycle cycle[],
                                           sal_cell_record out[]);

/** The multipliers of these cycles by a contender: record[i * stride] of cell i, but where done[i *
 *  stride] says that they are there; done: may be NULL. */
void sal_tile_orbits_contender(sal_tile_orbits *orbits, int contender, int64_t count,
                               const double param[], const sal_tile_cycle cycle[], int64_t stride,
                               const uint8_t done[], sal_record record[]);

#endif
