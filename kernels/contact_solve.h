/** Contacts without friction as one problem: 0 <= z, W z + q >= 0, z (W z + q) = 0, for a symmetric positive
 *  semidefinite W.
 *
 *  z are impulses (or forces) and W z + q rates (or accelerations) of the gaps.  A primal-dual active set method
 *  (Hintermueller, Ito and Kunisch 2003) solves it with factors of the band; where a pivot shows that rows are redundant,
 *  Lemke's method does.  W z is unique then, z is not: the result is the solution of least norm, which depends neither
 *  on the order of the rows nor on where the iteration began.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/** Shares of max |q|: a rate below the first has no sign, a residual above the second is a miss. */
#define SAL_TOUCH_SIGN 1e-12
#define SAL_TOUCH_RESIDUAL 1e-10
/** A pivot below this share of its diagonal means that its row is redundant. */
#define SAL_TOUCH_PIVOT 1e-12

typedef struct {
  int m, band;     /* rows, at least 1; W[i][j] is 0 where |i - j| > band, which is at most m - 1 */
  const double *W; /* [m][band + 1] lower half: sal_contact_solve_row */
  const double *q; /* [m] */
} sal_contact_problem;

/** Row i of a lower half in bands: element j, i - band <= j <= i. */
static inline const double *sal_contact_solve_row(const sal_contact_problem *p, int i)
{
  return p->W + (size_t)(i + 1) * (size_t)p->band;
}

/** max |a|. */
double sal_contact_solve_largest(int n, const double a[]);

/** Doubles of work space. */
size_t sal_contact_solve_words(int m, int band);

/** active [m]: the set to begin with, all true at first; then the rows with W z + q = 0 that the method ended with.
 *  false: not solved, and z is not to be used. */
bool sal_contact_solve(const sal_contact_problem *problem, bool active[], double z[],
                       double work[]);
