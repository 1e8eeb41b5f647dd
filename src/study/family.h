/** A family of maps x -> P(x; lambda) whose fixed points a continuation follows: what it needs to
 *  know of a return map, and no more.  The return map of a model is one; tests make others of maps with
 *  known bifurcations.
 */
#pragma once

#include "branch.h"
#include "return_map.h"

enum { SAL_FAMILY_WORDS = 200 };

/** A point at which the map is evaluated. */
typedef struct {
  const double *x; /* [n] */
  double lambda[SAL_BRANCH_PARAMS];
} sal_family_start;

/** The map at the point.  The caller gives the arrays. */
typedef struct {
  double *image;      /* [n] P(x; lambda) */
  double *derivative; /* [n][n] dP/dx, row major */
  double *size;       /* [n] > 0, how large the coordinates get; NULL: not asked for */
  double *row;        /* [layout.width] all but the multipliers; NULL: not asked for */
  double period, admissible, transversality;
  double
      grazing; /* least gap of the contact that the map mutes, over its range; NaN: it mutes none */
  double
      split; /* of an even number of visits: a coordinate half way less that at the start, which is
                    0 on the branch of half the period; NaN: an odd number, or undetermined */
  int n_event;
  uint64_t sequence;           /* the same for orbits with the same events in the same order */
  char flaw[SAL_FAMILY_WORDS]; /* "", or why the map has no value: no other member is set then */
} sal_family_value;

typedef struct {
  int n;                    /* coordinates */
  sal_branch_layout layout; /* n_multiplier = n */
  void *context;
  /** Evaluates at `count` points.  Fails only for want of memory. */
  sal_err (*evaluate)(void *context, int count, const sal_family_start start[],
                      sal_family_value out[]);
  /** Fills the row [layout.width] of a fixed point, all but the multipliers; the apexes, which cost
   *  several runs, where they are asked for.  Fails only for want of memory. */
  sal_err (*describe)(void *context, const sal_family_start *at, bool apexes, double row[]);
  /** Is the orbit of a fixed point its own mirror image half a period later, and one moved along `along` [n], an eigenvector
   *  to 1, no longer?  NULL: not known. */
  sal_err (*breaks)(void *context, const sal_family_start *at, const double along[], bool *breaks);
} sal_family;

/** The return map of a model as a family: periodic orbits in one or two of its parameters.  Coordinates
 *  are the unknowns of the map (orbit/return_map.h).  Freed with sal_cycle_family_free; does not move. */
typedef struct {
  sal_family family;
  sal_return_map map;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], state[SAL_MAX_STATE];
  bool refuses_half; /* an orbit of half the period is none of this branch */
  int n_free, free_param[SAL_BRANCH_PARAMS];
} sal_cycle_family;

/** param [n_param + n_option]; free_param [n_free]: numbers of the parameters that are free; state
 *  [n_state]: a guess, of which only what neither the section sets nor the orbit repeats is used.
 *  Fails where the model has no section, or its points there no coordinates. */
sal_err sal_cycle_family_create(const sal_return_setup *setup, const double param[], int n_free,
                                const int free_param[], const double state[],
                                sal_cycle_family *out);
/** For a setup that mutes: finds the contact that the orbit at this point grazes, and mutes it, about there, from here on;
 *  `describe` moves the time of that with the orbit.  *found is false where it grazes none. */
sal_err sal_cycle_family_graze(sal_cycle_family *f, const sal_family_start *at, bool *found);
/** For sal_family.breaks (mirror.c). */
sal_err sal_mirror_breaks(void *context, const sal_family_start *at, const double along[],
                          bool *breaks);
void sal_cycle_family_free(sal_cycle_family *f);

/** The coordinates x [family.n] of a state. */
void sal_cycle_family_read(const sal_cycle_family *f, const double state[], double x[]);
