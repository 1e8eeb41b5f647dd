/** @file src/app/regret_print.h
 *  What a map advises at points, as lines of JSON (cmd_regret.c has the names).
 */
#ifndef SAL_REGRET_PRINT_H
#define SAL_REGRET_PRINT_H

#include "regret_run.h"
#include <stdio.h>

/** The first line, and one for each point. */
void sal_regret_print_question(FILE *out, const sal_regret_question *question);
void sal_regret_print_point(FILE *out, const sal_regret_question *question,
                            const sal_regret_point *point);

#endif
