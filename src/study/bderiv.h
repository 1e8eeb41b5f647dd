/** The B-derivative of the flow y(0) -> y(t_end) along one trajectory: how the end moves as the
 *  start does, through impacts, also simultaneous ones.
 *
 *  A chain of variational flows inside the modes (kernels/variation.h) and corner maps between them
 *  (kernels/corner.h).  It is a function of the direction, piecewise linear: to(a d) = a to(d) for
 *  a >= 0 only.
 */
#pragma once

#include "err.h"
#include "integrate.h"

/** A time at which contacts change sides, several of them together. */
typedef struct {
  double t;
  int n;
  const int *contact; /* [n] */
} sal_bderiv_instant;

/** Setup, param and initial are borrowed; the caller frees the rest with sal_bderiv_free.  One
 *  thread at a time. */
typedef struct {
  const sal_setup *setup;
  const double *param, *initial;
  int64_t n_instant;
  sal_bderiv_instant *instant; /* [n_instant] in order of time */
  int n_most;                  /* contacts of the largest instant */
  int *contact;                /* of all instants, one after the other */
  double *before;              /* [n_instant][n_state] ahead of the jumps */
  double *phi;                 /* [n_instant + 1][n_state][n_state] between the instants */
  double end[SAL_MAX_STATE];   /* the state at t_end */
  void *work;
} sal_bderiv;

/** Integrates the trajectory and its variation; the strategy must be `event`.  Fails with one
 *  message where the B-derivative does not exist: the trajectory ends early, starts or ends on a surface,
 *  comes to rest by infinitely many impacts, grazes, or resets two contacts at once.  A surface
 *  that is touched without an event goes unnoticed. */
sal_err sal_bderiv_create(const sal_setup *setup, const double param[], const double initial[],
                          sal_bderiv *out);
void sal_bderiv_free(sal_bderiv *b);

/** The derivative along `from` [n_state] into `to` [n_state].  order [sum of instant.n] receives
 *  the contacts as a trajectory in this direction crosses them (may be NULL).  Fails where a
 *  surface is grazed or not crossed by a field that this direction reaches. */
sal_err sal_bderiv_map(const sal_bderiv *b, const double from[], double to[], int order[]);

/** How far the map is from a linear one, over all unit directions e and pairs of them, relative to
 *  the longest to(e). */
typedef struct {
  double antisymmetry;  /* max |to(e) + to(-e)| */
  double superposition; /* max |to(e + f) - to(e) - to(f)|, e and f of either sign */
} sal_bderiv_defect;

/** From matrix [2][n_state][n_state]: to(e_i), then to(-e_i), by rows. */
sal_err sal_bderiv_measure(const sal_bderiv *b, const double matrix[], sal_bderiv_defect *out);
