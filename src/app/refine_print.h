/** @file src/app/refine_print.h
 *  The cells that a refinement would add, for people.
 */
#ifndef SAL_REFINE_PRINT_H
#define SAL_REFINE_PRINT_H

#include "refine.h"
#include <stdio.h>

/** Prints the points, best first: score, the two cells it lies between, values. */
void sal_refine_print(FILE *out, const sal_sweep *sweep, int64_t n, const sal_refine_point point[]);

#endif
