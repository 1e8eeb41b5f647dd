/** @file src/sweep/validate.h
 *  From what a sweep file says to a sweep that can be run.
 */
#ifndef SAL_VALIDATE_H
#define SAL_VALIDATE_H

#include "document.h"
#include "raw.h"
#include "sweep.h"

/** Writes out the words for many methods in `solvers`; *changed where there are any. */
SAL_MUST_CHECK sal_err sal_validate_settle_methods(sal_document *document, bool *changed);

/** Reads `libraries` and `solvers`; without the latter nothing.  Where the sweep is read for its results
 *  alone (sweep->results), methods of libraries that are not in this build, or that options select,
 *  are known by name. */
SAL_MUST_CHECK sal_err sal_validate_methods(const sal_document *document, sal_sweep *sweep);

/** Checks what one value alone does not tell, and fills the sweep but for its strings.  On failure the caller
 *  frees what has been filled. */
SAL_MUST_CHECK sal_err sal_validate(const sal_document *document, const sal_model *model,
                                    const sal_raw *raw, sal_sweep *sweep);

#endif
