/** Polynomials on [0, 1] by their Bernstein coefficients b [degree + 1] (lane half).
 *
 *  The polynomial lies between the least and the greatest coefficient, b[0] and b[degree] are its values
 *  at 0 and 1, and it has as many zeros in (0, 1) as b has changes of sign, or fewer by an even number.
 *  Lane, Riesenfeld, BIT 21 (1981) 112-117; Farouki, Comput. Aided Geom. Des. 29 (2012) 379-419.
 */
#pragma once

#include "lane.h"

/** Replaces coefficients a [degree + 1] of the powers of theta - origin by those of theta. */
void SAL_FN(sal_bernstein_shift)(int degree, double origin, sal_v a[]);

/** Replaces coefficients a [degree + 1] of the powers of theta by Bernstein ones. */
void SAL_FN(sal_bernstein_from_powers)(int degree, sal_v a[]);

/** Cuts b at u (de Casteljau): b [degree + 1] becomes the part over [u, 1], `left` the one over [0, u]. */
void SAL_FN(sal_bernstein_cut)(int degree, sal_v u, sal_v b[], sal_v left[]);

/** Replaces b by its part over [u, v], 0 <= u <= v <= 1, which may be a single point. */
void SAL_FN(sal_bernstein_restrict)(int degree, sal_v u, sal_v v, sal_v b[]);

/** The least and the greatest coefficient; both NaN where one of them is. */
void SAL_FN(sal_bernstein_bounds)(int degree, const sal_v b[], sal_v *least, sal_v *most);

/** Where a polynomial first comes down to a level. */
typedef struct {
  sal_m found;     /* it does, between lo and hi */
  sal_m again;     /* it comes back above it after that */
  sal_m undecided; /* it comes so close that rounding or the depth of the search leaves it open */
  sal_v lo, at_lo; /* the last known place before it where it is above 0, and its value */
  sal_v hi, at_hi; /* a place at which it is below the level */
} sal_bernstein_first;

/** Looks in `lanes` for the first place where b, not below -noise at 0, is lower than -noise.  Parts are
 *  halved, the left one first, until b has one change of sign in a part that ends below, or the part is
 *  shorter than `least`.  Nothing is found where a coefficient is not a number. */
sal_bernstein_first SAL_FN(sal_bernstein_find)(int degree, const sal_v b[], sal_v noise,
                                               sal_v least, sal_m lanes);

#define sal_bernstein_shift SAL_FN(sal_bernstein_shift)
#define sal_bernstein_from_powers SAL_FN(sal_bernstein_from_powers)
#define sal_bernstein_cut SAL_FN(sal_bernstein_cut)
#define sal_bernstein_restrict SAL_FN(sal_bernstein_restrict)
#define sal_bernstein_bounds SAL_FN(sal_bernstein_bounds)
#define sal_bernstein_find SAL_FN(sal_bernstein_find)
