/** @file src/sweep/validate_stored.h
 *  Trajectories that are to be kept, as a sweep file has them.
 */
#ifndef SAL_VALIDATE_STORED_H
#define SAL_VALIDATE_STORED_H

#include "validation.h"

/** To be called last: it takes cells, contenders and mesh from the sweep. */
SAL_MUST_CHECK sal_err sal_validate_stored(const sal_validation *context);

#endif
