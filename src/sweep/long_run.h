/** @file src/sweep/long_run.h
 *  Metrics of the long run of the cells that a sweep requests: plain data that the sweep file fills.
 */
#ifndef SAL_LONG_RUN_H
#define SAL_LONG_RUN_H

#include "metric.h"
#include "model.h"

/** Where a cycle is looked for from, by number as in the cube. */
typedef enum {
  SAL_LONG_RUN_SIMULATION,
  SAL_LONG_RUN_ANCHOR,
  SAL_N_LONG_RUN_SEED
} sal_long_run_seed;

/** An orbit that is known: a state after the section, and the parameters it belongs to. */
typedef struct {
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], state[SAL_MAX_STATE];
  bool has_mode, closed[SAL_MAX_GUARD]; /* its mode, where the sweep gives it */
  int returns;                          /* k */
} sal_long_run_anchor;

/** All zero: nothing is requested. */
typedef struct {
  bool cycles, transient; /* what is looked for */
  int n_seed;
  sal_long_run_seed seed[SAL_N_LONG_RUN_SEED]; /* in the order in which they are tried */
  sal_long_run_anchor anchor;
  int returns;          /* of a simulation, or hops of a transient, at most */
  int period;           /* most returns of a cycle */
  int hops;             /* whose derivatives make the rate */
  double tolerance;     /* of the integrations */
  double alike;         /* visits closer than this, in the states' own sizes, may be a cycle's */
  double closure;       /* a cycle closes to this, likewise */
  double longest;       /* time of one return */
  double bound;         /* of the states on the section */
  double graze, flight; /* below: an event grazes, a flight is chatter */
} sal_long_run;

/** Does it ask for the metrics of this group? */
static inline bool sal_long_run_asks(const sal_long_run *o, sal_metric_group group)
{
  switch (group) {
  case SAL_GROUP_EQUILIBRIUM:
    return o->cycles || o->transient;
  case SAL_GROUP_ORBIT:
    return o->cycles;
  case SAL_GROUP_TRANSIENT:
    return o->transient;
  default:
    return true;
  }
}

#endif
