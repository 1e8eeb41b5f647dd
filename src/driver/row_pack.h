/** @file src/driver/row_pack.h
 *  A row of the performance table in 16 bytes a configuration: work and error.  A configuration that was stopped has its least error,
 *  negative, in place of the error; so nothing is lost.
 */
#ifndef SAL_ROW_PACK_H
#define SAL_ROW_PACK_H

#include "performance_table.h"

/** Bytes of a packed row, and of its raw values of points. */
static inline size_t sal_row_pack_bytes(int n_config)
{
  return sizeof(double) * (1 + 2 * (size_t)n_config);
}
static inline size_t sal_row_pack_point_bytes(int n_config)
{
  return 3 * sizeof(double) * (size_t)n_config;
}

/** Row `at` of a table, and its raw values of points, at addresses of double numbers. */
void sal_row_pack(const sal_performance_table *table, int64_t at, void *packed);
void sal_row_pack_points(const sal_performance_table *table, int64_t at, void *packed);
/** The way back, into row `at` of another one. */
void sal_row_unpack(const void *packed, sal_performance_table *table, int64_t at);
void sal_row_unpack_points(const void *packed, sal_performance_table *table, int64_t at);

#endif
