/** @file src/study/model_drawn.h
 *  A verdict on a model, and the questions that are asked at points drawn from its ranges (model_verdicts.h asks all).
 */
#ifndef SAL_MODEL_DRAWN_H
#define SAL_MODEL_DRAWN_H

#include "err.h"
#include "trajectory.h"

enum { SAL_MODEL_VERDICT_TEXT = 512 };

typedef enum {
  SAL_MODEL_FINE,
  SAL_MODEL_NOTE,  /* may be meant */
  SAL_MODEL_WRONG, /* cannot be meant */
} sal_model_verdict_kind;

typedef struct {
  const char *question; /* "Jacobian" */
  sal_model_verdict_kind kind;
  char text[SAL_MODEL_VERDICT_TEXT]; /* what was found, with the place where it is wrong */
} sal_model_verdict;

/** What is asked about, and the answer. */
typedef struct {
  sal_setup like;
  const double *param, *initial;
  const sal_trajectory
      *run; /* by the reference solver; where states without a range are drawn from */
  sal_model_verdict *v;
} sal_model_inquiry;

/** Adds to the text of the verdict, which becomes no better than `kind`. */
void sal_model_inquiry_put(sal_model_inquiry *inquiry, sal_model_verdict_kind kind,
                           const char *format, ...) __attribute__((format(printf, 3, 4)));

/** Is f finite / does the Jacobian agree with differences of f / do the rates of gaps with differences of gaps /
 *  does each jump leave its gap on its side / does each parameter matter to f or a gap? */
sal_err sal_model_drawn_slope(sal_model_inquiry *inquiry);
sal_err sal_model_drawn_jacobian(sal_model_inquiry *inquiry);
sal_err sal_model_drawn_rates(sal_model_inquiry *inquiry);
sal_err sal_model_drawn_jumps(sal_model_inquiry *inquiry);
sal_err sal_model_drawn_parameters(sal_model_inquiry *inquiry);

#endif
