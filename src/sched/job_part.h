/** @file src/sched/job_part.h
 *  A sweep divided into parts that run by themselves, as in a job array.
 *
 *  Cells are dealt in blocks by turns, so that each part has some of every region.  Which cell
 *  belongs to which part depends on the numbers of cells and parts only.
 */
#ifndef SAL_JOB_PART_H
#define SAL_JOB_PART_H

#include "err.h"
#include "tile.h"

/** Part `index`, 1 .. of; {1, 1} is everything. */
typedef struct {
  int index, of;
} sal_job_part;

/** Cells of a part of n_cell. */
int64_t sal_job_part_cells(sal_job_part part, int64_t n_cell);

/** What a part has of n_run runs of cells, ascending and apart: *out [*n_out], which the caller
 *  frees with sal_free. */
SAL_MUST_CHECK sal_err sal_job_part_cut(sal_job_part part, int64_t n_cell, int64_t n_run,
                                        const sal_tile run[], sal_tile **out, int64_t *n_out);

#endif
