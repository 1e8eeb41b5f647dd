/** Runs of explicit pairs with contacts in a loop that does the least: no logs, no contacts at rest, no cutoffs, no counts but of
 *  steps and events; the time of `event` beside it is the cost of all that a run of saltus checks and records.
 */
#pragma once

enum { LEAN_PARAMS = 5, LEAN_STATES = 7, LEAN_MOST = 2000 };

/** Runs from the points of a list; the second half is the result. */
typedef struct {
  int n;
  double t_end, rtol;
  const double (*param)[LEAN_PARAMS], (*initial)[LEAN_STATES];
  const double *longest; /* [n] step of each point */
  double steps, events;  /* of all runs */
} lean_list;

/** Lanes of the build of lean_steps.c. */
extern const int lean_lanes;

typedef void lean_run(lean_list *list);
lean_run lean_walls_tsit5, lean_walls_dop853, lean_runners_tsit5, lean_runners_dop853;
