/** @file src/par/sched.h
 *  Who does which tile.  The only place that distributes work.
 *
 *  The ranks of a node draw tiles from one counter in shared memory, so that a rank with cheap
 * cells takes more of them.  Nodes share the tiles by turns: tile k belongs to node k mod n_node.
 * One-sided access stays inside the node on purpose: across nodes it stalls while the target
 * computes.
 */
#ifndef SAL_SCHED_H
#define SAL_SCHED_H

#include "err.h"
#include "slab.h"
#include <mpi.h>
#include <stdbool.h>

typedef struct sal_sched sal_sched;

/** Collective over comm, which must outlive the schedule: cuts n_cell cells into tiles of at most
 *  `tile` cells. */
SAL_MUST_CHECK sal_err sal_sched_create(MPI_Comm comm, int64_t n_cell, int64_t tile,
                                        sal_sched **out);
/** Collective. */
void sal_sched_destroy(sal_sched **sched);

/** The next tile for this rank; *more is false when there is none left. */
SAL_MUST_CHECK sal_err sal_sched_next(sal_sched *sched, sal_tile *tile, bool *more);

/** This rank has finished `cells` more cells. */
SAL_MUST_CHECK sal_err sal_sched_finished(sal_sched *sched, int64_t cells);

/** Cells finished by all ranks of this node so far, and cells that belong to it. */
SAL_MUST_CHECK sal_err sal_sched_progress(sal_sched *sched, int64_t *done, int64_t *all);

/** Tile size that gives each rank several tiles and lanes enough to fill, 1 .. 64. */
int64_t sal_sched_tile_size(int64_t n_cell, int n_rank);

/** Collective: element-wise minimum of lo and maximum of hi over all ranks. */
SAL_MUST_CHECK sal_err sal_reduce_range(MPI_Comm comm, int n, double lo[], double hi[]);

#endif
