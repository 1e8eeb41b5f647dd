/** @file src/orbit/return_differences.h
 *  The derivative of a return map by differences, Zana, Bodor, Bencsik & Zelei (2018), eq. (67): the
 *  independent second way, which knows nothing of saltation.
 */
#ifndef SAL_RETURN_DIFFERENCES_H
#define SAL_RETURN_DIFFERENCES_H

#include "return_map.h"

/** Maps n points as sal_return_map_run does, with dp and delay by central differences of fourth
 *  order; their steps are `step` times the size of each unknown, 0: 2^-15.  A neighbour that does not
 *  return makes them NaN.  Fails only for want of memory. */
SAL_MUST_CHECK sal_err sal_return_differences(const sal_return_map *map, double step, int64_t n,
                                              sal_return point[]);

#endif
