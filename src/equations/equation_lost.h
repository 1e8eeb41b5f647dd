/** Finds the expression of a text that makes a value that is not finite. */
#pragma once

#include "err.h"

/** A value of the model: f of a state; of a contact its gap, or what holds it; or what the change of a
 *  contact makes of a state.  -1: none. */
typedef struct {
  int state, contact;
  bool closes; /* of both: the contact has closed */
  double t;
  const double *words, *y; /* parameters and options; states */
  const bool *closed;      /* contacts */
} sal_equation_lost;

/** Reads a text anew and writes into out [size] where the value comes from, "FILE:LINE: KEY: sqrt(-1)"; "" where it stands in
 *  no expression of the text. */
sal_err sal_equation_lost_find(const char *path, const char *text, const sal_equation_lost *lost,
                               int size, char out[]);
