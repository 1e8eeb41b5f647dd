/** @file src/app/regret_answers.h
 *  What a map advises at the points of another cube, as lines of JSON.
 */
#ifndef SAL_REGRET_ANSWERS_H
#define SAL_REGRET_ANSWERS_H

#include "performance_cube.h"
#include <stdio.h>

/** Fails where a map has too few cells to be asked. */
SAL_MUST_CHECK sal_err sal_regret_answers_check(const sal_performance_cube *map);

/** Prints the question, then a line for each of the points (cmd_regret.c has the names).  Methods
 *  and strategies that the points lack are not advised. */
SAL_MUST_CHECK sal_err sal_regret_answers_print(FILE *out, const sal_performance_cube *map,
                                                const sal_sweep *points, int n_error,
                                                const double error[]);

#endif
