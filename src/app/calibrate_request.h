/** `saltus calibrate-eps`: its request, checked and completed, and its curve. */
#pragma once

#include "calibration.h"
#include "cli_run.h"

/* ---- Error and cost of every strategy over its own parameter: a table, and a CSV file. ---- */

/** A study.  Strategies with a zone run over its width eps, at the tolerance or the
 *  fixed step of `run`; the others over the tolerance, from 1e-2 to 1e-12. */
typedef struct {
  sal_cli_run run;
  double step;        /* of strategies with a fixed one */
  bool one_strategy;  /* that of the run, else all that work with its method and model */
  double least, most; /* eps */
  int points;         /* per strategy, at least 2 */
  int watch;          /* see calibration.h */
  int64_t n_mesh;
  int repeats;
  int n_start;         /* random starts; 0: the run's own one */
  const double *given; /* [n_state] NaN: random */
  uint64_t seed;
} sal_work_precision_study;

/** Measures, prints the table and the cheapest way to each error, and writes `csv` unless NULL. */
sal_err sal_work_precision_print(const sal_work_precision_study *what, const char *csv);

/* ---- calibrate request ---- */

enum { SAL_CALIBRATE_REPEATS = 5 };

/** The options as given; strings are borrowed. */
typedef struct {
  sal_cli_run_words run; /* strategy NULL: not given */
  const char *against, *state, *csv;
  double rms, least, most; /* NaN: not given */
  const char *spacing;     /* NULL: not given */
  int64_t points, starts;  /* 0: not given */
  int64_t seed;
  bool curve, force;
} sal_calibrate_request;

/** Everything but `against`, for both jobs of the command: the run, the mesh, the widths of the
 *  zone that are tried. */
sal_err sal_calibrate_request_study(const sal_calibrate_request *request,
                                    sal_work_precision_study *study);
