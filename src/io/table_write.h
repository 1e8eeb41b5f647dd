/** @file src/io/table_write.h
 *  A table of points as a file of its own: columns along one dimension, with the parameters that all
 *  points share, and attributes that say how it was made.
 */
#ifndef SAL_TABLE_WRITE_H
#define SAL_TABLE_WRITE_H

#include "err.h"
#include "model.h"
#include <stdint.h>

/** Values are [n][across] of double (whole: rounded to int64), or text [n] of const char *. */
typedef struct {
  const char *name, *unit, *what;
  int across;              /* values of a point; 1: one, without a dimension of its own */
  const char *across_name; /* of that dimension, counted from 1 */
  bool whole;
  const void *value;
  bool text;
} sal_table_column;

typedef struct {
  const char *name, *text; /* text NULL: the number */
  double number;
} sal_table_attribute;

typedef struct {
  const char *content; /* attribute of the file: "saltus branch" */
  const sal_model *model;
  const double *param;             /* [n_param + n_option]; those with a column are left out */
  const char *row_name, *row_what; /* the dimension: "point", counted from 1 */
  int64_t n;
  int n_column, n_attribute;
  const sal_table_column *column;
  const sal_table_attribute *attribute;
} sal_table;

/** Writes it as HDF5 (serial), replacing `path`. */
SAL_MUST_CHECK sal_err sal_table_write(const char *path, const sal_table *table);

#endif
