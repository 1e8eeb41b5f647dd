/** @file src/answers/sensitivity.c
 *  Analysis of variance on the grid of a sweep.
 */
#include "sensitivity.h"
#include "memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_BINS = 2, MOST_BINS = 32, LEAST_POINTS = 8 };

/* Cells that are alike: those with the same point of an axis, or (others) with the same points of
 * all other axes. */
typedef struct {
  int64_t n_cell, stride, n_point;
  bool    others;
} grouping;

int64_t sal_sensitivity_cells(const sal_sweep *s)
{
  int64_t n = 1;

  for (int a = 0; a < s->n_axis; ++a) n *= s->axis[a].n_point;
  return n;
}

static grouping groups_of(const sal_sweep *s, int axis, bool others)
{
  grouping g = {sal_sensitivity_cells(s), 1, s->axis[axis].n_point, others};

  for (int a = axis + 1; a < s->n_axis; ++a) g.stride *= s->axis[a].n_point;
  return g;
}

static int64_t group_of(const grouping *g, int64_t cell)
{
  return g->others ? cell / (g->stride * g->n_point) * g->stride + cell % g->stride
                   : cell / g->stride % g->n_point;
}

/* Room for sums over groups, and the order of an axis' points by a quantity. */
typedef struct {
  double  *y;     /* [n_cell] the figure, or whether it is a certain word */
  double  *mean;  /* [n_cell] of each group */
  int64_t *n;     /* [n_cell] */
  int64_t *place; /* [n_point of the largest axis] */
} room;

/* Means of the groups; how many there are. */
static int64_t take_means(const grouping *g, room *r)
{
  const int64_t n_group = g->others ? g->n_cell / g->n_point : g->n_point;

  memset(r->mean, 0, (size_t)n_group * sizeof *r->mean);
  memset(r->n, 0, (size_t)n_group * sizeof *r->n);
  for (int64_t c = 0; c < g->n_cell; ++c) {
    if (isnan(r->y[c])) continue;
    const int64_t i = group_of(g, c);
    r->mean[i] += r->y[c];
    ++r->n[i];
  }
  for (int64_t i = 0; i < n_group; ++i)
    if (r->n[i] > 0) r->mean[i] /= (double)r->n[i];
  return n_group;
}

/* Sum of squares about the means of the groups. */
static double within(const grouping *g, room *r)
{
  double sum = 0;

  take_means(g, r);
  for (int64_t c = 0; c < g->n_cell; ++c) {
    if (isnan(r->y[c])) continue;
    const double off = r->y[c] - r->mean[group_of(g, c)];
    sum += off * off;
  }
  return sum;
}

/* ---- one quantity of an axis that varies several ---- */

typedef struct {
  double  value;
  int64_t point;
} ranked;

static int less(const void *left, const void *right)
{
  const ranked *a = left, *b = right;

  return a->value != b->value ? (a->value > b->value) - (a->value < b->value)
                              : (a->point > b->point) - (a->point < b->point);
}

/* Which bin each point is in, equal values together; how many bins, 0 for want of memory. */
static int make_bins(const sal_axis *axis, int c, int64_t bin[])
{
  ranked *list = sal_alloc((size_t)axis->n_point, sizeof *list);
  int     n = (int)ceil(cbrt(2 * (double)axis->n_point)), used = 0;

  n = n < LEAST_BINS ? LEAST_BINS : n > MOST_BINS ? MOST_BINS : n;
  for (int64_t i = 0; list && i < axis->n_point; ++i)
    list[i] = (ranked){sal_axis_value(axis, i, c), i};
  if (list) qsort(list, (size_t)axis->n_point, sizeof *list, less);
  int64_t last = -1;
  for (int64_t i = 0; list && i < axis->n_point; ++i) {
    const int64_t own = i * n / axis->n_point;
    if (i == 0 || (list[i].value > list[i - 1].value && own != last)) {
      last = own;
      ++used;
    }
    bin[list[i].point] = used - 1;
  }
  sal_free(list);
  return used;
}

/* Sum of squares between the bins, less what chance explains: the points of a bin differ, too. */
static double between_bins(const grouping *g, int n_bin, room *r)
{
  double  sum[MOST_BINS] = {0}, count[MOST_BINS] = {0}, all = 0, total = 0, inside = 0, outside = 0;
  int64_t n_point = 0;

  take_means(g, r);
  for (int64_t i = 0; i < g->n_point; ++i) {
    const double weight = (double)r->n[i];
    sum[r->place[i]] += weight * r->mean[i];
    count[r->place[i]] += weight;
    all += weight;
    total += weight * r->mean[i];
    n_point += r->n[i] > 0;
  }
  int filled = 0;
  for (int b = 0; b < n_bin; ++b) {
    if (count[b] <= 0) continue;
    const double off = sum[b] / count[b] - total / all;
    outside += count[b] * off * off;
    ++filled;
  }
  for (int64_t i = 0; i < g->n_point; ++i) {
    if (r->n[i] == 0) continue;
    const double off = r->mean[i] - sum[r->place[i]] / count[r->place[i]];
    inside += (double)r->n[i] * off * off;
  }
  return n_point > filled ? outside - (filled - 1) * inside / (double)(n_point - filled) : NAN;
}

