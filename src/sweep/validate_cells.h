/** @file src/sweep/validate_cells.h
 *  The cells of a sweep: what no axis varies, the axes, and their checks.
 */
#ifndef SAL_VALIDATE_CELLS_H
#define SAL_VALIDATE_CELLS_H

#include "validation.h"

/** Fills axes and cells, and checks all cells.  Scattered cells are among them. */
SAL_MUST_CHECK sal_err sal_validate_cells(const sal_validation *context);

#endif
