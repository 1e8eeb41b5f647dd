/** @file src/plan/settle.h
 *  From what a sweep file says to a sweep that can be run.
 */
#ifndef SAL_SETTLE_H
#define SAL_SETTLE_H

#include "schema.h"

/** What every step of the work sees. */
typedef struct {
  const sal_document *document;
  const sal_model    *model;
  const sal_raw      *raw;
  sal_sweep          *sweep;
} sal_desk;

/** The part that makes the cells: what no axis varies, the axes, and their checks. */
SAL_MUST_CHECK sal_err sal_settle_cells(const sal_desk *desk);

/** The trajectories to be kept; to be called last. */
SAL_MUST_CHECK sal_err sal_settle_stored(const sal_desk *desk);
/** The cells behind those of the axes, which are settled: cells.scattered.  Sets n_cell. */
SAL_MUST_CHECK sal_err sal_settle_scattered(const sal_desk *desk);

/** Checks what libcyaml could not, and fills the sweep but for its strings.  On failure the caller
 *  frees what has been filled. */
SAL_MUST_CHECK sal_err sal_settle(const sal_document *document, const sal_model *model,
                                  const sal_raw *raw, sal_sweep *sweep);

#endif
