/** Differences of fourth order: jumps are affine or nearly so. */
#include "jump_slope.h"
#include "model.h"
#include <float.h>

static void raise_to(double *most, double x)
{
  if (fabs(x) > *most) *most = fabs(x);
}

/* In steps of h.  Returns how far differences of second order in h and 2 h lie apart beyond rounding, as a share of the first half
 * of the values, or the second: positions or rates. */
static double differ(const sal_jump *j, double h, double out[])
{
  static const double at[] = {-2, -1, 1, 2};
  double beside[4][SAL_MAX_STATE], worst = 0;

  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < j->n; ++i) beside[s][i] = j->y[i] + at[s] * h * j->x[i];
    if (!j->near(j->of, j->t + at[s] * h * j->dt, beside[s])) return INFINITY;
  }
  for (int half = 0, i = 0; half < 2; ++half) {
    double apart = 0, size = 0, most = 0;
    for (; i < (half ? j->n_out : j->n_out / 2); ++i) {
      const double one = beside[2][i] - beside[1][i], two = beside[3][i] - beside[0][i];
      out[i] = (8 * one - two) / (12 * h);
      raise_to(&apart, (one / 2 - two / 4) / h);
      raise_to(&size, out[i]);
      raise_to(&most, beside[0][i]);
    }
    apart -= 0x1p-46 * most / h;
    if (apart > worst * size) worst = size > 0 ? apart / size : DBL_MAX;
  }
  return worst;
}

/* Steps are short beside what states are, and shorter where these do not resolve surfaces. */
void sal_jump_slope(const sal_jump *j, double out[])
{
  enum { STEPS = 7 };
  double by[SAL_MAX_STATE], size = 1, vector = fabs(j->dt), best = INFINITY;

  for (int i = 0; i < j->n; ++i) {
    raise_to(&size, j->y[i]);
    raise_to(&vector, j->x[i]);
  }
  double h = vector > 0 ? 0x1p-13 * size / vector : 1;
  for (int step = 0; step < STEPS && !(best <= 1e-5); ++step, h /= 16) {
    const double apart = differ(j, h, by);
    if (!(apart < best)) continue;
    memcpy(out, by, (size_t)j->n_out * sizeof *out);
    best = apart;
  }
  for (int i = 0; i < j->n_out && !(best < INFINITY); ++i) out[i] = NAN;
}
