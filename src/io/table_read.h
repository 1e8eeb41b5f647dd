/** @file src/io/table_read.h
 *  Reading a table of points (table_write.h): names first, then rows.
 */
#ifndef SAL_TABLE_READ_H
#define SAL_TABLE_READ_H

#include "err.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct sal_table_file sal_table_file;

/** Opens it and verifies that it is one of `content`; closed by sal_table_close, also where that is
 *  NULL. */
SAL_MUST_CHECK sal_err sal_table_open(const char *path, const char *content, sal_table_file **out);
void sal_table_close(sal_table_file *file);

/** The number of points. */
int64_t sal_table_size(const sal_table_file *file);
/** An attribute; *text is freed with sal_free. */
SAL_MUST_CHECK sal_err sal_table_text(const sal_table_file *file, const char *name, char **text);
SAL_MUST_CHECK sal_err sal_table_number(const sal_table_file *file, const char *name,
                                        double *number);
/** A column, value [n]; or a single value, n = 1.  NaN where it is missing. */
SAL_MUST_CHECK sal_err sal_table_column_read(const sal_table_file *file, const char *name,
                                             int64_t n, double *value);

#endif
