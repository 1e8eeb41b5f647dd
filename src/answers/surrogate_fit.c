/** The metric by the slopes of planes, shape and widths by leaving out one cell after another, for the widths with every
 *  other level.
 */
#include "base.h"
#include "quantiles.h"
#include "scalar_math.h"
#include "scramble.h"
#include "surrogate_view.h"

/* Cells that are looked at: for slopes and successes, and for the shape. */
enum { FEW = 256, MANY = 512 };
enum { ROUNDS = 4, LEVELS_ASKED = 3, PLANE_OF_SLOPES = 64 };
enum {
  KEPT = 1 << 14
}; /* cells whose coordinates are found once, before fewer of them are asked for many times */
/* Widths that are tried: in tenths from 1 on. */
enum { TENTH = 10, WIDTHS = 7 };
static const double probability[LEVELS_ASKED] = {.8, .9, .95};

/* Up to `most` cells, ascending; returns how many. */
static int choose_cells(int64_t n_cell, int most, int64_t cell[])
{
  const bool all = n_cell <= most;
  const int n = all ? (int)n_cell : most;
  int m = 0;

  for (int i = 0; i < n; ++i)
    cell[i] = all ? i : (int64_t)(sal_scramble((uint64_t)i) % (uint64_t)n_cell);
  sal_quantiles_sort_wholes(n, sizeof *cell, cell);
  for (int i = 0; i < n; ++i)
    if (m == 0 || cell[i] != cell[m - 1]) cell[m++] = cell[i];
  return m;
}

/* A cell of a walk, the distance that its planes are in, and the forecast there, which may be taken. */
typedef struct {
  int64_t cell;
  double reach;
  sal_local_forecast *forecast;
} spot;

/* A walk over up to `most` cells, with planes at each through the k nearest, the cell itself left out of them or not. */
typedef struct {
  const sal_surrogate_metric *metric;
  int most, k;
  bool leave_out;
  void (*visit)(void *with, sal_surrogate_view *view, const spot *at); /* in their order */
  void *with;
} walk;

/* Forecasts of a batch, which threads make. */
typedef struct {
  sal_surrogate_view *view;
  const walk *walk;
  sal_local_forecast *at; /* [room] */
} batch;

static sal_err make_forecast(void *with, int64_t i, int thread)
{
  const batch *b = with;
  sal_surrogate_view *v = sal_surrogate_view_of(b->view, thread);
  const sal_local_forecast room = b->at[i];

  SAL_TRY(sal_surrogate_view_fit(v, (int)i, b->walk->metric, b->walk->leave_out));
  b->at[i] = v->forecast;
  v->forecast = room;
  return SAL_OK;
}

static void free_batch(batch *b)
{
  for (int i = 0; b->at && i < b->view->room; ++i) sal_local_forecast_free(&b->at[i]);
  sal_free(b->at);
}

static sal_err walk_cells(sal_surrogate_view *v, const walk *w)
{
  int64_t cell[MANY] = {0};
  const int n = choose_cells(v->source.n_cell, w->most, cell);
  SAL_OWN_BY(free_batch) batch b = {v, w, sal_alloc((size_t)v->room, sizeof *b.at)};

  if (!b.at) return sal_fail(SAL_ERR_MEMORY, "no memory for planes");
  for (int first = 0; first < n; first += v->room) {
    const int m = sal_surrogate_view_batch(v, n, first);
    SAL_TRY(sal_surrogate_view_find_cells(v, m, &cell[first], w->metric, w->k, w->leave_out));
    SAL_TRY(v->loop(v->threads, m, make_forecast, &b));
    for (int i = 0; i < m; ++i)
      w->visit(w->with, v, &(spot){cell[first + i], v->reach[i], &b.at[i]});
  }
  return SAL_OK;
}

/* A walk with the planes of answers, each without its own cell. */
static walk leaving_out(const sal_surrogate_view *v, const sal_surrogate_fit *fit, int most,
                        void (*visit)(void *with, sal_surrogate_view *view, const spot *at),
                        void *with)
{
  return (walk){&fit->metric, most, sal_surrogate_neighbours(&v->coordinates), true, visit, with};
}

/** Gradients of ln error by the coordinates. */
typedef struct {
  const sal_surrogate_metric *metric;
  int n;
  int64_t count;
  double *gradient, *length; /* [count][n], [count] */
} gradients;

