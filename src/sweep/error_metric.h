/** The errors that a map can be made by: which metric of a configuration it is, what its cost is counted
 *  from, and when the truth that it is measured against is known.
 */
#pragma once

#include "metric.h"
#include "model.h"

/* Metrics of the long run of the cells that a sweep requests: plain data that the sweep file fills. */

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

enum { SAL_BASIN_VISITS = 8 }; /* kept ones, at least, by which attractors differ */

/** All zero: nothing is requested. */
typedef struct {
  bool cycles, transient, exponents, section, basin; /* what is looked for; basin: with section */
  enum { SAL_FOLLOW_NONE, SAL_FOLLOW_UP, SAL_FOLLOW_DOWN } follow; /* along the last axis */
  int n_seed;
  sal_long_run_seed seed[SAL_N_LONG_RUN_SEED]; /* in the order in which they are tried */
  sal_long_run_anchor anchor;
  int returns;           /* of a simulation, or flights of a transient, at most */
  int period;            /* most returns of a cycle */
  int flights;           /* whose derivatives make the rate */
  double tolerance;      /* of the integrations */
  double alike;          /* visits closer than this, in the states' own sizes, may be a cycle's */
  double closure;        /* a cycle closes to this, likewise */
  double longest;        /* time of one return */
  double bound;          /* of the states on the section */
  double graze, chatter; /* below: an event grazes, a flight is chatter */
  int settle,
      visits; /* visits of the section that do not count; then those that exponents are averaged over */
  int n_exponent;                    /* the largest ones */
  int kept;                          /* last visits that are stored .. */
  int n_state, state[SAL_MAX_STATE]; /* .. and states of each */
} sal_long_run;

/** Does it ask for the metrics of this group? */
static inline bool sal_long_run_asks(const sal_long_run *o, sal_metric_group group)
{
  switch (group) {
  case SAL_GROUP_EQUILIBRIUM:
    return o->cycles || o->transient || o->exponents || o->section;
  case SAL_GROUP_ORBIT:
    return o->cycles;
  case SAL_GROUP_TRANSIENT:
    return o->transient;
  case SAL_GROUP_VISITS:
    return o->exponents || o->section;
  case SAL_GROUP_EXPONENTS:
    return o->exponents;
  case SAL_GROUP_SECTION:
    return o->section;
  case SAL_GROUP_BASIN:
    return o->basin;
  default:
    return true;
  }
}

/* ---- error metric ---- */

/** The terms of work (sal_work_weights). */
enum { SAL_WORK_RHS, SAL_WORK_JACOBIANS, SAL_WORK_FACTORISATIONS, SAL_WORK_SOLVES, SAL_N_WORK };

enum { SAL_ERROR_METRIC_PRESETS = 3 };

/** Metrics are numbers of metric.h; -1: there is none. */
typedef struct {
  int error;   /* its name is that of this metric, its group, too */
  int partial; /* at least so large it would have been of a run that was stopped; -1: not known */
  int count[SAL_N_WORK];      /* what the cost is counted from; -1: the term is 0 */
  bool trajectory;            /* it is of the run: that must be finished, and may have points */
  bool (*known)(double word); /* is the truth, by the value of this .. */
  int known_by;               /* .. metric of a cell? */
  int truth_error;            /* metric of a cell: how far the truth itself may be off */
  double (*truth_least)(const sal_long_run *orbit); /* but not less than this; NULL: 0 */
  bool over_time;    /* it is an integral over [0, t_end], and so is what the truth may be off by */
  const char *what;  /* "a largest error", of which work is the least */
  const char *scale; /* "largest error", of an axis */
  const char *over;  /* "over a period of the orbit"; NULL: over [0, t_end] */
  const char *label; /* "error", in front of a number */
  const char *nowhere; /* what a cube lacks in which no configuration counts */
  const char *reached; /* what such a configuration has not done: "reached the end" */
  const char *key;     /* key of a sweep that requests it; NULL: always there */
  double preset[SAL_ERROR_METRIC_PRESETS]; /* errors of the questions by default */
} sal_error_metric;

/** The first one is that of maps by preset; the last one has no `what`. */
extern const sal_error_metric sal_error_metrics[];

/** "max_error". */
const char *sal_error_metric_name(const sal_error_metric *metric);

/** That of a name, or NULL. */
const sal_error_metric *sal_error_metric_named(const char *name);

enum { SAL_MAX_ERROR_METRIC = 8 };
/** All names, ended by NULL; returns how many there are. */
int sal_error_metric_names(const char *names[SAL_MAX_ERROR_METRIC + 1]);

/** Why runs of time stepping cannot be compared by it; NULL: they can. */
const char *sal_error_metric_capture_flaw(const sal_error_metric *metric, const sal_model *model);

/** How far the truth of a cell may be off, of runs up to t_end; infinite where it is not known. */
double sal_error_metric_truth(const sal_error_metric *metric, const sal_long_run *orbit,
                              double t_end, const sal_cell_record *cell);
