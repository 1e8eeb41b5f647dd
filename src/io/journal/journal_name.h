/** @file src/io/journal/journal_name.h
 *  Names of journals, and folders of them.
 *
 *  FOLDER/HH/NNNN.sal is journal number NNNN, HH its hundred; FOLDER/HH/NNNN-MMMM.sal is what is
 *  left of NNNN to MMMM, which it replaces.  So a listing of the folder takes the journals that are
 *  covered by another one for removed, and a rename makes the new one valid and the old ones not.
 */
#ifndef SAL_JOURNAL_NAME_H
#define SAL_JOURNAL_NAME_H

#include "err.h"
#include "journal_state.h"

/** Fills path [PATH_MAX] with the name of a journal in that folder. */
SAL_MUST_CHECK sal_err sal_journal_name_path(const char *folder, const sal_journal_name *name,
                                             char path[]);
/** Makes the folder of its hundred. */
SAL_MUST_CHECK sal_err sal_journal_name_make_hundred(const char *folder,
                                                     const sal_journal_name *name);
/** Removes that folder if it is empty. */
void sal_journal_name_drop_hundred(const char *folder, const sal_journal_name *name);

/** All journals of a folder, with f as their folder's number: *n that hold records, ascending, then
 *  those that are covered or not finished, *n_all in all; *name is freed with sal_free. */
SAL_MUST_CHECK sal_err sal_journal_name_list(const char *folder, int64_t f, sal_journal_name **name,
                                             int64_t *n, int64_t *n_all);

/** Renames a file to PATH.damaged, or PATH.damaged-2 and so on where there is one. */
SAL_MUST_CHECK sal_err sal_journal_name_set_aside(const char *path);

/** "path: cannot be read: ..." of errno. */
sal_err sal_journal_name_fail(const char *path, const char *what);

#endif
