/** @file src/io/journal/journal_record.h
 *  The bytes of a record: head, ranges, cell records [count], trajectory records
 *  [count][contenders], checksum of what follows the ranges (XXH3, 64 bits).
 *
 *  The head has a checksum of its own, over the ranges too and with the fingerprint of the sweep as
 *  seed; it is the seed of the second.  So the head alone tells what a record is said to hold.
 */
#ifndef SAL_JOURNAL_RECORD_H
#define SAL_JOURNAL_RECORD_H

#include "tile.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The first bytes of a record: no text, no small number, no double of note. */
#define SAL_JOURNAL_RECORD_MAGIC UINT64_C(0x9c1fe2d377c0a85b)

enum { SAL_JOURNAL_MOST_RANGES = 1 << 12 };

typedef struct {
  uint64_t magic;
  int64_t bytes; /* of the cell and trajectory records */
  int64_t first, count;
  int64_t n_range; /* ranges after the head: lo [n_range], hi [n_range] */
  uint64_t sum;    /* of what is above, and of the ranges */
} sal_journal_record_head;

/** A new record's head; range [2][n_range]. */
sal_journal_record_head sal_journal_record_head_of(uint64_t fingerprint, int64_t first,
                                                   int64_t count, int64_t n_contender,
                                                   int64_t n_range, const double range[]);
/** The checksum after its records; both arrays as in sal_tile_result. */
uint64_t sal_journal_record_sum(const sal_journal_record_head *head, const sal_cell_record *cell,
                                const sal_record *record);

/** Can this be a record of a sweep with n_cell cells and n_contender contenders, so far as numbers
 *  go? */
bool sal_journal_record_fits(const sal_journal_record_head *head, int64_t n_cell,
                             int64_t n_contender);
/** Are the head and its ranges what was written? */
bool sal_journal_record_head_sound(const sal_journal_record_head *head, uint64_t fingerprint,
                                   const double range[]);

/** Bytes of the ranges. */
size_t sal_journal_record_range_bytes(int64_t n_range);
/** Bytes of a record, all in all. */
int64_t sal_journal_record_size(const sal_journal_record_head *head);

#endif
