/** Stiffness and damping of the load of a step, for the midpoint rule that is implicit in both. */
#pragma once

#include "contact_motion.h"
#include <stddef.h>

/** -dF/dq and -dF/dv of the load F. */
typedef struct {
  int n;
  double *K, *D, *load; /* [n][n], [n][n], [n] the load where both are */
} sal_implicit;

size_t sal_implicit_words(int n);
/** In memory [sal_implicit_words]. */
sal_implicit sal_implicit_open(int n, double *memory);
/** A column of K or D by the load of the motion, that of another position or velocity by `by`. */
void sal_implicit_note(const sal_implicit *p, double *matrix, int column, double by,
                       const double load[]);
/** M becomes M + h / 2 D + h^2 / 4 K with the symmetric parts of both, without blocks. */
void sal_implicit_add(const sal_implicit *p, double h, sal_contact_motion *m);
/** The load of the rest of D, which is gyroscopic, at half a change of velocities, change [n]. */
void sal_implicit_turn(const sal_implicit *p, const double change[], sal_contact_motion *m);
