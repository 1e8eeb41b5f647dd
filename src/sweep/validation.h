/** @file src/sweep/validation.h
 *  What every step from a sweep file to a sweep sees, and the steps that have files of their own: each
 *  takes what those above it have filled.
 */
#ifndef SAL_VALIDATION_H
#define SAL_VALIDATION_H

#include "document.h"
#include "raw.h"
#include "sweep.h"

typedef struct {
  const sal_document *document;
  const sal_model *model;
  const sal_raw *raw;
  sal_sweep *sweep; /* filled step by step */
} sal_validation;

/** Fills sweep->cap and sweep->budget; methods and left-out pairs are there already. */
SAL_MUST_CHECK sal_err sal_validate_cap(const sal_validation *context);
/** Fills axes and cells, and checks all cells.  Scattered cells are among them. */
SAL_MUST_CHECK sal_err sal_validate_cells(const sal_validation *context);
/** Adds the cells of cells.scattered after those of the axes, which are there already.  Sets
 *  n_cell. */
SAL_MUST_CHECK sal_err sal_validate_scattered(const sal_validation *context);
/** Fills sweep->orbit; the fixed values of the cells are known. */
SAL_MUST_CHECK sal_err sal_validate_orbit(const sal_validation *context);
/** To be called last: it takes cells, contenders and mesh from the sweep. */
SAL_MUST_CHECK sal_err sal_validate_stored(const sal_validation *context);

#endif
