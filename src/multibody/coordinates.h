/** @file src/multibody/coordinates.h
 *  The coordinates of all bodies, of which the states are the independent ones.
 */
#ifndef SAL_COORDINATES_H
#define SAL_COORDINATES_H

#include "err.h"
#include "model.h"
#include "system.h"

/** Names of coordinates in the order of the system; sal_coordinates_free frees. */
typedef struct {
  sal_field *field;             /* [n_q] */
  char (*label)[2 * SAL_LABEL]; /* [n_q] the names in it */
} sal_coordinates;

SAL_MUST_CHECK sal_err sal_coordinates_describe(const sal_system *system, sal_coordinates *out);
void sal_coordinates_free(sal_coordinates *coordinates);

/** sal_model.coordinates, whose inner is the functions' (state_space.h). */
bool sal_coordinates_at(const void *functions, const double param[], const double y[],
                        double memory[], double q[]);

#endif
