/** Why one configuration takes more work for an error than another: from the counts of their runs around a place.
 *
 *  The ratio of expected totals is that of steps, times that of work in a step, times that of the cost of misses; the
 *  largest of the three is the cause.  For steps the cause of their number is given.  Steps of a method of order p
 *  that accuracy limits grow by rtol^(-1/(p + 1)); steps of an explicit method that stability limits do not grow, which
 *  is the cause wherever they are half as many again.
 */
#pragma once

#include "method.h"

/** Means over the cells around a place, at the tolerance of an answer. */
typedef struct {
  double attempts; /* steps, refused ones included */
  double refused;  /* of them */
  double rhs, work;
  double growth; /* -d ln attempts / d ln rtol; NaN: not known */
} sal_why_run;

/** SAL_WHY(ID, "word", "sentence after the number of steps"). */
#define SAL_WHY_CAUSES(C)                                                                          \
  C(STABILITY, "stability", "held by stability, whatever the rtol")                                \
  C(REFUSED, "refused_steps", "many of them refused, at kinks of f")                               \
  C(ORDER, "order", "which its lower order needs for the error")                                   \
  C(ACCURACY, "accuracy", "which it needs for the error")                                          \
  C(ALGEBRA, "algebra", "for Jacobians, factorisations and solves")                                \
  C(EVALUATIONS, "evaluations", "for more evaluations of f")                                       \
  C(MISSES, "misses", "it misses the error more often, or costs more when it does")

#define SAL_WHY_ID(id, word, sentence) SAL_WHY_##id,
typedef enum { SAL_WHY_CAUSES(SAL_WHY_ID) SAL_N_WHY } sal_why_cause;
#undef SAL_WHY_ID
/** By number of the cause. */
extern const struct sal_why_text {
  const char *word, *sentence;
} sal_why_texts[SAL_N_WHY];

/** Ratio of the other's work to the best's. */
typedef struct {
  sal_why_cause cause;
  double steps, each, misses; /* steps, work of a step, total over work */
} sal_why;

/** One of the two: its method, what it counted, and what is expected of it. */
typedef struct {
  const sal_method *method;
  sal_why_run run;
  double work, total;
} sal_why_side;

sal_why sal_why_of(const sal_why_side *best, const sal_why_side *other);
