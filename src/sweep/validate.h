/** @file src/sweep/validate.h
 *  From the values of a sweep file to a sweep that can be run.
 */
#ifndef SAL_VALIDATE_H
#define SAL_VALIDATE_H

#include "document.h"
#include "sweep.h"

/** Writes out the words for many methods in `solvers`; *changed where there are any. */
SAL_MUST_CHECK sal_err sal_validate_settle_methods(sal_document *document, bool *changed);

/** Reads `libraries` and `solvers`; without the latter nothing.  Where the sweep is read for its results
 *  alone (sweep->results), methods of libraries that are not in this build, or that options select,
 *  are known by name. */
SAL_MUST_CHECK sal_err sal_validate_methods(const sal_document *document, sal_sweep *sweep);

/** Reads the document, whose model is known or NULL, into the sweep, by the table of keys (keys.def): kinds, words, lengths
 *  and ranges are checked.  On failure the caller frees what has been filled; that the model is missing or unknown is
 *  one. */
SAL_MUST_CHECK sal_err sal_keys_read(const sal_document *document, const sal_model *model,
                                     sal_sweep *sweep);
/** Fails because a mapping lacks the key of this dotted name. */
sal_err sal_key_missing(const sal_document *document, int mapping, const char *name);

/** Checks values against each other, and fills the rest of the sweep but for its strings.  On failure
 *  the caller frees what has been filled. */
SAL_MUST_CHECK sal_err sal_validate(const sal_document *document, const sal_model *model,
                                    sal_sweep *sweep);

/* Data that all steps from a sweep file to a sweep share, and the steps that have files of their own: each
 * uses the members that steps above it have filled. */

typedef struct {
  const sal_document *document;
  const sal_model *model;
  sal_sweep *sweep; /* filled step by step */
} sal_validation;

/** Fills the roles of sweep->cutoff, and sweep->budget; methods and left-out pairs are there already. */
SAL_MUST_CHECK sal_err sal_validate_cutoff(const sal_validation *context);
/** Fills axes and cells, and checks all cells.  Scattered cells are among them. */
SAL_MUST_CHECK sal_err sal_validate_cells(const sal_validation *context);
/** Adds the cells of cells.scattered after those of the axes, which are there already.  Sets
 *  n_cell. */
SAL_MUST_CHECK sal_err sal_validate_scattered(const sal_validation *context);
/** Checks sweep->pilots; the cells are there already. */
SAL_MUST_CHECK sal_err sal_validate_pilots(const sal_validation *context);
/** Fills the rest of sweep->orbit; the fixed values of the cells are known. */
SAL_MUST_CHECK sal_err sal_validate_orbit(const sal_validation *context);
/** To be called last: it takes cells, configurations and mesh from the sweep. */
SAL_MUST_CHECK sal_err sal_validate_stored(const sal_validation *context);

#endif
