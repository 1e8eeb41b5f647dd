/** Runs of wild cells by every method and strategy, and what is wrong with them. */
#pragma once

#include "sweep.h"
#include "wild_draw.h"

/** Totals over the runs. */
typedef struct {
  int64_t cells, runs, engine_runs, references, checked;
  int64_t outcome[SAL_N_OUTCOME], reference_outcome[SAL_N_OUTCOME];
  int64_t below; /* runs that are done with an open contact's gap below 0 by more than its noise */
  int64_t leapt; /* such runs of strategies that project, whose steps may leap over surfaces */
  int64_t nowhere; /* runs whose outcome, time or state contradict each other */
  int64_t wrong;   /* references that two other methods, which agree, contradict */
  int64_t silent;  /* references that two other methods contradict by far more, agreed or not */
  int64_t marked;  /* references of large claims, or without an end */
  double seconds, longest; /* thread CPU time; of one run */
} wild_tally;

/** So many cells of the sweep's model, references by its settings, and of each cell one run by any method,
 *  strategy and tolerance.  Each fault is printed. */
void wild_run(const sal_sweep *sweep, flow_stream *from, int64_t cells, wild_tally *tally);
