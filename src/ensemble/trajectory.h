/** One trajectory in full: its values at multiples of a spacing or at the ends of accepted steps, and its events. */
#pragma once

#include "err.h"
#include "integrate.h"

/** Owned by the caller, freed with sal_trajectory_free. */
typedef struct {
  int64_t n;       /* samples the trajectory reached: t[j] = j * spacing, or ends of steps */
  double *t;       /* [n] */
  double *state;   /* [n][n_state] */
  uint8_t *closed; /* [n] is contact 0 closed? */
  int64_t n_event;
  sal_event *event;          /* [n_event] in order of time */
  double end[SAL_MAX_STATE]; /* where it ended */
  bool *end_closed;          /* [n_guard] its mode there, of a strategy that keeps one */
  int n_guard;
  /* the mode ahead of the first event [n_guard] and after each [n_event][n_guard]; of a strategy that keeps none, NULL,
   * and the signs of all gaps at the samples in place of it, [n][n_guard] */
  bool *start_closed, *event_closed;
  uint8_t *sides;
  sal_record record;
} sal_trajectory;

/** Runs it at width 1; spacing 0: samples are the start and the ends of accepted steps, at events the state before.  Fails only for want of memory; how it ended stands in the record. */
sal_err sal_trajectory_run(const sal_setup *setup, const double param[], const double initial[],
                           double spacing, sal_trajectory *out);
void sal_trajectory_free(sal_trajectory *trajectory);

/** The contact that ended a run with the outcome `ended`; -1 for any other run. */
int sal_trajectory_ending(const sal_trajectory *trajectory, const sal_model *model,
                          const double param[], const double initial[]);

/** Is contact 0 closed at the points t [n], state [n][n_state], by the sign of its gap?  Under a
 *  strategy that keeps no mode this is the mode.  closed [n]. */
void sal_trajectory_modes(const sal_model *model, const double param[], int64_t n, const double t[],
                          const double state[], uint8_t closed[]);
