/** Weighted least squares by Cholesky's factors. */
#include "base.h"
#include "local_forecast.h"

static const double ridge = 1e-3, least_weight = 0.5;

void sal_local_plane_free(sal_local_plane *p)
{
  sal_free_all(p->x, p->w, p->b, p->own, p->g, p->xw, p->xwx);
  *p = (sal_local_plane){0};
}

static sal_err make_room(sal_local_plane *p, int n, int n_term)
{
  const size_t cells = (size_t)n, t = (size_t)n_term;

  if (n * n_term > p->room) {
    sal_local_plane_free(p);
    p->g = sal_alloc(t * t, sizeof *p->g);
    p->x = sal_alloc(cells * t, sizeof *p->x);
    p->w = sal_alloc(cells, sizeof *p->w);
    p->b = sal_alloc(cells * t, sizeof *p->b);
    p->own = sal_alloc(cells * t, sizeof *p->own);
    p->xw = sal_alloc(cells * t, sizeof *p->xw);
    p->xwx = sal_alloc(cells * t * (t + 1) / 2, sizeof *p->xwx);
    p->room = n * n_term;
  }
  p->n = n;
  p->n_term = n_term;
  return p->g && p->x && p->w && p->b && p->own && p->xw && p->xwx
             ? SAL_OK
             : sal_fail(SAL_ERR_MEMORY, "no memory for a plane");
}

/* Terms of the cells in the sums, once for all sets of cells. */
static void fill_products(sal_local_plane *p)
{
  const int t = p->n_term, n = p->n;

  for (int i = 0; i < n; ++i) {
    const double *x = &p->x[(int64_t)i * t];
    double *to = &p->xwx[(int64_t)i * (t * (t + 1) / 2)];
    for (int r = 0; r < t; ++r) {
      p->xw[r * n + i] = x[r] * p->w[i];
      for (int c = 0; c <= r; ++c) *to++ = p->w[i] * x[r] * x[c];
    }
  }
}

/* G = X' W X of the present cells, with the ridge of their weight. */
static void fill_normal(sal_local_plane *p, const bool missing[])
{
  const int t = p->n_term, n_sum = t * (t + 1) / 2;
  double sum[(SAL_SURROGATE_MOST_COORDINATES + 1) * (SAL_SURROGATE_MOST_COORDINATES + 2) / 2] = {0};
  double weight = 0;

  for (int i = 0; i < p->n; ++i) {
    if (missing && missing[i]) continue;
    weight += p->w[i];
    for (int k = 0; k < n_sum; ++k) sum[k] += p->xwx[i * n_sum + k];
  }
  for (int r = 0, k = 0; r < t; ++r)
    for (int c = 0; c <= r; ++c) p->g[r * t + c] = sum[k++];
  for (int r = 1; r < t; ++r) p->g[r * t + r] += ridge * weight;
}

/* G = L L', L in its place. */
static void factorise(double g[], int t)
{
  for (int c = 0; c < t; ++c) {
    for (int k = 0; k < c; ++k) g[c * t + c] -= g[c * t + k] * g[c * t + k];
    g[c * t + c] = sqrt(g[c * t + c]);
    for (int r = c + 1; r < t; ++r) {
      for (int k = 0; k < c; ++k) g[r * t + c] -= g[r * t + k] * g[c * t + k];
      g[r * t + c] /= g[c * t + c];
    }
  }
}

/* Rows y [t][n] <- (L L')^-1 y, all cells side by side. */
static void solve(const double l[], int t, int n, double y[])
{
  for (int r = 0; r < t; ++r) {
    double *const own = &y[(int64_t)r * n];
    for (int k = 0; k < r; ++k)
      for (int i = 0; i < n; ++i) own[i] -= l[r * t + k] * y[(int64_t)k * n + i];
    for (int i = 0; i < n; ++i) own[i] /= l[r * t + r];
  }
  for (int r = t - 1; r >= 0; --r) {
    double *const own = &y[(int64_t)r * n];
    for (int k = r + 1; k < t; ++k)
      for (int i = 0; i < n; ++i) own[i] -= l[k * t + r] * y[(int64_t)k * n + i];
    for (int i = 0; i < n; ++i) own[i] /= l[r * t + r];
  }
}

static void fill_rows(sal_local_plane *p, const bool missing[], double b[])
{
  const int t = p->n_term, n = p->n;

  fill_normal(p, missing);
  factorise(p->g, t);
  memcpy(b, p->xw, (size_t)t * (size_t)n * sizeof *b);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < t && missing && missing[i]; ++k) b[k * n + i] = 0;
  solve(p->g, t, n, b);
}

sal_err sal_local_plane_make(sal_local_plane *p, const sal_surrogate_coordinates *c,
                             const sal_surrogate_place *place, const sal_surrogate_metric *metric,
                             const sal_nearest *list, double reach)
{
  sal_surrogate_place at;
  double squares = 0;

  SAL_TRY(make_room(p, list->n_near, c->n + 1));
  p->reach = reach;
  p->sum_w = 0;
  for (int i = 0; i < p->n; ++i) {
    const double share = sqrt(list->at[i].d2) / reach, left = 1 - share * share * share;
    sal_surrogate_place_of_cell(c, list->at[i].cell, &at);
    p->w[i] = left * left * left;
    double *x = &p->x[(int64_t)i * p->n_term];
    x[0] = 1;
    for (int k = 0; k < c->n; ++k) at.z[k] -= place->z[k];
    sal_surrogate_metric_apply(metric, at.z, x + 1);
    for (int k = 0; k < c->n; ++k) x[k + 1] /= reach;
    p->sum_w += p->w[i];
    squares += p->w[i] * p->w[i];
  }
  p->effective = p->sum_w * p->sum_w / squares;
  fill_products(p);
  fill_rows(p, NULL, p->b);
  return SAL_OK;
}

bool sal_local_plane_without(sal_local_plane *p, const bool missing[])
{
  double sum = 0;
  int n = 0;

  for (int i = 0; i < p->n; ++i)
    if (!missing[i]) sum += p->w[i], ++n;
  if (sum < least_weight * p->sum_w || n < p->n_term + 1) return false;
  fill_rows(p, missing, p->own);
  return true;
}
