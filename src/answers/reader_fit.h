/** @file src/answers/reader_fit.h
 *  What is estimated of all cells at once: how fast errors change along each coordinate, by how much
 *  residuals are widened, and how well the answers keep what they promise at cells left out.
 */
#ifndef SAL_READER_FIT_H
#define SAL_READER_FIT_H

#include "reader_view.h"

enum { SAL_READER_CHOSEN = 256 };
/** Cells that are looked at, ascending: all, or about 256 of more; returns how many. */
int sal_reader_chosen(int64_t n_cell, int64_t cell[SAL_READER_CHOSEN]);

SAL_MUST_CHECK sal_err sal_reader_fit_make(sal_reader_view *view, sal_reader_fit *fit);

#endif
