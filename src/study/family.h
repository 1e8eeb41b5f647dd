/** @file src/study/family.h
 *  A family of maps x -> P(x; lambda) whose fixed points a continuation follows: what it needs to
 *  know of a return map, and no more.  cycle_family.h makes one of a model's return map; tests make
 *  others of maps with known bifurcations.
 */
#ifndef SAL_FAMILY_H
#define SAL_FAMILY_H

#include "branch.h"
#include "err.h"
#include <stdint.h>

enum { SAL_FAMILY_WORDS = 200 };

/** A point at which the map is asked for. */
typedef struct {
  const double *x; /* [n] */
  double lambda[SAL_BRANCH_PARAMS];
} sal_family_start;

/** What it is there.  The caller gives the arrays. */
typedef struct {
  double *image;      /* [n] P(x; lambda) */
  double *derivative; /* [n][n] dP/dx, row major */
  double *size;       /* [n] > 0, how large the coordinates get; NULL: not asked for */
  double *row;        /* [layout.width] all but the multipliers; NULL: not asked for */
  double period, admissible, transversality;
  double
      split; /* of an even number of visits: a coordinate half way less that at the start, which is
                    0 on the branch of half the period; NaN: an odd number, or nothing to tell */
  int n_event;
  uint64_t sequence;           /* the same for orbits with the same events in the same order */
  char flaw[SAL_FAMILY_WORDS]; /* "", or why there is no value: no other member is set then */
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
} sal_family;

#endif
