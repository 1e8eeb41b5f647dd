/** G and its Jacobian, from one call of the family. */
#include "base.h"
#include "scalar_math.h"
#include "walk.h"
#include <lapacke.h>

/* Steps of the differences, as shares of a parameter's range and of a coordinate's size: the map is
 * right to about 1e-13, its derivative to 1e-11. */
static const double step_of_map = 1e-5, step_of_test = 1e-4;

sal_err sal_fixed_point_create(const sal_family *family, sal_fixed holds, const double lambda[],
                               const double range[], sal_fixed_point *out)
{
  const int n = family->n, n_free = holds == SAL_FIXED_PLAIN ? 1 : SAL_BRANCH_PARAMS;
  const size_t n_value = 1 + 2 * ((size_t)n + (size_t)n_free), words = (size_t)n * ((size_t)n + 2);

  *out = (sal_fixed_point){
      .family = family, .holds = holds, .n = n, .n_free = n_free, .n_unknown = n + n_free};
  memcpy(out->lambda, lambda, sizeof out->lambda);
  memcpy(out->range, range, sizeof out->range);
  out->value = sal_alloc(n_value, sizeof *out->value);
  out->numbers = sal_alloc(n_value, words * sizeof *out->numbers);
  if (!out->value || !out->numbers) {
    sal_fixed_point_free(out);
    return sal_fail(SAL_ERR_MEMORY, "no memory for the equations of a fixed point");
  }
  for (size_t i = 0; i < n_value; ++i) {
    out->value[i].image = out->numbers + i * words;
    out->value[i].derivative = i == 0 || holds != SAL_FIXED_PLAIN ? out->value[i].image + n : NULL;
  }
  out->value[0].size = out->value[0].derivative + (size_t)n * (size_t)n;
  return SAL_OK;
}

void sal_fixed_point_free(sal_fixed_point *p)
{
  sal_free_all(p->value, p->numbers);
  *p = (sal_fixed_point){.family = p->family};
}

/* det(DP + shift I), by Gaussian elimination with pivoting of the largest in the column. */
static double determinant(int n, const double DP[], double shift)
{
  double A[SAL_MAX_DENSE * SAL_MAX_DENSE], det = 1;
  lapack_int pivot[SAL_MAX_STATE];

  memcpy(A, DP, (size_t)(n * n) * sizeof *A);
  for (int i = 0; i < n; ++i) A[i * n + i] += shift;
  if (LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, A, n, pivot) < 0) return NAN;
  for (int i = 0; i < n; ++i) det *= pivot[i] == i + 1 ? A[i * n + i] : -A[i * n + i];
  return det;
}

double sal_fixed_point_det(const sal_fixed_point *p, double shift)
{
  return determinant(p->n, p->value[0].derivative, shift);
}

static bool is_before(const double re[], const double im[], int a, int b)
{
  const double x = sal_scalar_hypot(re[a], im[a]), y = sal_scalar_hypot(re[b], im[b]);

  return x > y || (x == y && im[a] > im[b]);
}

bool sal_fixed_point_multipliers(int n, const double DP[], double re[], double im[])
{
  double A[SAL_MAX_DENSE * SAL_MAX_DENSE], wr[SAL_MAX_DENSE], wi[SAL_MAX_DENSE];

  memcpy(A, DP, (size_t)(n * n) * sizeof *A);
  if (LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', n, A, n, wr, wi, NULL, n, NULL, n) != 0)
    return false;
  for (int i = 0; i < n; ++i) {
    int rank = 0;
    for (int j = 0; j < n; ++j)
      rank += is_before(wr, wi, j, i) || (j < i && !is_before(wr, wi, i, j));
    re[rank] = wr[i];
    im[rank] = wi[i];
  }
  return true;
}

double sal_fixed_point_torus(int n, const double re[], const double im[])
{
  double real = 1, imaginary = 0;

  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      const double x = re[i] * re[j] - im[i] * im[j] - 1, y = re[i] * im[j] + im[i] * re[j];
      const double product = real * x - imaginary * y;
      imaginary = real * y + imaginary * x;
      real = product;
    }
  return real;
}

static double torus(int n, const double DP[])
{
  double re[SAL_MAX_DENSE], im[SAL_MAX_DENSE];

  return sal_fixed_point_multipliers(n, DP, re, im) ? sal_fixed_point_torus(n, re, im)
                                                    : (double)NAN;
}

static double test(const sal_fixed_point *p, const sal_family_value *v)
{
  switch (p->holds) {
  case SAL_FIXED_LIMIT:
    return determinant(p->n, v->derivative, -1);
  case SAL_FIXED_DOUBLING:
    return determinant(p->n, v->derivative, 1);
  case SAL_FIXED_TORUS:
    return torus(p->n, v->derivative);
  case SAL_FIXED_GRAZING:
    return v->grazing;
  default:
    return v->admissible;
  }
}

/* Near a grazing the map goes with the root of the distance d from it and its derivative with d^(-1/2): where the
 * derivative is above 100, steps shrink with d as far as rounding allows. */
