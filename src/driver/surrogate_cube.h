/** @file src/driver/surrogate_cube.h
 *  The surrogate of a cube: of its table where that is small, else of the rows that are needed.
 */
#ifndef SAL_SURROGATE_CUBE_H
#define SAL_SURROGATE_CUBE_H

#include "performance_cube.h"

/** Opens the surrogate of an open cube with what its map has estimated, if that is for the same error and work; *source,
 *  which it reads from, must live as long.  Fails when there are too few cells; the message names the command that shows their winners. */
SAL_MUST_CHECK sal_err sal_surrogate_cube_open(sal_performance_cube *cube,
                                               sal_performance_source *source,
                                               sal_surrogate **surrogate);

#endif
