/** @file src/io/journal/journal.h
 *  Journals: finished tiles on the disk, from which a run that was killed goes on, and from which
 *  the cube is made.
 *
 *  They lie in the folder OUT.journal beside the output OUT, one file for each rank of each run
 * that worked on it (NNNN.sal, never written to by a second run); each part of a divided sweep has
 * a folder of its own.  A file is a head, which holds the sweep, and records of one tile each.  The
 * checksum of a record covers its bytes and the sweep, so that a record is either whole and of this
 * sweep, or none; behind damage the reader looks for the next one.  All access is by POSIX calls;
 * numbers are in the machine's own byte order.
 */
#ifndef SAL_JOURNAL_H
#define SAL_JOURNAL_H

#include "err.h"
#include "sweep.h"
#include "tile.h"
#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

/** Where the records of a run of cells lie. */
typedef struct {
  int64_t first, count;
  int64_t file, offset; /* number of the file, and place in it */
} sal_journal_entry;

/** A file: number of its folder, and its own. */
typedef struct {
  int64_t folder, number;
} sal_journal_name;

/** What a run is to do with folders of journals: write to the only one; the same, but remove
 *  journals of another sweep that lie there; read all. */
typedef enum { SAL_JOURNAL_WRITE, SAL_JOURNAL_ANEW, SAL_JOURNAL_READ } sal_journal_use;

/** Journals of one sweep; zero is none. */
typedef struct {
  MPI_Comm           comm;
  int                n_folder;
  const char *const *folder;      /* [n_folder], borrowed */
  const sal_sweep   *sweep;       /* borrowed */
  char              *identity;    /* what results depend on, as text */
  uint64_t           fingerprint; /* of it */
  double             started;     /* this run, seconds since 1970, the same on all ranks */
  sal_journal_use    use;
  int               *lock;    /* [n_folder] on rank 0: the folders, locked */
  bool               created; /* rank 0: this run has made the folder */
  int64_t            n_file;
  sal_journal_name  *file; /* [n_file], the same on all ranks */
  int64_t            n_entry;
  sal_journal_entry *entry;   /* [n_entry] by first cell, no cell twice; the same on all ranks */
  int64_t            cells;   /* in these */
  int64_t            twice;   /* cells found once more than needed */
  int64_t            damaged; /* places where a record was broken off or changed */
} sal_journal;

/** Collective over comm, which with folder and sweep must outlive it.  Makes the folder if there
 *  is to be written, keeps other runs out, and finds what is done already.  Journals of another
 *  sweep or program are refused with what differs (SAL_ERR_EXISTS), unless anew.  After a failure,
 *  too, sal_journal_close. */
SAL_MUST_CHECK sal_err sal_journal_open(MPI_Comm comm, int n_folder, const char *const folder[],
                                        const sal_sweep *sweep, sal_journal_use use,
                                        sal_journal *journal);
/** Frees; removes the folder, if this run has made it and nothing has come to lie in it. */
void sal_journal_close(sal_journal *journal);

/** The sweep that journals are of, from the first file in the folder with a sound head. */
SAL_MUST_CHECK sal_err sal_journal_sweep(const char *folder, sal_sweep *sweep);

/** Collective.  Looks again for what is done: file, entry, cells. */
SAL_MUST_CHECK sal_err sal_journal_scan(sal_journal *journal);

/** The runs of cells that are in no journal; *run [*n] is freed by the caller with sal_free. */
SAL_MUST_CHECK sal_err sal_journal_missing(const sal_journal *journal, sal_tile **run, int64_t *n);

/** Reads entries, each checked again.  Zero but for journal before the first. */
typedef struct {
  const sal_journal     *journal;
  struct sal_journal_in *in;
} sal_journal_reader;
/** Reads the records of an entry into a result of new arrays (see sal_tile_result). */
SAL_MUST_CHECK sal_err sal_journal_read(sal_journal_reader *reader, const sal_journal_entry *entry,
                                        sal_tile_result *result);
void                   sal_journal_read_end(sal_journal_reader *reader);

/** Removes all journals, on one rank; what is not ours stays. */
SAL_MUST_CHECK sal_err sal_journal_remove(const sal_journal *journal);

/** One rank's journal of this run. */
typedef struct {
  const sal_journal *journal;
  int                fd;
  char               path[PATH_MAX];
  double             pause;   /* [s] that a record may wait for the disk */
  double             written; /* clock of the first record since the last sync; NAN: none */
  int64_t            end;     /* of the last whole record */
  int64_t            cells;
} sal_journal_writer;

/** Collective.  Every rank begins a new file; what is written reaches the disk within about
 *  sync_seconds.  `goal`: cells that this run is to have in the end, those found included.  After a
 *  failure, too, sal_journal_end. */
SAL_MUST_CHECK sal_err sal_journal_begin(const sal_journal *journal, double sync_seconds,
                                         int64_t goal, sal_journal_writer *writer);
/** Appends a tile.  A disk that is full leaves all records before it as they were. */
SAL_MUST_CHECK sal_err sal_journal_append(sal_journal_writer    *writer,
                                          const sal_tile_result *result);
/** Brings to the disk what has waited long enough; to be called often. */
SAL_MUST_CHECK sal_err sal_journal_sync(sal_journal_writer *writer);
/** Brings everything to the disk and closes the file; one without records is removed. */
SAL_MUST_CHECK sal_err sal_journal_end(sal_journal_writer *writer);

/** Fills folder [PATH_MAX] with OUT.journal, or, of part i of n > 1, OUT.journal.I-of-N. */
SAL_MUST_CHECK sal_err sal_journal_folder(const char *output, int part, int n_part, char folder[]);
/** Prints what the journals in a folder hold: cells done, speed, last write.  A run may be at work
 *  on them. */
SAL_MUST_CHECK sal_err sal_journal_info(const char *folder, FILE *out);

#endif
