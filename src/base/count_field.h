/** The field of a count of a model's text. */
#pragma once

#include "model.h"

/** It is whole and at least 1; its preset is *given where that is not NULL, and its range has it. */
static inline void sal_count_field(sal_field *f, const double *given)
{
  f->whole = true;
  f->least = fmax(f->least, 1);
  if (given) f->preset = *given;
  f->lo = fmin(f->lo, f->preset);
  f->hi = fmax(f->hi, f->preset);
}
