/** @file src/sched/sim/sim_machine.h
 *  What a replay of the schedule is given, the machine, and what comes of it.
 */
#ifndef SAL_SIM_MACHINE_H
#define SAL_SIM_MACHINE_H

#include <stdint.h>

/** The machine; times in s. */
typedef struct {
  int n_rank, per_node; /* ranks; of each node but the last, which may have fewer */
  int pieces;           /* of a tile */
  int most;             /* cells of the largest tile */
  double latency;       /* of a message between nodes */
  double counter;       /* service time of a node's counter for a tile: drawn and entered */
  double answer;        /* of the first leader, for a message or a chunk */
  double order;         /* of the first leader, for each tile that it puts into order */
  double nap;           /* 0: a rank that waits sees at once what has come */
  double bandwidth;     /* of the disk [B/s]; 0: nothing is written */
  double journal;       /* bytes for each cell, written when its tile is finished */
  double buffer; /* bytes in a node's memory that may wait for the disk; 0: each tile waits */
} sal_sim_machine;

/** Where time of the ranks goes that is not computing. */
typedef enum {
  SAL_SIM_LOSS_COUNTER, /* drawing from the queue of the node */
  SAL_SIM_LOSS_CHUNKS,  /* waiting for a tile while others are still to come */
  SAL_SIM_LOSS_ANSWERS, /* of the first leader: serving others */
  SAL_SIM_LOSS_JOURNAL, /* waiting for the disk */
  SAL_SIM_LOSS_TAIL,    /* nothing left to draw, but others compute */
  SAL_SIM_LOSS_LEAVE,   /* leaving */
  SAL_N_LOSS
} sal_sim_loss;

/** What came of it; times in s. */
typedef struct {
  int n_node;
  int64_t tiles, cells, messages;
  double wall, computed;   /* when all have left; when the last tile is finished */
  double busy, heaviest;   /* sum of all tiles; the heaviest one */
  double lost[SAL_N_LOSS]; /* of all ranks together: busy + lost = wall * n_rank */
} sal_sim;

#endif
