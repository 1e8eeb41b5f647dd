/** Sobol's sequence: the number and the places of its points in a dyadic box, equations of boxes, and a metric over them.
 *
 *  Numbers are linear in Gray codes, so those of a box are a sum of vectors again.  With one leading bit for each vector, which no
 *  other has, they are counted and found in ascending order by bits.
 */
#pragma once

#include "sobol.h"
#include "surrogate_coordinates.h"
#include "surrogate_metric.h"

/** A box: a bit for each level that it has been halved at, the first one lowest; 1: the upper half. */
typedef struct {
  int depth;
  uint32_t bits;
} sal_sobol_box;

static inline sal_sobol_box sal_sobol_box_half(sal_sobol_box whole, bool upper)
{
  return (sal_sobol_box){whole.depth + 1, whole.bits | (uint32_t)upper << whole.depth};
}

typedef struct sal_sobol_points sal_sobol_points;

/** Creates n_point points, in boxes that are halved along these columns of the sequence, [depth].  Freed by sal_free. */
sal_err sal_sobol_points_create(int64_t n_point, int depth, const int column[],
                                sal_sobol_points **points);

int64_t sal_sobol_points_count(const sal_sobol_points *points, sal_sobol_box box);
/** The k-th point of a box that has so many, ascending, and which one a point of the box is. */
int64_t sal_sobol_points_number(const sal_sobol_points *points, sal_sobol_box box, int64_t k);
int64_t sal_sobol_points_rank(const sal_sobol_points *points, sal_sobol_box box, int64_t point);
/** The bits of the deepest box that a point is in; the lowest ones are those of the larger boxes around it. */
uint32_t sal_sobol_points_boxes(const sal_sobol_points *points, int64_t point);

/* Dyadic boxes of Sobol's sequence as linear equations over the field of two elements.
 *
 * The leading bits of a point's coordinates are linear in the Gray code of its number. So the points of a box, which those bits
 * make, are one solution of linear equations and all sums of a few vectors with it. Boxes of a depth share the equations, and
 * differ in the right sides alone. */

/** Plain data.  n_bit, depth and halved are given, the rest is found. */
typedef struct {
  int n_bit; /* of numbers */
  int depth; /* levels of halving; a box has a bit for each, the first one lowest: the upper half */
  int halved[SAL_SOBOL_BITS]; /* the column of the sequence that each level halves */
  int n_pivot;                /* bits of the Gray code that the equations give .. */
  int pivot[SAL_SOBOL_BITS];
  uint32_t by[SAL_SOBOL_BITS]; /* .. each the parity of these bits of a box */
  int n_check;                 /* without a solution where one of these parities of a box is odd */
  uint32_t check[SAL_SOBOL_BITS];
  int n_free;
  uint32_t null[SAL_SOBOL_BITS]; /* Gray codes that leave a box */
} sal_sobol_equations;

/** Bits of the numbers of n_point points and the corner before them. */
int sal_sobol_equations_bits(int64_t n_point);

/** Solves them, by Gauss' and Jordan's elimination. */
void sal_sobol_equations_solve(sal_sobol_equations *equations);

/** A Gray code in a box; false: there is none. */
bool sal_sobol_equations_gray(const sal_sobol_equations *equations, uint32_t box, uint32_t *gray);

/* Squares of distances, and bounds on them, as far as a run of coordinates decides: x = L' dz has its parts of these
 * coordinates and of later ones, which are known. */

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

/** Where x = 0 is, and how far each coordinate is from there where |x| = 1, at most: both [n]. */
void sal_metric_block_ellipsoid(const sal_metric_block *block, double centre[], double reach[]);

/* Points of Sobol's sequence near a place, without an index.
 *
 * The leading bits of a point's coordinates are linear in the Gray code of its number, over the field of two elements.
 * So the points of a box that those bits make are a solution of linear equations and all sums of a few vectors.
 * Boxes are searched as the leaves of a k-d tree are, and none of it is stored. */

/** The points of a sequence from which coordinates are made; plain data. */
typedef struct {
  int n; /* coordinates; 0: the points are not such a sequence */
  int64_t n_point;
  int column[SAL_SURROGATE_MOST_COORDINATES];  /* of the sequence */
  double at_0[SAL_SURROGATE_MOST_COORDINATES], /* coordinate where the sequence has 0 */
      range[SAL_SURROGATE_MOST_COORDINATES];   /* and how far it is from there to 1 */
} sal_sobol_boxes;

/** The boxes of an axis, whose column c[k] is coordinate at[k], k < n: n is 0 where its points are not the sequence's, whole numbers among
 *  them. */
sal_sobol_boxes sal_sobol_boxes_of(const sal_axis *axis, int n, const sal_surrogate_coordinate at[],
                                   const int c[]);

/** Calls near(with, point) for all points whose square may stay within the limit, which may become less on the way.  slack [n]:
 *  by how much each x of the place may differ; NULL: not at all. */
void sal_sobol_boxes_search(const sal_sobol_boxes *boxes, const sal_metric_block *block,
                            const double slack[], const double *limit,
                            void (*near)(void *with, int64_t point), void *with);
