/** B-derivatives as tables. */
#pragma once

#include "bderiv.h"

/** Directions and their derivatives; all borrowed. */
typedef struct {
  const sal_bderiv *b;
  int n;                           /* directions: 1, or 2 n_state of a matrix */
  const double *from;              /* [n][n_state] */
  const double *to;                /* [n][n_state] */
  const int *order;                /* contacts as they are crossed, or NULL */
  const sal_bderiv_row *check;     /* [SAL_BDERIV_STEPS], or NULL */
  const sal_bderiv_defect *defect; /* of a matrix, else NULL */
} sal_bderiv_table;

/** To stdout. */
void sal_bderiv_print(const sal_bderiv_table *table);
/** As CSV, one row a direction: its components, then those of the derivative. */
sal_err sal_bderiv_print_csv(const sal_bderiv_table *table, const char *path);
