/** @file src/sweep/validate_orbit.h
 *  What a sweep file says of the long run of its cells, and of the orbit it starts from.
 */
#ifndef SAL_VALIDATE_ORBIT_H
#define SAL_VALIDATE_ORBIT_H

#include "err.h"
#include "validation.h"

/** Fills sweep->orbit; the fixed values of the cells are known. */
SAL_MUST_CHECK sal_err sal_validate_orbit(const sal_validation *context);

#endif
