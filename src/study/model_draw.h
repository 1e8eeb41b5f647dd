/** @file src/study/model_draw.h
 *  Checks of a model, the verdict, and points for them, drawn from the ranges of parameters and states.
 */
#ifndef SAL_MODEL_DRAW_H
#define SAL_MODEL_DRAW_H

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

/** A model under inquiry, and the verdict. */
typedef struct {
  sal_setup like;
  const double *param, *initial;
  const sal_trajectory
      *run; /* by the reference solver; where states without a range are drawn from */
  const sal_method *solver; /* whose run that is */
  sal_record first;         /* of the model's own solver of reference */
  sal_model_verdict *v;
} sal_model_inquiry;

/** Adds to the text of the verdict, which becomes no better than `kind`. */
void sal_model_inquiry_put(sal_model_inquiry *inquiry, sal_model_verdict_kind kind,
                           const char *format, ...) __attribute__((format(printf, 3, 4)));

/** A point in the mode of its gaps, with its slope. */
typedef struct {
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE], f[SAL_MAX_STATE], t;
  bool closed[SAL_MAX_GUARD];
} sal_model_drawn_point;

/** Point i; point 0 is the start.  false where the parameters make no sense together, or it lies beyond a
 *  surface. */
bool sal_model_draw(const sal_model_inquiry *inquiry, int64_t i, sal_model_drawn_point *at);

/** Moves the point along the state by which the gap of contact k changes most, onto its surface; false where
 *  that is not found. */
bool sal_model_draw_onto(const sal_model *model, int k, sal_model_drawn_point *at);

#endif
