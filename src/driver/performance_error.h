/** @file src/driver/performance_error.h
 *  Errors that are asked for: of what, in which unit, and as a command line has them.
 */
#ifndef SAL_PERFORMANCE_ERROR_H
#define SAL_PERFORMANCE_ERROR_H

#include "err.h"
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

/** An asked error: a number above 0 in the unit of such errors, or with another unit of their kind, "1mm".
 *  Without a table only the spelling is checked. */
SAL_MUST_CHECK sal_err sal_performance_error(const char *text, const sal_performance_table *of,
                                             double *error);
/** "1e-2,1e-4": error [SAL_MAX_QUESTION], none of them twice. */
SAL_MUST_CHECK sal_err sal_performance_errors(const char *list, const sal_performance_table *of,
                                              int *n, double error[]);

#endif
