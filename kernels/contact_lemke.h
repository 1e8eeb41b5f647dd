/** Lemke's method for small dense contact problems, and the solution of least norm among all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/** Doubles of work space. */
size_t sal_contact_lemke_words(int n);

/** 0 <= z _|_ M z + q >= 0 for any copositive M [n][n], lexicographic (Cottle, Pang and Stone 1992, section 4.9).
 *  false: the method ends on a ray, as it does where a solution does not exist. */
bool sal_contact_lemke(int n, const double M[], const double q[], double z[], double work[]);

/** Where a contact's impulse may lie. */
typedef enum {
  SAL_CONE_NONE,      /* there is none */
  SAL_CONE_HALF_LINE, /* normal >= 0, nothing along */
  SAL_CONE_WEDGE,     /* |along| <= mu normal */
  SAL_CONE_RAY,       /* along = -mu sense normal */
} sal_contact_cone_kind;

typedef struct {
  sal_contact_cone_kind kind;
  int normal, along; /* rows; along < 0: the contact has no such row */
  double mu, sense;
} sal_contact_cone;

size_t sal_contact_least_norm_words(int n);

/** r [n], of least norm among those in the cones [m] for which W r is `wanted` in the rows that some cone may use,
 *  for a symmetric positive semidefinite W [n][n].  r holds one of them at first.  Where the rows are independent it
 *  stays the only one, but for its rounding. */
void sal_contact_least_norm(int n, const double W[], int m, const sal_contact_cone cone[],
                            const double wanted[], double r[], double work[]);
