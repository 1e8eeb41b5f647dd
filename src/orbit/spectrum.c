/** Visits, one after another, of all cells side by side. */
#include "spectrum.h"
#include "base.h"
#include "scalar_math.h"

/* Batches of visits.  A vector of which less than this is left beside the others is lost where states are set by
 * jumps: the rounding of the vectors of a run, which share its steps. */
enum { BATCHES = 16, PERIODS = SAL_SPECTRUM_PERIODS };
#define LOST 1e-12

/* Progress of a cell; the arrays are parts of one piece of memory. */
typedef struct {
  double *q, *image;          /* [m][k] vectors in the first n_live columns; their images */
  double *memory;             /* [PERIODS][n_state] last visits */
  double *sum;                /* [BATCHES][k] logarithms .. */
  double *first;              /* [PERIODS][k] .. and those of each of the first visits alone */
  double span[BATCHES];       /* times likewise */
  double first_time[PERIODS]; /* from a return's start, of the first visits */
  int alike[PERIODS];         /* visits in a row that are like the one so many before */
  int n_live, column[SAL_MAX_STATE]; /* vectors that are not lost, and whose sums they add to */
  int visit, brief;                  /* visits so far, those of settle included */
  bool over;
} path;

typedef struct {
  const sal_return_map *map;
  const sal_spectrum_setup *setup;
  int m, k;     /* unknowns, vectors */
  path *path;   /* [n] */
  double *room; /* [n] cells' arrays */
  int64_t each; /* numbers of a cell */
  sal_return *point;
  int64_t *index;
} run;

static void free_run(run *r) { sal_free_all(r->path, r->room, r->point, r->index); }

static sal_err make_run(run *r, int64_t n)
{
  const size_t m = (size_t)r->m, k = (size_t)r->k, ns = (size_t)r->map->model.n_state;
  const size_t each = 2 * m * k + PERIODS * ns + (BATCHES + PERIODS) * k;

  r->path = sal_alloc((size_t)n, sizeof *r->path);
  r->room = sal_alloc((size_t)n * each, sizeof *r->room);
  r->point = sal_alloc((size_t)n, sizeof *r->point);
  r->index = sal_alloc((size_t)n, sizeof *r->index);
  if (!r->path || !r->room || !r->point || !r->index)
    return sal_fail(SAL_ERR_MEMORY, "no memory for the exponents of cells");
  for (int64_t i = 0; i < n; ++i) {
    path *p = &r->path[i];
    p->q = r->room + i * (int64_t)each;
    p->image = p->q + m * k;
    p->memory = p->image + m * k;
    p->sum = p->memory + PERIODS * ns;
    p->first = p->sum + BATCHES * k;
  }
  return SAL_OK;
}

static double project(const run *r, double q[], int j)
{
  return sal_columns_project(r->m, r->k, q, j, q, j, NULL);
}

static void scale_column(const run *r, const double from[], int a, double length, double to[],
                         int b)
{
  for (int i = 0; i < r->m; ++i) to[i * r->k + b] = from[i * r->k + a] / length;
}

/* Orthonormal vectors in general position. */
static void begin_vectors(const run *r, path *p)
{
  p->n_live = r->k;
  for (int j = 0; j < p->n_live; ++j) {
    for (int i = 0; i < r->m; ++i)
      p->q[i * r->k + j] = (i == j) + 1e-4 * ((i * r->k + j + 1) * 7919 % 1009);
    scale_column(r, p->q, j, project(r, p->q, j), p->q, j);
    p->column[j] = j;
  }
}

/* The least length by which a vector counts beside images of length `largest`. */
static double least_length(const run *r, const sal_return *point, double largest)
{
  const bool alone =
      r->map->n_round < r->k; /* vectors in rounds of their own have steps of their own */

  if (!r->map->model.resets || point->n_event == 0) return 0;
  return fmax(LOST, alone ? 1e3 * r->map->setup.rtol : 0) * largest;
}

/* Makes the images of a visit the vectors, and adds the logarithms of their lengths to sum [k] and more [k], unless
 * NULL.  Vectors that are lost leave the others. */
