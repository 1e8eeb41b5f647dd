/** Exponents of a cycle by the eigenvalues of its map on the space of its vectors.
 *
 *  Vectors that are made orthonormal at visits turn round for ever where multipliers are a complex pair, and means over N visits
 *  miss the exponents by 1 / N.  A period carries them as A Q = Q' R, so that Q^T Q' R is A on their space, once they span
 *  an invariant one.  A pair of which they hold one half is made whole by the image of what leaves the space.
 */
#include "base.h"
#include "cycle.h"
#include "scalar_math.h"
#include "spectrum.h"

/* Columns [m][k] of a period; R [n][n] of the first n of them. */
typedef struct {
  const sal_return_map *map;
  int64_t m, k;
  int period;
  const sal_spectrum *of;
  double *q, *next, *product, *r;
  double time;
} carriage;

/* The images of a visit become the vectors, and R of this visit is multiplied to what there is. */
static void turn(carriage *c, int n)
{
  double part[SAL_MAX_STATE], r[SAL_MAX_STATE];

  memset(c->product, 0, (size_t)n * (size_t)n * sizeof *c->product);
  for (int j = 0; j < n; ++j) {
    memset(part, 0, sizeof part);
    part[j] = sal_columns_project(c->m, c->k, c->next, j, c->next, j, part);
    for (int i = 0; i < c->m && part[j] > 0; ++i) c->next[i * c->k + j] /= part[j];
    for (int i = 0; i <= j; ++i) c->product[i * n + j] = part[i];
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      r[i] = 0;
      for (int a = i; a < n; ++a) r[i] += c->product[i * n + a] * c->r[a * n + j];
    }
    for (int i = 0; i < n; ++i) c->r[i * n + j] = r[i];
  }
  memcpy(c->q, c->next, (size_t)c->m * (size_t)c->k * sizeof *c->q);
}

/* Carries the first n columns of c->q over a period: c->q, and R in c->r [n][n].  *made: it came back. */
static sal_err carry(carriage *c, int n, bool *made)
{
  double y[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];

  memcpy(y, c->of->y, (size_t)c->map->model.n_state * sizeof *y);
  memcpy(closed, c->of->closed, (size_t)c->map->n_guard * sizeof *closed);
  for (int i = 0; i < n * n; ++i) c->r[i] = i % (n + 1) == 0;
  *made = true;
  c->time = 0;
  for (int v = 0; v < c->period && *made; ++v) {
    sal_return p = {.param = c->of->param,
                    .start = y,
                    .closed = closed,
                    .end = y,
                    .end_closed = closed,
                    .along = c->q,
                    .dp = c->next};
    SAL_TRY(sal_return_map_run(c->map, 1, &p));
    *made = p.why == SAL_RETURN_MADE;
    c->time += p.time;
    turn(c, n);
  }
  return SAL_OK;
}

/* A share of an image that leaves a space within rounding. */
static const double close = 1e-7;

/* T [n + 1][n + 1]: in [n][n] the map on the columns of q; below the last column what leaves their space: *off of its size.
 * c->next: that as column 0, of length 1.  False: images of other columns leave it, too. */
static bool restrict_map(carriage *c, const double q[], int n, double T[], double *off)
{
  const int64_t stride = n + 1;
  double part[SAL_MAX_STATE], left = 0, size = 0;

  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < c->m; ++i) {
      c->next[i * c->k] = 0;
      for (int a = 0; a <= n - 1; ++a) c->next[i * c->k] += c->q[i * c->k + a] * c->r[a * n + j];
    }
    memset(part, 0, sizeof part);
    size = sqrt(sal_columns_dot(c->m, c->k, c->next, 0, c->next, 0));
    left = sal_columns_project(c->m, c->k, q, n, c->next, 0, part);
    for (int i = 0; i < n; ++i) T[i * stride + j] = part[i];
    T[n * stride + j] = j == n - 1 ? left : 0;
    *off = size > 0 ? left / size : 0;
    if (j < n - 1 && *off > close) return false;
  }
  for (int i = 0; i < c->m && left > 0; ++i) c->next[i * c->k] /= left;
  return true;
}

/* Adds the column of what leaves the space to T.  *whole: with it nothing leaves it. */
static sal_err complete(carriage *c, const double q[], int n, double T[], bool *whole)
{
  const int64_t stride = n + 1;
  double part[SAL_MAX_STATE] = {0}, w[SAL_MAX_STATE], along = 0, left = 0;

  memset(c->q, 0, (size_t)c->m * (size_t)c->k * sizeof *c->q);
  for (int i = 0; i < c->m; ++i) c->q[i * c->k] = w[i] = c->next[i * c->k];
  SAL_TRY(carry(c, 1, whole));
  for (int i = 0; i < c->m; ++i) c->next[i * c->k] = c->q[i * c->k] * c->r[0];
  sal_columns_project(c->m, c->k, q, n, c->next, 0, part);
  for (int i = 0; i < n; ++i) T[i * stride + n] = part[i];
  for (int i = 0; i < c->m; ++i) along += c->next[i * c->k] * w[i];
  T[n * stride + n] = along;
  for (int i = 0; i < c->m; ++i) left = sal_scalar_hypot(left, c->next[i * c->k] - along * w[i]);
  *whole = *whole && left <= 1e-6 * fabs(c->r[0]);
  return SAL_OK;
}

static sal_err find(carriage *c, const double q[], int n, double T[], double exponent[])
{
  const double rounding = 1e-8;
  double off = 0;
  bool found;
  sal_multipliers mu;
  int size = n;

  memcpy(c->q, q, (size_t)c->m * (size_t)c->k * sizeof *q);
  SAL_TRY(carry(c, n, &found));
  if (!found) return SAL_OK;
  const double time = c->time;
  if (!restrict_map(c, q, n, T, &off)) return SAL_OK;
  if (off > close) {
    if (n < c->k || n == c->m) return SAL_OK;
    SAL_TRY(complete(c, q, n, T, &found));
    size = n + 1;
  } else
    for (int i = 0; i < n; ++i)
      memmove(T + (int64_t)i * n, T + (int64_t)i * (n + 1), (size_t)n * sizeof *T);
  if (!found || !sal_multipliers_find(size, T, size, NULL, &mu)) return SAL_OK;
  const double least = rounding * sal_scalar_hypot(mu.re[0], mu.im[0]);
  for (int j = 0; j < n; ++j) {
    const double length = sal_scalar_hypot(mu.re[j], mu.im[j]);
    if (mu.im[j] != 0 && length > least) exponent[j] = sal_scalar_log(length) / time;
  }
  return SAL_OK;
}

sal_err sal_cycle_exponents(const sal_return_map *map, const sal_spectrum *of, const double q[],
                            int n, double exponent[])
{
  const int k = map->setup.vectors, m = map->n_unknown;
  const size_t columns = (size_t)m * (size_t)k, square = ((size_t)n + 1) * ((size_t)n + 1);
  SAL_OWN double *room = sal_alloc(2 * columns + 3 * square, sizeof *room);
  carriage c = {.map = map, .m = m, .k = k, .period = of->period, .of = of};

  if (!room) return sal_fail(SAL_ERR_MEMORY, "no memory for the exponents of a cycle");
  c.q = room;
  c.next = c.q + columns;
  c.product = c.next + columns;
  c.r = c.product + square;
  for (int j = 0; j < n; ++j) exponent[j] = NAN;
  return find(&c, q, n, c.r + square, exponent);
}
