/** @file src/ensemble/stiffness.c
 *  Eigenvalues by LAPACK.
 */
#include "stiffness.h"
#include "integrate.h"
#include <lapacke.h>
#include <math.h>

/* Eigenvalues of a general matrix, which is overwritten; false when LAPACK gives up. */
static bool find_eigenvalues(int n, double A[], double re[], double im[])
{
  for (int i = 0; i < n * n; ++i)
    if (!isfinite(A[i])) return false;
  return LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, A, n, re, im, NULL, 1, NULL, 1) == 0;
}

static double spectral_radius(int n, const double re[], const double im[])
{
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = fmax(largest, hypot(re[i], im[i]));
  return largest;
}

sal_stiffness sal_stiffness_at_rest(const sal_model *model, const double param[], sal_rest which)
{
  const int     n    = sal_model_continuous(model);
  sal_stiffness none = {NAN, NAN};
  double        y[SAL_MAX_STATE], re[SAL_MAX_STATE], im[SAL_MAX_STATE];
  double        J[SAL_MAX_STATE * SAL_MAX_STATE];

  if (!model->rest || !model->rest(param, which, y)) return none;
  sal_model_jacobian(model, param, 0, y, true, J);
  if (!find_eigenvalues(n, J, re, im)) return none;
  double least = INFINITY, most = 0;
  for (int i = 0; i < n; ++i) {
    least = fmin(least, fabs(re[i]));
    most  = fmax(most, fabs(re[i]));
  }
  return (sal_stiffness){most / least, spectral_radius(n, re, im)};
}

double sal_stiffness_along(const sal_model *model, const double param[], int64_t n, int64_t stride,
                           const double state[])
{
  const int n_state = model->n_state, order = sal_model_continuous(model);
  double    largest = NAN, re[SAL_MAX_STATE], im[SAL_MAX_STATE];
  double    J[SAL_MAX_STATE * SAL_MAX_STATE];

  for (int64_t i = 0; i < n; i += stride) {
    const double *y = state + i * n_state;
    if (!isfinite(y[0])) continue;
    sal_model_jacobian(model, param, 0, y, false, J);
    if (find_eigenvalues(order, J, re, im)) largest = fmax(largest, spectral_radius(order, re, im));
  }
  return largest;
}
