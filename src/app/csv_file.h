/** @file src/app/csv_file.h
 *  A text file that appears whole or not at all.
 */
#ifndef SAL_CSV_FILE_H
#define SAL_CSV_FILE_H

#include "err.h"
#include <stdio.h>

/** Opens path.part for writing. */
SAL_MUST_CHECK sal_err sal_csv_begin(const char *path, FILE **out);
/** Closes it and renames it to `path`; what could not be written in full is removed. */
SAL_MUST_CHECK sal_err sal_csv_end(const char *path, FILE *file);

#endif
