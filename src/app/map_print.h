/** @file src/app/map_print.h
 *  A map in a few lines: which configuration wins how often.
 */
#ifndef SAL_MAP_PRINT_H
#define SAL_MAP_PRINT_H

#include "map_summary.h"
#include "report.h"

/** For each question the share of cells in which a solver with a strategy wins, the largest first
 *  (as text three of them), and the median of the margins. */
void sal_map_print(sal_report *report, const sal_sweep *sweep, const sal_map *questions,
                   const sal_map_summary *summary);
#endif
