/** @file src/answers/local_forecast.c
 *  Planes of all contenders at a place.
 *
 *  Contenders that count in all the cells have the same B, and their sums run side by side; one with
 *  gaps has a B of its own.
 */
#include "local_forecast.h"
#include "memory.h"
#include <math.h>

static void free_columns(sal_local_forecast *f)
{
  sal_free(f->fits);
  sal_free(f->slope);
  sal_free(f->ln_error);
  sal_free(f->ln_work);
  sal_free(f->n_residual);
  sal_free(f->residual);
  sal_free(f->before);
  sal_free(f->error);
  sal_free(f->work);
  sal_free(f->missing);
}

static sal_err make_room(sal_local_forecast *f, int n, int n_term, int n_contender)
{
  const size_t k = (size_t)n_contender, cells = (size_t)n;

  f->n = n;
  f->n_contender = n_contender;
  if (n <= f->room) return SAL_OK;
  free_columns(f);
  f->fits = sal_alloc(k, sizeof *f->fits);
  f->slope = sal_alloc(k, (size_t)n_term * sizeof *f->slope);
  f->ln_error = sal_alloc(k, sizeof *f->ln_error);
  f->ln_work = sal_alloc(k, sizeof *f->ln_work);
  f->n_residual = sal_alloc(k, sizeof *f->n_residual);
  f->residual = sal_alloc(k, cells * sizeof *f->residual);
  f->before = sal_alloc(k, (cells + 1) * sizeof *f->before);
  f->error = sal_alloc(cells, sizeof *f->error);
  f->work = sal_alloc(cells, sizeof *f->work);
  f->missing = sal_alloc(cells, sizeof *f->missing);
  f->room = n;
  return f->fits && f->slope && f->ln_error && f->ln_work && f->n_residual && f->residual &&
                 f->before && f->error && f->work && f->missing
             ? SAL_OK
             : sal_fail(SAL_ERR_MEMORY, "no memory for planes");
}

/* out [n_contender] = sum over the cells of b times their rows. */
static void sum_rows(int n, int n_contender, const double b[], const double *row[], double out[])
{
  for (int k = 0; k < n_contender; ++k) out[k] = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n_contender; ++k) out[k] += b[i] * row[i][k];
}

static double sum_column(int n, int k, const double b[], const bool missing[], const double *row[])
{
  double sum = 0;

  for (int i = 0; i < n; ++i)
    if (!missing[i]) sum += b[i] * row[i][k];
  return sum;
}

/* A contender that does not count everywhere. */
static void fit_with_gaps(sal_local_forecast *f, sal_local_plane *p, int k, const double *error[],
                          const double *work[])
{
  const int n = p->n;

  for (int i = 0; i < n; ++i) f->missing[i] = isnan(error[i][k]);
  f->fits[k] = sal_local_plane_without(p, f->missing);
  if (!f->fits[k]) return;
  f->ln_error[k] = sum_column(n, k, p->own, f->missing, error);
  f->ln_work[k] = sum_column(n, k, p->own, f->missing, work);
  for (int t = 1; t < p->n_term; ++t)
    f->slope[(t - 1) * f->n_contender + k] =
        sum_column(n, k, &p->own[(int64_t)t * n], f->missing, error);
}

/* Residuals of a contender in ascending order, with the weights up to each. */
static void sort_residuals(sal_local_forecast *f, const sal_local_plane *p, int k,
                           const double *error[])
{
  double *r = &f->residual[(int64_t)k * f->n], *before = &f->before[(int64_t)k * (f->n + 1)];
  int n = 0;

  for (int i = 0; i < p->n; ++i) {
    double plane = f->ln_error[k];
    if (isnan(error[i][k])) continue;
    for (int t = 1; t < p->n_term; ++t)
      plane += p->x[i * p->n_term + t] * f->slope[(t - 1) * f->n_contender + k];
    const double own = error[i][k] - plane;
    int j = n++;
    for (; j > 0 && r[j - 1] > own; --j) {
      r[j] = r[j - 1];
      before[j + 1] = before[j];
    }
    r[j] = own;
    before[j + 1] = p->w[i];
  }
  before[0] = 0;
  for (int j = 1; j <= n; ++j) before[j] += before[j - 1];
  if (n == p->n) before[n] = p->sum_w; /* a probability of 1 is 1 */
  f->n_residual[k] = n;
}

static void fit_all(sal_local_forecast *f, sal_local_plane *p, const double *error[],
                    const double *work[], bool residuals)
{
  const int m = f->n_contender;

  sum_rows(p->n, m, p->b, error, f->ln_error);
  sum_rows(p->n, m, p->b, work, f->ln_work);
  for (int t = 1; t < p->n_term; ++t)
    sum_rows(p->n, m, &p->b[(int64_t)t * p->n], error, &f->slope[(int64_t)(t - 1) * m]);
  for (int k = 0; k < m; ++k) {
    f->fits[k] = !isnan(f->ln_error[k]);
    if (!f->fits[k]) fit_with_gaps(f, p, k, error, work);
    if (f->fits[k] && residuals) sort_residuals(f, p, k, error);
  }
}

sal_err sal_local_forecast_make(sal_local_forecast *f, sal_local_plane *p, const sal_nearest *list,
                                const sal_reader_rows *rows, bool residuals)
{
  SAL_TRY(make_room(f, p->n, p->n_term, sal_reader_rows_contenders(rows)));
  for (int i = 0; i < p->n; ++i) {
    const sal_reader_row row = sal_reader_rows_of(rows, list->at[i].cell);
    f->error[i] = row.ln_error;
    f->work[i] = row.ln_work;
  }
  f->sum_w = p->sum_w;
  f->widest = sal_local_plane_widening(p);
  fit_all(f, p, f->error, f->work, residuals);
  return SAL_OK;
}

double sal_local_forecast_weight(const sal_local_forecast *f, int k, double mean, double width,
                                 double limit)
{
  const double *r = &f->residual[(int64_t)k * f->n];
  int lo = 0, hi = f->n_residual[k];

  if (hi == 0 || mean + width * r[0] > limit) return 0;
  if (mean + width * r[hi - 1] <= limit) return f->before[k * (f->n + 1) + hi];
  while (lo < hi) {
    const int middle = lo + (hi - lo) / 2;
    if (mean + width * r[middle] <= limit)
      lo = middle + 1;
    else
      hi = middle;
  }
  return f->before[k * (f->n + 1) + lo];
}

void sal_local_forecast_free(sal_local_forecast *f)
{
  free_columns(f);
  *f = (sal_local_forecast){0};
}
