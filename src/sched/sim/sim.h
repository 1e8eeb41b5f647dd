/** @file src/sched/sim/sim.h
 *  The schedule as a model of discrete events: what a run would take on more ranks than there are.
 *
 *  Tiles, prediction, chunks and the rules of messages are the scheduler's own code (tiles.h,
 *  pool.h, sched_constants.h); what the machine adds is modelled:
 *    - a rank draws a tile from the queue of its node, whose counter serves one after the other;
 *    - a rank that finds it empty naps, and looks again after each nap;
 *    - a leader asks, answers and receives between pieces of its tile only, and all pieces of a
 *      tile are equally long; a message takes the latency, whatever is in it;
 *    - the first leader computes nothing while it answers or puts tiles into order;
 *    - all ranks share one bandwidth to the disk, one after the other; a rank waits for it only when
 *      more is on the way than the memory of the nodes holds.
 *  What comes before and after the cells is in bill.h.
 *  Deterministic: of what happens at the same time, that is first which was caused first.
 */
#ifndef SAL_SIM_H
#define SAL_SIM_H

#include "err.h"
#include "sim_machine.h"
#include "tile.h"

/** Replays tiles [n] which take cost [n] >= 0. */
SAL_MUST_CHECK sal_err sal_sim_tiles(const sal_sim_machine *machine, int64_t n,
                                     const sal_tile tile[], const double cost[], sal_sim *out);

/** Cuts `scale` times n_cell cells into tiles as a run on so many ranks does, and replays them;
 *  cell i takes seconds[i % n_cell]. */
SAL_MUST_CHECK sal_err sal_sim_cells(const sal_sim_machine *machine, int64_t n_cell,
                                     const double seconds[], int64_t scale, sal_sim *out);

#endif
