/** @file src/app/published.c
 *  Tables 2-5 as printed.
 */
#include "published.h"
#include <math.h>
#include <string.h>

const double sal_published_sets[SAL_PUBLISHED_SETS][5] = {
    {1951, 20.00, 22.8, 0.051, 35},     {1951, 10.40, 22.8, 0.051, 172},
    {1951, 1.88, 22.8, 0.010, 1328},    {550, 1.88, 22.8, 0.051, 3564},
    {1951, 1.88, 22.8, 0.051, 7010},    {1951, 1.88, 22.8, 0.155, 17805},
    {1951, 0.80, 22.8, 0.051, 31044},   {1951, 1.88, 22.8, 0.300, 36144},
    {19275, 1.88, 22.8, 0.051, 50072},  {1951, 1.88, 240.5, 0.051, 72942},
    {38000, 1.88, 22.8, 0.051, 176750}, {1951, 1.88, 480.0, 0.051, 181160},
    {1951, 1.88, 1.0, 0.051, 234440},
};

const double sal_published_tolerance[SAL_PUBLISHED_TOLERANCES] = {1e-3, 1e-6, 1e-9};
const char *const sal_published_method[SAL_PUBLISHED_METHODS] = {
    "ode15s", "ode45", "ode23s", "ode113", "ode23tb", "ode23t", "ode23"};
const char *const sal_published_strategy[SAL_PUBLISHED_STRATEGIES] = {"switch", "event"};

const double sal_published_points[SAL_PUBLISHED_STRATEGIES][SAL_PUBLISHED_TOLERANCES]
                                 [SAL_PUBLISHED_METHODS][SAL_PUBLISHED_CRITERIA] = {
                                     {{{102.77, 42.30, 102.31},
                                       {123.96, 75.90, 121.71},
                                       {96.16, 46.49, 115.66},
                                       {119.37, 55.94, 116.15},
                                       {106.99, 47.91, 117.59},
                                       {105.41, 47.00, 111.62},
                                       {125.44, 43.84, 115.04}},
                                      {{120.84, 99.63, 122.79},
                                       {127.78, 36.46, 120.60},
                                       {84.16, 18.90, 119.39},
                                       {127.07, 27.50, 122.66},
                                       {106.98, 18.94, 121.07},
                                       {104.77, 79.06, 119.96},
                                       {124.22, 15.78, 122.92}},
                                      {{127.21, 15.02, 113.75},
                                       {128.99, 87.01, 127.55},
                                       {83.44, 36.94, 119.54},
                                       {129.19, 28.02, 121.88},
                                       {109.19, 15.26, 102.74},
                                       {107.39, 19.97, 116.67},
                                       {123.37, 23.61, 118.61}}},
                                     {{{87.50, 45.85, 100.76},
                                       {112.91, 74.44, 122.23},
                                       {85.26, 46.31, 120.02},
                                       {103.12, 67.55, 119.85},
                                       {98.19, 47.87, 118.86},
                                       {93.09, 45.52, 106.04},
                                       {115.76, 43.49, 119.84}},
                                      {{116.37, 98.45, 123.16},
                                       {125.51, 53.29, 124.23},
                                       {76.14, 18.90, 119.61},
                                       {123.70, 27.50, 128.16},
                                       {100.29, 18.85, 120.84},
                                       {95.42, 76.44, 120.07},
                                       {119.12, 15.83, 122.61}},
                                      {{126.23, 15.02, 110.67},
                                       {128.39, 112.28, 128.77},
                                       {75.89, 36.91, 119.41},
                                       {128.96, 44.91, 126.56},
                                       {102.33, 15.26, 102.23},
                                       {98.66, 19.97, 116.53},
                                       {119.39, 23.58, 118.65}}},
};

const double sal_published_total[SAL_PUBLISHED_METHODS] = {364.47, 376.16, 287.71, 376.80,
                                                           335.03, 329.50, 371.36};

static int find_name(const char *name, int n, const char *const names[])
{
  for (int i = 0; i < n; ++i)
    if (strcmp(name, names[i]) == 0) return i;
  return -1;
}

int sal_published_find_method(const char *name)
{
  return find_name(name, SAL_PUBLISHED_METHODS, sal_published_method);
}

int sal_published_find_strategy(const char *name)
{
  return find_name(name, SAL_PUBLISHED_STRATEGIES, sal_published_strategy);
}

int sal_published_find_tolerance(double tolerance)
{
  for (int i = 0; i < SAL_PUBLISHED_TOLERANCES; ++i)
    if (fabs(tolerance / sal_published_tolerance[i] - 1) < 1e-9) return i;
  return -1;
}

int sal_published_find_set(int n, const char *const name[], const double param[])
{
  static const char *const table_2[] = {"b", "m1", "k", "f"};
  enum { N = sizeof table_2 / sizeof *table_2 };

  if (n < N) return -1;
  for (int i = 0; i < N; ++i)
    if (strcmp(name[i], table_2[i]) != 0) return -1;
  for (int i = N; i < n; ++i)
    if (param[i] != 0) return -1; /* a leg with a damper */
  for (int i = 0; i < SAL_PUBLISHED_SETS; ++i)
    if (memcmp(param, sal_published_sets[i], N * sizeof *param) == 0) return i;
  return -1;
}
