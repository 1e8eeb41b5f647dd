/** Checksums of datasets: lost sectors must not become other answers.
 *
 *  A dataset is cut into runs of values that are written together: a cell's, a trajectory's, or one
 *  value.  Its checksum is the sum, modulo 2^64, of the XXH3 of each run seeded with the run's
 *  number.  Sums do not know an order, so any number of ranks, each with its share, finds the same
 *  one.  It stands with the length of a run in the attribute `checksum` of the dataset, and is of
 *  the values as they are in memory; those of a file from a machine with another order of bytes are
 *  not verified.
 *
 *  Single cells of a cube's datasets along cells are looked up.  So their runs also stand in blocks,
 *  as few cells as have 1 kB, and the sum of each block is one of a list (cube/block_sums.h), where
 *  those of a dataset begin at place `first`.  The sums of its blocks add up to its checksum.
 */
#pragma once

#include "h5.h"

/** The attribute `kind` of the list. */
#define SAL_CHECKSUM_KIND "checksum"

typedef struct {
  uint64_t sum;
  uint64_t run;   /* values in a run, at least 1 */
  uint64_t block; /* runs in a block; 0: no sums of blocks */
  uint64_t first; /* place of the first one's sum in the list */
} sal_checksum;

/** The share of n runs, the first of them number `first`, of `bytes` bytes each. */
uint64_t sal_checksum_of(int64_t first, int64_t n, size_t bytes, const void *value);

/** Writes the attribute of a dataset, or writes it anew: `[sum, run]`, or with blocks
 *  `[sum, run, block, first]`. */
sal_err sal_checksum_put(const sal_h5 *file, hid_t set, sal_checksum checksum);
/** Writes the sum of a dataset whose attribute has the length of runs already. */
sal_err sal_checksum_put_sum(const sal_h5 *file, hid_t set, uint64_t sum);
/** Reads it; run = 0 when there is none. */
sal_err sal_checksum_get(const sal_h5 *file, hid_t set, sal_checksum *checksum);
/** Fails with SAL_ERR_IO, "... is damaged", when the sum found is not the one that is due. */
sal_err sal_checksum_compare(const sal_h5 *file, const char *name, sal_checksum due,
                             uint64_t found);
