/** Contents of a cube, or of the journals of a run. */
#pragma once

#include "cube_info.h"
#include "journal.h"
#include "report.h"

void sal_info_print_cube(sal_report *report, const char *path, const sal_cube_info *info);
void sal_info_print_journal(sal_report *report, const char *folder, const sal_journal_info *info);
