/** Planes of all configurations at a place.
 *
 *  Configurations that count in all the cells have the same B, and their sums run side by side; one with
 *  gaps has a B of its own.
 */
#include "local_forecast.h"
#include "base.h"
#include "scalar_math.h"

/* Configurations whose errors do not scatter at all are given this variance, of errors that differ by a hundredth of a
 * percent. */
static const double least_variance = 1e-8, prior = 0.5;

static void free_columns(sal_local_forecast *f)
{
  sal_free_all(f->fits, f->slope, f->ln_error, f->ln_work, f->ln_expected, f->scatter, f->share,
               f->effective, f->error, f->work, f->missing, f->has_gaps);
  sal_gap_groups_free(&f->groups);
}

static sal_err make_room(sal_local_forecast *f, int n, int n_term, int n_config)
{
  const size_t k = (size_t)n_config, cells = (size_t)n;

  f->n = n;
  f->n_config = n_config;
  if (n <= f->room) return SAL_OK;
  free_columns(f);
  f->fits = sal_alloc(k, sizeof *f->fits);
  f->slope = sal_alloc(k, (size_t)n_term * sizeof *f->slope);
  f->ln_error = sal_alloc(k, sizeof *f->ln_error);
  f->ln_work = sal_alloc(k, sizeof *f->ln_work);
  f->ln_expected = sal_alloc(k, sizeof *f->ln_expected);
  f->scatter = sal_alloc(k, sizeof *f->scatter);
  f->share = sal_alloc(k, sizeof *f->share);
  f->effective = sal_alloc(k, sizeof *f->effective);
  f->error = sal_alloc(cells, sizeof *f->error);
  f->work = sal_alloc(cells, sizeof *f->work);
  f->missing = sal_alloc(cells, sizeof *f->missing);
  f->has_gaps = sal_alloc(k, sizeof *f->has_gaps);
  f->room = n;
  SAL_TRY(sal_gap_groups_create(n_config, &f->groups));
  return f->fits && f->slope && f->ln_error && f->ln_work && f->ln_expected && f->scatter &&
                 f->share && f->effective && f->error && f->work && f->missing && f->has_gaps
             ? SAL_OK
             : sal_fail(SAL_ERR_MEMORY, "no memory for planes");
}

enum { SIDE = 8 }; /* configurations whose sums run side by side, in registers */

/* out [SIDE] = sum over the cells of b times their rows from k on. */
static void sum_side(int n, int k, const double b[], const double *row[], double out[])
{
  double sum[SIDE] = {0};

  for (int i = 0; i < n; ++i)
    for (int j = 0; j < SIDE; ++j) sum[j] += b[i] * row[i][k + j];
  for (int j = 0; j < SIDE; ++j) out[k + j] = sum[j];
}

static void sum_one(int n, int k, const double b[], const double *row[], double out[])
{
  double sum = 0;

  for (int i = 0; i < n; ++i) sum += b[i] * row[i][k];
  out[k] = sum;
}

/* The planes of all configurations as if they counted in all cells: NaN of one with gaps. */
static void sum_rows(sal_local_forecast *f, const sal_local_plane *p, const double *error[],
                     const double *work[], bool slopes_alone)
{
  const int n = p->n, m = f->n_config;

  for (int k = 0; k < m;) {
    const bool many = k + SIDE <= m;
    void (*const sum)(int, int, const double[], const double *[], double[]) =
        many ? sum_side : sum_one;
    sum(n, k, p->b, error, f->ln_error);
    if (!slopes_alone) sum(n, k, p->b, work, f->ln_work);
    for (int t = 1; t < p->n_term; ++t)
      sum(n, k, &p->b[(int64_t)t * n], error, &f->slope[(int64_t)(t - 1) * m]);
    k += many ? SIDE : 1;
  }
}

/* The mean of works is clearly above the geometric one where the variance of their logarithms is larger. */
static const double wide = 0.1;

/* The logarithm of the mean of exp(residual) around the plane of ln work, whose rows are b, in the cells that are not missing
 * (NULL: in all; Duan, "Smearing estimate", J. Am. Stat. Assoc. 78, 1983). */
static double smearing(const sal_local_forecast *f, const sal_local_plane *p, const double b[],
                       const bool missing[], int k)
{
  double beta[SAL_SURROGATE_MOST_COORDINATES + 1] = {0}, sum = 0, weights = 0;

  for (int i = 0; i < p->n; ++i)
    for (int t = 0; t < p->n_term && !(missing && missing[i]); ++t)
      beta[t] += b[(int64_t)t * p->n + i] * f->work[i][k];
  for (int i = 0; i < p->n; ++i) {
    if (missing && missing[i]) continue;
    double off = f->work[i][k];
    for (int t = 0; t < p->n_term; ++t) off -= p->x[(int64_t)i * p->n_term + t] * beta[t];
    sum += p->w[i] * sal_scalar_exp(off);
    weights += p->w[i];
  }
  return sal_scalar_log(sum / weights);
}

