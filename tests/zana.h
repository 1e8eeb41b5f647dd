/** Tables of tests/data/zana, by the names of their columns. */
#pragma once

#include "sal_test.h"
#include <stdlib.h>
#include <string.h>

enum { ZANA_COLUMNS = 32, ZANA_ROWS = 100, ZANA_WORD = 40 };

typedef struct {
  int n_column, n_row;
  char name[ZANA_COLUMNS][ZANA_WORD];
  char word[ZANA_ROWS][ZANA_COLUMNS][ZANA_WORD];
} zana_table;

static inline int zana_split(char *line, char word[][ZANA_WORD])
{
  int n = 0;

  line[strcspn(line, "\r\n")] = '\0';
  for (char *at = line; at && n < ZANA_COLUMNS; ++n) {
    const size_t length = strcspn(at, ",");
    CU_ASSERT_FATAL(length < ZANA_WORD);
    memcpy(word[n], at, length);
    word[n][length] = '\0';
    at = at[length] ? at + length + 1 : NULL;
  }
  return n;
}

/** Reads a file of tests/data/zana. */
static inline void zana_read(const char *name, zana_table *out)
{
  char path[512], line[2048];
  FILE *f = (snprintf(path, sizeof path, "%s/zana/%s", SAL_TEST_DATA, name), fopen(path, "r"));

  memset(out, 0, sizeof *out);
  CU_ASSERT_PTR_NOT_NULL_FATAL(f);
  CU_ASSERT_PTR_NOT_NULL_FATAL(fgets(line, sizeof line, f));
  out->n_column = zana_split(line, out->name);
  while (out->n_row < ZANA_ROWS && fgets(line, sizeof line, f))
    zana_split(line, out->word[out->n_row++]);
  fclose(f);
  CU_ASSERT_FATAL(out->n_row > 0);
}

static inline const char *zana_word(const zana_table *t, int row, const char *column)
{
  for (int i = 0; i < t->n_column; ++i)
    if (strcmp(t->name[i], column) == 0) return t->word[row][i];
  printf("\n    no column %s", column);
  CU_FAIL_FATAL("a column that is not there");
  return "";
}

static inline double zana_value(const zana_table *t, int row, const char *column)
{
  return strtod(zana_word(t, row, column), NULL);
}

/** Entry i of the row of orbit42.csv that begins with `name`. */
static inline double zana_entry(const zana_table *t, const char *name, int i)
{
  for (int row = 0; row < t->n_row; ++row)
    if (strcmp(t->word[row][0], name) == 0) return strtod(t->word[row][1 + i], NULL);
  printf("\n    no row %s", name);
  CU_FAIL_FATAL("a row that is not there");
  return 0;
}
