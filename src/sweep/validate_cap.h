/** @file src/sweep/validate_cap.h
 *  The keys under `cap` and `budget`.
 */
#ifndef SAL_VALIDATE_CAP_H
#define SAL_VALIDATE_CAP_H

#include "validation.h"

/** Fills sweep->cap and sweep->budget; methods and left-out pairs are there already. */
SAL_MUST_CHECK sal_err sal_validate_cap(const sal_validation *context);

#endif
