/** The search for one periodic orbit, from a guess or from a simulation, and what is known of the orbit:
 *  its multipliers, the same by differences, and its trajectory.
 */
#pragma once

#include "cycle.h"
#include "seed.h"
#include "text.h"
#include "trace.h"

/** A request. */
typedef struct {
  const sal_setup *setup;
  const double *param, *initial; /* [n_param + n_option], [n_state] */
  const char *guessed; /* initial is a guess on the section, and so is called in messages; NULL: a
                          simulation starts there */
  int64_t returns;     /* 0: what the simulation finds, or 1 */
  int64_t visits;      /* of the simulation, at most */
  int64_t points;      /* of the trajectory */
  bool scans;          /* where Newton's iteration finds none from the guess: scan around it */
} sal_orbit_request;

/** Result of a search; made by sal_orbit_search, freed by sal_orbit_search_free.  It does not move. */
typedef struct {
  sal_return_map map;
  double y[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];
  double *dp;           /* [n_unknown]^2 */
  sal_seed seed;        /* of a simulation */
  bool simulated;       /* seed is set */
  sal_cycle cycle;      /* why: FOUND, or why there is none */
  bool late;            /* the deadline (stop.h) has cut the search */
  bool scanned;         /* scan is set: Newton's iteration from the guess found none, */
  sal_cycle_end missed; /* for this reason */
  sal_scan_report scan;
  sal_multipliers differences; /* the multipliers by differences of the map */
  double energy[2]; /* the model's invariant at the start and on the orbit; NaN: it has none */
  sal_trace trace;  /* where FOUND */
} sal_orbit_search;

/** Fails where the request makes no sense, such as a guess in the wrong phase.  A missing orbit
 *  is not a failure: cycle.why has the reason. */
sal_err sal_orbit_search_run(const sal_orbit_request *request, sal_orbit_search *out);
void sal_orbit_search_free(sal_orbit_search *search);

/** Does the orbit have another energy than the start, which no run from there comes to? */
bool sal_orbit_search_left_energy(const sal_orbit_search *search);

/** Why there is none, as a sentence, into text. */
void sal_orbit_search_explain(const sal_orbit_search *search, sal_text *text);
