/** Central differences of sixth order. */
#pragma once

/** d/dh f(at + h) at h = 0 from f at -3h .. 3h, without the middle; f [6]. */
static inline double sixth_order(const double f[6], double h)
{
  return (45 * (f[3] - f[2]) - 9 * (f[4] - f[1]) + (f[5] - f[0])) / (60 * h);
}

static const double sixth_order_at[6] = {-3, -2, -1, 1, 2, 3};

/** A number from -1 to 1, the same in every run. */
static inline double draw(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return *seed / 2147483648.0 - 1;
}
