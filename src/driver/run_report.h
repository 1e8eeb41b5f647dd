/** @file src/driver/run_report.h
 *  What became of the time of a run, rank by rank.
 */
#ifndef SAL_RUN_REPORT_H
#define SAL_RUN_REPORT_H

#include "err.h"
#include <mpi.h>
#include <stdint.h>

/** Of one rank.  Wall clock but for cpu; all members have 8 bytes. */
typedef struct {
  double busy;               /* in tiles [s] */
  double cpu;                /* of its threads, in tiles [s] */
  double waited, io;         /* for tiles and for the others, and in the cube [s] */
  int64_t tiles, cells;      /* it has run */
  int64_t live_turns, turns; /* of lanes */
  int64_t nodes, messages;   /* in all; sent to other nodes */
} sal_run_use;

/** Collective.  On rank 0 *use [number of ranks], freed with sal_free, or NULL when memory is
 *  short, which is no failure; on the others NULL. */
SAL_MUST_CHECK sal_err sal_run_report_gather(MPI_Comm comm, const sal_run_use *mine,
                                             sal_run_use **use);

#endif