/* The same of a configuration with gaps, in the cells where it counts; 0 where its works scatter little. */
static double smearing_present(const sal_local_forecast *f, const sal_local_plane *p, int k)
{
  double sum = 0, squares = 0, weights = 0;

  for (int i = 0; i < p->n; ++i) {
    if (f->missing[i]) continue;
    const double own = f->work[i][k] - f->ln_work[k];
    weights += p->w[i];
    sum += p->w[i] * own;
    squares += p->w[i] * (own * own);
  }
  const double variance = squares / weights - sum / weights * (sum / weights);
  return variance > wide ? smearing(f, p, p->own, f->missing, k) : 0;
}

/* A configuration that counts in the cells that plane->own is of. */
static void sum_present(sal_local_forecast *f, const sal_local_plane *p, int k,
                        const double *error[], const double *work[], bool slopes_alone)
{
  const int n = p->n;
  double sum[SAL_SURROGATE_MOST_COORDINATES + 1] = {0}, labour = 0;

  for (int i = 0; i < n; ++i) {
    if (f->missing[i]) continue;
    const double own = error[i][k];
    if (!slopes_alone) labour += p->own[i] * work[i][k];
    for (int t = 0; t < p->n_term; ++t) sum[t] += p->own[(int64_t)t * n + i] * own;
  }
  f->ln_error[k] = sum[0];
  f->ln_work[k] = labour;
  if (!slopes_alone) f->ln_expected[k] = labour + smearing_present(f, p, k);
  for (int t = 1; t < p->n_term; ++t) f->slope[(t - 1) * f->n_config + k] = sum[t];
}

/* Configurations that do not count everywhere: all that miss the same cells have one matrix. */
static void fit_with_gaps(sal_local_forecast *f, sal_local_plane *p, const double *error[],
                          const double *work[], bool slopes_alone)
{
  for (int k = 0; k < f->n_config; ++k) f->has_gaps[k] = !f->fits[k];
  sal_gap_groups_make(&f->groups, p->n, error, f->has_gaps);
  for (int k = 0; k < f->n_config; ++k) {
    if (!f->groups.leads[k]) continue;
    for (int i = 0; i < p->n; ++i) f->missing[i] = isnan(error[i][k]);
    const bool fits = sal_local_plane_without(p, f->missing);
    for (int j = k; j >= 0 && fits; j = f->groups.next[j]) {
      f->fits[j] = true;
      sum_present(f, p, j, error, work, slopes_alone);
    }
  }
}

/* Sums of w r^2 of n_side configurations from k on, side by side; NaN of one with gaps. */
static inline void square_side(const sal_local_forecast *f, const sal_local_plane *p, int k,
                               int n_side, const double *row[], double out[])
{
  const int m = f->n_config;
  double sum[SIDE] = {0}, r[SIDE];

  for (int i = 0; i < p->n; ++i) {
    const double *x = &p->x[(int64_t)i * p->n_term], w = p->w[i];
    for (int j = 0; j < n_side; ++j) r[j] = row[i][k + j] - f->ln_error[k + j];
    for (int t = 1; t < p->n_term; ++t)
      for (int j = 0; j < n_side; ++j) r[j] -= x[t] * f->slope[(int64_t)(t - 1) * m + k + j];
    for (int j = 0; j < n_side; ++j) sum[j] += w * (r[j] * r[j]);
  }
  for (int j = 0; j < n_side; ++j) out[k + j] = sum[j];
}

static void sum_squares(const sal_local_forecast *f, const sal_local_plane *p, const double *row[],
                        double sum[])
{
  int k = 0;

  for (; k + SIDE <= f->n_config; k += SIDE) square_side(f, p, k, SIDE, row, sum);
  for (; k < f->n_config; ++k) square_side(f, p, k, 1, row, sum);
}

/* The square sum of a configuration with gaps; *weights, *squares: of the cells in which it counts. */
static double square_present(const sal_local_forecast *f, const sal_local_plane *p, int k,
                             const double *row[], double *weights, double *squares)
{
  double sum = 0;

  *weights = *squares = 0;
  for (int i = 0; i < p->n; ++i) {
    double r = row[i][k] - f->ln_error[k];
    if (isnan(r)) continue;
    for (int t = 1; t < p->n_term; ++t)
      r -= p->x[i * p->n_term + t] * f->slope[(t - 1) * f->n_config + k];
    sum += p->w[i] * (r * r);
    *weights += p->w[i];
    *squares += p->w[i] * p->w[i];
  }
  return sum;
}

