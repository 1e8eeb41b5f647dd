/** Shapes of a few and of many residuals. */
#include "between_levels.h"
#include "sal_test.h"
#include <math.h>

enum { MANY = 200000 };

static void few_are_all_kept(void)
{
  double residual[] = {2, -1, 0.5, -1};
  sal_error_shape s;

  sal_error_shape_make(4, residual, &s);
  CU_ASSERT_EQUAL(s.n, 4);
  CU_ASSERT_EQUAL(sal_error_shape_below(&s, -1.001), 0);
  CU_ASSERT_EQUAL(sal_error_shape_below(&s, -1), 0.5);
  CU_ASSERT_DOUBLE_EQUAL(sal_error_shape_below(&s, -0.25), 0.625, 1e-15); /* halfway */
  CU_ASSERT_EQUAL(sal_error_shape_below(&s, 0.5), 0.75);
  CU_ASSERT_EQUAL(sal_error_shape_below(&s, 2), 0.75); /* four residuals cannot say more */
  CU_ASSERT_EQUAL(sal_error_shape_below(&s, 1e9), 0.75);
}

static void of_none_nothing_is_known(void)
{
  sal_error_shape s;

  sal_error_shape_make(0, NULL, &s);
  CU_ASSERT_EQUAL(s.n, 0);
  CU_ASSERT_EQUAL(sal_error_shape_below(&s, 5), 0);
}

/* x = q^3 of even shares q of -1 .. 1, in an order that is not theirs. */
static void many_are_followed(void)
{
  static double residual[MANY];
  sal_error_shape s;
  double worst = 0;

  for (int i = 0; i < MANY; ++i) {
    const double q = 2 * ((double)((i * 77LL) % MANY) + 0.5) / MANY - 1;
    residual[i] = q * q * q;
  }
  sal_error_shape_make(MANY, residual, &s);
  CU_ASSERT_EQUAL(s.n, SAL_BETWEEN_SHAPE_KNOTS - 2); /* the ends are of both kinds */
  for (int i = 1; i < s.n; ++i) CU_ASSERT(s.at[i] >= s.at[i - 1] && s.below[i] >= s.below[i - 1]);
  for (double q = -0.9999; q < 1; q += 0.001)
    worst = fmax(worst, fabs(sal_error_shape_below(&s, q * q * q) - (q + 1) / 2));
  CU_ASSERT(worst < 0.002 && worst > 1e-6);
  for (int i = 1; i < 30; ++i) { /* in the tails each residual counts */
    CU_ASSERT_DOUBLE_EQUAL(MANY * sal_error_shape_below(&s, residual[i]), i + 1, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(MANY * (1 - sal_error_shape_below(&s, residual[MANY - 1 - i])), i, 1e-6);
  }
  CU_ASSERT_DOUBLE_EQUAL(sal_error_shape_below(&s, 9), 1 - 1.0 / MANY, 1e-15);
}

/* Crowded in the middle and far out at the ends: what is found by bins is what a count finds. */
static void knots_are_found_wherever_they_are(void)
{
  static double residual[MANY];
  sal_error_shape s;

  for (int i = 0; i < MANY; ++i) {
    const double q = 2 * ((double)((i * 77LL) % MANY) + 0.5) / MANY - 1;
    residual[i] = 0.3 * q / (1.003 - fabs(q));
  }
  sal_error_shape_make(MANY, residual, &s);
  CU_ASSERT(s.at[0] < -50 && s.at[s.n - 1] > 50);
  for (double z = -120; z < 120; z += fabs(z) < 1 ? 0.0007 : 0.037) {
    int n = 0;
    while (n < s.n && s.at[n] <= z) ++n;
    const double below = sal_error_shape_below(&s, z);
    CU_ASSERT(n == 0 ? below == 0 : below >= s.below[n - 1]);
    CU_ASSERT(n == s.n ? below == s.below[n - 1] : below <= s.below[n]);
  }
  for (int i = 0; i < s.n; ++i) CU_ASSERT(sal_error_shape_below(&s, s.at[i]) >= s.below[i]);
  CU_ASSERT_EQUAL(sal_error_shape_below(&s, NAN), 0);
}

SAL_TEST_MAIN("shapes of errors", NULL, {"few are all kept", few_are_all_kept},
              {"of none nothing is known", of_none_nothing_is_known},
              {"many are followed", many_are_followed},
              {"knots are found wherever they are", knots_are_found_wherever_they_are})
