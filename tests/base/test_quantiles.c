/** @file tests/base/test_quantiles.c
 *  Quantiles of lists that can be worked out by hand.
 */
#include "quantiles.h"
#include "sal_test.h"
#include <math.h>

static void values_are_sorted(void)
{
  double value[] = {3, -1, INFINITY, 2, -INFINITY, 2};

  sal_quantiles_sort(6, value);
  for (int i = 1; i < 6; ++i) CU_ASSERT(value[i - 1] <= value[i]);
  CU_ASSERT(value[0] == -INFINITY && value[1] == -1 && value[3] == 2 && value[5] == INFINITY);
}

static void quantiles_are_linear_between_neighbours(void)
{
  const double ascending[] = {0, 10, 30};
  static const struct {
    double q, value;
  } expected[] = {{0, 0}, {0.25, 5}, {0.5, 10}, {0.75, 20}, {1, 30}};

  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i)
    CU_ASSERT_DOUBLE_EQUAL(sal_quantiles_at(3, ascending, expected[i].q), expected[i].value, 1e-14);
}

static void a_summary_has_median_p90_largest_and_mean(void)
{
  double four[] = {4, 1, 3, 2}, open[] = {1, INFINITY, INFINITY}, one[] = {7};
  const sal_quantiles s = sal_quantiles_of(4, four), o = sal_quantiles_of(3, open),
                      single = sal_quantiles_of(1, one), none = sal_quantiles_of(0, NULL);

  CU_ASSERT_DOUBLE_EQUAL(s.median, 2.5, 1e-15);
  CU_ASSERT_DOUBLE_EQUAL(s.p90, 3.7, 1e-14);
  CU_ASSERT(s.largest == 4 && s.mean == 2.5);
  CU_ASSERT(o.median == INFINITY && o.p90 == INFINITY && o.largest == INFINITY);
  CU_ASSERT(single.median == 7 && single.p90 == 7 && single.largest == 7 && single.mean == 7);
  CU_ASSERT(isnan(none.median) && isnan(none.p90) && isnan(none.largest) && isnan(none.mean));
}

SAL_TEST_MAIN("quantiles", NULL, {"values are sorted", values_are_sorted},
              {"quantiles are linear between neighbours", quantiles_are_linear_between_neighbours},
              {"a summary has median, 90 %, largest and mean",
               a_summary_has_median_p90_largest_and_mean})
