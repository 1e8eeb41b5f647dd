/** @file src/answers/sure.h
 *  Who has most points in a cell whatever the runs would have done that were stopped or not begun.
 *
 *  On the scale of criterion c a value v has 1 + 9 (hi - v) / (hi - lo) points, so that a leads b by
 *  9 sum_c w_c (v_b - v_a) / (hi_c - lo_c), and less where more is better.  A run that is withheld
 *  (performance_table.h) may widen any scale: what is known of hi - lo is that it is no less than that of the runs that
 *  ended, and of a time within the run no more than the run.  What it would have had is known from one side: no less work than
 *  it did, no integral of the error
 *  below what its largest error so far adds to that, its divergence where that was seen, and no points if it had failed.
 *
 *  A contender is sure to win that leads each other one for all scales and values that are possible.  Rounding keeps the order of
 *  points, but may make them equal: where the lead has no least size above rounding's, the order of ties must be the same.
 */
#ifndef SAL_SURE_H
#define SAL_SURE_H

#include "performance_table.h"
#include "question.h"

/** The contender that wins by points in a cell of a scored table whose scale is not known there; -1: none is sure to. */
int sal_sure_winner(const sal_performance_table *table, int64_t cell, const sal_question *question);

#endif
