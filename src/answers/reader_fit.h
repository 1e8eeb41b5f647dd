/** @file src/answers/reader_fit.h
 *  What is estimated of all cells at once: how fast errors change along each coordinate, by how much
 *  residuals are widened, and how well the answers keep what they promise at cells left out.
 */
#ifndef SAL_READER_FIT_H
#define SAL_READER_FIT_H

#include "reader_view.h"

/** Estimates it from cells of the source: all, or about 256 of more. */
SAL_MUST_CHECK sal_err sal_reader_fit_make(sal_reader_view *view, sal_reader_fit *fit);

#endif
