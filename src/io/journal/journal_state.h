/** @file src/io/journal/journal_state.h
 *  What is known of the journals of a sweep: files, records, cells.
 *
 *  Journals lie in the folder OUT.journal beside the output OUT, one file for each rank of each run
 *  that worked on it (NNNN.sal, never written to by a second run); each part of a divided sweep has
 *  a folder of its own.  A file is a head, which holds the sweep, and records of one tile each.
 *  The checksum of a record covers its bytes and the sweep, so that a record is either whole and of
 *  this sweep, or none; behind damage the reader looks for the next one.  All access is by POSIX
 *  calls; numbers are in the machine's own byte order.
 */
#ifndef SAL_JOURNAL_STATE_H
#define SAL_JOURNAL_STATE_H

#include "sweep.h"
#include "tile.h"
#include <mpi.h>
#include <stdbool.h>

/** Where the records of a run of cells lie. */
typedef struct {
  int64_t first, count;
  int64_t file, offset; /* place in the list of files, and in the file */
} sal_journal_entry;

/** A file: number of its folder, and its own. */
typedef struct {
  int64_t folder, number;
} sal_journal_name;

/** What a run is to do with folders of journals: write to the only one; the same, but remove
 *  journals of another sweep that lie there; read all. */
typedef enum { SAL_JOURNAL_WRITE, SAL_JOURNAL_ANEW, SAL_JOURNAL_READ } sal_journal_use;

/** Sees the records of a rank's share of the files while these are scanned, those of cells that
 *  are there twice included; the result is borrowed for the call.  NULL: nothing is to see them. */
typedef struct {
  void (*see)(void *with, const sal_tile_result *result);
  void *with;
} sal_journal_visitor;

/** Journals of one sweep; zero is none. */
typedef struct {
  MPI_Comm            comm;
  int                 n_folder;
  const char *const  *folder;      /* [n_folder], borrowed */
  const sal_sweep    *sweep;       /* borrowed */
  char               *identity;    /* what results depend on, as text */
  uint64_t            fingerprint; /* of it */
  double              started;     /* this run, seconds since 1970, the same on all ranks */
  sal_journal_use     use;
  sal_journal_visitor visitor;
  int                *lock;    /* [n_folder] on rank 0: the folders, locked */
  bool                created; /* rank 0: this run has made the folder */
  int64_t             n_file;
  sal_journal_name   *file; /* [n_file], the same on all ranks */
  int64_t             n_entry;
  sal_journal_entry  *entry;   /* [n_entry] by first cell, no cell twice; the same on all ranks */
  int64_t             cells;   /* in these */
  int64_t             twice;   /* cells found once more than needed */
  int64_t             damaged; /* places where a record was broken off or changed */
} sal_journal;

#endif
