/** Runs in cells around a point, as many as there is time for. */
#pragma once

#include "extension.h"
#include "performance_runs.h"

/** Share of the time that is reserved for the answer after the runs. */
#define SAL_ADVISE_ANSWER 0.05

/** From what is wanted to what was run; from all zero, freed by sal_advise_runs_free. */
typedef struct {
  const MPI_Comm *comm; /* NULL: this process alone, in which MPI need not run */
  /* Collective.  Checks and compiles a sweep before it is run; expected [s]: what its runs take, interpreted; NaN: not known. */
  sal_err (*prepare)(void *with, sal_sweep *sweep, double expected);
  void *with;
  int64_t cells;  /* that are asked for; 0: as many as there is time for */
  bool fewest;    /* no more than a plane needs */
  double seconds; /* that the command may take, for messages; INFINITY: any */
  double until;   /* the clock at which runs end; INFINITY: never */
  bool quiet;
  bool cube;     /* is one to be kept? */
  bool reported; /* has it been said that references failed? */
  bool alone;    /* too few cells fit: the answer is to be found by runs at the point itself */
  sal_around
      around; /* its haste is the least one; points, haste, effect, amplification and answer are found */
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
