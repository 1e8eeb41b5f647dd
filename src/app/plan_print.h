/** @file src/app/plan_print.h
 *  What a sweep would be.
 */
#ifndef SAL_PLAN_PRINT_H
#define SAL_PLAN_PRINT_H

#include "bill.h"
#include "cli_machine.h"
#include "estimate.h"
#include "packed_size.h"
#include "report.h"
#include "reuse.h"
#include "sweep.h"

/** Predicted size and time of the sweep. */
typedef struct {
  int ranks, threads;     /* of the run; threads of each rank */
  double compute, spread; /* [s], NaN: not predicted; how far it may be off, as a share */
  sal_estimate estimate;
  sal_packed_size packed; /* of the sample */
  sal_bill_sweep sizes;
  sal_bill bill;
  const char *from; /* a cube or journals that has some of it already, or NULL */
  sal_reuse_count there;
} sal_plan;

/** All of it. */
void sal_plan_print(sal_report *report, const sal_sweep *sweep, const sal_cli_machine *machine,
                    const sal_plan *plan);

/** The runs of the sample that take far longer than others: a line each, nothing where there are none;
 *  "outlier runs": a list. */
void sal_plan_outliers_print(sal_report *report, const sal_sweep *sweep,
                             const sal_outlier_runs *outliers);

#endif
