/** Runs in cells around a point, as many as there is time for. */
#pragma once

#include "cli_compile.h"
#include "extension.h"
#include "performance_runs.h"
#include "sweep_read.h"

/** From what is wanted to what was run; from all zero, freed by sal_advise_runs_free. */
typedef struct {
  const sal_command_call *call;
  const sal_cli_compile *compile;
  int64_t cells;  /* that are asked for; 0: as many as there is time for */
  double seconds; /* that the command may take, for messages; INFINITY: any */
  double until;   /* the clock at which runs end; INFINITY: never */
  bool quiet;
  bool cube;         /* is one to be kept? */
  bool reported;     /* has it been said that references failed? */
  bool alone;        /* too few cells fit: the answer is to be found by runs at the point itself */
  sal_around around; /* points, haste, effect, amplification and answer are found */
  double effect[SAL_MAX_QUANTITY];
  double each; /* [s] that a cell takes, about; on rank 0 */
  char *text;  /* of the sweep that was run */
  sal_sweep sweep;
  sal_timed_runs runs;
} sal_advise_runs;

/** Collective.  Runs cells in a design that fits into the time: the less time, the smaller the design.  Where too few cells could be
 *  run, `alone` is set, and the sweep has the configurations to be run at the point.  Fails without references; the
 *  message has the reason. */
sal_err sal_advise_runs_make(sal_advise_runs *runs);
void sal_advise_runs_free(sal_advise_runs *runs);
