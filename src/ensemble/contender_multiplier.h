/** @file src/ensemble/contender_multiplier.h
 *  The leading multiplier of an orbit that a method, a strategy and a tolerance would have reported:
 *  the true orbit's point is run with tangent vectors (kernels/tangent_model.h) as the contender runs.
 *
 *  A strategy that stops at contacts runs from return to return, through events by saltation.  One
 *  that looks for none runs for the orbit's period, knows nothing of saltation, and its derivative is
 *  put onto the section along the flow: that is what a user of it would get.
 */
#ifndef SAL_CONTENDER_MULTIPLIER_H
#define SAL_CONTENDER_MULTIPLIER_H

#include "integrate.h"
#include "tangent_model.h"

/** An orbit: its point after the section and its mode there, its period and returns k. */
typedef struct {
  const double *param, *state;
  const bool *closed; /* [n_guard] */
  double period;
  int returns;
} sal_contender_orbit;

/** What a contender says of it: NaN where its run did not come back, or where the method is for
 *  second-order systems alone or owns its loop. */
typedef struct {
  double re, im; /* im >= 0 */
  double rhs;    /* evaluations of f, one for each tangent vector included */
} sal_contender_said;

/** The states in which points of the section differ. */
typedef struct {
  int n;
  const int *state; /* [n] */
} sal_contender_unknowns;

/** Bytes of work space, aligned to 64, for setups like this one. */
size_t sal_contender_multiplier_bytes(const sal_setup *setup,
                                      const sal_contender_unknowns *unknowns, int width);

/** The multipliers of n <= SAL_TILE_MOST orbits of setup->model, which has a section, as the setup
 *  says; of it t_end is the longest time of a return.  room: [n][(n_state + 1) (unknowns + 1)
 *  + 2 unknowns^2] numbers, modes [n][setup->n_guard]. */
void sal_contender_multiplier_run(const sal_setup *setup, const sal_contender_unknowns *unknowns,
                                  int width, int64_t n, const sal_contender_orbit orbit[],
                                  sal_contender_said said[], double room[], bool modes[],
                                  void *work);

#endif