static void add_gradients(void *with, sal_surrogate_view *v, const spot *at)
{
  gradients *all = with;
  const sal_local_forecast *f = at->forecast;
  double slope[SAL_SURROGATE_MOST_COORDINATES];

  (void)v;
  for (int k = 0; k < f->n_config; ++k) {
    if (!f->fits[k]) continue;
    double *g = &all->gradient[all->count * all->n], sum = 0;
    for (int a = 0; a < all->n; ++a) slope[a] = f->slope[a * f->n_config + k] / at->reach;
    sal_surrogate_metric_gradient(all->metric, slope, g);
    for (int a = 0; a < all->n; ++a) sum += g[a] * g[a];
    all->length[all->count++] = sqrt(sum);
  }
}

static sal_err median_of(int64_t n, const double x[], double *median)
{
  SAL_OWN double *some = sal_alloc((size_t)n + 1, sizeof *some);

  if (!some) return sal_fail(SAL_ERR_MEMORY, "no memory for slopes");
  for (int64_t i = 0; i < n; ++i) some[i] = x[i];
  *median = n > 0 ? sal_quantiles_select(n, some, n / 2) : 0;
  return SAL_OK;
}

/* The mean of g g', each g cut at the median length: a few steep ones say nothing of the others. */
static sal_err make_metric(const gradients *all, sal_surrogate_metric *metric)
{
  const int n = all->n;
  SAL_OWN double *m = sal_alloc((size_t)n, (size_t)n * sizeof *m);
  double most = 0;

  if (!m) return sal_fail(SAL_ERR_MEMORY, "no memory for slopes");
  SAL_TRY(median_of(all->count, all->length, &most));
  for (int64_t i = 0; i < all->count; ++i) {
    const double *g = &all->gradient[i * n], length = all->length[i];
    const double cut = length > most ? most / length : 1, weight = cut * cut / (double)all->count;
    for (int a = 0; a < n; ++a)
      for (int b = 0; b <= a; ++b) m[a * n + b] += weight * g[a] * g[b];
  }
  sal_surrogate_metric made;
  if (sal_surrogate_metric_of_matrix(n, m, &made)) *metric = made;
  return SAL_OK;
}

static sal_err fit_metric(sal_surrogate_view *v, sal_surrogate_fit *fit)
{
  const int n = v->coordinates.n, k = sal_surrogate_neighbours(&v->coordinates);
  const int wider = k > PLANE_OF_SLOPES ? k : PLANE_OF_SLOPES;
  const size_t most = FEW * (size_t)v->source.n_config;
  SAL_OWN double *gradient = sal_alloc(most, (size_t)(n + 1) * sizeof *gradient);
  SAL_OWN double *length = sal_alloc(most, sizeof *length);
  double one[SAL_SURROGATE_MOST_COORDINATES];

  if (!gradient || !length) return sal_fail(SAL_ERR_MEMORY, "no memory for slopes");
  for (int a = 0; a < n; ++a) one[a] = 1;
  sal_surrogate_metric_of_scales(n, one, &fit->metric);
  for (int round = 0; round < ROUNDS && n > 0; ++round) {
    gradients all = {&fit->metric, n, 0, gradient, length};
    SAL_TRY(walk_cells(v, &(walk){&fit->metric, FEW, wider, false, add_gradients, &all}));
    SAL_TRY(make_metric(&all, &fit->metric));
  }
  return SAL_OK;
}

/* Forecasts at cells without their own runs, which are tried once the shape is known. */
typedef struct {
  int n, n_made;
  int64_t cell[FEW];
  sal_local_forecast of[FEW];
  double *own; /* [n][n_config] ln error of the cell's own runs */
} tried;

typedef struct {
  int64_t n;
  double *residual;
  sal_between_sums between;
  tried *tried;
} residuals;

/* Keeps the forecast of a cell that is to be tried; cells come in ascending order. */
static void keep_forecast(tried *t, const spot *at, const double own[])
{
  const size_t each = (size_t)at->forecast->n_config;

  if (t->n_made == t->n || t->cell[t->n_made] != at->cell) return;
  memcpy(t->own + (size_t)t->n_made * each, own, each * sizeof *own);
  t->of[t->n_made++] = *at->forecast;
  *at->forecast = (sal_local_forecast){0};
}

static void free_tried(tried *t)
{
  for (int i = 0; i < t->n_made; ++i) sal_local_forecast_free(&t->of[i]);
  sal_free(t->own);
}

