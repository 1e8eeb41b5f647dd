/** @file src/app/library_select.h
 *  What a user of another library writes to get a solver of it.
 */
#ifndef SAL_LIBRARY_SELECT_H
#define SAL_LIBRARY_SELECT_H

#include "engine.h"
#include "report.h"

/** "PETSc 3.18.5: rosw ra34pw2", and below it the lines that select it, indented; nothing for a solver
 *  of ours.  tolerance: what stands where the lines say TOL; NaN: TOL. */
void sal_library_select_say(const sal_report *report, const sal_method *method, double tolerance,
                            const char *indent);

/** Members `library`, `version`, `type` and `select`, the latter a list of lines; null for ours. */
void sal_library_select_json(sal_json *json, const sal_method *method, double tolerance);

#endif
