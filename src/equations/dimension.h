/** @file src/equations/dimension.h
 *  What a quantity is measured in, as powers of metre, kilogram, second, ampere, kelvin and mole, and a factor.
 */
#ifndef SAL_DIMENSION_H
#define SAL_DIMENSION_H

#include <stdbool.h>
#include <stddef.h>

enum { SAL_DIMENSION_BASES = 6, SAL_DIMENSION_TEXT = 64 };

typedef enum {
  SAL_DIMENSION_UNKNOWN, /* not stated: fits any */
  SAL_DIMENSION_ANY,     /* of 0: fits any */
  SAL_DIMENSION_KNOWN
} sal_dimension_kind;

/** `size`: how many of the product of powers one is; 1e-3 for mm, pi / 180 for deg, which has no powers. */
typedef struct {
  sal_dimension_kind kind;
  double size, power[SAL_DIMENSION_BASES];
} sal_dimension;

/** "1" of a number, an angle in rad. */
extern const sal_dimension sal_dimension_one;

/** Reads "m/s^2", "N*m", "kg m2", "1/s", "N/(m/s)"; unknown where a word is none of the table. */
sal_dimension sal_dimension_read(const char *text);
/** a * b^sign, unknown where one is. */
sal_dimension sal_dimension_product(sal_dimension a, sal_dimension b, int sign);
sal_dimension sal_dimension_power(sal_dimension a, double exponent);
/** Are they the same, as far as they are known? */
bool sal_dimension_fits(sal_dimension a, sal_dimension b);
/** The base units of a known one: "kg m/s^2"; returns `text`. */
const char *sal_dimension_print(sal_dimension a, char text[SAL_DIMENSION_TEXT]);

#endif
