/** @file src/study/calibration.h
 *  Calibration of a projecting strategy: the width of its zone at which its error has a given size.
 *  Anderson & Revzen, section 5.1: their eps' makes the RMS error that of the engine they compare
 *  with.
 *
 *  With fixed steps the error need not grow smoothly with the zone: where the zone is entered at
 *  multiples of the step the curve is a staircase, and it may fall in places.  So the curve is
 *  scanned first, and what is returned is a bracket, with the errors at both of its ends.
 */
#ifndef SAL_CALIBRATION_H
#define SAL_CALIBRATION_H

#include "certified_run.h"

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
SAL_MUST_CHECK sal_err sal_calibration_target(const char *where, const sal_certified_run *certified,
                                              const sal_setup *against, int repeats,
                                              sal_certified_measurement *target);

/** Finds where the RMS error of a zoned configuration passes `target` > 0 for eps in [least, most],
 *  0 < least < most, scanned at n >= 2 points.  The width of its own zone does not
 *  count, its measure (in time or in the gap) does.  repeats: as in sal_certified_run_measure, for
 *  the bracket. */
SAL_MUST_CHECK sal_err sal_calibration_find(const sal_certified_run *certified,
                                            const sal_setup *config, double target, double least,
                                            double most, int n, int repeats, sal_calibration *out);
void sal_calibration_free(sal_calibration *calibration);

/** The end of the bracket whose error is closer to the target, as a ratio. */
const sal_calibration_point *sal_calibration_best(const sal_calibration *calibration);
/** Does the curve step over the target: do the ends differ by more than a thousandth of it? */
bool sal_calibration_jumps(const sal_calibration *calibration);
/** The next stretch of the scan, from point *first on, in which the error falls by more than 1 %
 *  from one point to the next: fills *first and *last; false when there is none. */
bool sal_calibration_falls(const sal_calibration *calibration, int *first, int *last);

#endif
