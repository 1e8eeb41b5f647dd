/** @file src/answers/metric_block.h
 *  Squares of distances, and bounds on them, as far as a run of coordinates decides: x = L' dz has its parts of these
 *  coordinates and of later ones, which are known.
 */
#ifndef SAL_METRIC_BLOCK_H
#define SAL_METRIC_BLOCK_H

#include "surrogate_metric.h"
#include <stddef.h>

/** Plain data. */
typedef struct {
  int n;
  const double *z;                               /* [n] the place */
  double before;                                 /* squares of later x */
  double offset[SAL_SURROGATE_MOST_COORDINATES]; /* later coordinates' part of x */
  double l[SAL_SURROGATE_MOST_COORDINATES]
          [SAL_SURROGATE_MOST_COORDINATES]; /* x_k = offset_k + l[k] dz */
} sal_metric_block;

/** Makes the block of coordinates first .. first + n - 1; offset [n] NULL: 0. */
void sal_metric_block_make(const sal_surrogate_metric *metric, int first, int n, const double z[],
                           const double offset[], double before, sal_metric_block *block);

static inline double sal_metric_block_x(const sal_metric_block *b, int k, const double dz[])
{
  double x = b->offset[k];

  for (int a = k; a < b->n; ++a) x += b->l[k][a] * dz[a];
  return x;
}

/** Squared distance of a point dz [n] from the place. */
static inline double sal_metric_block_square(const sal_metric_block *b, const double dz[])
{
  double sum = b->before;

  for (int k = b->n - 1; k >= 0; --k) {
    const double x = sal_metric_block_x(b, k, dz);
    sum += x * x;
  }
  return sum;
}

/** No point of a box, lo .. hi [n], has less: each x by itself is as small as it can be, slack [n] less where that is given. */
static inline double sal_metric_block_box_near(const sal_metric_block *b, const double lo[],
                                               const double hi[], const double slack[])
{
  double sum = b->before;

  for (int k = b->n - 1; k >= 0; --k) {
    double middle = b->offset[k], half = 0;
    for (int a = k; a < b->n; ++a) {
      middle += b->l[k][a] * ((lo[a] + hi[a]) / 2 - b->z[a]);
      half += (b->l[k][a] < 0 ? -b->l[k][a] : b->l[k][a]) * (hi[a] - lo[a]) / 2;
    }
    const double least = (middle < 0 ? -middle : middle) - half - (slack ? slack[k] : 0);
    if (least > 0) sum += least * least;
  }
  return sum;
}
static inline double sal_metric_block_box(const sal_metric_block *b, const double lo[],
                                          const double hi[])
{
  return sal_metric_block_box_near(b, lo, hi, NULL);
}

/** Where x = 0 is, and how far each coordinate is from there where |x| = 1, at most: both [n]. */
void sal_metric_block_ellipsoid(const sal_metric_block *block, double centre[], double reach[]);

#endif
