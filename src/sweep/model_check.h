/** Validates the descriptor of a model, whose quantities have no name of the layout of cubes. */
#pragma once

#include "err.h"
#include "model.h"

enum { SAL_MODEL_CHECK_TEXT = 200 };

/** NULL when the descriptor conforms to model.h, else a sentence, in text, with the first place that does
 *  not.  No function of it is evaluated: derivatives and rates are for tests. */
const char *sal_model_check(const sal_model *model, char text[SAL_MODEL_CHECK_TEXT]);

/** Fails where the model begins beyond the surface of a contact that resets the state, which has no motion there.  where:
 *  heads the message. */
sal_err sal_model_check_start(const char *where, const sal_model *model, const double param[],
                              const double initial[]);

/* Names that a cube gives to its own datasets, groups and dimensions.  Parameters and options of a model stand beside
 * them in the root and in the groups `map` and `trajectories`, states in `trajectories` and as columns of single
 * trajectories, so none of them may have such a name.  src/io/README.md describes the datasets. */

/** Does the layout use this name where parameters and options of a model have theirs? */
bool sal_cube_names_parameter(const char *name);

/** The same for states. */
bool sal_cube_names_state(const char *name);
