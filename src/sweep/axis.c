/** Values of axes. */
#include "axis.h"
#include "base.h"
#include "random.h"
#include "scalar_math.h"
#include "sobol.h"
#include <float.h>

const char *sal_axis_kind_name(sal_axis_kind kind)
{
  static const char *const name[] = {
      [SAL_AXIS_LINEAR] = "linear", [SAL_AXIS_LOG] = "log",       [SAL_AXIS_LIST] = "list",
      [SAL_AXIS_ROWS] = "rows",     [SAL_AXIS_RANDOM] = "random", [SAL_AXIS_SOBOL] = "sobol"};
  return name[kind];
}

bool sal_axis_joint(const sal_axis *axis) { return axis->kind >= SAL_AXIS_ROWS; }

/* Is v certainly no decimal of up to 12 digits?  Without an answer it takes the way through text,
 * which is ten times as long: axes have up to 10^8 points, most of them no such decimals.  *power:
 * a guess at the power of ten that brings 12 digits before the point, and then that power. */
static bool is_no_decimal(long double v, long double *power)
{
  long double scaled = fabsl(v) * *power;

  if (!(scaled >= 1e11L && scaled < 1e12L)) {
    *power = powl(10, 11 - floorl(log10l(fabsl(v))));
    scaled = fabsl(v) * *power;
  }
  return scaled >= 1e11L && scaled < 1e12L && fabsl(scaled - rintl(scaled)) > 0.01L;
}

/* The decimal of up to 12 digits that v is but for rounding, else v.  v is exact to more digits
 * than a double has; lo and hi are decimals rounded to doubles, so what lies between them may miss
 * by as much.  `scale`: what counts as 0 next to it. */
static double round_to_decimal(long double v, double scale, long double *power)
{
  char text[64];

  if (fabsl(v) <= DBL_EPSILON * fabs(scale)) return 0;
  if (is_no_decimal(v, power)) return (double)v;
  snprintf(text, sizeof text, "%.12Lg", v);
  const double decimal = strtod(text, NULL);
  return fabsl(v - decimal) <= 2 * DBL_EPSILON * fabsl(v) ? decimal : (double)v;
}

/* Point i of a linear or log axis with two points or more. */
static double value_of_formula(const sal_axis *axis, int64_t i, long double *power)
{
  const long double lo = axis->lo[0], hi = axis->hi[0];
  const long double share = (long double)i / (long double)(axis->n_point - 1);
  double v;

  if (i == 0) return axis->lo[0];
  if (i == axis->n_point - 1) return axis->hi[0];
  if (axis->kind == SAL_AXIS_LINEAR)
    v = round_to_decimal(lo + (hi - lo) * share, fmax(fabs(axis->lo[0]), fabs(axis->hi[0])), power);
  else
    v = round_to_decimal(lo * powl(hi / lo, share), 0, power);
  return axis->whole[0] ? rint(v) : v;
}

/* From a share 0 <= u < 1 of the logarithm of the range of column c.  A whole number n has all from n - 1/2 to n + 1/2. */
static double value_in_log_range(const sal_axis *axis, int c, double u)
{
  const double lo = axis->lo[c], hi = axis->hi[c], half = axis->whole[c] ? 0.5 : 0;
  const double v = (lo - half) * sal_scalar_pow((hi + half) / (lo - half), u);

  return fmin(hi, fmax(lo, axis->whole[c] ? rint(v) : v));
}

/* From a share 0 <= u < 1 of the range of column c. */
static double value_in_range(const sal_axis *axis, int c, double u)
{
  const double lo = axis->lo[c], hi = axis->hi[c];

  if (axis->log[c]) return value_in_log_range(axis, c, u);
  return fmin(hi, axis->whole[c] ? lo + floor(u * (hi - lo + 1)) : lo + u * (hi - lo));
}

