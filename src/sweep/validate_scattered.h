/** @file src/sweep/validate_scattered.h
 *  Scattered cells as a sweep file has them.
 */
#ifndef SAL_VALIDATE_SCATTERED_H
#define SAL_VALIDATE_SCATTERED_H

#include "validation.h"

/** Adds the cells of cells.scattered after those of the axes, which are there already.  Sets
 *  n_cell. */
SAL_MUST_CHECK sal_err sal_validate_scattered(const sal_validation *context);

#endif
