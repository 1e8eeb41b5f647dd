/** @file src/io/journal/journal_private.h
 *  Shared by the sources of this folder, besides the bytes: names, lists, nodes, identities.
 */
#ifndef SAL_JOURNAL_PRIVATE_H
#define SAL_JOURNAL_PRIVATE_H

#include "err.h"
#include "journal_format.h"
#include "journal_state.h"
#include "text.h"
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* Names of journals, and folders of them.
 *
 * FOLDER/HH/NNNN.sal is journal number NNNN, HH its hundred. */

/** Fills path [PATH_MAX] with the name of a journal in that folder. */
SAL_MUST_CHECK sal_err sal_journal_name_path(const char *folder, const sal_journal_name *name,
                                             char path[]);
/** Makes the folder of its hundred. */
SAL_MUST_CHECK sal_err sal_journal_name_make_hundred(const char *folder,
                                                     const sal_journal_name *name);
/** Removes that folder if it is empty. */
void sal_journal_name_drop_hundred(const char *folder, const sal_journal_name *name);

/** Adds all journals of a folder, ascending, to *name [*n], which has *room; f is their folder's number.  *name is freed
 *  with sal_free. */
SAL_MUST_CHECK sal_err sal_journal_name_list(const char *folder, int64_t f, sal_journal_name **name,
                                             int64_t *n, int64_t *room);

/** Renames a file to PATH.damaged, or PATH.damaged-2 and so on where there is one. */
SAL_MUST_CHECK sal_err sal_journal_name_set_aside(const char *path);

/** "path: cannot be read: ..." of errno. */
sal_err sal_journal_name_fail(const char *path, const char *what);

/* Lists: of the files of journals, and of the records in them. */

void sal_journal_list_free(sal_journal_list *list);
SAL_MUST_CHECK sal_err sal_journal_list_add(sal_journal_list *list, const sal_journal_entry *entry);
/** Widens the ranges of the list by `range`, which may be NULL. */
SAL_MUST_CHECK sal_err sal_journal_list_widen(sal_journal_list *list, const double range[]);

/** Sorts by first cell, leaves out complete records that hold a cell a second time; returns the cells of the others, n of
 *  the list, after which *n_partial follow, and in *twice the cells left out. */
int64_t sal_journal_list_sort(sal_journal_list *list, int64_t *n_partial, int64_t *twice);

/** Fills path [PATH_MAX] with the name of file number i of the journals. */
SAL_MUST_CHECK sal_err sal_journal_list_path(const sal_journal *journal, int64_t i, char path[]);

/** Adds what an open journal holds to a list; entries get `number` as their file.  Without a sound
 *  index (then *indexed is false) the records are read; `heads`: their heads alone. */
SAL_MUST_CHECK sal_err sal_journal_scan_file(sal_journal_file *file, int64_t number,
                                             const sal_journal_kin *kin, bool heads,
                                             sal_journal_list *list, bool *indexed);

/** Collective.  Lists the files of the folders anew. */
SAL_MUST_CHECK sal_err sal_journal_list_files(sal_journal *journal);

/* Records that were written, kept in memory. */

/** Notes a record at `offset` of journal `number`, in pieces, and keeps it where there is room and memory. */
SAL_MUST_CHECK sal_err sal_journal_held_add(sal_journal_held *held, int64_t first, int64_t number,
                                            int64_t offset, int n, const sal_journal_piece piece[]);
/** Moves the records of `more` to the end of the list. */
SAL_MUST_CHECK sal_err sal_journal_held_join(sal_journal_held *held, sal_journal_held *more);

/* The ranks of a node, and the words that they share while they write to one journal. */

/** The node of a rank; nodes are numbered by their first ranks. */
typedef struct sal_journal_node {
  MPI_Comm comm;
  int rank, n_rank; /* in the node */
  int64_t number, n_node;
} sal_journal_node;

/** Collective over comm.  Freed, collectively over the node, with sal_journal_node_free. */
SAL_MUST_CHECK sal_err sal_journal_node_find(MPI_Comm comm, sal_journal_node **node);
void sal_journal_node_free(sal_journal_node **node);

/** Words, all 0 at first. */
typedef enum {
  SAL_JOURNAL_HELD,  /* by the rank that writes */
  SAL_JOURNAL_END,   /* [B] of the journal's last whole record */
  SAL_JOURNAL_SINCE, /* [ns] clock of the first record that is not on the disk for sure; 0: none */
  SAL_JOURNAL_WORDS
} sal_journal_word;

/** Collective over the node, as is its close, which does nothing to a share that is zero. */
SAL_MUST_CHECK sal_err sal_journal_share_open(const sal_journal_node *node,
                                              sal_journal_share *share);
void sal_journal_share_close(sal_journal_share *share);

SAL_MUST_CHECK sal_err sal_journal_share_get(const sal_journal_share *share, sal_journal_word word,
                                             int64_t *value);
SAL_MUST_CHECK sal_err sal_journal_share_set(const sal_journal_share *share, sal_journal_word word,
                                             int64_t value);
/** Sets the word to `to` if it is `from`; *was: it was. */
SAL_MUST_CHECK sal_err sal_journal_share_swap(const sal_journal_share *share, sal_journal_word word,
                                              int64_t from, int64_t to, bool *was);

/** Waits until this rank alone may write.  A rank that is killed meanwhile keeps the others waiting;
 *  it ends the run. */
SAL_MUST_CHECK sal_err sal_journal_share_lock(const sal_journal_share *share);
SAL_MUST_CHECK sal_err sal_journal_share_unlock(const sal_journal_share *share);

/* Inputs that results depend on, as text, and whether a journal has the same. */

/** Fills identity and fingerprint of journals, whose sweep is known. */
SAL_MUST_CHECK sal_err sal_journal_identity_set(sal_journal *journal);
/** Refuses (SAL_ERR_EXISTS) a journal of another sweep or program, with what differs.  A damaged
 *  head proves nothing; the checksums of the records do. */
SAL_MUST_CHECK sal_err sal_journal_identity_check(const sal_journal *journal,
                                                  const sal_journal_file *file);
/** Properties that records of these journals must match. */
sal_journal_kin sal_journal_identity_kin(const sal_journal *journal);

/* Cells that a sweep has from a file: FOLDER/design-SUM, a head and the values.  It is there before the first journal of
 * the folder is. */

/** On one rank: writes it, unless it is there, or the sweep has none. */
SAL_MUST_CHECK sal_err sal_journal_design_keep(const char *folder, const sal_sweep *sweep);
/** Reads what the text of a sweep lacks (sal_design_give). */
SAL_MUST_CHECK sal_err sal_journal_design_give(const char *folder, const char *text);
/** Removes all such files from a folder; others of such a name stay. */
void sal_journal_design_remove(const char *folder);

#endif