static void turn_vectors(const run *r, path *p, const sal_return *point, double sum[],
                         double more[])
{
  double largest = 0;
  int live = 0;

  for (int j = 0; j < p->n_live; ++j)
    largest = fmax(largest, sqrt(sal_columns_dot(r->m, r->k, p->image, j, p->image, j)));
  const double least = least_length(r, point, largest);
  for (int j = 0; j < p->n_live; ++j) {
    scale_column(r, p->image, j, 1, p->image, live);
    const double length = project(r, p->image, live);
    if (!(length > least)) continue;
    const double log = sal_scalar_log(length);
    scale_column(r, p->image, live, length, p->image, live);
    p->column[live++] = p->column[j];
    if (sum) sum[p->column[j]] += log;
    if (more) more[p->column[j]] += log;
  }
  p->n_live = live;
  memset(p->q, 0, (size_t)(r->m * r->k) * sizeof *p->q);
  for (int j = 0; j < live; ++j) scale_column(r, p->image, j, 1, p->q, j);
}

static void compare_visits(const run *r, path *p, const double y[])
{
  const int64_t ns = r->map->model.n_state;

  for (int k = 1; k <= PERIODS && k <= p->visit; ++k) {
    const double *past = p->memory + (int64_t)((p->visit - k) % PERIODS) * ns;
    p->alike[k - 1] =
        sal_return_map_alike(r->map, r->setup->close, y, past) ? p->alike[k - 1] + 1 : 0;
  }
  memcpy(p->memory + p->visit % PERIODS * ns, y, (size_t)ns * sizeof *y);
}

/* Counts visit number v of those that count. */
static void count_visit(const run *r, path *p, int v, const sal_return *point, sal_spectrum *c)
{
  const sal_spectrum_setup *s = r->setup;
  const int batch = (int)((int64_t)v * BATCHES / s->visits), at = v - (s->visits - s->kept);

  p->span[batch] += point->time;
  if (v < PERIODS) p->first_time[v] = point->time;
  c->time += point->time;
  c->visits = v + 1;
  for (int i = 0; i < s->n_state && at >= 0; ++i) c->kept[i * s->kept + at] = c->y[s->state[i]];
}

static void take_return(const run *r, path *p, const sal_return *point, sal_spectrum *c)
{
  const int v = p->visit - r->setup->settle;

  c->why = point->why;
  c->still = point->still;
  p->over = point->why != SAL_RETURN_MADE;
  if (p->over) return;
  if (point->dp)
    turn_vectors(r, p, point,
                 v < 0 ? NULL : p->sum + (int64_t)v * BATCHES / r->setup->visits * r->k,
                 v < 0 || v >= PERIODS ? NULL : p->first + (size_t)v * (size_t)r->k);
  if (v >= 0) count_visit(r, p, v, point, c);
  compare_visits(r, p, c->y);
  ++p->visit;
  if (sal_return_map_stalls(r->map, point->time, &p->brief)) c->why = SAL_RETURN_RESTS;
  if (sal_return_map_unbounded(r->map, r->setup->bound, c->y)) c->why = SAL_RETURN_UNBOUNDED;
  p->over = c->why != SAL_RETURN_MADE || v + 1 == r->setup->visits;
}

/* The next returns; how many cells are on their way. */
static int64_t line_up(const run *r, int64_t n, sal_spectrum cell[])
{
  int64_t live = 0;

  for (int64_t i = 0; i < n; ++i) {
    path *p = &r->path[i];
    if (p->over) continue;
    const bool turns = r->k > 0 && p->visit > 0 && p->visit >= r->setup->settle / 2;
    if (turns && p->n_live < 0) begin_vectors(r, p);
    r->point[live] = (sal_return){.param = cell[i].param,
                                  .start = cell[i].y,
                                  .closed = p->visit > 0 ? cell[i].closed : NULL,
                                  .end = cell[i].y,
                                  .end_closed = cell[i].closed,
                                  .along = turns ? p->q : NULL,
                                  .dp = turns ? p->image : NULL};
    r->index[live++] = i;
  }
  return live;
}

static int period_of(const path *p)
{
  const int most = p->visit - 1 < PERIODS ? p->visit - 1 : PERIODS;

  for (int k = 1; k <= most; ++k)
    if (p->alike[k - 1] >= (PERIODS < p->visit - k ? PERIODS : p->visit - k)) return k;
  return 0;
}

/* Mean of column j, of visits that repeat over whole periods alone, and its standard error. */
static double mean_of(const run *r, const path *p, const sal_spectrum *c, int j, double *error)
{
  double all = 0, time = c->time, squares = 0, odd = 0;

  for (int b = 0; b < BATCHES; ++b) all += p->sum[b * r->k + j];
  const double mean = all / time;
  for (int b = 0; b < BATCHES; ++b) {
    const double off = p->sum[b * r->k + j] - mean * p->span[b];
    squares += off * off;
  }
  *error = sqrt(squares * BATCHES / (BATCHES - 1)) / time;
  for (int v = 0; c->period > 0 && v < c->visits % c->period; ++v) {
    odd += p->first[v * r->k + j];
    time -= p->first_time[v];
  }
  return (all - odd) / time;
}

