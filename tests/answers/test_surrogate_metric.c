/** Metrics by hand. */
#include "sal_test.h"
#include "surrogate_metric.h"
#include <math.h>

/* M = [[4, 2], [2, 5]] = L L' with L = [[2, 0], [1, 2]], whose determinant is 16. */
static void by_hand(void)
{
  static const double l[] = {2, 1, 2}, dz[] = {3, -1}, s[] = {0.5, 7};
  sal_surrogate_metric m;
  double x[2], g[2];

  CU_ASSERT_FATAL(sal_surrogate_metric_of_triangle(2, l, &m));
  sal_surrogate_metric_apply(&m, dz, x);
  CU_ASSERT(x[0] == 5 && x[1] == -2);
  CU_ASSERT_EQUAL(sal_surrogate_metric_square(&m, dz), 4 * 9 - 2 * 2 * 3 + 5);
  sal_surrogate_metric_gradient(&m, s, g);
  CU_ASSERT(g[0] == 1 && g[1] == 0.5 + 14);
  CU_ASSERT_DOUBLE_EQUAL(sal_surrogate_metric_scale(&m, 0), 2, 1e-15);
  CU_ASSERT_DOUBLE_EQUAL(sal_surrogate_metric_scale(&m, 1), sqrt(5), 1e-15);
  CU_ASSERT(!sal_surrogate_metric_of_triangle(2, (double[]){2, 1, 0}, &m));
  CU_ASSERT(!sal_surrogate_metric_of_triangle(2, (double[]){2, NAN, 1}, &m));
}

static void of_a_matrix(void)
{
  static const double of[] = {4, 2, 2, 5}, zero[4];
  sal_surrogate_metric m;
  const double a = 4 + 0.0125, b = 5 + 0.0125, root = sqrt(a * b - 4); /* of the determinant */

  CU_ASSERT_FATAL(sal_surrogate_metric_of_matrix(2, of, &m));
  CU_ASSERT_DOUBLE_EQUAL(sal_surrogate_metric_square(&m, (double[]){1, 0}), a / root, 1e-14);
  CU_ASSERT_DOUBLE_EQUAL(sal_surrogate_metric_square(&m, (double[]){0, 1}), b / root, 1e-14);
  CU_ASSERT_DOUBLE_EQUAL(sal_surrogate_metric_square(&m, (double[]){1, 1}), (a + b + 4) / root,
                         1e-14);
  CU_ASSERT_DOUBLE_EQUAL(m.l[0] * m.l[2], 1, 1e-15);
  CU_ASSERT(!sal_surrogate_metric_of_matrix(2, zero, &m));
}

static void of_scales(void)
{
  sal_surrogate_metric m;

  sal_surrogate_metric_of_scales(2, (double[]){3, 0.5}, &m);
  CU_ASSERT(sal_surrogate_metric_at(&m, 0, 0) == 3 && sal_surrogate_metric_at(&m, 1, 1) == 0.5);
  CU_ASSERT_EQUAL(sal_surrogate_metric_at(&m, 1, 0), 0);
  CU_ASSERT_EQUAL(sal_surrogate_metric_square(&m, (double[]){1, 2}), 10);
}

SAL_TEST_MAIN("metrics of the surrogate", NULL, {"by hand", by_hand}, {"of a matrix", of_a_matrix},
              {"of scales", of_scales})
