/** How far places are from each other: d^2 = dz' M dz with M = L L', so that errors change alike in all directions of
 *  x = L' z.
 */
#pragma once

#include "err.h"

enum { SAL_SURROGATE_MOST_COORDINATES = 32 };
enum {
  SAL_SURROGATE_METRIC_NUMBERS =
      SAL_SURROGATE_MOST_COORDINATES * (SAL_SURROGATE_MOST_COORDINATES + 1) / 2
};

/** Plain data. */
typedef struct {
  int n;                                  /* coordinates */
  double l[SAL_SURROGATE_METRIC_NUMBERS]; /* rows of the lower triangle L: [n (n + 1) / 2] */
} sal_surrogate_metric;

/** From scales [n], above 0, of the coordinates by themselves. */
void sal_surrogate_metric_of_scales(int n, const double scale[], sal_surrogate_metric *metric);
/** From a triangle [n (n + 1) / 2] whose diagonal is above 0; false where it is not, or not finite. */
bool sal_surrogate_metric_of_triangle(int n, const double l[], sal_surrogate_metric *metric);
/** From the symmetric matrix M [n][n], of which it adds a 400th of the largest diagonal element to the diagonal; the
 *  determinant becomes 1.  False where M is 0. */
bool sal_surrogate_metric_of_matrix(int n, const double m[], sal_surrogate_metric *metric);

/** An element of L, row >= column. */
static inline double sal_surrogate_metric_at(const sal_surrogate_metric *metric, int row,
                                             int column)
{
  return metric->l[row * (row + 1) / 2 + column];
}
/** How fast errors change along a coordinate by itself: sqrt(M_aa). */
double sal_surrogate_metric_scale(const sal_surrogate_metric *metric, int a);
/** x [n] = L' dz. */
void sal_surrogate_metric_apply(const sal_surrogate_metric *metric, const double dz[], double x[]);
/** d^2 of dz [n]. */
double sal_surrogate_metric_square(const sal_surrogate_metric *metric, const double dz[]);
/** g [n] = L s: derivatives by z from those by x. */
void sal_surrogate_metric_gradient(const sal_surrogate_metric *metric, const double s[],
                                   double g[]);
