/** @file src/driver/performance_uncapped.h
 *  What the sweep of a cube would take without caps.
 */
#ifndef SAL_PERFORMANCE_UNCAPPED_H
#define SAL_PERFORMANCE_UNCAPPED_H

#include "performance_table.h"

/** Seconds of one core, estimated from up to 512 cells of the file that the table's sweep names: what they took, times
 *  how much more work there would be (uncapped.h). */
SAL_MUST_CHECK sal_err sal_performance_uncapped(const sal_performance_table *of, double *seconds);

#endif
