/** @file src/driver/run_cells.h
 *  The cells of a run that are still to do, shared by all ranks and written to the journals.
 */
#ifndef SAL_RUN_CELLS_H
#define SAL_RUN_CELLS_H

#include "journal_state.h"
#include "run_report.h"
#include "run_status.h"
#include "tiles.h"

typedef struct {
  MPI_Comm comm;
  const sal_sweep *sweep;
  sal_journal *journal;
  sal_job_part part;
  double sync; /* [s] a finished tile may wait for the disk */
  sal_run_status *status;
} sal_run_cells_task;

/** Collective.  Runs the cells of the part that are in no journal, and adds to *use what this rank
 *  did.  SAL_ERR_STOPPED after a signal; whatever happens, what was finished is in the journals,
 *  and the journal knows of it unless there was another failure. */
SAL_MUST_CHECK sal_err sal_run_cells(const sal_run_cells_task *task, sal_run_use *use);

/** Cells of the part that journals have. */
SAL_MUST_CHECK sal_err sal_run_cells_found(const sal_journal *journal, sal_job_part part,
                                           int64_t *cells);

#endif
