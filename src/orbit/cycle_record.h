/** @file src/orbit/cycle_record.h
 *  What is known of a periodic orbit, and how it is sought.
 */
#ifndef SAL_CYCLE_RECORD_H
#define SAL_CYCLE_RECORD_H

#include "multipliers.h"
#include "return_map.h"

/** What came of the search for an orbit: SAL_CYCLES(ID, "label", "meaning"). */
#define SAL_CYCLES(C)                                                                              \
  C(FOUND, "cycle", "a periodic orbit, found to rounding")                                         \
  C(DIVERGES, "no convergence", "Newton's iteration found no orbit from this guess")               \
  C(LOST, "event lost", "the section was not reached again within the longest time")               \
  C(RESTS, "came to rest", "infinitely many impacts ended with a contact at rest, and no return")  \
  C(FELL, "run ended", "a contact that ends runs closed ahead of the section")                     \
  C(WRONG_MODE, "wrong phase", "a gap at the start is on the other side than its contact's mode")  \
  C(UNBOUNDED, "unbounded", "the state became infinite or no number")                              \
  C(FAILED, "integration failed", "the method could not go on")                                    \
  C(GRAZES, "grazing", "a surface is met tangentially: the map has no derivative there")           \
  C(NO_HOP, "no hop", "the iteration shrank to an orbit of no length")
#define SAL_CYCLE_ENUM(id, label, what) SAL_CYCLE_##id,
typedef enum { SAL_CYCLES(SAL_CYCLE_ENUM) SAL_N_CYCLE } sal_cycle_end;
#undef SAL_CYCLE_ENUM
/** By number. */
extern const struct sal_cycle_text {
  const char *label, *what;
} sal_cycle_texts[SAL_N_CYCLE];

/** One search.  y and closed are the caller's: a guess on the section (sal_return_map_begin), and
 *  afterwards the orbit's point there, or the best that was found. */
typedef struct {
  const double *param; /* [n_param + n_option] */
  double *y;           /* [n_state] */
  bool *closed;        /* [n_guard] */
  double *dp;          /* [n_unknown][n_unknown] out: derivative of the map; NULL: not wanted */

  sal_cycle_end why; /* out; what follows is set where it is FOUND, else 0 or NaN */
  double period;     /* out: time of the map's iterate */
  int iterations;    /* out: of Newton; set in any case */
  double closure;    /* out: largest residual over the unknown's size; set in any case */
  sal_multipliers
      multipliers; /* out: on the section, without what the section or constraints fix */
  int n_normal;    /* out: 1: the section's normal by the unknowns is known, else 0 */
  double normal[SAL_MAX_STATE];
  double gap;       /* out: largest |h| ahead of an event */
  double crossing;  /* out: smallest |dh/dt| at an event, over |Dh| |f|: 0 is grazing */
  double flow;      /* out: |Phi f - f'| / |f|: how far the monodromy matrix is from carrying the
                           flow's direction into itself, with a multiplier of 1; NaN where driven */
  int grazing;      /* out: the contact that has it; -1: no events */
  int n_event;      /* out: contacts closed or opened in a period */
  int n_zeno;       /* out: contacts brought to rest by infinitely many impacts */
  double clearance; /* out: the least gap at which an open contact turns back and does not close:
                                  multipliers hold for pushes that move that gap by less; NaN: none does */
  double clearance_time; /* out: when, in the period */
  int missed;            /* out: that contact; -1: none */
  int least;             /* out: visits of the section after which the orbit has come back: a
                                  divisor of the map's iterate */
} sal_cycle;

/** Directions that are no orbit's own besides those the map knows, such as the gradients of
 *  constraints: writes rows normal [n][n_state] and returns n, at most SAL_MAX_STATE. */
typedef int sal_cycle_normals(const double param[], const bool closed[], const double y[],
                              double normal[]);
/** Puts y [n_state] onto the constraints.  With gradients of constraints as normals, and without this,
 *  what a guess misses them by would stay. */
typedef void sal_cycle_project(const double param[], const bool closed[], double y[]);

/** How orbits are sought; all 0 is a good one. */
typedef struct {
  int max_iterations;         /* 0: 40 */
  double accept;              /* largest closure; 0: 1000 times rtol, 1e-10 at least */
  sal_cycle_normals *normals; /* NULL: none */
  sal_cycle_project *project; /* NULL: there is nothing to do */
} sal_cycle_setup;

/** Rows of the setup's normals at y by the map's unknowns: row [SAL_MAX_STATE][n_unknown], of which n
 *  are there already; returns how many are there then. */
int sal_cycle_add_normals(const sal_return_map *map, const sal_cycle_setup *setup,
                          const sal_cycle *cell, const double y[], int n, double row[]);

/** Residual of a point: largest |end - start| of the unknowns over their sizes. */
double sal_cycle_residual(const sal_return_map *map, const double start[], const double end[]);

/** What a run of the map that did not return means for an orbit. */
sal_cycle_end sal_cycle_of_return(sal_return_end why);

#endif