/* Do the vectors' logarithms repeat with the visits, from the first to the last?  A motion may leave one cycle for another. */
static bool repeats(const run *r, const path *p, const sal_spectrum *c)
{
  const int most = c->visits < PERIODS ? c->visits : PERIODS;
  const double alike = 1e-9;
  double error;

  for (int j = 0; j < p->n_live && c->period < most; ++j) {
    const double *at = p->first + p->column[j];
    double off = 0;
    for (int v = 0; v + c->period < most; ++v)
      if (fabs(at[(size_t)(v + c->period) * (size_t)r->k] - at[(size_t)v * (size_t)r->k]) > alike)
        return false;
    const double mean = mean_of(r, p, c, p->column[j], &error);
    for (int v = 0; v < c->period; ++v)
      off += at[(size_t)v * (size_t)r->k] - mean * p->first_time[v];
    if (fabs(off) > alike * c->period) return false;
  }
  return most > c->period;
}

/* Is the last visit on a cycle to rounding, and not just on its way to one, or from it? */
static bool closes(const run *r, const path *p, const sal_spectrum *c)
{
  const double rounding = 1e-8;
  const int before = (p->visit - 1 - c->period) % PERIODS;

  return c->period < PERIODS &&
         sal_return_map_alike(r->map, rounding, c->y,
                              p->memory + (int64_t)before * r->map->model.n_state);
}

/* The exponents of a cycle, in place of means. */
static sal_err finish_cycle(const run *r, const path *p, sal_spectrum *c)
{
  double exponent[SAL_MAX_STATE];

  if (c->period == 0 || p->n_live <= 0) return SAL_OK;
  if (repeats(r, p, c)) { /* the means of whole periods are exact, wherever batches cut them */
    for (int j = 0; j < p->n_live; ++j) c->error[j] = 0;
    return SAL_OK;
  }
  if (!closes(r, p, c)) return SAL_OK;
  SAL_TRY(sal_cycle_exponents(r->map, c, p->q, p->n_live, exponent));
  for (int j = 0; j < p->n_live; ++j) {
    if (isnan(exponent[j])) continue;
    c->exponent[j] = exponent[j];
    c->error[j] = 0;
  }
  return SAL_OK;
}

static void finish_cell(const run *r, const path *p, sal_spectrum *c)
{
  const bool whole = c->why == SAL_RETURN_MADE && c->visits == r->setup->visits;

  c->period = whole ? period_of(p) : 0;
  c->lost = whole && r->k > 0 ? r->k - p->n_live : 0;
  for (int j = 0; j < r->setup->n_exponent; ++j) c->exponent[j] = c->error[j] = NAN;
  if (!whole) return;
  for (int j = 0; j < r->k; ++j) {
    double error = NAN, mean = -INFINITY;
    int at = j;
    if (j < p->n_live) mean = mean_of(r, p, c, p->column[j], &error);
    for (; at > 0 && c->exponent[at - 1] < mean; --at) {
      c->exponent[at] = c->exponent[at - 1];
      c->error[at] = c->error[at - 1];
    }
    c->exponent[at] = mean;
    c->error[at] = error;
  }
}

sal_err sal_spectrum_run(const sal_return_map *map, const sal_spectrum_setup *setup, int64_t n,
                         sal_spectrum cell[])
{
  SAL_OWN_BY(free_run)
  run r = {.map = map,
           .setup = setup,
           .m = map->n_unknown,
           .k = setup->n_exponent > 0 ? map->setup.vectors : 0};

  SAL_TRY(make_run(&r, n));
  for (int64_t i = 0; i < n; ++i) {
    r.path[i].n_live = -1; /* no vectors yet */
    cell[i].visits = 0;
    cell[i].time = 0;
    for (int64_t j = 0; j < (int64_t)setup->n_state * setup->kept; ++j) cell[i].kept[j] = NAN;
  }
  for (int64_t live; (live = line_up(&r, n, cell)) > 0;) {
    SAL_TRY(sal_return_map_run(map, live, r.point));
    for (int64_t p = 0; p < live; ++p)
      take_return(&r, &r.path[r.index[p]], &r.point[p], &cell[r.index[p]]);
  }
  for (int64_t i = 0; i < n; ++i) {
    finish_cell(&r, &r.path[i], &cell[i]);
    SAL_TRY(finish_cycle(&r, &r.path[i], &cell[i]));
  }
  return SAL_OK;
}
