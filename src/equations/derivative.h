/** Exact derivatives of expressions, as expressions. */
#pragma once

#include "graph.h"

/** Instead of a state: the rate of change, with the time and along the slope dy of the states / the derivative by
 *  the time alone. */
enum { SAL_DERIVATIVE_RATE = -1, SAL_DERIVATIVE_TIME = -2 };
/** The derivative along slopes of all states, n_continuous and then n_discrete ones, and then of the time: slopes of these numbers. */
int sal_derivative_whole(int n_continuous, int n_discrete);

/** Derivatives out [n] of the roots [n] by a continuous state, or their rates; discrete states and
 *  parameters are constant.  It is 0 for conditions, at a kink (abs, min, max, if) that of the side the
 *  expression takes.  Products with a plain 0 or 1 are not made. */
void sal_derivative_take(sal_graph *graph, int by, int n, const int root[], int out[]);
