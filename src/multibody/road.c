/** Profiles of the road. */
#include "force.h"
#include <math.h>

static void flat(const sal_road *road, const double value[], double x, double z[3])
{
  (void)road, (void)value, (void)x;
  z[0] = z[1] = z[2] = 0;
}

/* z = sqrt((R + r)^2 - s^2) - R where that is above 0; R the disc, r the cylinder. */
static void cylinder(const sal_road *road, const double value[], double x, double z[3])
{
  const double *v = value + road->at, r = v[0], R = v[1], s = x - v[2];
  const double square = (R + r) * (R + r) - s * s, root = sqrt(square > 0 ? square : 0);

  flat(road, value, x, z);
  if (!(root > R)) return;
  z[0] = root - R;
  z[1] = -s / root;
  z[2] = -(R + r) * (R + r) / (root * square);
}

static void table(const sal_road *road, const double value[], double x, double z[3])
{
  const double(*p)[2] = (const double(*)[2])(value + road->at);
  const int last = road->n_point - 1;
  int k = 0;

  z[1] = z[2] = 0;
  z[0] = x < p[0][0] ? p[0][1] : p[last][1];
  if (x < p[0][0] || x >= p[last][0]) return;
  while (x >= p[k + 1][0]) ++k;
  z[1] = (p[k + 1][1] - p[k][1]) / (p[k + 1][0] - p[k][0]);
  z[0] = p[k][1] + z[1] * (x - p[k][0]);
}

static double no_extent(const sal_road *road, const double value[])
{
  (void)road, (void)value;
  return INFINITY;
}

/* Where the root above is above R.  A grain of dust, which would ask for steps of no length, is no
 * bump. */
static double cylinder_extent(const sal_road *road, const double value[])
{
  const double r = value[road->at], R = value[road->at + 1], half = sqrt(r * (r + 2 * R));

  return r > 1e-7 * R ? 2 * half : INFINITY;
}

/* The slope changes where the road rises, where it falls and where it is level again: the least
 * distance from such a point to the next but one. */
static double table_extent(const sal_road *road, const double value[])
{
  const double(*p)[2] = (const double(*)[2])(value + road->at);
  double least = INFINITY, before = -INFINITY, last = -INFINITY, slope = 0;

  for (int k = 0; k < road->n_point; ++k) {
    const bool ends = k + 1 == road->n_point;
    const double next = ends ? 0 : (p[k + 1][1] - p[k][1]) / (p[k + 1][0] - p[k][0]);
    if (fabs(next - slope) > 1e-9 * (fabs(next) + fabs(slope))) {
      least = fmin(least, p[k][0] - before);
      before = last;
      last = p[k][0];
    }
    slope = next;
  }
  return least;
}

double sal_road_extent(const sal_road *road, const double value[])
{
  static double (*const kinds[SAL_N_ROAD_KIND])(const sal_road *, const double[]) = {
      [SAL_ROAD_FLAT] = no_extent,
      [SAL_ROAD_CYLINDER] = cylinder_extent,
      [SAL_ROAD_TABLE] = table_extent};

  return kinds[road->kind](road, value);
}

void sal_road_at(const sal_road *road, const double value[], double x, double z[3])
{
  static void (*const kinds[SAL_N_ROAD_KIND])(const sal_road *, const double[], double,
                                              double[3]) = {
      [SAL_ROAD_FLAT] = flat, [SAL_ROAD_CYLINDER] = cylinder, [SAL_ROAD_TABLE] = table};

  kinds[road->kind](road, value, x, z);
}
