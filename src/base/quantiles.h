/** Sorting, and quantiles of a list of numbers. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Sorts value [n], none of which is NaN, in ascending order. */
void sal_quantiles_sort(int64_t n, double value[]);
/** Sorts n items of `size` bytes by the int64_t that each of them begins with; by the first two. */
void sal_quantiles_sort_wholes(int64_t n, size_t size, void *items);
void sal_quantiles_sort_pairs(int64_t n, size_t size, void *items);
/** Number k, 0 .. n - 1, of the values in ascending order, none of which is NaN; their order changes. */
double sal_quantiles_select(int64_t n, double value[], int64_t k);
/** The value below which the share q of the n > 0 ascending values lies, linear between
 *  neighbours. */
double sal_quantiles_at(int64_t n, const double value[], double q);
