/** @file src/answers/local_plane.c
 *  Weighted least squares by Cholesky's factors.
 */
#include "local_plane.h"
#include "memory.h"
#include <math.h>

static const double ridge = 1e-3, least_weight = 0.5;

static sal_err make_room(sal_local_plane *p)
{
  const size_t n = (size_t)p->n, t = (size_t)p->n_term;

  if (p->n * p->n_term <= p->room) return SAL_OK;
  sal_free(p->x);
  sal_free(p->w);
  sal_free(p->b);
  sal_free(p->own);
  if (!p->g) p->g = sal_alloc(t * t, sizeof *p->g);
  p->x = sal_alloc(n * t, sizeof *p->x);
  p->w = sal_alloc(n, sizeof *p->w);
  p->b = sal_alloc(n * t, sizeof *p->b);
  p->own = sal_alloc(n * t, sizeof *p->own);
  p->room = p->n * p->n_term;
  return p->g && p->x && p->w && p->b && p->own ? SAL_OK
                                                : sal_fail(SAL_ERR_MEMORY, "no memory for a plane");
}

/* G = X' W X of the present cells, with the ridge of their weight. */
static void fill_normal(sal_local_plane *p, const bool missing[])
{
  const int t = p->n_term;
  double sum = 0;

  for (int k = 0; k < t * t; ++k) p->g[k] = 0;
  for (int i = 0; i < p->n; ++i) {
    if (missing && missing[i]) continue;
    sum += p->w[i];
    for (int r = 0; r < t; ++r)
      for (int c = 0; c <= r; ++c) p->g[r * t + c] += p->w[i] * p->x[i * t + r] * p->x[i * t + c];
  }
  for (int r = 1; r < t; ++r) p->g[r * t + r] += ridge * sum;
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

/* y <- (L L')^-1 y */
static void solve(const double l[], int t, double y[])
{
  for (int r = 0; r < t; ++r) {
    for (int k = 0; k < r; ++k) y[r] -= l[r * t + k] * y[k];
    y[r] /= l[r * t + r];
  }
  for (int r = t - 1; r >= 0; --r) {
    for (int k = r + 1; k < t; ++k) y[r] -= l[k * t + r] * y[k];
    y[r] /= l[r * t + r];
  }
}

static void fill_rows(sal_local_plane *p, const bool missing[], double b[])
{
  const int t = p->n_term;
  double y[SAL_MAX_QUANTITY + 1];

  fill_normal(p, missing);
  factorise(p->g, t);
  for (int i = 0; i < p->n; ++i) {
    const bool out = missing && missing[i];
    for (int k = 0; k < t; ++k) y[k] = out ? 0 : p->x[i * t + k] * p->w[i];
    if (!out) solve(p->g, t, y);
    for (int k = 0; k < t; ++k) b[k * p->n + i] = y[k];
  }
}

sal_err sal_local_plane_make(sal_local_plane *p, const sal_reader_coordinates *c,
                             const sal_reader_place *place, const sal_reader_metric *metric,
                             const sal_nearest *list, double reach)
{
  sal_reader_place at;
  double squares = 0;

  p->n = list->n_near;
  p->n_term = c->n + 1;
  p->reach = reach;
  p->sum_w = 0;
  SAL_TRY(make_room(p));
  for (int i = 0; i < p->n; ++i) {
    const double share = sqrt(list->at[i].d2) / reach, left = 1 - share * share * share;
    sal_reader_place_of_cell(c, list->at[i].cell, &at);
    p->w[i] = left * left * left;
    double *x = &p->x[(int64_t)i * p->n_term];
    x[0] = 1;
    for (int k = 0; k < c->n; ++k) at.z[k] -= place->z[k];
    sal_reader_metric_apply(metric, at.z, x + 1);
    for (int k = 0; k < c->n; ++k) x[k + 1] /= reach;
    p->sum_w += p->w[i];
    squares += p->w[i] * p->w[i];
  }
  p->effective = p->sum_w * p->sum_w / squares;
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

void sal_local_plane_free(sal_local_plane *p)
{
  sal_free(p->x);
  sal_free(p->w);
  sal_free(p->b);
  sal_free(p->own);
  sal_free(p->g);
  *p = (sal_local_plane){0};
}
