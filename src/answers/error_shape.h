/** @file src/answers/error_shape.h
 *  The distribution that errors have around their planes, in units of their scatter: one for all configurations and places.
 *
 *  It is that of the residuals at cells left out of their planes, by 257 quantiles and the 32 smallest and largest
 *  values; between these it is linear.  No probability is above 1 - 1/n of the n residuals it is made of.
 */
#ifndef SAL_ERROR_SHAPE_H
#define SAL_ERROR_SHAPE_H

#include <stdint.h>

enum { SAL_ERROR_SHAPE_QUANTILES = 257, SAL_ERROR_SHAPE_TAIL = 32 };
enum { SAL_ERROR_SHAPE_BINS = 1024 }; /* in which knots are found */
enum { SAL_ERROR_SHAPE_KNOTS = SAL_ERROR_SHAPE_QUANTILES + 2 * SAL_ERROR_SHAPE_TAIL };

/** Plain data. */
typedef struct {
  int n;                               /* knots; 0: nothing is known, and all probabilities are 0 */
  double at[SAL_ERROR_SHAPE_KNOTS];    /* [n] ascending */
  double below[SAL_ERROR_SHAPE_KNOTS]; /* [n] the share of residuals up to at[i], below 1 */
  int16_t before
      [SAL_ERROR_SHAPE_BINS]; /* knots in the bins before each one, of even width; zeros will do, slowly */
} sal_error_shape;

/** Makes the shape of n residuals over their scatter, and sorts them. */
void sal_error_shape_make(int64_t n, double residual[], sal_error_shape *shape);
/** Makes the bins of knots from elsewhere. */
void sal_error_shape_index(sal_error_shape *shape);
/** The share of residuals up to z. */
double sal_error_shape_below(const sal_error_shape *shape, double z);

#endif
