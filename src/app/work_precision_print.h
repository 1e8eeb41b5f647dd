/** @file src/app/work_precision_print.h
 *  Error and cost of every strategy over its own parameter: a table, and a CSV file.
 */
#ifndef SAL_WORK_PRECISION_PRINT_H
#define SAL_WORK_PRECISION_PRINT_H

#include "cli_run.h"
#include "err.h"
#include <stdint.h>

/** A study.  Strategies with a zone run over its width eps, at the tolerance or the
 *  fixed step of `run`; the others over the tolerance, from 1e-2 to 1e-12. */
typedef struct {
  sal_cli_run run;
  double step;        /* of strategies with a fixed one */
  bool one_strategy;  /* that of the run, else all that work with its method and model */
  double least, most; /* eps */
  int points;         /* per strategy, at least 2 */
  int watch;          /* see certified_run.h */
  int64_t n_mesh;
  int repeats;
  int n_start;         /* random starts; 0: the run's own one */
  const double *given; /* [n_state] NaN: random */
  uint64_t seed;
} sal_work_precision_study;

/** Measures, prints the table and the cheapest way to each error, and writes `csv` unless NULL. */
SAL_MUST_CHECK sal_err sal_work_precision_print(const sal_work_precision_study *what,
                                                const char *csv);

#endif
