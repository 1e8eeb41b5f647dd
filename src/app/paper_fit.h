/** @file src/app/paper_fit.h
 *  Points of a cube beside those that Dallas, Machairas, Papadopoulos published.
 */
#ifndef SAL_PAPER_FIT_H
#define SAL_PAPER_FIT_H

#include "cube.h"
#include <stdio.h>

/** Prints both, entry by entry, with rms difference and correlation for each column and
 *  tolerance. */
void sal_paper_fit_print(FILE *out, const sal_cube *cube);

#endif
