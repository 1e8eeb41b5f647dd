/** Compliant contacts in steps of time stepping. */
#include "capture.h"
#include "model_point.h"
#include <math.h>
#include <string.h>

/* k / m at y, where nothing moves: what closing contact k adds to the slope of the velocities is M^-1 G' times its force, a
 * pull where the gap is above 0.  slope [n]: that, of the positions; *part: by so much of it the gap doubles. */
static double square_rate(const sal_model *m, const double param[], int k, const double y[],
                          double slope[], double *part)
{
  double open[SAL_MAX_STATE], shut[SAL_MAX_STATE], gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];
  bool closed[SAL_MAX_GUARD] = {false};

  memset(slope, 0, (size_t)sal_model_continuous(m) * sizeof *slope);
  sal_model_field(m, param, closed, 0, y, open);
  sal_model_rates(m, param, closed, 0, y, slope, gap, rate);
  const double drift = rate[k];
  closed[k] = true;
  sal_model_field(m, param, closed, 0, y, shut);
  closed[k] = false;
  for (int i = 0; i < sal_model_continuous(m); ++i)
    if (m->velocity[i]) slope[i] = shut[m->velocity[i] - 1] - open[m->velocity[i] - 1];
  sal_model_rates(m, param, closed, 0, y, slope, gap, rate);
  *part = gap[k] / (rate[k] - drift);
  return -1 / *part;
}

/* The same of a contact whose force is in proportion to its gap; 0: of another one. */
static double linear_square_rate(const sal_model *m, const double param[], int k, const double y[])
{
  static const double same = 0.05,
                      aside = 1e-3; /* of the sizes of states: the gap is not 0 there */
  double at[SAL_MAX_STATE], slope[SAL_MAX_STATE], part;
  const int n = sal_model_continuous(m);

  memcpy(at, y, (size_t)m->n_state * sizeof *y);
  for (int i = 0; i < n; ++i)
    if (m->velocity[i]) {
      at[m->velocity[i] - 1] = 0; /* dampers push, too */
      at[i] += aside * (1 + fabs(at[i])) * (1 + (double)i / n);
    }
  const double one = square_rate(m, param, k, at, slope, &part);
  for (int i = 0; i < n; ++i) at[i] += part * slope[i];
  const double two = square_rate(m, param, k, at, slope, &part);
  return fabs(two - one) < same * one ? one : 0;
}

double sal_capture_longest(const sal_model *m, const double param[], const double y[], int *contact)
{
  static const double share = 0.2; /* a tenth of the limit of stability */
  double most = 0;

  *contact = -1;
  for (int k = 0; k < sal_model_guards(m, param); ++k) {
    if (sal_model_contact(m, k)->kind != SAL_CONTACT_COMPLIANT) continue;
    const double square = linear_square_rate(m, param, k, y);
    if (!(square > most)) continue;
    most = square;
    *contact = k;
  }
  return most > 0 ? share / sqrt(most) : INFINITY;
}
