/** @file src/io/journal/journal_list.h
 *  Lists: of the files of journals, and of the records in them.
 */
#ifndef SAL_JOURNAL_LIST_H
#define SAL_JOURNAL_LIST_H

#include "err.h"
#include "journal_state.h"

/** Records; zero is empty, entry is freed with sal_free. */
typedef struct {
  int64_t n, room;
  sal_journal_entry *entry;
  int64_t n_damaged; /* places where a record should have begun, or was broken off */
  int64_t n_aside;   /* files whose head is damaged */
  int64_t n_range;   /* ranges that are wanted of the records */
  double *range;     /* [2][n_range], or NULL: of no record yet; freed with sal_free */
} sal_journal_list;

void sal_journal_list_free(sal_journal_list *list);
SAL_MUST_CHECK sal_err sal_journal_list_add(sal_journal_list *list, const sal_journal_entry *entry);
/** Widens the ranges of the list by `range`, which may be NULL. */
SAL_MUST_CHECK sal_err sal_journal_list_widen(sal_journal_list *list, const double range[]);

/** Sorts by first cell, leaves out records that hold a cell a second time; returns the cells in the
 *  list, and in *twice those left out. */
int64_t sal_journal_list_sort(sal_journal_list *list, int64_t *twice);

/** Fills path [PATH_MAX] with the name of file number i of the journals. */
SAL_MUST_CHECK sal_err sal_journal_list_path(const sal_journal *journal, int64_t i, char path[]);

/** Are there more than four files for each node of a run that writes?  Then small ones become few. */
bool sal_journal_list_is_long(const sal_journal *journal);
enum { SAL_JOURNAL_SMALL = 1 << 26 }; /* [B] */

/** Collective.  Lists the files of the folders anew. */
SAL_MUST_CHECK sal_err sal_journal_list_files(sal_journal *journal);

#endif
