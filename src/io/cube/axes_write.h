/** @file src/io/cube/axes_write.h
 *  The axes of a sweep in its cube (cube.h has the layout).
 */
#ifndef SAL_AXES_WRITE_H
#define SAL_AXES_WRITE_H

#include "h5.h"
#include "sweep.h"

/** Writes attributes and datasets of all axes. */
SAL_MUST_CHECK sal_err sal_axes_write(const sal_h5 *file, const sal_sweep *sweep);

#endif
