/** Derivatives of jumps that do not have them, at width 1. */
#pragma once

#include <stdbool.h>

/** A jump of states [n], and where and along which vector it is differentiated. */
typedef struct {
  bool (*near)(void *of, double t, double y[]); /* it changes y; false: it is not solved */
  void *of;
  int n, n_out; /* states / those, the first, whose derivatives are made */
  double t, dt;
  const double *y, *x;
} sal_jump;

/** out [n_out] = DR x + R_t dt by differences; not numbers where the jump is not solved. */
void sal_jump_slope(const sal_jump *jump, double out[]);
