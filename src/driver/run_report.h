/** @file src/driver/run_report.h
 *  What became of the time of a run, rank by rank.
 */
#ifndef SAL_RUN_REPORT_H
#define SAL_RUN_REPORT_H

#include "err.h"
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

/** One rank's part.  Wall clock but for cpu. */
typedef struct {
  double  busy;              /* in tiles [s] */
  double  cpu;               /* of its threads, in tiles [s] */
  double  waited, io;        /* for tiles and for the others, and in the cube [s] */
  int64_t tiles, cells;      /* it has run */
  int64_t live_turns, turns; /* of lanes */
  int64_t nodes, messages;   /* in all; sent to other nodes */
} sal_run_part;

/** Largest over mean, minus 1: the share of the time that the slowest rank adds.  0 when all are 0.
 */
double sal_run_report_imbalance(int n, const double value[]);

/** Collective.  Rank 0 prints a table to `out`: a line for each of the first ranks, the sums, the
 *  imbalance.  Other ranks may give NULL. */
SAL_MUST_CHECK sal_err sal_run_report(MPI_Comm comm, const sal_run_part *mine, FILE *out);

#endif
