/** Points of Sobol's sequence against those of the GNU Scientific Library. */
#include "sal_test.h"
#include "sobol.h"
#include <gsl/gsl_qrng.h>
#include <math.h>

/* All columns of the first points, and those of 6 columns far on. */
static void points_are_those_of_gsl(void)
{
  enum { ALL = 4096, MANY = 1 << 18, FEW = 6 };
  gsl_qrng *all = gsl_qrng_alloc(gsl_qrng_sobol, SAL_SOBOL_COLUMNS);
  double u[SAL_SOBOL_COLUMNS];
  int64_t different = 0;

  CU_ASSERT_EQUAL(gsl_qrng_sobol->max_dimension, SAL_SOBOL_COLUMNS);
  for (int64_t i = 0; i < MANY; ++i) {
    gsl_qrng_get(all, u);
    for (int c = 0; c < (i < ALL ? SAL_SOBOL_COLUMNS : FEW); ++c)
      different += ldexp(sal_sobol_coordinate(c, sal_sobol_gray(i)), -SAL_SOBOL_BITS) != u[c];
  }
  CU_ASSERT_EQUAL(different, 0);
  gsl_qrng_free(all);
}

/* Direction number j of a polynomial beyond those given is first used at point 2^j. */
static void recurrences_hold_in_all_columns(void)
{
  enum { LAST = 13 };
  gsl_qrng *all = gsl_qrng_alloc(gsl_qrng_sobol, SAL_SOBOL_COLUMNS);
  double u[SAL_SOBOL_COLUMNS];

  for (int64_t i = 0; i < 1 << LAST; ++i) gsl_qrng_get(all, u);
  for (int c = 0; c < SAL_SOBOL_COLUMNS; ++c)
    CU_ASSERT_EQUAL(
        ldexp(sal_sobol_coordinate(c, sal_sobol_gray((1 << LAST) - 1)), -SAL_SOBOL_BITS), u[c]);
  gsl_qrng_free(all);
}

static void a_point_is_found_by_its_gray_code(void)
{
  for (int64_t i = 0; i < 5000; ++i) CU_ASSERT_EQUAL(sal_sobol_point(sal_sobol_gray(i)), i);
  const int64_t last = (1 << SAL_SOBOL_BITS) - 2;
  CU_ASSERT_EQUAL(sal_sobol_point(sal_sobol_gray(last)), last);
  CU_ASSERT(sal_sobol_gray(last) < 1U << SAL_SOBOL_BITS);
  CU_ASSERT_EQUAL(sal_sobol_point(0), -1);
}

SAL_TEST_MAIN("Sobol's sequence", NULL, {"points are those of GSL", points_are_those_of_gsl},
              {"recurrences hold in all columns", recurrences_hold_in_all_columns},
              {"a point is found by its Gray code", a_point_is_found_by_its_gray_code})
