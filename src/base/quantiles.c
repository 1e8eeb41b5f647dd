/** @file src/base/quantiles.c
 *  Sorting numbers, and looking up their quantiles.
 */
#include "quantiles.h"
#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void *left, const void *right)
{
  const double a = *(const double *)left, b = *(const double *)right;

  return (a > b) - (a < b);
}

void sal_quantiles_sort(int64_t n, double value[])
{
  if (n > 1) qsort(value, (size_t)n, sizeof *value, compare_numbers);
}

double sal_quantiles_at(int64_t n, const double value[], double q)
{
  const double at = q * (double)(n - 1);
  const int64_t low = (int64_t)at;
  const double off = at - (double)low;

  return off == 0 || isinf(value[low]) ? value[low]
                                       : value[low] + off * (value[low + 1] - value[low]);
}
