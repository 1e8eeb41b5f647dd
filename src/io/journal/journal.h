/** Journals of a sweep: their folders, what is in them, and records back from them.  Finished tiles lie
 *  there on the disk, a run that was killed goes on from them, and the cube is made from them
 *  (journal_state.h; journal_write.h adds to them).
 */
#pragma once

#include "journal_state.h"

/** Collective over comm, which with folder and sweep must outlive it.  Makes the folder if there
 *  is to be written, keeps other runs out, and finds what is done already; `ranges`, or NULL, are
 *  kept with every record.  Journals of another sweep or program are refused with what differs (SAL_ERR_EXISTS),
 *  unless anew.  After a failure, too, sal_journal_close. */
sal_err sal_journal_open(MPI_Comm comm, int n_folder, const char *const folder[],
                         const sal_sweep *sweep, sal_journal_use use,
                         const sal_journal_ranges *ranges, sal_journal *journal);
/** Collective.  Frees; removes the folder, if this run has made it and it is empty. */
void sal_journal_close(sal_journal *journal);

/** Collective.  Removes all journals, each rank its share; other files stay, and so does a symbolic link in the place of
 *  the folder, with what it leads to. */
sal_err sal_journal_remove(const sal_journal *journal);

/** Fills folder [PATH_MAX] with OUT.journal, or, of part i of n > 1, OUT.journal.I-of-N, beside the file that OUT leads to. */
sal_err sal_journal_folder(const char *output, int part, int n_part, char folder[]);

/* Cells that are in the journals, and cells that are not. */

/** Collective.  Files, entries, cells, ranges, from the records, each of which is checked.  A journal of another sweep
 *  is refused (SAL_ERR_EXISTS). */
sal_err sal_journal_scan(sal_journal *journal);

/** Collective.  Adds the records that each rank has written to a journal of its own since the scan
 *  (journal_write.h): they need not be read to be known.  The file in their entries is the number
 *  of the journal, in the only folder.  held: the same, which the journals take over. */
sal_err sal_journal_scan_add(sal_journal *journal, const sal_journal_list *written,
                             sal_journal_held *held);

/** Fills range [2][ranges.n] with this rank's share, so that all ranks together have that of the
 *  entries; reads heads of records where some cells are there twice. */
sal_err sal_journal_scan_ranges(const sal_journal *journal, double range[]);

/** The runs of cells that are in no journal; *run [*n] is freed by the caller with sal_free. */
sal_err sal_journal_missing(const sal_journal *journal, sal_tile **run, int64_t *n);

/* Records back from journals, and the sweep they are of. */

/** The first entry, of n that are sorted, that holds the cell or is after it; n: none. */
int64_t sal_journal_list_at(int64_t n, const sal_journal_entry entry[], int64_t cell);

/** Reads entries, each checked again; a bounded number of files stays open.  Zero but for journal
 *  before the first. */
typedef struct {
  const sal_journal *journal;
  struct sal_journal_in *in;
} sal_journal_reader;

/** Reads the records of an entry into a result of new arrays (see sal_tile_result). */
sal_err sal_journal_read(sal_journal_reader *reader, const sal_journal_entry *entry,
                         sal_tile_result *result);
/** The two halves of that, on two ranks.  A record as it is in the file: *bytes [*n], borrowed until the next call; the records in
 *  such bytes, which are of these journals, in the arrays of `into`, if they lie there, else in new ones; NULL: in new ones. */
sal_err sal_journal_read_record(sal_journal_reader *reader, const sal_journal_entry *entry,
                                const char **bytes, int64_t *n);
sal_err sal_journal_read_unpack(sal_journal_reader *reader, const char *bytes, int64_t n,
                                const sal_tile_result *into, sal_tile_result *result);
/** Fills to->done and to->result.record, where there is something, with what partial records have of a tile's cells; a
 *  damaged one is passed over, and its trajectories are run.  to->result is freed by the caller in any case. */
sal_err sal_journal_read_partial(sal_journal_reader *reader, const sal_tile *tile,
                                 sal_tile_kept *to);
/** Reads the ranges of an entry: *range [2][ranges.n], borrowed until the next call. */
sal_err sal_journal_read_range(sal_journal_reader *reader, const sal_journal_entry *entry,
                               const double **range);
void sal_journal_read_end(sal_journal_reader *reader);

/** The sweep that journals are of, from the first file in the folder with a sound head. */
sal_err sal_journal_read_sweep(const char *folder, sal_sweep *sweep);

/* Differences of two texts, line by line. */

/** Adds "\n- line" for lines of `old` that `new` has not and "\n+ line" for those that only `new`
 *  has; at most about `most` bytes.  From `settled`, a line of `new`, on line[] gives their places (sweep.h);
 *  NULL: nowhere. */
void sal_journal_diff(const char *old, const char *new, const char *settled, const int line[],
                      size_t most, sal_text *out);

/* Summary of journals. */

typedef struct {
  bool busy;                 /* a run is at work on them */
  int64_t done, goal, cells; /* cells that are finished, of the run, of the sweep */
  int64_t configs;
  int64_t files, bytes;
  int64_t unreadable;      /* files of other sweeps or with damaged heads */
  int64_t broken, twice;   /* records; cells that are there twice */
  double started, written; /* the run begun last, and the last write [s since 1970] */
  double rate;             /* cells a second of that run */
  sal_text machine;        /* that the cells come of (machine.h); freed by the caller */
} sal_journal_info;

/** Looks through the journals in a folder; of a run at work only the heads of records are read. */
sal_err sal_journal_info_read(const char *folder, sal_journal_info *info);
