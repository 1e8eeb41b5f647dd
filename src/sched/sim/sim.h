/** The schedule as a model of discrete events: what a run would take on more ranks than there are.
 *
 *  Tiles, prediction, chunks and the rules of messages are the scheduler's own code (tiles.h,
 *  pool.h); what the machine adds is modelled:
 *    - a rank draws a tile from the queue of its node, whose counter serves one after the other;
 *    - a rank that finds it empty naps, and looks again after each nap;
 *    - a leader sends, answers and receives between pieces of its tile only, and all pieces of a
 *      tile are equally long; a message takes the latency, whatever is in it;
 *    - the first leader computes nothing while it answers or puts tiles into order;
 *    - all ranks share one bandwidth to the disk, one after the other; a rank waits for it only when
 *      more is on the way than the memory of the nodes holds.
 *  The phases before and after the cells are in bill.h.
 *  Deterministic: of simultaneous events, the one that was caused first is first.
 */
#pragma once

#include "err.h"
#include "tile.h"

/** The machine; times in s. */
typedef struct {
  int n_rank, per_node; /* ranks; of each node but the last, which may have fewer */
  int pieces;           /* of a tile */
  int most, unit; /* cells of the largest tile, and of what tiles should have whole (tiles.h) */
  double latency; /* of a message between nodes */
  double counter; /* service time of a node's counter for a tile: drawn and entered */
  double answer;  /* of the first leader, for a message or a chunk */
  double order;   /* of the first leader, for each tile that it puts into order */
  double nap;     /* 0: a rank that waits sees at once what has come */
  double
      turns; /* threads for each core, which take turns: a tile takes so many times as long; 0: 1 */
  double bandwidth; /* of the disk [B/s]; 0: nothing is written */
  double journal;   /* bytes for each cell, written when its tile is finished */
  double buffer;    /* bytes in a node's memory that may wait for the disk; 0: each tile waits */
} sal_sim_machine;

/** Where time of the ranks goes that is not computing. */
typedef enum {
  SAL_SIM_LOSS_COUNTER, /* drawing from the queue of the node */
  SAL_SIM_LOSS_CHUNKS,  /* waiting for a tile while others are still to come */
  SAL_SIM_LOSS_ANSWERS, /* of the first leader: serving others */
  SAL_SIM_LOSS_JOURNAL, /* waiting for the disk */
  SAL_SIM_LOSS_TAIL,    /* nothing left to draw, but others compute */
  SAL_SIM_LOSS_LEAVE,   /* leaving */
  SAL_SIM_LOSS_TURNS,   /* waiting for the core while others have it */
  SAL_N_LOSS
} sal_sim_loss;

/** Result of a simulation; times in s. */
typedef struct {
  int n_node;
  int64_t tiles, cells, messages;
  double wall, computed; /* when all have left; when the last tile is finished */
  double busy,
      heaviest; /* sum of all tiles, each with a core of its own; the heaviest one, with its turns */
  double lost[SAL_N_LOSS]; /* of all ranks together: busy + lost = wall * n_rank */
} sal_sim;

/** Replays tiles [n] which take cost [n] >= 0. */
sal_err sal_sim_tiles(const sal_sim_machine *machine, int64_t n, const sal_tile tile[],
                      const double cost[], sal_sim *out);

/** Cuts `scale` times n_cell cells into tiles as a run on so many ranks does, and replays them;
 *  cell i takes seconds[i % n_cell]. */
sal_err sal_sim_cells(const sal_sim_machine *machine, int64_t n_cell, const double seconds[],
                      int64_t scale, sal_sim *out);
