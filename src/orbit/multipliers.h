/** @file src/orbit/multipliers.h
 *  Floquet multipliers: eigenvalues of the derivative of a return map on the space that orbits can
 *  move in, by LAPACK.
 *
 *  That space is found by projection.  Directions that are multipliers of 1 or 0 by construction, such
 *  as the flow's own, those off the section, off a constraint or along a symmetry, are left out by
 *  where they point, never by the size of their multiplier: a multiplier of an orbit may have any.
 */
#ifndef SAL_MULTIPLIERS_H
#define SAL_MULTIPLIERS_H

#include "model.h"
#include <stdbool.h>

/** n eigenvalues by falling modulus; of a pair the one with im > 0 first. */
typedef struct {
  int n;
  double re[SAL_MAX_STATE], im[SAL_MAX_STATE];
} sal_multipliers;

/** Orthonormal columns basis [n][*m], row major, of the vectors that are normal to each row of normal
 *  [n_normal][n].  Rows that depend on each other count once; n, n_normal <= SAL_MAX_STATE.  False
 *  when a row is not finite. */
bool sal_multipliers_basis(int n, int n_normal, const double normal[], int *m, double basis[]);

/** Eigenvalues of M [n][n] on the space spanned by basis [n][m]: of basis^T M basis.  basis NULL: on
 *  all of it.  False, and n = 0, when M is not finite. */
bool sal_multipliers_find(int n, const double M[], int m, const double basis[],
                          sal_multipliers *out);

/** Largest modulus; 0 when there is none. */
double sal_multipliers_radius(const sal_multipliers *multipliers);

#endif
