/** @file src/answers/reader_fit.c
 *  Scales by the slopes of planes, the width by leaving out one cell after another.
 */
#include "reader_view.h"
#include "scramble.h"
#include <math.h>
#include <stdlib.h>

enum { CHOSEN = 256, ROUNDS = 3, CONFIDENCES = 3 };
/* Shares that are tried: up to three times the way to the width of a new point, because the answer
 * with the best promise of many is a winner's curse that no width of a single contender covers. */
enum { SHARES_OF_ONE = 10, SHARES = SAL_READER_MOST_WIDTH * SHARES_OF_ONE + 1 };
static const double least_scale = 0.05, confidence[CONFIDENCES] = {.8, .9, .95};

static int compare_cells(const void *left, const void *right)
{
  const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

  return (a > b) - (a < b);
}

/* Cells that are looked at, ascending; returns how many. */
static int choose_cells(int64_t n_cell, int64_t cell[CHOSEN])
{
  const bool all = n_cell <= CHOSEN;
  const int n = all ? (int)n_cell : CHOSEN;
  int m = 0;

  for (int i = 0; i < n; ++i)
    cell[i] = all ? i : (int64_t)(sal_scramble((uint64_t)i) % (uint64_t)n_cell);
  qsort(cell, (size_t)n, sizeof *cell, compare_cells);
  for (int i = 0; i < n; ++i)
    if (m == 0 || cell[i] != cell[m - 1]) cell[m++] = cell[i];
  return m;
}

/* Calls visit(with, view, i, cell) at each of the chosen cells, with planes through the k nearest. */
static sal_err visit_chosen(sal_reader_view *v, const double scale[], int k, bool leave_out,
                            void (*visit)(void *with, sal_reader_view *view, int64_t cell),
                            void *with)
{
  int64_t cell[CHOSEN] = {0};
  const int n = choose_cells(v->source.n_cell, cell);

  for (int first = 0; first < n; first += SAL_READER_BATCH) {
    const int m = n - first < SAL_READER_BATCH ? n - first : SAL_READER_BATCH;
    SAL_TRY(sal_reader_view_find_cells(v, m, &cell[first], scale, k, leave_out));
    for (int i = 0; i < m; ++i) {
      SAL_TRY(sal_reader_view_fit(v, i, scale, leave_out));
      visit(with, v, cell[first + i]);
    }
  }
  return SAL_OK;
}

/* ---- Scales ---- */

typedef struct {
  const double *scale;
  double square[SAL_MAX_QUANTITY];
  int64_t n;
} slopes;

static void add_slopes(void *with, sal_reader_view *v, int64_t cell)
{
  slopes *s = with;
  const sal_local_forecast *f = &v->forecast;

  (void)cell;
  for (int k = 0; k < f->n_contender; ++k) {
    if (!f->fits[k]) continue;
    ++s->n;
    for (int a = 0; a < v->coordinates.n; ++a) {
      const double slope = f->slope[a * f->n_contender + k] * s->scale[a] / v->plane.reach;
      s->square[a] += slope * slope;
    }
  }
}

/* Scales from sums of squares; false where all slopes are 0. */
static bool scale_by_slopes(int n, const slopes *s, double scale[])
{
  double most = 0, mean = 0;

  for (int a = 0; a < n && s->n > 0; ++a) {
    scale[a] = sqrt(s->square[a] / (double)s->n);
    most = fmax(most, scale[a]);
  }
  if (!(most > 0)) return false;
  for (int a = 0; a < n; ++a) {
    scale[a] = fmax(scale[a], least_scale * most);
    mean += log(scale[a]) / n;
  }
  for (int a = 0; a < n; ++a) scale[a] /= exp(mean);
  return true;
}

static sal_err fit_scale(sal_reader_view *v, sal_reader_fit *fit)
{
  const int n = v->coordinates.n;

  for (int a = 0; a < n; ++a) fit->scale[a] = 1;
  for (int round = 0; round < ROUNDS && n > 0; ++round) {
    slopes s = {.scale = fit->scale};
    SAL_TRY(visit_chosen(v, fit->scale, 2 * sal_reader_neighbours(&v->coordinates), false,
                         add_slopes, &s));
    if (scale_by_slopes(n, &s, fit->scale)) continue;
    for (int a = 0; a < n; ++a) fit->scale[a] = 1;
  }
  return SAL_OK;
}

/* ---- Width ---- */

/* Sums over answers of one width: those of the least total work for each error, and of all rules. */
typedef struct {
  int64_t asked[SAL_ERROR_METRIC_PRESETS];
  double promised[SAL_ERROR_METRIC_PRESETS], kept[SAL_ERROR_METRIC_PRESETS];
  double all_promised, all_kept;
} promises;

/* Does the cell's own run at a level reach the error, when it differs from the mean of the candidate
 * as it does from that of the level?  What is missing does not. */
