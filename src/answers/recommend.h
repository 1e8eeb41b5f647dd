/** @file src/answers/recommend.h
 *  The map of a performance table: every question answered in every cell.
 */
#ifndef SAL_RECOMMEND_H
#define SAL_RECOMMEND_H

#include "choose.h"

/** Fills a map whose questions are set: errors, weights, and what may win.  The caller frees it
 *  with sal_map_free, also after a failure. */
SAL_MUST_CHECK sal_err sal_recommend(const sal_performance_table *table, sal_map *map);

#endif
