/** Newton's iteration for many cells at once: each round maps the trial points of all cells that are
 *  still at work in one batch.
 */
#include "cycle.h"
#include "base.h"
#include <float.h>
#include <lapacke.h>

enum { N = SAL_MAX_DENSE, HALVINGS = 12 };

/** A cell at work; arrays of the map's unknowns unless said. */
typedef struct {
  double *trial, *end, *base;       /* [n_state] the point tried, where it returns, the last good */
  bool *end_closed, *base_closed;   /* [n_guard] */
  double *dp, *base_dp;             /* [n_unknown][n_unknown] */
  double *step;                     /* [n_unknown] from base */
  double share, residual, shortest; /* of the step that is tried; of base; the last step's length */
  double period;                    /* of base */
  int halved;
  bool has_base, live;
} worker;

/* A x = x [m] for A = 1 - DP on the space spanned by basis [n][m]. */
static bool solve_within(int n, const double dp[], int m, const double basis[], double x[])
{
  double A[N * N], image[N];
  lapack_int pivot[N];

  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < n; ++i) {
      image[i] = basis[i * m + j];
      for (int k = 0; k < n; ++k) image[i] -= dp[i * n + k] * basis[k * m + j];
    }
    for (int i = 0; i < m; ++i) {
      A[i * m + j] = 0;
      for (int k = 0; k < n; ++k) A[i * m + j] += basis[k * m + i] * image[k];
    }
  }
  return m == 0 || LAPACKE_dgesv(LAPACK_ROW_MAJOR, m, 1, A, m, pivot, x, 1) == 0;
}

/* The part of step = (1 - DP)^-1 step along the constraints, where there are some: across them DP is
 * 1 by construction (Zana, Bodor, Bencsik & Zelei (2018), whose (31) is singular). */
static bool solve_along(const sal_return_map *map, const sal_cycle_setup *s, const sal_cycle *c,
                        worker *w)
{
  double normal[N * N], basis[N * N], x[N] = {0};
  const int n = map->n_unknown, rows = sal_cycle_add_normals(map, s, c, w->base, 0, normal);
  int m;

  if (!sal_multipliers_basis(n, rows, normal, &m, basis)) return false;
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) x[j] += basis[i * m + j] * w->step[i];
  if (!solve_within(n, w->base_dp, m, basis, x)) return false;
  for (int i = 0; i < n; ++i) {
    w->step[i] = 0;
    for (int j = 0; j < m; ++j) w->step[i] += basis[i * m + j] * x[j];
  }
  return true;
}

/* step = (1 - DP)^-1 (P(y) - y) from the base point; false where that has no solution. */
static bool solve_step(const sal_return_map *map, const sal_cycle_setup *s, const sal_cycle *c,
                       worker *w)
{
  const int m = map->n_unknown;
  double A[N * N];
  lapack_int pivot[N];

  for (int i = 0; i < m; ++i) w->step[i] = w->end[map->unknown[i]] - w->base[map->unknown[i]];
  for (int i = 0; i < m * m; ++i)
    if (!isfinite(w->base_dp[i])) return false;
  if (s->normals) return solve_along(map, s, c, w);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) A[i * m + j] = (i == j) - w->base_dp[i * m + j];
  return m == 0 || LAPACKE_dgesv(LAPACK_ROW_MAJOR, m, 1, A, m, pivot, w->step, 1) == 0;
}

/* Length of the step over the sizes of the unknowns. */
static double step_length(const sal_return_map *map, const worker *w)
{
  double most = 0;

  for (int j = 0; j < map->n_unknown; ++j) {
    const double by = fabs(w->step[j]) / sal_return_map_size(map, w->base, j);
    if (!(by <= most)) most = by;
  }
  return most;
}

static void place_trial(const sal_return_map *map, const sal_cycle_setup *s, const sal_cycle *c,
                        worker *w)
{
  memcpy(w->trial, w->base, (size_t)map->setup.model->n_state * sizeof *w->trial);
  for (int j = 0; j < map->n_unknown; ++j) w->trial[map->unknown[j]] += w->share * w->step[j];
  if (s->project) s->project(c->param, c->closed, w->trial);
}

static void finish(worker *w, sal_cycle *c, sal_cycle_end why)
{
  w->live = false;
  c->why = why;
  c->closure = w->has_base ? w->residual : NAN;
}

