/** @file src/tableaus/coefficient.h
 *  The numbers of a tableau: decimals, fractions and roots, in 113 bits, so that what is made of them
 *  (differences of weights, an inverse) is rounded to a double once.
 */
#ifndef SAL_COEFFICIENT_H
#define SAL_COEFFICIENT_H

#include "document.h"
#include "err.h"
#include <float.h>

#if LDBL_MANT_DIG == 113 /* as on ARM */
#define SAL_EXACT long double
#else
#define SAL_EXACT __float128
#endif
__extension__ typedef SAL_EXACT sal_exact;

/** Most names / largest number. */
enum { SAL_COEFFICIENT_NAMES = 32 };
#define SAL_COEFFICIENT_MOST 1e6

/** Named numbers in expressions; names are borrowed. */
typedef struct {
  int n;
  const char *name[SAL_COEFFICIENT_NAMES];
  sal_exact value[SAL_COEFFICIENT_NAMES];
} sal_coefficient_names;

/** Reads the scalar `node`: numbers, names, + - * / ^ ( ) and sqrt.  `what` heads the messages ("row 3 of A"). */
SAL_MUST_CHECK sal_err sal_coefficient_read(const sal_document *document, int node,
                                            const char *what, const sal_coefficient_names *names,
                                            sal_exact *value);
/** The modulus. */
sal_exact sal_coefficient_size(sal_exact x);

#endif
