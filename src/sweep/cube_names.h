/** @file src/sweep/cube_names.h
 *  Names that a cube gives to its own datasets, groups and dimensions.  Parameters and options of a model stand beside
 *  them in the root and in the groups `map` and `trajectories`, states in `trajectories` and as columns of single
 *  trajectories, so none of them may have such a name.  src/io/README.md describes the datasets.
 */
#ifndef SAL_CUBE_NAMES_H
#define SAL_CUBE_NAMES_H

#include <stdbool.h>

/** Does the layout use this name where parameters and options of a model have theirs? */
bool sal_cube_names_parameter(const char *name);

/** The same for states. */
bool sal_cube_names_state(const char *name);

#endif
