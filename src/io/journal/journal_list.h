/** @file src/io/journal/journal_list.h
 *  A list of records, as a scan of journals fills it.
 */
#ifndef SAL_JOURNAL_LIST_H
#define SAL_JOURNAL_LIST_H

#include "journal.h"
#include "journal_file.h"

/** Zero is empty; entry is freed with sal_free. */
typedef struct {
  int64_t            n, room;
  sal_journal_entry *entry;
  int64_t            n_damaged; /* places where a record should have begun, or was broken off */
} sal_journal_list;

SAL_MUST_CHECK sal_err sal_journal_list_add(sal_journal_list *list, const sal_journal_entry *entry);

/** Adds every whole record of an open journal. */
SAL_MUST_CHECK sal_err sal_journal_list_scan(sal_journal_file *file, int64_t number,
                                             uint64_t fingerprint, int64_t n_cell,
                                             int64_t n_contender, sal_journal_list *list);

/** Sorts by first cell, leaves out what holds a cell a second time; returns the cells in it, and in
 *  *twice those left out. */
int64_t sal_journal_list_settle(sal_journal_list *list, int64_t *twice);

/** Fills path [PATH_MAX] with the name of file number i of the list. */
SAL_MUST_CHECK sal_err sal_journal_path(const sal_journal *journal, int64_t i, char path[]);

/** Collective.  Lists the files of the folders anew. */
SAL_MUST_CHECK sal_err sal_journal_list_files(sal_journal *journal);

#endif
