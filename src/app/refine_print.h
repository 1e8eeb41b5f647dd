/** @file src/app/refine_print.h
 *  The cells that a refinement would add, for people.
 */
#ifndef SAL_REFINE_PRINT_H
#define SAL_REFINE_PRINT_H

#include "sweep.h"
#include <stdio.h>

/** Prints the cells of a sweep from number `first` on, from 0: what its axes vary. */
void sal_refine_print(FILE *out, const sal_sweep *sweep, int64_t first);

#endif
