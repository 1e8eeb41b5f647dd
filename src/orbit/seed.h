/** Seeds of periodic orbits by simulation: the return map iterated from an initial condition until
 *  the visits repeat, in lanes.
 */
#pragma once

#include "return_map.h"

enum { SAL_SEED_PERIODS = 8 }; /* the longest period that is looked for, in visits */

/** One simulation.  y, closed and memory are the caller's.  Called again with what it left, it goes
 *  on from the last visit. */
typedef struct {
  const double *param; /* [n_param + n_option] */
  double *y;           /* [n_state] the initial condition, then the last visit */
  bool *closed;        /* [n_guard] the mode there */
  double *memory;      /* [SAL_SEED_PERIODS][n_state] */
  bool started;        /* y is a visit of the section, and closed is given; set after the first */
  sal_return_end why;  /* out: MADE: it goes on and on, or repeats */
  int returns;         /* out: its period in visits; 0: it does not repeat */
  int n_visit;         /* visits so far */
  int brief;           /* of the last ones, with no time between them */
  int alike[SAL_SEED_PERIODS]; /* visits in a row that are like the one so many before */
  double time;                 /* time so far */
} sal_seed;

/** How seeds are sought; all 0 is a good one. */
typedef struct {
  int max_visits; /* of this call; 0: 200 */
  double close;   /* visits are alike within this, over the unknowns' sizes; 0: 1e-4 */
  double bound;   /* of the unknowns' moduli; 0: 1e6 */
} sal_seed_setup;

/** Simulates n cells.  The map's setup.returns must be 1.  Fails only for want of memory. */
sal_err sal_seed_find(const sal_return_map *map, const sal_seed_setup *setup, int64_t n,
                      sal_seed cell[]);

/** Does it visit the section on and on, without a period? */
bool sal_seed_goes_on(const sal_seed *seed);
/** Its outcome in a word or two, and as a sentence. */
const char *sal_seed_label(const sal_seed *seed);
const char *sal_seed_sentence(const sal_seed *seed);
