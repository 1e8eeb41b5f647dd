/** @file src/base/quantiles.h
 *  Quantiles of a list of numbers.
 */
#ifndef SAL_QUANTILES_H
#define SAL_QUANTILES_H

#include <stdint.h>

/** Of some values; NaN when there are none. */
typedef struct {
  double median, p90, largest, mean; /* p90: 90 % of the values are below */
} sal_quantiles;

/** Sorts value [n], none of which is NaN, in ascending order. */
void sal_quantiles_sort(int64_t n, double value[]);
/** The value below which the share q of the n > 0 ascending values lies, linear between
 *  neighbours. */
double sal_quantiles_at(int64_t n, const double value[], double q);

/** Sorts value [n], none of which is NaN, and sums it up. */
sal_quantiles sal_quantiles_of(int64_t n, double value[]);

#endif
