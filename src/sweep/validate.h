/** @file src/sweep/validate.h
 *  From what a sweep file says to a sweep that can be run.
 */
#ifndef SAL_VALIDATE_H
#define SAL_VALIDATE_H

#include "document.h"
#include "raw.h"
#include "sweep.h"

/** Checks what one value alone does not tell, and fills the sweep but for its strings.  On failure the caller
 *  frees what has been filled. */
SAL_MUST_CHECK sal_err sal_validate(const sal_document *document, const sal_model *model,
                                    const sal_raw *raw, sal_sweep *sweep);

#endif
