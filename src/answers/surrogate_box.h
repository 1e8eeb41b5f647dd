/** @file src/answers/surrogate_box.h
 *  Answers over a box of points: who answers where in it, and what one answer for all of it is worth.
 *
 *  The surrogate is asked at 256 points of a Kronecker sequence (frac(1/2 + i a_k), a_k = 1/g^k with g^(n+1) = g + 1), which
 *  fills the box evenly in the coordinates of the surrogate: in logarithms where an axis is.  Nothing is drawn by chance.
 */
#ifndef SAL_SURROGATE_BOX_H
#define SAL_SURROGATE_BOX_H

#include "surrogate.h"

enum { SAL_SURROGATE_BOX_POINTS = 256, SAL_SURROGATE_BOX_WINNERS = 8 };

typedef struct {
  double least, mean, most;
} sal_box_range;

/** A pair, and the share of the points at which it answers. */
typedef struct {
  int pair;
  double share;
} sal_box_winner;

typedef struct {
  double lo[SAL_MAX_QUANTITY],
      hi[SAL_MAX_QUANTITY]; /* of all quantities, those that were left out filled in */
  int n_answered;           /* of SAL_SURROGATE_BOX_POINTS */
  double unverified;        /* share of points without an answer for want of references */
  int n_winner;             /* pairs that answer somewhere */
  sal_box_winner
      winner[SAL_SURROGATE_BOX_WINNERS];  /* the largest shares first; n_winner may be more */
  sal_box_range probability, work, total; /* of the answers at the points */
  /* One answer for all points that have one: of the answers that were met that of the least mean of its total over the
   * least there. pair -1: none has a plane everywhere. */
  int pair;
  double tolerance, more; /* the mean of that, minus 1 */
  sal_box_range one_probability, one_work;
} sal_surrogate_box;

/** Fills in the ends of what is NaN, all of its quantity, in a box lo .. hi [n_param + n_option + n_state].  where heads
 *  messages.  Fails where the box reaches out of the sweep. */
SAL_MUST_CHECK sal_err sal_surrogate_box_settle(const sal_surrogate_coordinates *coordinates,
                                                const char *where, double lo[], double hi[]);

/** Asks in the box lo .. hi [n_param + n_option + n_state], NaN: all of the quantity.  where heads messages.  Fails
 *  where the box reaches out of the sweep, and as sal_surrogate_ask does. */
SAL_MUST_CHECK sal_err sal_surrogate_box_ask(sal_surrogate *surrogate, const char *where,
                                             const double lo[], const double hi[],
                                             const sal_surrogate_question *question,
                                             sal_surrogate_box *box);

#endif
