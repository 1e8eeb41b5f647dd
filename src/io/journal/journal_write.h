/** @file src/io/journal/journal_write.h
 *  A node's own journal: finished tiles are appended, by one of its ranks at a time.
 */
#ifndef SAL_JOURNAL_WRITE_H
#define SAL_JOURNAL_WRITE_H

#include "err.h"
#include "journal_pack.h"
#include "journal_state.h"
#include <limits.h>

/** A rank's part in its node's journal of this run. */
typedef struct {
  const sal_journal *journal;
  int fd; /* < 0: none */
  sal_journal_name name;
  char path[PATH_MAX];
  double pause;            /* [s] that a record may wait for the disk */
  sal_journal_share share; /* of the ranks of the node */
  sal_journal_list list;   /* this rank's records; their file is the number of the journal */
  sal_journal_held held;   /* the same, kept as far as there is room */
  sal_journal_pack pack;
} sal_journal_writer;

/** Collective.  Every node begins a new file; what is written reaches the disk within about
 *  sync_seconds.  `goal`: cells that this run is to have in the end, those found included.  `machine`: that
 *  the records come of; NULL: this one.  After a failure, too, sal_journal_end and sal_journal_writer_free. */
SAL_MUST_CHECK sal_err sal_journal_begin(const sal_journal *journal, double sync_seconds,
                                         int64_t goal, const char *machine,
                                         sal_journal_writer *writer);
/** Appends a tile.  A disk that is full leaves all records before it as they were. */
SAL_MUST_CHECK sal_err sal_journal_append(sal_journal_writer *writer,
                                          const sal_tile_result *result);
/** Brings to the disk what has waited long enough, for all ranks of the node; to be called often. */
SAL_MUST_CHECK sal_err sal_journal_sync(sal_journal_writer *writer);
/** Collective over the node.  Brings everything to the disk, adds the index and closes the file,
 *  which must still be there with all that was written to it; one without records is removed.  The
 *  list stays, for sal_journal_scan_add. */
SAL_MUST_CHECK sal_err sal_journal_end(sal_journal_writer *writer);
void sal_journal_writer_free(sal_journal_writer *writer);

/* What is finished of the trajectories of cells that are not, when a run is stopped in a tile.
 *
 * Files of their own in the folder, FOLDER/kept-FINGERPRINT-STARTED-NODE, one for each node of a run that
 * has something to keep, so that a search for finished cells never reads them.  One holds records:
 * head, whose sum has the fingerprint as seed; which trajectories are there [count][contenders], a byte
 * each; trajectory records [count][contenders]; XXH3 of these with the sum of the head as seed.
 *
 * They save work and are no result: one that cannot be written, or is damaged, is passed over, and its
 * trajectories are run. */

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
