/** State of the journals of a sweep: files, records, cells.
 *
 *  Journals lie in the folder OUT.journal beside the output OUT, one file for each node (NNNN.sal), to which all
 *  ranks of the node append by turns, and a later run goes on; each part of a divided sweep has a folder of its own.
 *  A file is a head, which holds the sweep, and records of one tile each.  The checksums of a record cover its bytes and the
 *  sweep, so that a record is either whole and of this sweep, or none; after damage the reader
 *  looks for the next one.  All access is by POSIX calls; numbers are in the machine's own byte
 *  order.
 */
#pragma once

#include "node_words.h"
#include "sweep.h"
#include "text.h"

/** Where the records of a run of cells lie. */
typedef struct {
  int64_t first, count;
  int64_t
      lacking; /* trajectories of these cells that the record does not hold; 0: it is complete */
  int64_t file, offset; /* place in the list of files, and in the file */
  int64_t fresh;        /* written by this run */
} sal_journal_entry;

/** Records; zero is empty, entry is freed with sal_free. */
typedef struct {
  int64_t n, room;
  sal_journal_entry *entry;
  int64_t n_damaged; /* places where a record should have begun, or was broken off */
  int64_t n_aside;   /* files whose head is damaged */
  int64_t n_range;   /* ranges that are wanted of the records */
  double *range;     /* [2][n_range], or NULL: of no record yet; freed with sal_free */
  sal_text machine;  /* the machines that the records come of (machine.h) */
  int64_t
      end; /* of a single file: of the last whole record in it; and of the last run that wrote to it: */
  double started; /* when it was begun [s since 1970] */
  int64_t goal;   /* cells that it was to have in the end */
  int64_t before; /* records of runs before it */
} sal_journal_list;

#define SAL_JOURNAL_ASIDE ".damaged" /* ends the name of one that was set aside */

/** A file: number of its folder, and its own. */
typedef struct {
  int64_t folder, number;
} sal_journal_name;

/** Use of folders of journals by a run: write to the only one; the same, but remove
 *  journals of another sweep that lie there; read all. */
typedef enum { SAL_JOURNAL_WRITE, SAL_JOURNAL_ANEW, SAL_JOURNAL_READ } sal_journal_use;

/** Ranges of the records of a sweep that are available without reading them: the smallest and the largest
 *  value of n figures.  measure fills range [2][n], lo and hi, for a result; lo > hi: no value. */
typedef struct {
  int64_t n;
  void (*measure)(const void *with, const sal_tile_result *result, double range[]);
  const void *with;
} sal_journal_ranges;

/** A record that this rank has written in this run: as it is in the file, or, bytes NULL, there alone. */
typedef struct {
  int64_t first, number, offset; /* its first cell, the number of the journal, place in it */
  int64_t n;
  char *bytes; /* [n] */
} sal_journal_held_record;

/** Zero is none; sal_journal_held_free frees. */
typedef struct {
  int64_t n, room, bytes; /* records; of those that are kept */
  sal_journal_held_record *record;
} sal_journal_held;
void sal_journal_held_free(sal_journal_held *held);

/** Journals of one sweep; zero is none. */
typedef struct {
  MPI_Comm comm;
  int n_folder;
  const char *const *folder; /* [n_folder], borrowed */
  const sal_sweep *sweep;    /* borrowed */
  char *identity;            /* what results depend on, as text */
  uint64_t fingerprint;      /* of it */
  double started;            /* this run, seconds since 1970, the same on all ranks */
  sal_journal_use use;
  sal_journal_ranges ranges;
  sal_node_ranks node;   /* of a run that writes; else none */
  int *lock;             /* [n_folder] on rank 0: the folders, locked */
  bool created;          /* rank 0: this run has made the folder */
  bool begun;            /* this run has written */
  sal_journal_held held; /* what this rank has written there */
  int64_t n_file;
  sal_journal_name *file; /* [n_file], the same on all ranks */
  int64_t n_entry, n_partial;
  sal_journal_entry *
      entry; /* [n_entry] complete records by first cell, no cell twice; then [n_partial] others; the
                             * same on all ranks */
  int64_t cells;          /* in these */
  sal_text machine, here; /* the machines that these come of, the same on all ranks; this rank's */
  int64_t twice;          /* cells found once more than needed */
  int64_t damaged;        /* places where a record was broken off or changed */
  int64_t aside;          /* files whose head is damaged: nothing in them counts.  A run that writes
                             * has renamed them, to end with SAL_JOURNAL_ASIDE */
  double *range;          /* [2][ranges.n] of all records in this rank's share of the files, and of
                             * those that it has written; NULL: of none */
} sal_journal;
