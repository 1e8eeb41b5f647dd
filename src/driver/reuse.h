/** Trajectories of an earlier cube, or of the journals of a run that was stopped, that a sweep has, too.
 *
 *  A record depends on its cell, its configuration, and all other keys of the sweep.
 *  Caps make it depend on the configurations of earlier phases (cutoff.h), and pilots on whether it is begun: it is taken where
 *  these are the same, too, so that all records have the bits that they would have anew.
 */
#pragma once

#include "pilots.h"
#include <mpi.h>

/* ---- reuse_match.c ---- */

/** For each configuration of a sweep: there [n] its number in the old one, -1: none; take [n] are the runs that it depends on the
 *  same, too?  order [n]: all of them by phase. */
void sal_reuse_match(const sal_sweep *sweep, const sal_sweep *old, int there[], bool take[],
                     int order[]);

/** Refuses (SAL_ERR_INPUT) an old sweep, `from` that file, another key of which makes other records, with what differs. */
sal_err sal_reuse_check(const char *from, const sal_sweep *sweep, const sal_sweep *old);

/* ---- reuse.c ---- */

typedef struct sal_reuse sal_reuse;

/** Counts of the cells and trajectories that a sweep shares with the opened cube or journals. */
typedef struct {
  int64_t cells;        /* of the sweep that are there */
  int configs;          /* whose records are taken */
  int cut_off;          /* the same, but with cutoffs by others than there, so that they are run */
  int64_t trajectories; /* that are taken; with pilots at most */
} sal_reuse_count;

/** Collective over comm, which with the sweep must outlive it.  Opens a cube, a folder of journals, or those beside a
 *  cube that is not there yet.  Refuses (SAL_ERR_EXISTS) one of another program, a cube of one unless `any`, and
 *  (SAL_ERR_INPUT) one that has no configuration or no setting in common, with what differs.  *out is NULL on failure. */
sal_err sal_reuse_open(MPI_Comm comm, const char *from, bool any, const sal_sweep *sweep,
                       sal_reuse **out);
/** Collective. */
void sal_reuse_close(sal_reuse **reuse);

/** The machines that its cells come of (machine.h). */
const char *sal_reuse_machine(const sal_reuse *reuse);

/** On one rank.  Looks at all cells of the sweep. */
sal_err sal_reuse_all(sal_reuse *reuse, sal_reuse_count *count);

/** Adds to `kept`, of a tile, what is there of it; pilots: of a tile that goes by them, else NULL.  whole [count]: are all
 *  configurations of a cell taken?  Then kept->result.cell has its figures.  *taken: records added. */
sal_err sal_reuse_fill(sal_reuse *reuse, const sal_tile *tile, const sal_pilots *pilots,
                       sal_tile_kept *kept, bool whole[], int64_t *taken);
