/** Checks of a model: at points drawn from its ranges, along runs, and as verdicts. */
#pragma once

#include "lost.h"

/* Checks of a model, the verdict, and points for them, drawn from the ranges of parameters and states. */

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

/* ---- model drawn ---- */

/** Is f finite / does the Jacobian agree with differences of f / do the rates of gaps with differences of gaps /
 *  does each jump leave its gap on its side / does each parameter matter to f or a gap? */
sal_err sal_model_drawn_slope(sal_model_inquiry *inquiry);
sal_err sal_model_drawn_jacobian(sal_model_inquiry *inquiry);
sal_err sal_model_drawn_rates(sal_model_inquiry *inquiry);
sal_err sal_model_drawn_jumps(sal_model_inquiry *inquiry);
sal_err sal_model_drawn_parameters(sal_model_inquiry *inquiry);

/* ---- States after an event: their energy, and discrete states that are not allowed. ---- */

/** Energy of a state in the mode of its gaps: mechanical, or the invariant; NaN where the model has none. */
double sal_model_left_energy(const sal_model *model, const double param[], double t,
                             const double y[]);
/** The first discrete state [n_continuous .. n_state) of y that is not whole, or outside what is allowed; -1: none. */
int sal_model_left_forbidden(const sal_model *model, const double y[]);
/** Notes what the laws of contacts mean at the start: a rebound with friction, and contacts that touch in a chain. */
sal_err sal_model_left_contacts(sal_model_inquiry *inquiry);

/* ---- Checks by events of a run. ---- */

/** Reports where the gap of a contact leaps below 0 instead of reaching it, where a jump leaves a discrete state what it is
 *  not allowed to be, and where events bring energy in, if the model has one. */
void sal_model_along_events(sal_model_inquiry *inquiry, const sal_trajectory *trajectory);

/* Is a model what its author means?  One verdict for each question that can be asked of any model: at its
 * start, at points drawn from the ranges of its parameters and states, in one run, and with every solver. */

/** Takes one verdict after the other. */
typedef void sal_model_verdict_take(void *with, const sal_model_verdict *verdict);

/** Asks all questions.  like: model and t_end; n_guard is made from param; param [n_param + n_option], initial
 *  [n_state]: the start.  *wrong: how many were wrong; *lost: the value that is not finite and ended the run, if one
 *  did.  Fails for want of memory alone. */
sal_err sal_model_verdicts(const sal_setup *like, const double param[], const double initial[],
                           sal_model_verdict_take *take, void *with, int *wrong, sal_lost *lost);
