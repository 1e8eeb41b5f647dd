/** The command that writes an answer out as a program of its own. */
#pragma once

#include "sweep.h"
#include "text.h"

/** Adds `saltus export ..` of the pair at that rtol and point, value as of sal_surrogate_ask, if the model has a text of
 *  equations and export writes for that program; nothing else. */
void sal_export_line(const char *program, const sal_sweep *sweep, const double value[], int pair,
                     double rtol, sal_text *out);

/** The programs that it writes for, ended by NULL. */
const char *const *sal_export_line_programs(void);
