/** Sums of blocks of cells, by which cells that are looked up alone are verified.
 *
 *  They stand one metric after another in the dataset `sums/block`, as many of a metric as its blocks
 *  are (checksum.h).  A block has four cells, or as few as take 1 kB, but 256 bytes at least: the list takes 1/32 of the
 *  values at most.  Each rank writes those of the blocks that it has whole; of blocks that
 *  are cut by the end of its cells there are few, which one rank adds up in the end.
 */
#pragma once

#include "h5.h"
#include "sweep.h"
#include <mpi.h>

#define SAL_BLOCK_GROUP "sums"
#define SAL_BLOCK_SET "block"

/** Where the sums of metric i stand; n is 0 when the sweep does not ask for it. */
typedef struct {
  int64_t first, n, cells; /* place of the first one, how many, cells of a block */
} sal_block_place;
void sal_block_places(const sal_sweep *sweep, sal_block_place place[SAL_METRICS_ALL]);
int64_t sal_block_count(const sal_sweep *sweep);

/** Sums and their places. */
typedef struct {
  int64_t n, room;
  int64_t *at;
  uint64_t *sum;
} sal_block_list;

/** Sums that a rank collects: zero at first, but for n_cell.  sal_block_sums_free frees it. */
typedef struct {
  int64_t n_cell;
  sal_block_place place; /* of the metric that is being added */
  int64_t block, cells;
  uint64_t sum;         /* of the block that has begun, and how many of its cells */
  sal_block_list whole; /* of this round */
  sal_block_list cut;   /* of all rounds */
  uint64_t total;       /* checksum of what was in `whole` in all rounds */
  bool lost;            /* memory ran out */
} sal_block_sums;

/** Begins a metric; adds checksums of `count` cells of it, after those added before, and returns their sum; ends the metric. */
void sal_block_sums_begin(sal_block_sums *sums, sal_block_place place);
uint64_t sal_block_sums_add(sal_block_sums *sums, int64_t first, int64_t count,
                            const uint64_t sum[]);
void sal_block_sums_end(sal_block_sums *sums);

/** Forgets the whole blocks of a round, which have been written. */
void sal_block_sums_next(sal_block_sums *sums);
void sal_block_sums_free(sal_block_sums *sums);

/** Makes the group in a cube's frame, without values. */
sal_err sal_block_sums_create(const sal_h5 *file, const sal_sweep *sweep);

/** Collective.  The cut blocks of all ranks, on rank 0 and added up; *all is freed by
 *  sal_block_sums_free_list. */
sal_err sal_block_sums_gather(MPI_Comm comm, sal_block_sums *sums, sal_block_list *all);
void sal_block_sums_free_list(sal_block_list *list);

/** On one rank: writes them, and the checksum and the seal of the group; total: of the whole blocks of
 *  all ranks. */
sal_err sal_block_sums_finish(const sal_h5 *file, const sal_block_list *cut, uint64_t total);
