/** @file src/equations/equation_unit.h
 *  What a quantity is measured in, as powers of metre, kilogram, second, ampere, kelvin and mole, and a factor.
 */
#ifndef SAL_EQUATION_UNIT_H
#define SAL_EQUATION_UNIT_H

#include <stdbool.h>
#include <stddef.h>

enum { SAL_EQUATION_UNIT_BASES = 6, SAL_EQUATION_UNIT_TEXT = 64 };

typedef enum {
  SAL_EQUATION_UNIT_UNKNOWN, /* not stated: fits any */
  SAL_EQUATION_UNIT_ANY,     /* of 0: fits any */
  SAL_EQUATION_UNIT_KNOWN
} sal_equation_unit_kind;

/** `size`: how many of the product of powers one is; 1e-3 for mm, pi / 180 for deg, which has no powers. */
typedef struct {
  sal_equation_unit_kind kind;
  double size, power[SAL_EQUATION_UNIT_BASES];
} sal_equation_unit;

/** "1" of a number, an angle in rad. */
extern const sal_equation_unit sal_equation_unit_one;

/** Reads "m/s^2", "N*m", "kg m2", "1/s", "N/(m/s)"; unknown where a word is none of the table. */
sal_equation_unit sal_equation_unit_read(const char *text);
/** a * b^sign, unknown where one is. */
sal_equation_unit sal_equation_unit_product(sal_equation_unit a, sal_equation_unit b, int sign);
sal_equation_unit sal_equation_unit_power(sal_equation_unit a, double exponent);
/** Are they the same, as far as they are known? */
bool sal_equation_unit_fits(sal_equation_unit a, sal_equation_unit b);
/** The base units of a known one: "kg m/s^2"; returns `text`. */
const char *sal_equation_unit_print(sal_equation_unit a, char text[SAL_EQUATION_UNIT_TEXT]);

#endif
