/** @file src/study/model_left.h
 *  States after an event: their energy, and discrete states that are not allowed.
 */
#ifndef SAL_MODEL_LEFT_H
#define SAL_MODEL_LEFT_H

#include "model.h"

/** Energy of a state in the mode of its gaps: mechanical, or the invariant; NaN where the model has none. */
double sal_model_left_energy(const sal_model *model, const double param[], double t,
                             const double y[]);
/** The first discrete state [n_continuous .. n_state) of y that is not whole, or outside what is allowed; -1: none. */
int sal_model_left_forbidden(const sal_model *model, const double y[]);

#endif
