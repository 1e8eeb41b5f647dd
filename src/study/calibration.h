/** Experiments against certified runs: error over work, overhead of steps, and calibration of a projecting strategy: the width of its zone at which its error has a given size.
 *  Anderson & Revzen, section 5.1: their eps' makes the RMS error that of the engine they compare
 *  with.
 *
 *  With fixed steps the error need not grow smoothly with the zone: where the zone is entered at
 *  multiples of the step the curve is a staircase, and it may fall in places.  So the curve is
 *  scanned first, and what is returned is a bracket, with the errors at both of its ends.
 */
#pragma once

#include "err.h"
#include "integrate.h"

/* The error and the cost of one run, measured against a certified trajectory from the same start.
 *
 * Certified is the model's method of reference with `event` at a tolerance of 1e-13.  The error is
 * the root mean square over the uniform mesh t_j = t_end j / n_mesh, j = 0..n_mesh, of the
 * difference in one state, or of the Euclidean length of the difference in all of them. */

enum { SAL_ALL_STATES = -1 };

/** A certified trajectory; read-only but for its scratch.  One thread at a time. */
typedef struct {
  const double *param, *initial; /* borrowed */
  int watch;                     /* the state that counts, or SAL_ALL_STATES */
  int64_t n_mesh;
  double *state;     /* [n_mesh + 1][n_state] */
  double *scratch;   /* as many */
  sal_record record; /* of the certified run */
  double error;      /* RMS distance to a certified run at 1e-12; infinite when one ended early */
} sal_certified_run;

/** One configuration's run. */
typedef struct {
  double rms;        /* infinite when it ended early */
  sal_record record; /* SAL_METRIC_SD is NaN when it was not timed */
} sal_certified_measurement;

/** Runs the certified trajectory of `like`: its model, t_end, n_guard and caps count, its configuration
 *  does not.  Fails only for want of memory; whether it reached the end stands in the record. */
sal_err sal_certified_run_create(const sal_setup *like, const double param[],
                                 const double initial[], int watch, int64_t n_mesh,
                                 sal_certified_run *out);
void sal_certified_run_free(sal_certified_run *certified);

/** Measures a configuration; its model and t_end must be those of the certified run.  repeats > 0:
 *  times it as well, at width 1 and without the mesh, as the least thread CPU time of so many
 *  runs. */
sal_err sal_certified_run_measure(const sal_certified_run *certified, const sal_setup *config,
                                  int repeats, sal_certified_measurement *out);

/* ---- calibration ---- */

/** A width of the zone, and the error and cost with it. */
typedef struct {
  double eps;
  sal_certified_measurement measured;
} sal_calibration_point;

/** Owned by the caller, freed with sal_calibration_free. */
typedef struct {
  double target;
  int n;
  sal_calibration_point *scan; /* [n] on a logarithmic grid, eps ascending */
  int crossings;               /* neighbours of the scan with the target between them; 0: none */
  sal_calibration_point low, high; /* the first of them, narrowed down to neighbouring eps; timed */
} sal_calibration;

/** The width of its zone that a configuration must stay below, as a zone that holds the start is none: the length of
 *  the run, where it is one in time; else the nearest gap at the start, of contacts that do not
 *  touch there (infinite: all do). */
double sal_calibration_limit(const sal_setup *config, const double param[], const double initial[]);

/** The error to be reached: that of `against`, measured, or *target as it is where that is NULL.  Fails when its
 *  run does not come to the end (`where` names it), or when the certified trajectory is known no better. */
sal_err sal_calibration_target(const char *where, const sal_certified_run *certified,
                               const sal_setup *against, int repeats,
                               sal_certified_measurement *target);

/** Finds where the RMS error of a zoned configuration passes `target` > 0 for eps in [least, most],
 *  0 < least < most, scanned at n >= 2 points.  The width of its own zone does not
 *  count, its measure (in time or in the gap) does.  repeats: as in sal_certified_run_measure, for
 *  the bracket. */
sal_err sal_calibration_find(const sal_certified_run *certified, const sal_setup *config,
                             double target, double least, double most, int n, int repeats,
                             sal_calibration *out);
void sal_calibration_free(sal_calibration *calibration);

/** The end of the bracket whose error is closer to the target, as a ratio. */
const sal_calibration_point *sal_calibration_best(const sal_calibration *calibration);
/** Does the curve step over the target: do the ends differ by more than a thousandth of it? */
bool sal_calibration_jumps(const sal_calibration *calibration);
/** The next stretch of the scan, from point *first on, in which the error falls by more than 1 %
 *  from one point to the next: fills *first and *last; false when there is none. */
bool sal_calibration_falls(const sal_calibration *calibration, int *first, int *last);

/* Work against precision: what configurations achieve and cost, as medians over several starts. */

/** A configuration's medians: the middle value, or the geometric mean of the middle two. */
typedef struct {
  double rms;     /* over all starts; infinite when it ended early on most of them */
  double rhs;     /* evaluations of f, over the starts it finished; NaN when there is none */
  double seconds; /* thread CPU time at width 1, likewise */
  int failed;     /* starts on which it ended early */
} sal_work_precision_point;

/** Measures n configurations of one model and t_end from n_start initial states start
 *  [n_start][n_state]; `used` receives the number of starts whose certified trajectory reached the
 *  end, the others are left out.  watch, n_mesh and repeats: as for a calibration. */
sal_err sal_work_precision_run(int n, const sal_setup config[], const double param[], int n_start,
                               const double start[], int watch, int64_t n_mesh, int repeats,
                               sal_work_precision_point out[], int *used);

/** Random initial state number i: uniform in [lo, hi] of each state that is NaN in `given`, the
 *  others as given; depends on seed and i, not on how many are drawn. */
void sal_work_precision_start(const sal_model *model, const double given[], uint64_t seed, int i,
                              double start[]);

/* Overhead of a step beside its evaluations of f, measured: CPU time of runs less that of so many
 * evaluations, over all steps that were tried; in lanes both are of each trajectory. */

/** The time of one evaluation of f at the model's preset start [s], the least of several, where `lanes` are
 *  evaluated at once. */
double sal_step_calibration_field(const sal_model *model, int lanes);

/** A combination to be timed. */
typedef struct {
  const sal_model *model;
  const sal_method *method;
  const sal_strategy *strategy;
  int lanes;
  double field; /* sal_step_calibration_field */
  double t_end;
  int repeats;
} sal_step_calibration;

/** The time of a tried step [s], mean over three tolerances, of the least of `repeats` timings of runs to t_end, whose starts
 *  lie about the model's preset one, so that lanes do not all do the same.  NaN where the strategy cannot drive the solver, or
 *  no run comes to its end.  Fails for want of memory alone. */
sal_err sal_step_calibration_measure(const sal_step_calibration *of, double *step);
