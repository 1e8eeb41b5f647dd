/** Sorting numbers, and looking up their quantiles. */
#include "quantiles.h"
#include "base.h"

static int compare_numbers(const void *left, const void *right)
{
  const double a = *(const double *)left, b = *(const double *)right;

  return (a > b) - (a < b);
}

void sal_quantiles_sort(int64_t n, double value[])
{
  if (n > 1) qsort(value, (size_t)n, sizeof *value, compare_numbers);
}

static int compare_wholes(const void *left, const void *right)
{
  const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

  return (a > b) - (a < b);
}

void sal_quantiles_sort_wholes(int64_t n, size_t size, void *items)
{
  if (n > 1) qsort(items, (size_t)n, size, compare_wholes);
}

static int compare_pairs(const void *left, const void *right)
{
  const int64_t *a = left, *b = right;
  const int k = a[0] == b[0];

  return (a[k] > b[k]) - (a[k] < b[k]);
}

void sal_quantiles_sort_pairs(int64_t n, size_t size, void *items)
{
  if (n > 1) qsort(items, (size_t)n, size, compare_pairs);
}

static double middle_of(double a, double b, double c)
{
  return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* C. A. R. Hoare, "Algorithm 65: find", Comm. ACM 4, 1961. */
double sal_quantiles_select(int64_t n, double value[], int64_t k)
{
  int64_t first = 0, last = n - 1;

  while (first < last) {
    const double pivot = middle_of(value[first], value[first + (last - first) / 2], value[last]);
    int64_t i = first, j = last;
    while (i <= j) {
      while (value[i] < pivot) ++i;
      while (value[j] > pivot) --j;
      if (i > j) break;
      const double swapped = value[i];
      value[i++] = value[j];
      value[j--] = swapped;
    }
    if (k > j && k < i) break;
    if (k <= j)
      last = j;
    else
      first = i;
  }
  return value[k];
}

double sal_quantiles_at(int64_t n, const double value[], double q)
{
  const double at = q * (double)(n - 1);
  const int64_t low = (int64_t)at;
  const double off = at - (double)low;

  return off == 0 || isinf(value[low]) ? value[low]
                                       : value[low] + off * (value[low + 1] - value[low]);
}
