/** How small differences of the initial state have grown at the end of a run. */
#pragma once

#include "return_map.h"

/** The logarithm of the factor by which they grow at most, over the length of the run, by tangent vectors and saltation: the
 *  length of all vectors' images together, which is that factor to within the root of the number of states.  run: with t_end;
 *  *rate NaN where the model carries no tangent vectors, or the run does not come to its end. */
sal_err sal_growth_rate(const sal_setup *run, const double param[], const double initial[],
                        double *rate);
