/** Files of tables: what a text needs of them is kept with it. */
#pragma once

#include "err.h"

/** *kept: the text, and below it, as table_rows, the rows of the files that its tables name, relative to where `path`
 *  lies; a copy where there are none, or they are there already.  Such a text needs no other file.  The caller
 *  frees it by sal_free; NULL on failure. */
sal_err sal_table_rows_keep(const char *path, const char *text, char **kept);

/** A sentence on rows that this thread's last text has kept though their file exists; "": none. */
const char *sal_table_rows_note(void);
