/** @file src/app/bill_sizes.h
 *  The sizes of a sweep that its bill is made from.
 */
#ifndef SAL_BILL_SIZES_H
#define SAL_BILL_SIZES_H

#include "bill.h"
#include "packed_size.h"
#include "sweep.h"
#include <stdbool.h>

/** Sizes of a run on n_rank ranks of `threads` threads; packed: the measured sizes of its records; map: it makes one,
 *  where the sweep has one. */
sal_bill_sweep sal_bill_sizes(const sal_sweep *sweep, const sal_packed_size *packed, int n_rank,
                              int threads, bool map);

#endif
