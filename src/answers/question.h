/** @file src/answers/question.h
 *  A question asked of a map: by error, which configuration reaches one with least work; by points,
 *  which one has most points at a tolerance.
 */
#ifndef SAL_QUESTION_H
#define SAL_QUESTION_H

#include "map.h"
#include <math.h>

typedef struct {
  double error;  /* asked for; NaN: by points */
  int tolerance; /* by points: number of the tolerance, and the weights */
  sal_weights weights;
  const bool *method, *strategy; /* [n_method], [n_strategy]: which may win; NULL: all */
} sal_question;

/** By error, or by points? */
static inline bool sal_question_by_error(const sal_question *q) { return !isnan(q->error); }

#endif
