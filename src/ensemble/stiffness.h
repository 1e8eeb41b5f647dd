/** @file src/ensemble/stiffness.h
 *  How stiff a cell is: eigenvalues of the Jacobian at rest and along a trajectory.
 *  Dallas, Machairas, Papadopoulos, eqs (28), (29), (31).
 */
#ifndef SAL_STIFFNESS_H
#define SAL_STIFFNESS_H

#include "model.h"
#include <stdint.h>

typedef struct {
  double ratio;  /* (28): max |Re lambda| / min |Re lambda|; NaN without a point of rest */
  double radius; /* max |lambda| [1/time] */
} sal_stiffness;

/** At the point of rest with all contacts closed.  NaN where the model has none. */
sal_stiffness sal_stiffness_at_rest(const sal_model *model, const double param[], sal_rest which);

/** Largest |lambda| over every `stride`-th of the n states [n][n_state], each in its own mode. */
double sal_stiffness_along(const sal_model *model, const double param[], int64_t n, int64_t stride,
                           const double state[]);

#endif