/* The trial is no better than the base: half of it next, unless rounding is what stops it. */
static void shorten(const sal_return_map *map, const sal_cycle_setup *s, worker *w, sal_cycle *c,
                    sal_cycle_end why)
{
  if (!w->has_base) {
    finish(w, c, why);
    return;
  }
  if (w->residual <= s->accept) {
    finish(w, c, SAL_CYCLE_FOUND);
    return;
  }
  if (++w->halved > HALVINGS) {
    finish(w, c, why);
    return;
  }
  w->share /= 2;
  place_trial(map, s, c, w);
}

/* The trial becomes the base. */
static void accept_trial(const sal_return_map *map, const sal_cycle_setup *s, worker *w,
                         const sal_return *p, double residual, sal_cycle *c)
{
  const sal_model *m = map->setup.model;

  memcpy(w->base, w->trial, (size_t)m->n_state * sizeof *w->base);
  memcpy(w->base_closed, w->end_closed, (size_t)map->n_guard * sizeof *w->base_closed);
  memcpy(w->base_dp, w->dp, (size_t)(map->n_unknown * map->n_unknown) * sizeof *w->base_dp);
  w->residual = residual;
  w->period = p->time;
  w->has_base = true;
  w->share = 1;
  w->halved = 0;
  if (!solve_step(map, s, c, w)) {
    finish(w, c, residual <= s->accept ? SAL_CYCLE_FOUND : SAL_CYCLE_DIVERGES);
    return;
  }
  const double length = step_length(map, w);
  /* after the quadratic part steps no longer become shorter */
  if (residual <= s->accept && (length <= 4 * DBL_EPSILON || length > 0.25 * w->shortest)) {
    finish(w, c, SAL_CYCLE_FOUND);
    return;
  }
  w->shortest = length;
  place_trial(map, s, c, w);
}

static void take_return(const sal_return_map *map, const sal_cycle_setup *s, worker *w,
                        const sal_return *p, sal_cycle *c)
{
  if (p->why != SAL_RETURN_MADE) {
    shorten(map, s, w, c, sal_cycle_of_return(p->why));
    return;
  }
  const double residual = sal_cycle_residual(map, w->trial, w->end);
  if (w->has_base && !(residual < (1 - 0.01 * w->share) * w->residual))
    shorten(map, s, w, c, SAL_CYCLE_DIVERGES);
  else
    accept_trial(map, s, w, p, residual, c);
}

/** Cells at work, and the memory of them all. */
typedef struct {
  worker *w;         /* [n] */
  double *words;     /* arrays of numbers of all cells */
  bool *modes;       /* and of modes */
  sal_return *point; /* [n] trial points of a round */
  const double **dp; /* [n] of the base points */
} team;

static void free_team(team *crew)
{
  sal_free_all(crew->w, crew->words, crew->modes, crew->point, crew->dp);
}

static sal_err make_team(const sal_return_map *map, int64_t n, team *out)
{
  const size_t ns = (size_t)map->setup.model->n_state, m = (size_t)map->n_unknown;
  const size_t g = (size_t)map->n_guard, each = 3 * ns + 2 * m * m + m, cells = (size_t)n;

  *out = (team){.w = sal_alloc(cells, sizeof *out->w),
                .words = sal_alloc(cells * each, sizeof *out->words),
                .modes = sal_alloc(cells * 2 * g, sizeof *out->modes),
                .point = sal_alloc(cells, sizeof *out->point),
                .dp = sal_alloc(cells, sizeof *out->dp)};
  if (!out->w || !out->words || !out->modes || !out->point || !out->dp)
    return sal_fail(SAL_ERR_MEMORY, "no memory for the orbits of %zu cells", cells);
  for (size_t i = 0; i < cells; ++i) {
    double *const at = out->words + i * each;
    bool *const mode = out->modes + i * 2 * g;
    out->w[i] = (worker){.trial = at,
                         .end = at + ns,
                         .base = at + 2 * ns,
                         .dp = at + 3 * ns,
                         .base_dp = at + 3 * ns + m * m,
                         .step = at + 3 * ns + 2 * m * m,
                         .end_closed = mode,
                         .base_closed = mode + g,
                         .shortest = INFINITY,
                         .live = true};
    out->dp[i] = out->w[i].base_dp;
  }
  return SAL_OK;
}