/* ---- all of them ---- */

/* Sums of squares: of all, and what each effect explains, or the others leave to it. */
typedef struct {
  double all, alone[SAL_MAX_EFFECT], with[SAL_MAX_EFFECT];
} sums;

static int list_effects(const sal_sweep *s, sal_effect effect[])
{
  int n = 0;

  for (int a = 0; a < s->n_axis; ++a) {
    const sal_axis *axis = &s->axis[a];
    if (axis->n_point < 2) continue;
    effect[n++] = (sal_effect){.axis = a, .column = -1};
    for (int c = 0; axis->n_column > 1 && c < axis->n_column; ++c)
      effect[n++] = (sal_effect){.axis = a, .column = axis->column[c]};
  }
  return n;
}

/* Sum of squares about the mean; exactly 0 when nothing varies. */
static double about_mean(int64_t n, const double y[])
{
  double sum = 0, square = 0, count = 0, lo = INFINITY, hi = -INFINITY;

  for (int64_t c = 0; c < n; ++c) {
    if (isnan(y[c])) continue;
    sum += y[c];
    ++count;
    lo = fmin(lo, y[c]);
    hi = fmax(hi, y[c]);
  }
  if (!(lo < hi)) return 0;
  for (int64_t c = 0; c < n; ++c)
    if (!isnan(y[c])) square += (y[c] - sum / count) * (y[c] - sum / count);
  return square;
}

static sal_err add_column(const sal_sweep *s, const sal_effect *e, room *r, double *alone)
{
  const sal_axis *axis = &s->axis[e->axis];
  const grouping  g    = groups_of(s, e->axis, false);
  int             c    = 0;

  while (axis->column[c] != e->column) ++c;
  const int n_bin = make_bins(axis, c, r->place);
  if (n_bin == 0) return sal_fail(SAL_ERR_MEMORY, "no memory for sensitivities");
  *alone += axis->n_point < LEAST_POINTS ? NAN : between_bins(&g, n_bin, r);
  return SAL_OK;
}

/* Adds what r->y has. */
static sal_err add_figure(const sal_sweep *s, int n, const sal_effect effect[], room *r, sums *sum)
{
  const double all = about_mean(sal_sensitivity_cells(s), r->y);

  sum->all += all;
  for (int i = 0; i < n; ++i) {
    const grouping own    = groups_of(s, effect[i].axis, false),
                   others = groups_of(s, effect[i].axis, true);
    if (effect[i].column >= 0) {
      SAL_TRY(add_column(s, &effect[i], r, &sum->alone[i]));
      sum->with[i] = NAN;
    } else {
      sum->alone[i] += all - within(&own, r);
      sum->with[i] += within(&others, r);
    }
  }
  return SAL_OK;
}

static sal_err add_all(const sal_sweep *s, int n_word, const double figure[], int n,
                       const sal_effect effect[], room *r, sums *sum)
{
  const int64_t n_cell = sal_sensitivity_cells(s);

  for (int w = 0; w < (n_word > 0 ? n_word : 1); ++w) {
    for (int64_t c = 0; c < n_cell; ++c)
      r->y[c] = n_word == 0 || isnan(figure[c]) ? figure[c] : figure[c] == w;
    SAL_TRY(add_figure(s, n, effect, r, sum));
  }
  return SAL_OK;
}

static bool make_room(const sal_sweep *s, room *r)
{
  const size_t n    = (size_t)sal_sensitivity_cells(s);
  int64_t      most = 0;

  for (int a = 0; a < s->n_axis; ++a)
    if (s->axis[a].n_point > most) most = s->axis[a].n_point;
  *r = (room){.y     = sal_alloc(n, sizeof *r->y),
              .mean  = sal_alloc(n, sizeof *r->mean),
              .n     = sal_alloc(n, sizeof *r->n),
              .place = sal_alloc((size_t)most, sizeof *r->place)};
  return r->y && r->mean && r->n && r->place;
}

sal_err sal_sensitivity(const sal_sweep *s, int n_word, const double figure[], int *n,
                        sal_effect effect[])
{
  sums    sum = {0};
  room    r;
  sal_err err = make_room(s, &r) ? SAL_OK : sal_fail(SAL_ERR_MEMORY, "no memory for sensitivities");

  *n = list_effects(s, effect);
  if (err == SAL_OK) err = add_all(s, n_word, figure, *n, effect, &r, &sum);
  for (int i = 0; i < *n; ++i) {
    effect[i].alone = sum.all > 0 ? sum.alone[i] / sum.all : NAN;
    effect[i].with  = sum.all > 0 ? sum.with[i] / sum.all : NAN;
    if (effect[i].alone < 0) effect[i].alone = 0;
  }
  sal_free(r.y);
  sal_free(r.mean);
  sal_free(r.n);
  sal_free(r.place);
  return err;
}
