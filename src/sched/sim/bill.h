/** The bill of a run: all its phases, not its cells alone, with their time, bytes, files and memory.
 *
 *  A phase moves some of the data of the sweep, shared by all ranks.  It takes
 *    - the bytes over the bandwidth of the disk, which all ranks share;
 *    - the bytes at the pace of a processor, over the ranks and, but for a share of the work, over their threads;
 *    - the bytes that go from rank to rank over the links of all nodes, but for those that stay with their rank;
 *    - the requests that they are moved in, which each rank waits for, over the ranks;
 *    - each file opened, made or removed, one after the other, as by one server of metadata.
 *  The steps of the phases are listed in the table of bill.c alone, a row each; their paces
 *  are of a core of 2.5 GHz.  Left out: overhead of messages beside their bytes, stripes of a file, other users.
 */
#pragma once

#include <stdint.h>

/** Data that are written and read. */
typedef enum {
  SAL_BILL_NOTHING,
  SAL_BILL_JOURNAL,    /* records of all cells, until the cube is there */
  SAL_BILL_FRAME,      /* of the cube: coordinates and labels */
  SAL_BILL_METRICS,    /* of the cube: the rest .. */
  SAL_BILL_INDEX,      /* .. of which this is the index of chunks, by the first rank alone */
  SAL_BILL_MARKED,     /* records that are read for the numbers of attractors, else nothing .. */
  SAL_BILL_MARKS,      /* .. and marks of cells, which the first rank compares */
  SAL_BILL_NEIGHBOURS, /* rows and answers of the map on their way from rank to rank */
  SAL_BILL_MAP,        /* in the cube */
  SAL_BILL_STORED,     /* trajectories in the cube */
  SAL_N_BILL_DATA
} sal_bill_data;

/** Uses of memory in a rank. */
typedef enum {
  SAL_BILL_PROGRAM,    /* the program itself, MPI and HDF5 */
  SAL_BILL_TEXT,       /* of the sweep, while it is read */
  SAL_BILL_TILE,       /* work space of tiles */
  SAL_BILL_ROUND,      /* results of a round, its chunks, and a metric of it packed */
  SAL_BILL_HELD,       /* records that are kept until the cube is made */
  SAL_BILL_MARKED_OWN, /* marks of own cells, numbers of all */
  SAL_BILL_ROWS,       /* of the map, from the first round of the cube on */
  SAL_BILL_PLACES,     /* the map of a round */
  SAL_BILL_BLOCK,      /* of the frame, on the first rank alone */
  SAL_BILL_MARKS_ALL,  /* marks of all cells; on the first rank alone */
  SAL_BILL_CHUNKS, /* the table of all chunks, and the index of a metric; on the first rank alone */
  SAL_N_BILL_MEMORY
} sal_bill_memory;

/** Sizes of a sweep. */
typedef struct {
  int64_t records; /* in journals: one for each tile */
  int64_t rounds;  /* in which a rank writes the cube .. */
  int64_t
      pieces; /* .. each in so many requests: of what is not cut into chunks, and one for all chunks */
  double bytes[SAL_N_BILL_DATA], memory[SAL_N_BILL_MEMORY];
  double rows;    /* bytes of the cube that its map is made from once more */
  double held;    /* share of the journals that ranks have in memory */
  double early;   /* share of the metrics that is written while others are computed */
  double answers; /* CPU time of the map's [s] */
  double again;   /* share of the cells that are run once more, for their trajectories */
} sal_bill_sweep;

/** The machine. */
typedef struct {
  int n_rank, per_node; /* ranks; of each node but the last, which may have fewer */
  int threads;          /* of each rank */
  double bandwidth;     /* of the disk that all share [B/s] */
  double network;       /* of the link of a node to all others [B/s] */
  double open;          /* of a file opened, made or removed [s] */
  double request;       /* that a rank waits for the disk each time it reads or writes [s] */
  double startup;       /* of the ranks of a node; nodes are started along a binary tree [s] */
} sal_bill_machine;

/** The phases, in their order. */
typedef enum {
  SAL_PHASE_START,
  SAL_PHASE_COMPUTE,
  SAL_PHASE_JOURNAL, /* what of it computing does not hide */
  SAL_PHASE_WRITE,   /* the cube, from the journals, with trajectories; removing the journals */
  SAL_PHASE_MAP,
  SAL_N_PHASE
} sal_bill_step;

extern const char *const sal_bill_phases[SAL_N_PHASE];

/** A phase, or the sum of all: its memory the largest of them. */
typedef struct {
  double seconds, bytes, opens, requests;
  double moved;         /* bytes from rank to rank */
  double first, others; /* memory of the first rank, and of each of the others [B] */
} sal_bill_phase;

typedef struct {
  sal_bill_phase phase[SAL_N_PHASE];
  double disk, peak; /* bytes in the end, and while the cube is made */
} sal_bill;

/** Fills the bill of a run whose cells take `compute` seconds on these ranks. */
void sal_bill_make(const sal_bill_sweep *sweep, const sal_bill_machine *machine, double compute,
                   sal_bill *bill);

/** All phases together. */
sal_bill_phase sal_bill_sum(const sal_bill *bill);
