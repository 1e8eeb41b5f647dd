/** @file src/driver/run_sweep.h
 *  A run of a sweep, from its journals to its cube: what commands that run sweeps share.
 */
#ifndef SAL_RUN_SWEEP_H
#define SAL_RUN_SWEEP_H

#include "job_part.h"
#include "journal.h"

/** What a run is told; strings are borrowed. */
typedef struct {
  const char  *out, *status; /* the cube; a file of JSON lines, or NULL */
  const char  *command;      /* the command line, for the cube */
  sal_job_part part;
  double       every, sync; /* [s] */
  bool         force, quiet;
  bool report, map; /* what is to follow when the cube is there: a table of the ranks, the map */
  /* NULL, or collective: puts cells that are known already into the open journals. */
  sal_err (*seed)(void *with, sal_journal *journal);
  void *with;
} sal_run_options;

/** Collective.  Runs what the journals beside the output lack, then writes the cube (or, of a part,
 *  leaves the journals).  SAL_ERR_STOPPED after a signal: the same again goes on.  began:
 *  sal_clock_wall when the command did. */
SAL_MUST_CHECK sal_err sal_run_sweep(MPI_Comm comm, double began, const sal_run_options *options,
                                     const sal_sweep *sweep);

#endif