/* One trial in every cell that is at work; *live receives their number. */
static sal_err try_all(const sal_return_map *map, const sal_cycle_setup *s, int64_t n, team *crew,
                       sal_cycle cell[], int64_t *live)
{
  *live = 0;
  for (int64_t i = 0; i < n; ++i) {
    worker *w = &crew->w[i];
    if (w->live && ++cell[i].iterations > s->max_iterations)
      finish(w, &cell[i],
             w->has_base && w->residual <= s->accept ? SAL_CYCLE_FOUND : SAL_CYCLE_DIVERGES);
    if (!w->live) continue;
    crew->point[(*live)++] = (sal_return){.param = cell[i].param,
                                          .start = w->trial,
                                          .closed = cell[i].closed,
                                          .end = w->end,
                                          .end_closed = w->end_closed,
                                          .dp = w->dp};
  }
  SAL_TRY(sal_return_map_run(map, *live, crew->point));
  for (int64_t i = 0, p = 0; i < n; ++i)
    if (crew->w[i].live) take_return(map, s, &crew->w[i], &crew->point[p++], &cell[i]);
  return SAL_OK;
}

/* Hands the result of a cell to its owner.  An orbit that comes back in another mode is rejected. */
static void hand_over(const sal_return_map *map, const worker *w, sal_cycle *c)
{
  const size_t m = (size_t)map->n_unknown;

  if (!w->has_base) return;
  memcpy(c->y, w->base, (size_t)map->setup.model->n_state * sizeof *c->y);
  c->period = w->period;
  if (c->dp) memcpy(c->dp, w->base_dp, m * m * sizeof *c->dp);
  if (c->why == SAL_CYCLE_FOUND &&
      memcmp(c->closed, w->base_closed, (size_t)map->n_guard * sizeof *c->closed) != 0)
    c->why = SAL_CYCLE_DIVERGES;
}

static sal_err find_all(const sal_return_map *map, const sal_cycle_setup *s, int64_t n, team *crew,
                        sal_cycle cell[])
{
  int64_t live = n;

  for (int64_t i = 0; i < n; ++i) {
    memcpy(crew->w[i].trial, cell[i].y, (size_t)map->setup.model->n_state * sizeof *cell[i].y);
    if (s->project) s->project(cell[i].param, cell[i].closed, crew->w[i].trial);
    cell[i].iterations = 0;
  }
  while (live > 0) SAL_TRY(try_all(map, s, n, crew, cell, &live));
  for (int64_t i = 0; i < n; ++i) hand_over(map, &crew->w[i], &cell[i]);
  return sal_cycle_checks_run(map, s, n, crew->dp, cell);
}

sal_err sal_cycle_find(const sal_return_map *map, const sal_cycle_setup *setup, int64_t n,
                       sal_cycle cell[])
{
  sal_cycle_setup s = *setup;
  SAL_OWN_BY(free_team) team all = {0};

  if (s.max_iterations <= 0) s.max_iterations = 40;
  if (s.accept <= 0) s.accept = fmax(1000 * map->setup.rtol, 1e-10);
  SAL_TRY(make_team(map, n, &all));
  return find_all(map, &s, n, &all, cell);
}

/* Orbits whose points differ by less than this, over the unknowns' sizes, are one. */
static const double same_orbit = 1e-5;

sal_err sal_cycle_reduce(const sal_return_map *fewer, const sal_cycle_setup *setup, sal_cycle *c,
                         bool *reduced)
{
  const size_t ns = (size_t)fewer->model.n_state, m = (size_t)fewer->n_unknown;
  double y[N], dp[N * N];
  bool closed[SAL_MAX_GUARD];
  sal_cycle again = {.param = c->param, .y = y, .closed = closed, .dp = dp};

  memcpy(y, c->y, ns * sizeof *y);
  memcpy(closed, c->closed, (size_t)fewer->n_guard * sizeof *closed);
  SAL_TRY(sal_cycle_find(fewer, setup, 1, &again));
  *reduced = again.why == SAL_CYCLE_FOUND && sal_cycle_residual(fewer, c->y, y) < same_orbit;
  if (!*reduced) return SAL_OK;
  memcpy(c->y, y, ns * sizeof *y);
  memcpy(c->closed, closed, (size_t)fewer->n_guard * sizeof *closed);
  if (c->dp) memcpy(c->dp, dp, m * m * sizeof *dp);
  again.y = c->y;
  again.closed = c->closed;
  again.dp = c->dp;
  again.iterations += c->iterations;
  *c = again;
  return SAL_OK;
}
