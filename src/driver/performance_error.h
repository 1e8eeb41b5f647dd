/** @file src/driver/performance_error.h
 *  Errors of a performance table in words: of what, in which unit.
 */
#ifndef SAL_PERFORMANCE_ERROR_H
#define SAL_PERFORMANCE_ERROR_H

#include "performance_table.h"
#include "units.h"

enum { SAL_PERFORMANCE_ERROR_OF = 160 };
/** What errors of these tables are of, "a largest error of zU", and their unit, "1" where there is none. */
const char *sal_performance_error_of(const sal_performance_table *of,
                                     char text[SAL_PERFORMANCE_ERROR_OF]);
const char *sal_performance_error_unit(const sal_performance_table *of, char text[SAL_UNITS_TEXT]);

enum { SAL_PERFORMANCE_ERROR_TEXT = 96 };
/** An error with its unit, "1e-05 m". */
const char *sal_performance_error_text(const sal_performance_table *table, int digits, double error,
                                       char text[SAL_PERFORMANCE_ERROR_TEXT]);

#endif
