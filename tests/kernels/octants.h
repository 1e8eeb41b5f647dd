/** A test-only model: three surfaces that cross at the origin of space, and a field in each of the
 *  eight octants between them, constant there.  The smallest event-selected system in which every
 *  order of three crossings makes a difference.  Its solution is a polygon, known in closed form.
 *
 *      h_k = x_k + c |x|^2,    f_k(octant) = 1 + s sin(17 seed + 5.3 octant + 2.1 k).
 *
 *  With s < 1 every field crosses every surface from h_k < 0, where contact k is open, to h_k > 0.
 */
#pragma once

#include "model.h"
#include <math.h>

enum { OCTANTS_SEED, OCTANTS_CURVATURE, OCTANTS_SWING, OCTANTS_N_PARAM, OCTANTS_N = 3 };
#define OCTANTS_USUAL 0.5 /* swing */

extern const sal_model octants;

/** The field of an octant at the usual swing: bit k is set beyond surface k. */
static inline void octants_field(double seed, int octant, double F[OCTANTS_N])
{
  for (int k = 0; k < OCTANTS_N; ++k)
    F[k] = 1 + OCTANTS_USUAL * sin(17 * seed + 5.3 * octant + 2.1 * k);
}

/** h_k at x + s F becomes 0 at this s, the root of a quadratic that goes over into the linear one. */
static inline double octants_when(const double x[], const double F[], int k, double c)
{
  double xx = 0, xF = 0, FF = 0;

  for (int i = 0; i < OCTANTS_N; ++i) xx += x[i] * x[i], xF += x[i] * F[i], FF += F[i] * F[i];
  const double rate = F[k] + 2 * c * xF, h = x[k] + c * xx;
  return -2 * h / (rate + sqrt(rate * rate - 4 * c * FF * h));
}

/** Moves x, which lies in octant 0, on by a time t; order receives the surfaces crossed (3 at
 *  most), and their number is returned. */
static inline int octants_move(double seed, double c, double t, double x[], int order[])
{
  int octant = 0, n = 0;

  for (;;) {
    double F[OCTANTS_N], first = t;
    int k = -1;
    octants_field(seed, octant, F);
    for (int j = 0; j < OCTANTS_N; ++j) {
      const double when = octant >> j & 1 ? INFINITY : octants_when(x, F, j, c);
      if (when < first) first = when, k = j;
    }
    for (int i = 0; i < OCTANTS_N; ++i) x[i] += first * F[i];
    if (k < 0) return n;
    order[n++] = k;
    octant |= 1 << k;
    t -= first;
  }
}