/* Variances of ln work of SIDE configurations from k on, along the cells. */
static void spread_side(const sal_local_forecast *f, const sal_local_plane *p, int k, int n_side,
                        double out[])
{
  double sum[SIDE] = {0}, squares[SIDE] = {0};

  for (int i = 0; i < p->n; ++i)
    for (int j = 0; j < n_side; ++j) {
      const double own = f->work[i][k + j] - f->ln_work[k + j];
      sum[j] += p->w[i] * own;
      squares[j] += p->w[i] * (own * own);
    }
  for (int j = 0; j < n_side; ++j)
    out[j] = squares[j] / p->sum_w - sum[j] / p->sum_w * (sum[j] / p->sum_w);
}

static void smear(sal_local_forecast *f, const sal_local_plane *p)
{
  double variance[SIDE];

  for (int k = 0; k < f->n_config; k += SIDE) {
    const int n_side = k + SIDE <= f->n_config ? SIDE : f->n_config - k;
    spread_side(f, p, k, n_side, variance);
    for (int j = 0; j < n_side; ++j)
      if (!f->has_gaps[k + j] && variance[j] > wide)
        f->ln_expected[k + j] += smearing(f, p, p->b, NULL, k + j);
  }
}

/* The logarithm of what a configuration with gaps takes in the mean: in the cells where it counts what is expected there, in the
 * others what is known of them; where nothing is known they are as all. */
static double expected_with_gaps(const sal_local_forecast *f, const sal_local_plane *p, int k)
{
  double weight = 0, sum = 0;

  for (int i = 0; i < p->n; ++i) {
    if (!isnan(f->error[i][k]) || isnan(f->work[i][k])) continue;
    weight += p->w[i];
    sum += p->w[i] * sal_scalar_exp(f->work[i][k]);
  }
  if (weight == 0) return f->ln_expected[k];
  return sal_scalar_log(f->share[k] * sal_scalar_exp(f->ln_expected[k]) +
                        (1 - f->share[k]) * sum / weight);
}

/* The geometric mean of the configurations' variances, which are in `scatter`. */
static double mean_variance(const sal_local_forecast *f)
{
  double sum = 0;
  int n = 0;

  for (int k = 0; k < f->n_config; ++k)
    if (f->fits[k]) sum += sal_scalar_log(f->scatter[k]), ++n;
  return n > 0 ? sal_scalar_exp(sum / n) : least_variance;
}

static void find_scatter(sal_local_forecast *f, const sal_local_plane *p, const double *error[])
{
  sum_squares(f, p, error, f->scatter);
  for (int k = 0; k < f->n_config; ++k) {
    double weights = p->sum_w, squares = p->sum_w * p->sum_w / p->effective;
    const bool gaps = f->has_gaps[k];
    f->share[k] = 1;
    if (!gaps) f->ln_expected[k] = f->ln_work[k];
    if (!f->fits[k]) continue;
    if (gaps) {
      f->scatter[k] = square_present(f, p, k, error, &weights, &squares);
      f->share[k] = weights / p->sum_w;
      f->ln_expected[k] = expected_with_gaps(f, p, k);
    }
    f->scatter[k] = fmax(f->scatter[k] / weights, least_variance);
    f->effective[k] = weights * weights / squares;
  }
  smear(f, p);
  const double tau = mean_variance(f);
  for (int k = 0; k < f->n_config; ++k)
    if (f->fits[k])
      f->scatter[k] =
          sqrt((f->effective[k] * f->scatter[k] + prior * tau) / (f->effective[k] + prior));
}

static void fit_all(sal_local_forecast *f, sal_local_plane *p, const double *error[],
                    const double *work[], bool slopes_alone)
{
  sum_rows(f, p, error, work, slopes_alone);
  for (int k = 0; k < f->n_config; ++k) f->fits[k] = !isnan(f->ln_error[k]);
  fit_with_gaps(f, p, error, work, slopes_alone);
}

sal_err sal_local_forecast_make(sal_local_forecast *f, sal_local_plane *p, const sal_nearest *list,
                                const sal_surrogate_rows *rows, bool scatter)
{
  SAL_TRY(make_room(f, p->n, p->n_term, sal_surrogate_rows_configs(rows)));
  for (int i = 0; i < p->n; ++i) {
    const sal_surrogate_row row = sal_surrogate_rows_of(rows, list->at[i].cell);
    f->error[i] = row.ln_error;
    f->work[i] = row.ln_work;
  }
  fit_all(f, p, f->error, f->work, !scatter);
  if (scatter) find_scatter(f, p, f->error);
  return SAL_OK;
}

void sal_local_forecast_free(sal_local_forecast *f)
{
  free_columns(f);
  *f = (sal_local_forecast){0};
}
