/** Files of tables that a text names: where they may lie, and how their lines are read. */
#pragma once

#include "document.h"

/** Files that a text names by a path (with '/') are read from now on by this thread, where they lie in the folder, borrowed; without it none
 *  but those beside the text. */
void sal_table_source_allow(const char *folder);

/** The path of a file that a text at `path` names: a relative one is one from where the text lies.  The caller frees it
 *  with sal_free; NULL when memory ran out. */
char *sal_table_source_beside(const char *path, const char *name);

/** *path: that of the file which a node names, if it may be read; the caller frees it, NULL on failure.  `key` is for
 *  the messages. */
sal_err sal_table_source_path(const sal_document *document, int node, const char *key, char **path);

enum { SAL_TABLE_SOURCE_COLUMNS = 1024 };

/** A table while its lines are read; zero but for the path before the first. */
typedef struct {
  const char *path; /* heads the messages */
  int64_t number;   /* of the line, from 1 */
  char between;     /* columns; ' ': any blanks; '\0' before the first line */
  int n;            /* columns of each line */
  char *word[SAL_TABLE_SOURCE_COLUMNS];
} sal_table_source;

typedef enum {
  SAL_TABLE_SOURCE_NOTHING,
  SAL_TABLE_SOURCE_NAMES,
  SAL_TABLE_SOURCE_ROW
} sal_table_line;

/** Cuts the next line, in place, into word [n], and sets its kind: nothing but a comment (#), the first line where it
 *  names the columns (none of its words is a number, or it begins with %), or a row.  Columns are
 *  separated by semicolons, if the first line has some, else by commas, else by blanks. */
sal_err sal_table_source_line(sal_table_source *table, char *line, sal_table_line *is);
