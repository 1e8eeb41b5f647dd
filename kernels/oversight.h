/** Crossings that a step of an engine has passed over (lane half, width 1): a gap whose sign at the end of
 *  the step is not that of the mode that the engine keeps.  Such a step is none of the model's.
 */
#pragma once

#include "batch.h"

/** A step that an engine has accepted, from where the batch stands. */
typedef struct {
  double t1;
  const double *y1;  /* [n] */
  const bool *fired; /* [at.n] the candidates that change at its end; NULL: none does */
  double zero; /* where a step begins the engine takes a gap no larger for 0, and looks away */
} sal_oversight_step;

/** In order: of several contacts the last one counts, since what falls may set the others off. */
typedef enum {
  SAL_OVERSIGHT_NONE,
  SAL_OVERSIGHT_FLIGHT, /* a contact rises from the surface where the step begins, and is back within it */
  SAL_OVERSIGHT_FALL,  /* it falls from there */
  SAL_OVERSIGHT_MISSED /* it was well inside its mode where the step begins */
} sal_oversight;

/** Finds what the step has passed over and sets b->x.fired of the candidates; leaves the gaps at its end in
 *  at.gapn.  FLIGHT: *first is a step that ends in the midst of the lowest flight. */
sal_oversight sal_oversight_find(sal_batch *b, const sal_oversight_step *step, double *first);

/** Stores in falls [at.n] the contacts of step->fired [at.n] that fall: one that opened without speed and still moves
 *  out does not, since the error of the step alone has led it back.  Returns whether any falls. */
bool sal_oversight_drop(sal_batch *b, const sal_oversight_step *step, bool falls[]);
