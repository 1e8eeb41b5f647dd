/** A test-only second-order system with a known solution and nothing that is not smooth: no contact,
 *  non-linear in positions and velocities, dependent on time; and what of it or of smooth_growth a
 *  method can solve.
 */
#pragma once

#include "method.h"
#include "smooth_growth.h"

/** x = 2 u + w, z = u + w and their velocities, with u'' = u' cos t - u sin t, w'' = -2 w w'; starts
 *  from u = u' = 1, w = 1/2, w' = -1/4.  x and z are those of smooth_growth. */
extern const sal_model smooth_motion;

/** y [4] at time t. */
void smooth_motion_exact(long double t, long double y[]);

/** A smooth problem and its solution: x and z are the first two states. */
typedef struct {
  const sal_model *model;
  int n;
  const double *initial;
} smooth_problem;

static inline smooth_problem smooth_problem_for(const sal_method *method)
{
  static const double slow[] = {2.5, 1.5}, moving[] = {2.5, 1.5, 1.75, 0.75};

  if (method->second_order) return (smooth_problem){&smooth_motion, 4, moving};
  return (smooth_problem){&smooth_growth, 2, slow};
}
