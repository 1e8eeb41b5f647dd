/** B-derivatives against differences of the flow. */
#pragma once

#include "bderiv.h"

/** One-sided differences against the derivative. */
typedef struct {
  double step; /* Euclidean length of the change of the start */
  /* Over the directions, |difference quotient - to| / |to|; absolute if to = 0. */
  double mean, worst;
  int failed; /* trajectories that ended early; they do not count */
} difference_row;

enum { DIFFERENCE_STEPS = 6 };

/** Compares n derivatives, from [n][n_state] to [n][n_state], none of `from` zero, with differences
 *  of the same event-driven flow at steps 1e-2 .. 1e-7. */
sal_err check_differences(const sal_bderiv *b, int n, const double from[], const double to[],
                          difference_row row[DIFFERENCE_STEPS]);
