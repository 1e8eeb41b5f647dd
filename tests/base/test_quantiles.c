/** Quantiles of lists that can be worked out by hand. */
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

static void what_is_infinite_stays_so(void)
{
  const double open[] = {1, INFINITY, INFINITY};

  CU_ASSERT_EQUAL(sal_quantiles_at(3, open, 0), 1);
  CU_ASSERT_EQUAL(sal_quantiles_at(3, open, 0.5), INFINITY);
  CU_ASSERT_EQUAL(sal_quantiles_at(3, open, 0.9), INFINITY);
}

/* In lists with ties and infinities, in several orders. */
static void one_is_selected_without_sorting(void)
{
  enum { N = 101 };
  double sorted[N], value[N];

  for (int k = 0; k < N; ++k) sorted[k] = k % 11 == 0 ? -INFINITY : (double)((k * 37 % N) % 23);
  sal_quantiles_sort(N, sorted);
  CU_ASSERT(sorted[0] < sorted[N / 2] && sorted[N / 2] < sorted[N - 1]);
  for (int step = 1; step < 5; ++step)
    for (int k = 0; k < N; ++k) {
      for (int i = 0; i < N; ++i) value[i] = sorted[i * step * 7 % N];
      CU_ASSERT_EQUAL(sal_quantiles_select(N, value, k), sorted[k]);
    }
}

SAL_TEST_MAIN("quantiles", NULL, {"values are sorted", values_are_sorted},
              {"one is selected without sorting", one_is_selected_without_sorting},
              {"quantiles are linear between neighbours", quantiles_are_linear_between_neighbours},
              {"what is infinite stays so", what_is_infinite_stays_so})
