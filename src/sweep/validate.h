/** @file src/sweep/validate.h
 *  From what a sweep file says to a sweep that can be run.
 */
#ifndef SAL_VALIDATE_H
#define SAL_VALIDATE_H

#include "schema.h"

/** What every step of the work sees. */
typedef struct {
  const sal_document *document;
  const sal_model    *model;
  const sal_raw      *raw;
  sal_sweep          *sweep;
} sal_validation;

/** The part that makes the cells: what no axis varies, the axes, and their checks. */
SAL_MUST_CHECK sal_err sal_validate_cells(const sal_validation *context);

/** The trajectories to be kept; to be called last. */
SAL_MUST_CHECK sal_err sal_validate_stored(const sal_validation *context);
/** The cells behind those of the axes, which are settled: cells.scattered.  Sets n_cell. */
SAL_MUST_CHECK sal_err sal_validate_scattered(const sal_validation *context);

/** Checks what libcyaml could not, and fills the sweep but for its strings.  On failure the caller
 *  frees what has been filled. */
SAL_MUST_CHECK sal_err sal_validate(const sal_document *document, const sal_model *model,
                                    const sal_raw *raw, sal_sweep *sweep);

#endif
