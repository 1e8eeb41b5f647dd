/** A node's own journal: finished tiles are appended, by one of its ranks at a time. */
#pragma once

#include "journal_pack.h"
#include "journal_state.h"
#include <limits.h>

/** A rank's part in its node's journal of this run. */
typedef struct {
  const sal_journal *journal;
  int fd; /* < 0: none */
  sal_journal_name name;
  char path[PATH_MAX];
  double pause;          /* [s] that a record may wait for the disk */
  sal_node_words share;  /* SAL_JOURNAL_WORDS of the ranks of the node */
  int64_t bare;          /* on the leader: the size of the file without a record; -1: it has some */
  sal_journal_list list; /* this rank's records; their file is the number of the journal */
  sal_journal_held held; /* the same, kept as far as there is room */
  sal_journal_pack pack;
} sal_journal_writer;

/** Collective.  Every node goes on in a file of cells from the same machines, or begins one; what is written reaches
 *  the disk within about sync_seconds.  `goal`: cells that this run is to have in the end, those found included.  `machine`: that
 *  the records come of; NULL: this one.  After a failure, too, sal_journal_end and sal_journal_writer_free. */
sal_err sal_journal_begin(const sal_journal *journal, double sync_seconds, int64_t goal,
                          const char *machine, sal_journal_writer *writer);
/** Appends a tile.  Trajectories without an outcome are not there: the record is partial, for a later run to go on with.  A
 *  disk that is full leaves all records before it as they were. */
sal_err sal_journal_append(sal_journal_writer *writer, const sal_tile_result *result);
/** Brings to the disk what has waited long enough, for all ranks of the node; to be called often. */
sal_err sal_journal_sync(sal_journal_writer *writer);
/** Collective over the node.  Brings everything to the disk, closes the file,
 *  which must still be there with all that was written to it; one without records is removed.  The
 *  list stays, for sal_journal_scan_add. */
sal_err sal_journal_end(sal_journal_writer *writer);
void sal_journal_writer_free(sal_journal_writer *writer);