/* Adds the residuals of the cell's own runs from the planes without it, over the scatter. */
static void add_residuals(void *with, sal_surrogate_view *v, const spot *at)
{
  residuals *all = with;
  const sal_local_forecast *f = at->forecast;
  const double *own = sal_surrogate_rows_of(v->rows, at->cell).ln_error;

  for (int k = 0; k < f->n_config; ++k)
    if (f->fits[k] && !isnan(own[k]))
      all->residual[all->n++] = (own[k] - f->ln_error[k]) / f->scatter[k];
  sal_between_sums_add(&all->between, f);
  keep_forecast(all->tried, at, own);
}

static void free_residuals(residuals *all)
{
  sal_free(all->residual);
  sal_between_sums_free(&all->between);
}

/* Fits the distributions of errors around planes and of errors between levels. */
static sal_err fit_shape(sal_surrogate_view *v, tried *t, sal_surrogate_fit *fit)
{
  const int cells = v->source.n_cell < MANY ? (int)v->source.n_cell : MANY;
  SAL_OWN_BY(free_residuals)
  residuals all = {.residual =
                       sal_alloc((size_t)cells, (size_t)v->source.n_config * sizeof *all.residual),
                   .tried = t};

  t->n = choose_cells(v->source.n_cell, FEW, t->cell);
  t->own = sal_alloc((size_t)t->n, (size_t)v->source.n_config * sizeof *t->own);
  if (!all.residual || !t->own) return sal_fail(SAL_ERR_MEMORY, "no memory for residuals");
  SAL_TRY(sal_between_sums_create(&v->steps, v->totals.n_pair, cells, &all.between));
  const walk w = leaving_out(v, fit, MANY, add_residuals, &all);
  SAL_TRY(walk_cells(v, &w));
  sal_error_shape_make(all.n, all.residual, &fit->shape);
  return sal_between_sums_make(&all.between, &fit->between);
}

double sal_surrogate_fit_width(const sal_surrogate_fit *fit, const double preset[], double error)
{
  int e = 1;

  while (e + 1 < SAL_ERROR_METRIC_PRESETS && error < preset[e]) ++e;
  const double share =
      sal_scalar_log(preset[e - 1] / error) / sal_scalar_log(preset[e - 1] / preset[e]);
  const double inside = fmin(fmax(share, 0), 1);
  return (1 - inside) * fit->width[e - 1] + inside * fit->width[e];
}

/* Sums over the answers to an error by one width: first attempts alone, and those of all rules. */
typedef struct {
  int64_t asked;
  double predicted, observed;
  double all_predicted, all_observed;
} successes;

/* Answers at cells left out, with every other level left out, too: first the odd ones, then the even ones. */
enum { THINNED = 2 };

/* For one error. */
typedef struct {
  const sal_error_shape *shape;
  sal_surrogate_steps steps[THINNED];
  sal_surrogate_totals totals[THINNED];
  double ln_error, width[WIDTHS];
  int n_width;
  successes of[WIDTHS];
} trials;

static void free_trials(trials *t)
{
  for (int i = 0; i < THINNED; ++i) {
    sal_surrogate_totals_free(&t->totals[i]);
    sal_surrogate_steps_free(&t->steps[i]);
  }
}

/* Does the cell's own run reach the error?  A missing one does not. */
static double observed_by(const sal_surrogate_totals *t, const double own[],
                          sal_surrogate_pick pick, double ln_error)
{
  return own[t->steps->at[pick.step].run * t->n_pair + pick.pair] <= ln_error;
}

static double predicted_by(const sal_surrogate_totals *t, sal_surrogate_pick pick)
{
  return t->probability[pick.pair * t->steps->n + pick.step];
}

/* Probabilities are those of this error. */
static void add_answers(successes *p, sal_surrogate_view *v, const sal_surrogate_totals *t,
                        const double own[], double ln_error)
{
  if (sal_surrogate_totals_unanswered(t)) return;
  sal_schedule_of_totals(&v->schedule, t);
  const sal_surrogate_pick best = sal_schedule_best(&v->schedule, t);
  if (best.step < 0) return;
  const double predicted = predicted_by(t, best), observed = observed_by(t, own, best, ln_error);
  ++p->asked;
  p->predicted += predicted;
  p->observed += observed;
  p->all_predicted += predicted;
  p->all_observed += observed;
  for (int i = 0; i < LEVELS_ASKED; ++i) {
    const sal_surrogate_pick sure = sal_surrogate_totals_surest(t, probability[i]);
    if (sure.step < 0) continue;
    p->all_predicted += predicted_by(t, sure);
    p->all_observed += observed_by(t, own, sure, ln_error);
  }
}

