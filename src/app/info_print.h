/** @file src/app/info_print.h
 *  What a cube, or the journals of a run, hold.
 */
#ifndef SAL_INFO_PRINT_H
#define SAL_INFO_PRINT_H

#include "cube_info.h"
#include "journal.h"
#include "report.h"

void sal_info_print_cube(sal_report *report, const char *path, const sal_cube_info *info);
void sal_info_print_journal(sal_report *report, const char *folder, const sal_journal_info *info);

#endif
