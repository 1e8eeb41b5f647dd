/** A state by itself. */
#include "model_drawn.h"
#include "model_point.h"
#include <math.h>

double sal_model_left_energy(const sal_model *m, const double param[], double t, const double y[])
{
  bool closed[SAL_MAX_GUARD];

  sal_model_mode(m, param, t, y, closed);
  if (m->mechanical) return m->mechanical(m->inner, param, y, closed);
  return m->energy ? m->energy(m->inner, param, t, y, closed) : NAN;
}

int sal_model_left_forbidden(const sal_model *m, const double y[])
{
  for (int i = sal_model_continuous(m); i < m->n_state; ++i) {
    const sal_field *f = &m->state[i];
    if (!(y[i] >= f->least && y[i] <= f->most) || (f->whole && y[i] != rint(y[i]))) return i;
  }
  return -1;
}