static void try_widths(trials *all, sal_surrogate_view *v, const sal_local_forecast *at,
                       const double own[])
{
  for (int i = 0; i < THINNED; ++i) {
    sal_surrogate_totals *t = &all->totals[i];
    sal_surrogate_totals_place(t, at, NULL, NULL);
    for (int w = 0; w < all->n_width; ++w) {
      sal_surrogate_totals_error(t, all->shape, all->ln_error, all->width[w]);
      add_answers(&all->of[w], v, t, own, all->ln_error);
    }
  }
}

static void try_cell(void *with, sal_surrogate_view *v, const spot *at)
{
  try_widths(with, v, at->forecast, sal_surrogate_rows_of(v->rows, at->cell).ln_error);
}

static sal_err begin_trials(const sal_surrogate_view *v, const sal_surrogate_fit *fit, trials *all)
{
  all->shape = &fit->shape;
  for (int i = 0; i < THINNED; ++i) {
    SAL_TRY(sal_surrogate_steps_thin(v->source.sweep, i, &all->steps[i]));
    SAL_TRY(sal_surrogate_totals_create(v->source.sweep, &all->steps[i], &all->totals[i]));
    sal_surrogate_totals_between(&all->totals[i], &fit->between);
  }
  return SAL_OK;
}

static sal_surrogate_calibration calibration_of(const successes *p, double error)
{
  const double n = (double)p->asked;

  return (sal_surrogate_calibration){.error = error,
                                     .asked = p->asked,
                                     .predicted = n > 0 ? p->predicted / n : NAN,
                                     .observed = n > 0 ? p->observed / n : NAN};
}

static double gap_of(const successes *p) { return fabs(p->all_predicted - p->all_observed); }

typedef struct {
  sal_surrogate_view *view;
  const tried *tried;
  sal_surrogate_fit *fit;
} width_fit;

/* For error e the width with the best calibration. */
static sal_err fit_width(void *with, int64_t e, int thread)
{
  const width_fit *f = with;
  const tried *t = f->tried;
  sal_surrogate_view *v = sal_surrogate_view_of(f->view, thread);
  const double error = v->source.by->preset[e];
  SAL_OWN_BY(free_trials)
  trials all = {.ln_error = sal_scalar_log(error), .n_width = WIDTHS};
  int best = 0;

  for (int w = 0; w < WIDTHS; ++w) all.width[w] = 1 + (double)w / TENTH;
  SAL_TRY(begin_trials(v, f->fit, &all));
  for (int i = 0; i < t->n_made; ++i)
    try_widths(&all, v, &t->of[i], t->own + (int64_t)i * v->source.n_config);
  for (int i = 1; i < WIDTHS; ++i)
    if (gap_of(&all.of[i]) < gap_of(&all.of[best])) best = i;
  const sal_surrogate_calibration is = calibration_of(&all.of[best], error);
  f->fit->width[e] = all.width[best];
  f->fit->asked[e] = is.asked;
  f->fit->predicted[e] = is.predicted;
  f->fit->observed[e] = is.observed;
  return SAL_OK;
}

sal_err sal_surrogate_fit_calibration(sal_surrogate_view *v, double error,
                                      sal_surrogate_calibration *calibration)
{
  SAL_OWN_BY(free_trials)
  trials all = {.ln_error = sal_scalar_log(error),
                .n_width = 1,
                .width = {sal_surrogate_fit_width(v->fit, v->source.by->preset, error)}};

  SAL_TRY(begin_trials(v, v->fit, &all));
  const walk w = leaving_out(v, v->fit, FEW, try_cell, &all);
  SAL_TRY(walk_cells(v, &w));
  *calibration = calibration_of(all.of, error);
  return SAL_OK;
}

sal_err sal_surrogate_fit_make(sal_surrogate_view *v, sal_surrogate_fit *fit)
{
  SAL_OWN_BY(free_tried) tried few = {0};

  *fit = (sal_surrogate_fit){.metric = {.n = v->coordinates.n}};
  SAL_TRY(sal_neighbours_index(v->neighbours));
  if (v->source.n_cell <= KEPT) SAL_TRY(sal_surrogate_coordinates_keep(&v->coordinates));
  SAL_TRY(fit_metric(v, fit));
  SAL_TRY(fit_shape(v, &few, fit));
  for (int i = 0; i < v->threads; ++i)
    sal_surrogate_totals_between(&sal_surrogate_view_of(v, i)->totals, &fit->between);
  return v->loop(v->threads, SAL_ERROR_METRIC_PRESETS, fit_width, &(width_fit){v, &few, fit});
}