/* Where the sequence has coordinate x (sobol.h); it rises with x. */
static double sequence_value(const sal_axis *axis, uint32_t x, int c)
{
  return value_in_range(axis, c, ldexp(x, -SAL_SOBOL_BITS));
}

bool sal_axis_fill(sal_axis *axis)
{
  long double power = 1;

  if (axis->kind == SAL_AXIS_RANDOM || axis->kind == SAL_AXIS_SOBOL) return true;
  axis->value = sal_alloc((size_t)axis->n_point, (size_t)axis->n_column * sizeof *axis->value);
  if (!axis->value) return false;
  for (int64_t i = 0; i < axis->n_point; ++i) axis->value[i] = value_of_formula(axis, i, &power);
  return true;
}

double sal_axis_bytes(const sal_axis *axis)
{
  return axis->value ? (double)axis->n_point * axis->n_column * (double)sizeof *axis->value : 0;
}

double sal_axis_value(const sal_axis *axis, int64_t point, int c)
{
  if (axis->value) return axis->value[point * axis->n_column + c];
  if (axis->kind == SAL_AXIS_SOBOL)
    return sequence_value(axis, sal_sobol_coordinate(c, sal_sobol_gray(point)), c);
  return value_in_range(axis, c, sal_random(axis->seed, (uint64_t)point, (uint32_t)c));
}

bool sal_axis_is_smooth_sequence(const sal_axis *axis)
{
  bool smooth = axis->kind == SAL_AXIS_SOBOL;

  for (int c = 0; smooth && c < axis->n_column; ++c) smooth = !axis->whole[c];
  return smooth;
}

/* Values rise with the coordinates of the sequence. */
static void sequence_ends(const sal_axis *axis, int c, double *lo, double *hi)
{
  uint32_t least = UINT32_MAX, most = 0, x = 0;

  for (int64_t i = 0; i < axis->n_point; ++i) {
    x = sal_sobol_after(c, i, x);
    if (x < least) least = x;
    if (x > most) most = x;
  }
  *lo = sequence_value(axis, least, c);
  *hi = sequence_value(axis, most, c);
}

void sal_axis_ends(const sal_axis *axis, int c, double *lo, double *hi)
{
  if (axis->kind == SAL_AXIS_SOBOL) {
    sequence_ends(axis, c, lo, hi);
    return;
  }
  *lo = *hi = sal_axis_value(axis, 0, c);
  for (int64_t i = 1; i < axis->n_point; ++i) {
    const double x = sal_axis_value(axis, i, c);
    *lo = fmin(*lo, x);
    *hi = fmax(*hi, x);
  }
}

bool sal_axis_column_by_log(const sal_axis *axis, int c)
{
  double lo, hi;

  if (axis->kind == SAL_AXIS_RANDOM || axis->kind == SAL_AXIS_SOBOL) return axis->log[c];
  sal_axis_ends(axis, c, &lo, &hi);
  if (axis->kind == SAL_AXIS_ROWS) return lo > 0 && hi >= 10 * lo;
  return axis->kind != SAL_AXIS_LINEAR && lo > 0;
}

bool sal_axis_bracket(const sal_axis *axis, double x, double *lo, double *hi,
                      sal_axis_neighbours *out)
{
  sal_axis_ends(axis, 0, lo, hi);
  const double slack = 4 * DBL_EPSILON * fmax(fabs(*lo), fabs(*hi));
  const bool inside = x >= *lo - slack && x <= *hi + slack;

  *out =
      (sal_axis_neighbours){.below = -1, .above = -1, .at_below = -INFINITY, .at_above = INFINITY};
  x = fmin(fmax(x, *lo), *hi);
  for (int64_t i = 0; i < axis->n_point; ++i) { /* the values of a list may have any order */
    const double v = sal_axis_value(axis, i, 0);
    if (v <= x && v > out->at_below) out->at_below = v, out->below = i;
    if (v >= x && v < out->at_above) out->at_above = v, out->above = i;
  }
  return inside;
}
