/** Tasks of a sweep for solvers that other programs run, as a text: cells, strategies, tolerances and
 *  mesh (sweeps/recorded.md).
 */
#pragma once

#include "sweep.h"
#include <stdio.h>

void sal_score_tasks(const sal_sweep *sweep, FILE *out);
