/** The unit of a quantity, as powers of metre, kilogram, second, ampere, kelvin and mole, and a factor.
 */
#pragma once

#include <stdbool.h>

enum { SAL_SI_UNIT_BASES = 6, SAL_SI_UNIT_TEXT = 64 };

typedef enum {
  SAL_SI_UNIT_UNKNOWN, /* not stated: fits any */
  SAL_SI_UNIT_ANY,     /* of 0: fits any */
  SAL_SI_UNIT_KNOWN
} sal_si_unit_kind;

/** `size`: how many of the product of powers one is; 1e-3 for mm, pi / 180 for deg, which has no powers. */
typedef struct {
  sal_si_unit_kind kind;
  double size, power[SAL_SI_UNIT_BASES];
} sal_si_unit;

/** "1" of a number, an angle in rad. */
extern const sal_si_unit sal_si_unit_one;

/** Reads "m/s^2", "N*m", "kg m2", "1/s", "N/(m/s)"; unknown where a word is none of the table. */
sal_si_unit sal_si_unit_read(const char *text);
/** a * b^sign, unknown where one is. */
sal_si_unit sal_si_unit_product(sal_si_unit a, sal_si_unit b, int sign);
sal_si_unit sal_si_unit_power(sal_si_unit a, double exponent);
/** Are they the same, as far as they are known? */
bool sal_si_unit_fits(sal_si_unit a, sal_si_unit b);
/** The base units of a known one: "kg m/s^2"; returns `text`. */
const char *sal_si_unit_print(sal_si_unit a, char text[SAL_SI_UNIT_TEXT]);
