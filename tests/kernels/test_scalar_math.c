/** The elementary functions of plain numbers against libm's long double ones. */
#include "sal_test.h"
#include "scalar_math.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { N = 20000 };

/* A reproducible number in [0, 1). */
static double chance(void)
{
  static uint64_t state = 1;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-53;
}

/* Spread in the logarithm over [2^lo, 2^hi], of either sign. */
static double spread(double lo, double hi, bool both)
{
  const double x = exp2(lo + (hi - lo) * chance());

  return both && chance() < 0.5 ? -x : x;
}

static double ulps(double found, long double right)
{
  const double size = (double)fabsl(right);

  return (double)(fabsl((long double)found - right) /
                  ((long double)nextafter(size, INFINITY) - (long double)size));
}

typedef struct {
  const char *name;
  double (*ours)(double);
  long double (*right)(long double);
  double lo, hi; /* powers of 2 */
  bool both;
  double allowed; /* [ulp] */
} one_argument;

/* Each is at least a quarter of what is allowed off somewhere, so that the figures are of the function. */
static void each_is_right_to_its_ulps(void)
{
  static const one_argument of[] = {{"exp", sal_scalar_exp, expl, -30, 9.4, true, 1},
                                    {"exp2", sal_scalar_exp2, exp2l, -30, 9.9, true, 0.6},
                                    {"expm1", sal_scalar_expm1, expm1l, -60, 9, true, 1},
                                    {"log", sal_scalar_log, logl, -1022, 1023, false, 1},
                                    {"log2", sal_scalar_log2, log2l, -1022, 1023, false, 0.6},
                                    {"log10", sal_scalar_log10, log10l, -2, 2, false, 0.6},
                                    {"log1p", sal_scalar_log1p, log1pl, -60, 40, false, 3},
                                    {"log1p", sal_scalar_log1p, log1pl, -60, -0.01, true, 3},
                                    {"sin", sal_scalar_sin, sinl, -40, 16.6, true, 1.6},
                                    {"cos", sal_scalar_cos, cosl, -40, 16.6, true, 1.6},
                                    {"sin", sal_scalar_sin, sinl, 16.7, 1023, true, 3},
                                    {"cos", sal_scalar_cos, cosl, 16.7, 1023, true, 3}};

  for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
    const one_argument *f = &of[k];
    double worst = 0;
    for (int i = 0; i < N; ++i) {
      const double x = spread(f->lo, f->hi, f->both);
      worst = fmax(worst, ulps(f->ours(x), f->right(x)));
    }
    printf("(%s %.2f ulp) ", f->name, worst);
    CU_ASSERT(worst <= f->allowed && worst > f->allowed / 4);
  }
}

static void those_of_two_numbers_are_right_to_their_ulps(void)
{
  double power = 0, length = 0;

  for (int i = 0; i < N; ++i) {
    const double x = spread(-20, 20, false), y = 60 * chance() - 30;
    power = fmax(power, ulps(sal_scalar_pow(x, y), powl(x, y)));
    const double a = spread(-1000, 1000, true), b = a * spread(-30, 5, true);
    length = fmax(length, ulps(sal_scalar_hypot(a, b), hypotl(a, b)));
  }
  printf("(pow %.3f ulp, hypot %.3f ulp) ", power, length);
  CU_ASSERT(power < 0.6 && power > 0.4 && length < 0.6 && length > 0.4);
}

static void powers_that_are_doubles_are_exact(void)
{
  for (int k = -1000; k <= 1000; ++k) {
    CU_ASSERT(sal_scalar_exp2(k) == ldexp(1, k) && sal_scalar_log2(ldexp(1, k)) == k);
    CU_ASSERT(sal_scalar_pow(4, 0.5 * k) == ldexp(1, k));
  }
  for (int k = 0; k <= 22; ++k) {
    double right = 1;
    for (int i = 0; i < k; ++i) right *= 10;
    CU_ASSERT(sal_scalar_pow(10, k) == right && sal_scalar_log10(right) == k);
  }
}

/* The double that is nearest to a multiple of pi / 2: all but 61 bits of the angle are whole quarters. */
static void the_ends_are_those_of_the_c_library(void)
{
  const double near_quarter = 0x1.6ac5b262ca1ffp+849;
  double s, c;

  sal_scalar_sincos(near_quarter, &s, &c);
  CU_ASSERT(s == 1 && ulps(c, cosl(near_quarter)) < 3 && fabs(c) < 1e-18 && c != 0);
  CU_ASSERT(isnan(sal_scalar_sin(INFINITY)) && isnan(sal_scalar_cos(NAN)));
  CU_ASSERT(sal_scalar_exp(-INFINITY) == 0 && sal_scalar_exp(710) == INFINITY);
  CU_ASSERT(sal_scalar_log(0) == -INFINITY && isnan(sal_scalar_log10(-1)));
  CU_ASSERT(sal_scalar_log1p(-1) == -INFINITY && sal_scalar_log1p(INFINITY) == INFINITY);
  CU_ASSERT(sal_scalar_expm1(-800) == -1 && sal_scalar_expm1(800) == INFINITY);
  CU_ASSERT(sal_scalar_pow(-2, 3) == -8 && isnan(sal_scalar_pow(-2, 0.5)));
  CU_ASSERT(sal_scalar_pow(0, -1) == INFINITY && sal_scalar_pow(NAN, 0) == 1);
  CU_ASSERT(sal_scalar_pow(1e200, 2) == INFINITY && sal_scalar_pow(1e-200, 2) == 0);
  CU_ASSERT(sal_scalar_hypot(3, 4) == 5 && sal_scalar_hypot(INFINITY, NAN) == INFINITY);
  CU_ASSERT(sal_scalar_hypot(1e308, 1e308) < INFINITY && sal_scalar_hypot(5e-324, 0) == 5e-324);
}

SAL_TEST_MAIN("elementary functions of plain numbers", NULL,
              {"each is right to its ulps", each_is_right_to_its_ulps},
              {"those of two numbers are right to their ulps",
               those_of_two_numbers_are_right_to_their_ulps},
              {"powers that are doubles are exact", powers_that_are_doubles_are_exact},
              {"the ends are those of the C library", the_ends_are_those_of_the_c_library})
