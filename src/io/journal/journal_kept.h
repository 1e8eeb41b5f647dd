/** @file src/io/journal/journal_kept.h
 *  What is finished of the trajectories of cells that are not, when a run is stopped in a tile.
 *
 *  Files of their own in the folder, FOLDER/kept-FINGERPRINT-STARTED-NODE, one for each node of a run that
 *  has something to keep, so that a search for finished cells never reads them.  One holds records:
 *  head, whose sum has the fingerprint as seed; which trajectories are there [count][contenders], a byte
 *  each; trajectory records [count][contenders]; XXH3 of these with the sum of the head as seed.
 *
 *  They save work and are no result: one that cannot be written, or is damaged, is passed over, and its
 *  trajectories are run.
 */
#ifndef SAL_JOURNAL_KEPT_H
#define SAL_JOURNAL_KEPT_H

#include "err.h"
#include "journal_list.h"
#include "journal_write.h"

enum { SAL_JOURNAL_KEPT_NAME = 64 };

/** What earlier runs have kept, the same on all ranks; zero is nothing. */
typedef struct {
  const sal_journal *journal;
  int64_t n_file;
  char (*file)[SAL_JOURNAL_KEPT_NAME]; /* [n_file] oldest first */
  sal_journal_list list;               /* records in that order; their file is a place in `file` */
} sal_journal_kept;

/** Collective.  Finds what is kept of cells that journals, which must be open for writing, do not have, and
 *  removes files of which nothing is of use any more.  After a failure, too, sal_journal_kept_close. */
SAL_MUST_CHECK sal_err sal_journal_kept_open(const sal_journal *journal, sal_journal_kept *kept);
void sal_journal_kept_close(sal_journal_kept *kept);

/** Fills to->done, and to->result where there is something, with what is kept of a tile.  Fails for want of
 *  memory only; to->result is freed by the caller in any case. */
SAL_MUST_CHECK sal_err sal_journal_kept_fill(const sal_journal_kept *kept, const sal_tile *tile,
                                             sal_tile_kept *to);

/** Adds what is finished of a tile to the file of this run and node, and brings it to the disk. */
SAL_MUST_CHECK sal_err sal_journal_kept_append(const sal_journal_writer *writer,
                                               const sal_tile_kept *kept);

/** Removes all such files from a folder, of whatever sweep; others of such a name stay. */
void sal_journal_kept_remove(const char *folder);

#endif