static double near_grazing(const sal_fixed_point *p)
{
  const sal_family_value *v = &p->value[0];
  double most = 0;

  for (int i = 0; i < p->n; ++i)
    for (int j = 0; j < p->n; ++j)
      most = fmax(most, fabs(v->derivative[i * p->n + j]) * v->size[j] / v->size[i]);
  return most > 100 ? fmax(100 / (most * most), 1e-5) : 1;
}

static double step_of(const sal_fixed_point *p, int j)
{
  if (j < p->n) return step_of_test * p->value[0].size[j];
  const double share = p->holds == SAL_FIXED_PLAIN ? step_of_map * near_grazing(p) : step_of_test;
  return share * p->range[j - p->n];
}

/* Value 1 + 2 k and 2 + 2 k: z moved down and up along unknown first + k. */
static sal_err evaluate_around(sal_fixed_point *p, const double z[], int first, int n_moved)
{
  sal_family_start start[2 * (SAL_MAX_STATE + SAL_BRANCH_PARAMS)];
  SAL_OWN double *x = sal_alloc(2 * (size_t)n_moved * (size_t)p->n, sizeof *x);

  if (!x) return sal_fail(SAL_ERR_MEMORY, "no memory for the differences of a map");
  for (int i = 0; i < 2 * n_moved; ++i) {
    const int j = first + i / 2;
    const double d = (i % 2 ? 1 : -1) * step_of(p, j);
    double *const moved = x + (size_t)i * (size_t)p->n;
    memcpy(moved, z, (size_t)p->n * sizeof *x);
    start[i].x = moved;
    memcpy(start[i].lambda, p->lambda, sizeof p->lambda);
    memcpy(start[i].lambda, z + p->n, (size_t)p->n_free * sizeof *z);
    if (j < p->n)
      moved[j] += d;
    else
      start[i].lambda[j - p->n] += d;
  }
  return p->family->evaluate(p->family->context, 2 * n_moved, start, p->value + 1);
}

/* Which two of the three values a difference is taken of: below, the point, above.  One with another
 * sequence of events lies beyond a border, across which the map need not be smooth.  False: none. */
static bool choose(const sal_family_value *at, const sal_family_value around[2],
                   const sal_family_value *pair[2], double *steps)
{
  const bool below = !around[0].flaw[0], above = !around[1].flaw[0];
  const bool same_below = below && around[0].sequence == at->sequence;
  const bool same_above = above && around[1].sequence == at->sequence;
  const bool any = same_below == same_above; /* both, or no better choice */

  pair[0] = (any ? below : same_below) ? &around[0] : at;
  pair[1] = (any ? above : same_above) ? &around[1] : at;
  *steps = (pair[0] != at) + (pair[1] != at);
  return *steps > 0;
}

static sal_err fill_differences(const sal_fixed_point *p, int first, int n_moved, double J[],
                                char flaw[])
{
  const sal_family_value *at = &p->value[0], *pair[2];
  const int n = p->n, n_unknown = p->n_unknown;

  for (int k = 0; k < n_moved; ++k) {
    const sal_family_value *around = &p->value[1 + 2 * k];
    const int j = first + k;
    double steps;
    if (!choose(at, around, pair, &steps)) {
      snprintf(flaw, SAL_CURVE_WORDS, "no neighbouring orbit: %s", around[0].flaw);
      return SAL_OK;
    }
    const double d = steps * step_of(p, j);
    if (j >= n)
      for (int i = 0; i < n; ++i)
        J[i * n_unknown + j] = (pair[1]->image[i] - pair[0]->image[i]) / d;
    if (p->holds != SAL_FIXED_PLAIN)
      J[n * n_unknown + j] = (test(p, pair[1]) - test(p, pair[0])) / d;
  }
  return SAL_OK;
}

sal_err sal_fixed_point_evaluate(void *context, const double z[], double G[], double J[],
                                 double size[], char flaw[])
{
  sal_fixed_point *p = context;
  const sal_family_value *v = &p->value[0];
  const int n = p->n, first = p->holds == SAL_FIXED_PLAIN ? n : 0;
  sal_family_start start = {.x = z};

  memcpy(start.lambda, p->lambda, sizeof p->lambda);
  memcpy(start.lambda, z + n, (size_t)p->n_free * sizeof *z);
  flaw[0] = '\0';
  SAL_TRY(p->family->evaluate(p->family->context, 1, &start, p->value));
  if (v->flaw[0]) {
    snprintf(flaw, SAL_CURVE_WORDS, "%s", v->flaw);
    return SAL_OK;
  }
  SAL_TRY(evaluate_around(p, z, first, p->n_unknown - first));
  for (int i = 0; i < n; ++i) {
    G[i] = v->image[i] - z[i];
    size[i] = v->size[i];
    for (int j = 0; j < n; ++j) J[i * p->n_unknown + j] = v->derivative[i * n + j] - (i == j);
  }
  if (p->holds != SAL_FIXED_PLAIN) {
    G[n] = test(p, v);
    size[n] = 1;
  }
  return fill_differences(p, first, p->n_unknown - first, J, flaw);
}
