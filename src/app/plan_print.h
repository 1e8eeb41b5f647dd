/** Runs of a sweep on several numbers of ranks, predicted: sizes, time, layout. */
#pragma once

#include "cell_times.h"
#include "cli_machine.h"
#include "estimate.h"
#include "report.h"
#include "reuse.h"
#include "sim.h"

enum { SAL_PLAN_MOST_RUNS = 32 };

/** Size and time of a run. */
typedef struct {
  int ranks, threads;     /* threads of each rank */
  double compute, spread; /* [s], NaN: not predicted; how far it may be off, as a share */
  double busy;            /* time of all ranks in which they compute [s] */
  sal_bill_sweep sizes;
  sal_bill bill;
  sal_sim sim; /* of a cube; all 0: of a sweep */
} sal_plan_run;

typedef struct {
  const sal_sweep *sweep;
  const sal_cli_machine *machine;
  const sal_cell_times *cube; /* NULL: of a sweep, by a sample */
  sal_estimate estimate;      /* of the sample; of 0 cells: there is none */
  sal_packed_size packed;     /* of the sample or of the cube */
  const char *from;           /* a cube or journals that has some of it already, or NULL */
  sal_reuse_count there;
  int n;
  sal_plan_run run[SAL_PLAN_MOST_RUNS];
} sal_plan;

/** Sizes of a run on n_rank ranks of `threads` threads; packed: the measured sizes of its records; map: it makes one,
 *  where the sweep has one. */
sal_bill_sweep sal_plan_sizes(const sal_sweep *sweep, const sal_packed_size *packed, int n_rank,
                              int threads, bool map);

/** All of it: one run with its phases, several as a table. */
void sal_plan_print(sal_report *report, const sal_plan *plan);

/** The runs of the sample that take far longer than others: a line each, nothing where there are none;
 *  "outliers": a list. */
void sal_plan_outliers_print(sal_report *report, const sal_sweep *sweep,
                             const sal_outlier_runs *outliers);

/** "node_bytes" and "node_memory"; where the first is more, a warning and "fitting": the layout that fits, or null. */
void sal_plan_layout_print(sal_report *report, const sal_plan *plan, const sal_plan_run *run);
/** Collective.  Refuses (SAL_ERR_INPUT) a run whose ranks take more than the memory of a node [B], 0: that of this machine; map: it
 *  makes one. */
sal_err sal_plan_layout_check(MPI_Comm comm, const sal_sweep *sweep, double memory, bool map);
