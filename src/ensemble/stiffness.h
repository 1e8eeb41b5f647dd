/** Trials of a cell.  Its stiffness: eigenvalues of the Jacobian at rest and along a trajectory.
 *  Dallas, Machairas, Papadopoulos, eqs (28), (29), (31).
 */
#pragma once

#include "err.h"
#include "trajectory.h"

typedef struct {
  double ratio;  /* (28): max |Re lambda| / min |Re lambda|; NaN without an equilibrium */
  double radius; /* max |lambda| [1/time] */
} sal_stiffness;

/** At the equilibrium at t = 0, with all contacts closed.  NaN where the model has none.  Discrete
 *  states are not in the Jacobian, here and below. */
sal_stiffness sal_stiffness_at_equilibrium(const sal_model *model, const double param[],
                                           sal_equilibrium which);

/** The eigenvalue of largest real part at that point, its imaginary part from 0 up.  States that a
 * contact at rest holds, whose slopes nothing changes, are left out.  NaN without an equilibrium. */
typedef struct {
  double re, im;
} sal_stiffness_slowest;
sal_stiffness_slowest sal_stiffness_slowest_rate(const sal_model *model, const double param[]);

/** Points of a trajectory at equal distances of time, from t = 0 on. */
typedef struct {
  int64_t n;
  double spacing;      /* of time */
  const double *state; /* [n][n_state]; NaN after the end of a failed run */
} sal_stiffness_path;

/** Largest |lambda| over all points in contact and every `stride`-th of the others, each in the mode
 *  that the signs of its gaps say.  NaN without such a point.  With more than SAL_MAX_DENSE states it is taken at every
 *  `stride`-th point, to 1 %, by powers of J. */
double sal_stiffness_along(const sal_model *model, const double param[],
                           const sal_stiffness_path *path, int64_t stride);

/** A run by `event` at 1e-6, in so many attempts at most; samples are its start and its end. */
sal_err sal_stiffness_try(const char *solver, int attempts, const sal_model *model,
                          const double param[], const double initial[], double t_end,
                          sal_trajectory *out);

/** Does dop853 take more than four times the evaluations of f that radau5 takes for a run, at 1e-6?  Not where radau5 does not
 *  come to the end in 5000 steps, nor where the program is to stop. */
sal_err sal_stiffness_felt(const sal_model *model, const double param[], const double initial[],
                           double t_end, bool *felt);

/* Surfaces that the flow leads back to from both sides, such as v = 0 where dry friction is written as sign(v). */

/** The state whose slope leaps most, and between what. */
typedef struct {
  int state; /* -1: none does */
  double low, high;
} sal_chatter;

/** Follows f from (t, y), modes by the signs of the gaps, by steps of three sizes: on such a surface the slope leaps to and fro in most of
 *  them, by the same amount however short they are, which no smooth flow does. */
sal_chatter sal_chatter_find(const sal_model *model, const double param[], double t,
                             const double y[]);

/** As a sentence with what to do, into text [bytes]; "" where none chatters. */
void sal_chatter_say(const sal_chatter *chatter, const sal_model *model, size_t bytes, char text[]);

/** Tries so many attempts by the model's reference method: fails with the time and that sentence where it gets no further on such a surface, ahead of
 *  runs by all solvers, each of which would take its time there. */
sal_err sal_chatter_try(const sal_model *model, const double param[], const double initial[],
                        double t_end, int attempts);
