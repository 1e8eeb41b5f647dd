/** @file src/sweep/validate_methods.h
 *  The methods of a sweep: those it brings, and those that take part.
 */
#ifndef SAL_VALIDATE_METHODS_H
#define SAL_VALIDATE_METHODS_H

#include "document.h"
#include "err.h"
#include "sweep.h"

/** Reads `libraries` and `solvers`; without the latter nothing.  Where the sweep is read for its results
 *  alone (sweep->results), methods of libraries that are not in this build, or that options select,
 *  are known by name. */
SAL_MUST_CHECK sal_err sal_validate_methods(const sal_document *document, sal_sweep *sweep);

/** Writes out the words for many methods in `solvers`; *changed where there are any. */
SAL_MUST_CHECK sal_err sal_validate_settle_methods(sal_document *document, bool *changed);

#endif