static double own_keeps(const sal_reader_view *v, int64_t cell, sal_reader_pick pick, int level,
                        double ln_error)
{
  const int at = v->schedule.level[level] * v->totals.n_pair + pick.pair;
  const double own = sal_reader_rows_of(v->rows, cell).ln_error[at];
  const double mean = v->totals.ln_error[pick.pair * v->schedule.n + pick.step];

  return mean + (own - v->forecast.ln_error[at]) <= ln_error;
}

/* The share of a candidate's own runs in the cell that reach the error: of the two levels. */
static double kept_by(const sal_reader_view *v, int64_t cell, sal_reader_pick pick, double ln_error)
{
  const sal_reader_step *s = &v->schedule.at[pick.step];
  const double here = own_keeps(v, cell, pick, s->level, ln_error);

  if (s->share == 0) return here;
  return (1 - s->share) * here + s->share * own_keeps(v, cell, pick, s->level + 1, ln_error);
}

static double promised_by(const sal_reader_view *v, sal_reader_pick pick)
{
  return v->totals.probability[pick.pair * v->schedule.n + pick.step];
}

static void add_error(promises *p, const sal_reader_view *v, int64_t cell, int e, double ln_error)
{
  const sal_reader_totals *t = &v->totals;

  if (sal_reader_totals_unanswered(t)) return;
  const sal_reader_pick best = sal_reader_totals_best(t);
  const double promised = promised_by(v, best), kept = kept_by(v, cell, best, ln_error);
  ++p->asked[e];
  p->promised[e] += promised;
  p->kept[e] += kept;
  p->all_promised += promised;
  p->all_kept += kept;
  for (int i = 0; i < CONFIDENCES; ++i) {
    const sal_reader_pick sure = sal_reader_totals_surest(t, confidence[i]);
    if (sure.step < 0) continue;
    p->all_promised += promised_by(v, sure);
    p->all_kept += kept_by(v, cell, sure, ln_error);
  }
}

static void add_promises(void *with, sal_reader_view *v, int64_t cell)
{
  promises *p = with;

  sal_reader_totals_place(&v->totals, &v->forecast, NULL, NULL);
  for (int w = 0; w < SHARES; ++w) {
    const double width = 1 + (double)w / SHARES_OF_ONE * (v->forecast.widest - 1);
    for (int e = 0; e < SAL_ERROR_METRIC_PRESETS; ++e) {
      const double ln_error = log(v->source.by->preset[e]);
      sal_reader_totals_error(&v->totals, ln_error, width);
      add_error(&p[w], v, cell, e, ln_error);
    }
  }
}

static sal_err fit_width(sal_reader_view *v, sal_reader_fit *fit)
{
  promises p[SHARES] = {{.all_promised = 0}};
  int best = 0;

  SAL_TRY(
      visit_chosen(v, fit->scale, sal_reader_neighbours(&v->coordinates), true, add_promises, p));
  for (int w = 1; w < SHARES; ++w)
    if (fabs(p[w].all_promised - p[w].all_kept) < fabs(p[best].all_promised - p[best].all_kept))
      best = w;
  fit->width = (double)best / SHARES_OF_ONE;
  for (int e = 0; e < SAL_ERROR_METRIC_PRESETS; ++e) {
    const double n = (double)p[best].asked[e];
    fit->asked[e] = p[best].asked[e];
    fit->promised[e] = n > 0 ? p[best].promised[e] / n : NAN;
    fit->kept[e] = n > 0 ? p[best].kept[e] / n : NAN;
  }
  return SAL_OK;
}

/* Answers to one error, by one width. */
typedef struct {
  double ln_error, share;
  promises sums;
} one_error;

static void add_one_error(void *with, sal_reader_view *v, int64_t cell)
{
  one_error *o = with;

  sal_reader_totals_place(&v->totals, &v->forecast, NULL, NULL);
  sal_reader_totals_error(&v->totals, o->ln_error, 1 + o->share * (v->forecast.widest - 1));
  add_error(&o->sums, v, cell, 0, o->ln_error);
}

sal_err sal_reader_fit_promise(sal_reader_view *v, const sal_reader_fit *fit, double error,
                               sal_reader_promise *promise)
{
  one_error o = {.ln_error = log(error), .share = fit->width};

  SAL_TRY(
      visit_chosen(v, fit->scale, sal_reader_neighbours(&v->coordinates), true, add_one_error, &o));
  const double n = (double)o.sums.asked[0];
  *promise = (sal_reader_promise){.error = error,
                                  .asked = o.sums.asked[0],
                                  .promised = n > 0 ? o.sums.promised[0] / n : NAN,
                                  .kept = n > 0 ? o.sums.kept[0] / n : NAN};
  return SAL_OK;
}

sal_err sal_reader_fit_make(sal_reader_view *v, sal_reader_fit *fit)
{
  *fit = (sal_reader_fit){.n = v->coordinates.n};
  SAL_TRY(sal_neighbours_index(v->neighbours));
  SAL_TRY(fit_scale(v, fit));
  return fit_width(v, fit);
}
