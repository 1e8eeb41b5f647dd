/** @file src/app/calibrate_request.h
 *  What `saltus calibrate-eps` is asked, checked and completed.
 */
#ifndef SAL_CALIBRATE_REQUEST_H
#define SAL_CALIBRATE_REQUEST_H

#include "work_precision_print.h"

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
SAL_MUST_CHECK sal_err sal_calibrate_request_study(const sal_calibrate_request *request,
                                                   sal_work_precision_study *study);

#endif
