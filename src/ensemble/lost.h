/** The part of its model that made a run fail: a value that is not finite, or a jump to the wrong side. */
#pragma once

#include "trajectory.h"

typedef enum {
  SAL_LOST_NOTHING,
  SAL_LOST_STATE, /* has grown beyond all numbers */
  SAL_LOST_JUMP,  /* a state after the change of a contact */
  SAL_LOST_SLOPE, /* the derivative of a state */
  SAL_LOST_GAP    /* of a contact, or what holds it while it is closed */
} sal_lost_kind;

/** The value, and where the model was evaluated. */
typedef struct {
  sal_lost_kind kind;
  bool finite; /* NOTHING: at the end of the run, (t, y), and a little ahead of it all is finite */
  int state, contact; /* of the value; of a jump both */
  bool closes;        /* JUMP: which of the two changes of the contact */
  double value, t, y[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];
} sal_lost;

/** Looks at the last jumps, at the end and a little ahead of it, as attempts of a step did; of a run that
 *  ended for a value that is not finite, or at the smallest step. */
void sal_lost_find(const sal_trajectory *trajectory, const sal_model *model, const double param[],
                   sal_lost *out);

/** It as a sentence with time and state; or what a jump has left on the wrong side (contact, side, gap and time of a
 *  run with the outcome bad_jump); or the contacts of a problem without a solution; or the surface on which it chatters (stiffness.h); "" of any other run. */
enum { SAL_LOST_FAULT = 384 };
const char *sal_lost_fault(const sal_trajectory *trajectory, const sal_model *model,
                           const double param[], char text[SAL_LOST_FAULT]);
