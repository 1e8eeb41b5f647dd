/** One periodic orbit in full: its phases, its monodromy matrix, and its trajectory over the period.
 */
#pragma once

#include "cycle.h"

/** From the section or an event to the next event.  Phases between events at the same time have no
 *  length. */
typedef struct {
  double begin, end;
  const double *first, *last; /* [n_state] after what it begins with, ahead of what ends it */
  const bool *closed;         /* [n_guard] its mode */
  int contact;                /* that ends it; -1: the period is over */
  bool closes;
  double gap, rate, steep; /* of the contact there, as in sal_event; NaN without one */
} sal_trace_phase;

/** Made by sal_trace_run, freed by sal_trace_free. */
typedef struct {
  const sal_model *model; /* the map's */
  double period;
  int64_t n;
  sal_trace_phase *phase;                           /* [n] */
  double most[SAL_MAX_STATE], least[SAL_MAX_STATE]; /* of each state over the period */
  int n_full;
  int full[SAL_MAX_STATE]; /* the states that do not drift */
  double *monodromy;       /* [n_full][n_full] after the last event, eq. (36): its directions leave
                                 the section */
  int64_t n_mesh;
  double *t, *state; /* [n_mesh + 1] and [n_mesh + 1][n_state]: the period, in equal parts */
  uint8_t *mode;     /* [n_mesh + 1] is contact 0 closed? */
  int64_t n_event;
  sal_event *event; /* [n_event] in order of time */
  bool *modes;      /* [n_event][n_guard] after each */
  double start[SAL_MAX_STATE];
  bool start_closed[SAL_MAX_GUARD];
} sal_trace;

/** Follows the orbit of a cell that is FOUND over its period, cut into n_mesh parts for its trajectory and
 *  extremes; 0: 2048.  Fails for want of memory, and where the orbit does not come back. */
sal_err sal_trace_run(const sal_return_map *map, const sal_cycle *cell, int64_t n_mesh,
                      sal_trace *out);
void sal_trace_free(sal_trace *trace);

/* An orbit between its events: its trajectory on a mesh, and extremes between the mesh points. */

/* ---- orbit_path.c ----
 *  The trajectory of an orbit over its period, on a uniform mesh.
 */

/** Follows the orbit from the cell's point over `period`, cut into n_mesh parts: state [n_mesh + 1][n_state];
 *  mode [n_mesh + 1], may be NULL: is contact 0 closed?  Fails only for want of memory. */
sal_err sal_orbit_path_sample(const sal_return_map *map, const sal_cycle *cell, double period,
                              int64_t n_mesh, double state[], uint8_t mode[]);

/** Follows it likewise, on a mesh of 512 parts, with the log of its events (all of them): most [n_state], the largest value of each
 *  state.  Fails only for want of memory. */
sal_err sal_orbit_path_most(const sal_return_map *map, const sal_cycle *cell, double period,
                            const sal_events *log, double most[]);

/* ---- extreme.c ----
 *  Extremes between the points of a mesh, by a polynomial through neighbours.
 */

enum { SAL_EXTREME_POINTS = 7 }; /* of the polynomial */

/** The largest value beside point j of v [SAL_EXTREME_POINTS], which is not exceeded by its neighbours',
 *  within from .. to, where v is smooth; *at: where, in units of the mesh, from point 0 on. */
double sal_extreme_beside(const double v[], int j, double from, double to, double *at);

/** A path over 0 .. end: states on a uniform mesh, and its events. */
typedef struct {
  int n_state;
  int64_t n_mesh, n_event;
  double end;
  const double *state;    /* [n_mesh + 1][n_state] */
  const sal_event *event; /* [n_event] in order of time */
} sal_path;

/** The largest value of sign * state i: at the points, beside the largest of them, and at the events; of several maxima within
 *  a few points one may be missed.  NaN where the path does not come to its end. */
double sal_extreme_of_path(const sal_path *path, int i, double sign);
