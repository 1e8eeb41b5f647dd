/** Flights until rest, of many cells side by side. */
#include "array.h"
#include "base.h"
#include "cell_cycle.h"
#include "quantiles.h"
#include "registry.h"
#include "scalar_math.h"
#include <lapacke.h>

enum { MOST_EVENTS = 16 }; /* of one flight that are looked at */

/* A cell on its way. */
typedef struct {
  const double *param;
  double t;                 /* at its last closing */
  double energy;            /* above that of rest there; NaN: unknown */
  double opening;           /* time of the last opening */
  double slowest, shortest; /* |dh/dt| of an event; flight */
  int64_t closings, in_run, room, n_ratio;
  double *ratio; /* [n_ratio] energy of a closing over that of the one before */
  int n_derivative;
  bool over, rests;
} hopper;

struct sal_transient {
  const sal_sweep *sweep;
  sal_model model; /* whose section is the closing of a contact */
  sal_return_map map;
  int n_guard, m;   /* contacts; unknowns of the map */
  double *state;    /* [SAL_TILE_MOST][n_state] */
  bool *closed;     /* [SAL_TILE_MOST][n_guard] */
  double *dp;       /* [SAL_TILE_MOST][m][m] of the flight in hand */
  double *product;  /* [SAL_TILE_MOST][m][m] of all so far */
  double *room;     /* [3][m][m] */
  sal_event *event; /* [SAL_TILE_MOST][MOST_EVENTS] */
  sal_events log[SAL_TILE_MOST];
  sal_return point[SAL_TILE_MOST];
  int64_t index[SAL_TILE_MOST]; /* cell of each point */
  hopper hopper[SAL_TILE_MOST];
};

static int contact_of(const sal_model *m) { return m->section.period ? 0 : m->section.contact; }

static sal_err make_map(sal_transient *t, int width)
{
  const sal_long_run *o = &t->sweep->orbit;
  const sal_return_setup setup = {.model = &t->model,
                                  .method = sal_registry_reference(&t->model),
                                  .rtol = o->tolerance,
                                  .atol = o->tolerance,
                                  .t_most = o->longest,
                                  .returns = 1,
                                  .width = width,
                                  .n_guard = t->sweep->n_guard};

  return sal_return_map_create(&setup, &t->map);
}

sal_err sal_transient_create(const sal_sweep *sweep, int width, sal_transient **out)
{
  sal_transient *t = *out = sal_alloc(1, sizeof *t);

  if (!t) return sal_fail(SAL_ERR_MEMORY, "no memory for the flights of cells");
  t->sweep = sweep;
  t->model = *sweep->model;
  t->model.section = (sal_section){"closing", contact_of(sweep->model), true, NULL};
  SAL_TRY(make_map(t, width));
  const size_t cells = SAL_TILE_MOST, square = (size_t)t->map.n_unknown * (size_t)t->map.n_unknown;
  t->m = t->map.n_unknown;
  t->n_guard = t->map.n_guard;
  t->state = sal_alloc(cells * (size_t)sweep->model->n_state, sizeof *t->state);
  t->closed = sal_alloc(cells * (size_t)t->n_guard, sizeof *t->closed);
  t->dp = sal_alloc(cells * square, sizeof *t->dp);
  t->product = sal_alloc(cells * square, sizeof *t->product);
  t->room = sal_alloc(3 * square, sizeof *t->room);
  t->event = sal_alloc(cells * MOST_EVENTS, sizeof *t->event);
  if (t->state && t->closed && t->dp && t->product && t->room && t->event) return SAL_OK;
  return sal_fail(SAL_ERR_MEMORY, "no memory for the flights of cells");
}

void sal_transient_destroy(sal_transient **transient)
{
  sal_transient *t = *transient;

  if (!t) return;
  sal_return_map_free(&t->map);
  sal_free_all(t->state, t->closed, t->dp, t->product, t->room, t->event, t);
  *transient = NULL;
}

static double *state_of(const sal_transient *t, int64_t i)
{
  return t->state + i * t->model.n_state;
}

static double *square_of(const sal_transient *t, double *all, int64_t i)
{
  return all + i * t->m * t->m;
}

/* Energy above that of rest; NaN where the model does not say it. */
static double energy_of(const sal_transient *t, int64_t i)
{
  const double *param = t->hopper[i].param;
  double rest[SAL_MAX_STATE];
  bool all[SAL_MAX_GUARD];

  if (!t->model.mechanical || !t->model.equilibrium ||
      !t->model.equilibrium(t->model.inner, param, SAL_EQUILIBRIUM_TRUE, rest))
    return NAN;
  for (int k = 0; k < t->n_guard; ++k) all[k] = true;
  return t->model.mechanical(t->model.inner, param, state_of(t, i), t->closed + i * t->n_guard) -
         t->model.mechanical(t->model.inner, param, rest, all);
}

/* Singular value and spectral radius, the largest ones, of A [m][m]. */
static double largest_sigma(const sal_transient *t, const double A[])
{
  const int m = t->m;
  double sigma[SAL_MAX_STATE], rest[SAL_MAX_STATE];

  memcpy(t->room, A, (size_t)(m * m) * sizeof *A);
  if (LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'N', m, m, t->room, m, sigma, NULL, 1, NULL, 1, rest))
    return NAN;
  return sigma[0];
}

static double spectral_radius(const sal_transient *t, const double A[])
{
  const int m = t->m;
  double re[SAL_MAX_STATE], im[SAL_MAX_STATE], largest = 0;

  memcpy(t->room, A, (size_t)(m * m) * sizeof *A);
  if (LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', m, t->room, m, re, im, NULL, 1, NULL, 1))
    return NAN;
  for (int i = 0; i < m; ++i) largest = fmax(largest, sal_scalar_hypot(re[i], im[i]));
  return largest;
}

static bool is_finite(int64_t n, const double A[])
{
  for (int64_t i = 0; i < n; ++i)
    if (!isfinite(A[i])) return false;
  return true;
}

/* product <- DP product */
static void multiply(const sal_transient *t, const double dp[], double product[])
{
  const int m = t->m;
  double *out = t->room;

  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      double sum = 0;
      for (int k = 0; k < m; ++k) sum += dp[i * m + k] * product[k * m + j];
      out[i * m + j] = sum;
    }
  memcpy(product, out, (size_t)(m * m) * sizeof *product);
}

/* The derivative of the flight in hand. */
static void take_derivative(sal_transient *t, int64_t i, double v[])
{
  hopper *h = &t->hopper[i];
  const double *dp = square_of(t, t->dp, i);
  double *product = square_of(t, t->product, i);

  if (!is_finite((int64_t)t->m * t->m, dp)) return;
  const double radius = spectral_radius(t, dp), sigma = largest_sigma(t, dp);
  if (h->n_derivative++ == 0) {
    v[SAL_CELL_FLIGHT_RADIUS_FIRST] = radius;
    v[SAL_CELL_FLIGHT_SIGMA_FIRST] = sigma;
    memcpy(product, dp, (size_t)(t->m * t->m) * sizeof *product);
  } else {
    multiply(t, dp, product);
  }
  v[SAL_CELL_FLIGHT_RADIUS_MOST] = fmax(v[SAL_CELL_FLIGHT_RADIUS_MOST], radius);
  v[SAL_CELL_FLIGHT_SIGMA_MOST] = fmax(v[SAL_CELL_FLIGHT_SIGMA_MOST], sigma);
  v[SAL_CELL_FLIGHT_RATE] = sal_scalar_log(largest_sigma(t, product)) / h->n_derivative;
  v[SAL_CELL_FLIGHT_RATE_FLIGHTS] = h->n_derivative;
}

/* Reads closing and opening from the events of a run that began at time `from`. */
static void read_events(sal_transient *t, int64_t i, double from)
{
  hopper *h = &t->hopper[i];
  const sal_events *log = &t->log[i];
  const int64_t n = log->n < MOST_EVENTS ? log->n : MOST_EVENTS;
  double opened = NAN;

  for (int64_t e = 0; e < n; ++e) {
    const sal_event *at = &log->event[e];
    h->slowest = fmin(h->slowest, fabs(at->rate));
    if (at->guard != t->model.section.contact) continue;
    if (at->closes) h->shortest = fmin(h->shortest, at->t - opened);
    if (!at->closes) h->opening = from + (opened = at->t);
  }
}

static bool note_ratio(hopper *h, double ratio)
{
  double *list = sal_array_grow(h->ratio, h->n_ratio, 1, &h->room, sizeof *list);

  if (!list) return false;
  h->ratio = list;
  list[h->n_ratio++] = ratio;
  return true;
}

/* The contact has closed once more; false for want of memory. */
static bool take_closing(sal_transient *t, int64_t i, double time)
{
  hopper *h = &t->hopper[i];
  const double energy = energy_of(t, i), ratio = energy / h->energy;

  h->t += time;
  ++h->closings;
  if (h->t <= t->sweep->t_end) ++h->in_run;
  h->energy = energy;
  h->over = h->closings > t->sweep->orbit.returns;
  return h->closings == 1 || isnan(ratio) || note_ratio(h, ratio);
}

/* Takes the result of a point's run. */
static bool take_point(sal_transient *t, const sal_return *p, int64_t i, double v[])
{
  hopper *h = &t->hopper[i];

  read_events(t, i, h->t);
  if (p->why == SAL_RETURN_MADE) {
    if (p->dp) take_derivative(t, i, v);
    return take_closing(t, i, p->time);
  }
  h->over = true;
  h->rests = p->why == SAL_RETURN_RESTS ||
             (p->why == SAL_RETURN_LOST && t->closed[i * t->n_guard + t->model.section.contact]);
  return true;
}

static void begin(sal_transient *t, int64_t i, const double param[], const double initial[],
                  double v[])
{
  const sal_model *m = &t->model;

  t->hopper[i] = (hopper){.param = param + i * (m->n_param + m->n_option),
                          .energy = NAN,
                          .opening = NAN,
                          .slowest = INFINITY,
                          .shortest = INFINITY};
  memcpy(state_of(t, i), initial + i * m->n_state, (size_t)m->n_state * sizeof *initial);
  for (int k = 0; k < SAL_N_CELL_METRIC; ++k)
    if (sal_metrics_of_cell[k].group == SAL_GROUP_TRANSIENT) v[k] = NAN;
}

/* The next runs of all that still bounce; returns how many. */
static int64_t line_up(sal_transient *t, int64_t count, bool first)
{
  int64_t n = 0;

  for (int64_t i = 0; i < count; ++i) {
    hopper *h = &t->hopper[i];
    if (h->over) continue;
    bool *closed = t->closed + i * t->n_guard;
    t->log[i] = (sal_events){.event = t->event + i * MOST_EVENTS, .capacity = MOST_EVENTS};
    t->point[n] = (sal_return){.param = h->param,
                               .start = state_of(t, i),
                               .closed = first ? NULL : closed,
                               .end = state_of(t, i),
                               .end_closed = closed,
                               .events = &t->log[i]};
    if (!first && h->closings <= t->sweep->orbit.flights) t->point[n].dp = square_of(t, t->dp, i);
    t->index[n++] = i;
  }
  return n;
}

static void finish(const sal_transient *t, const hopper *h, double v[])
{
  const sal_long_run *o = &t->sweep->orbit;

  v[SAL_CELL_FLIGHTS] = h->rests ? (double)h->closings : NAN;
  v[SAL_CELL_FLIGHTS_IN_RUN] = (double)h->in_run;
  v[SAL_CELL_LAST_OPENING] = h->rests ? h->opening : NAN;
  v[SAL_CELL_GRAZING] = h->slowest < o->graze;
  v[SAL_CELL_CHATTER] = h->shortest < o->chatter;
  v[SAL_CELL_RESTLESS] = !h->rests;
  if (h->n_ratio == 0) return;
  v[SAL_CELL_ENERGY_FIRST] = h->ratio[0];
  sal_quantiles_sort(h->n_ratio, h->ratio);
  v[SAL_CELL_ENERGY_MEDIAN] = sal_quantiles_at(h->n_ratio, h->ratio, 0.5);
}

static sal_err follow(sal_transient *t, int64_t count, sal_cell_record out[])
{
  bool first = true, room = true;

  for (int64_t n; (n = line_up(t, count, first)) > 0; first = false) {
    SAL_TRY(sal_return_map_run(&t->map, n, t->point));
    for (int64_t k = 0; k < n; ++k)
      room = take_point(t, &t->point[k], t->index[k], out[t->index[k]].value) && room;
    if (!room) return sal_fail(SAL_ERR_MEMORY, "no memory for the flights of cells");
  }
  return SAL_OK;
}

sal_err sal_transient_run(sal_transient *t, int64_t count, const double param[],
                          const double initial[], sal_cell_record out[])
{
  for (int64_t i = 0; i < count; ++i) begin(t, i, param, initial, out[i].value);
  const sal_err err = follow(t, count, out);
  for (int64_t i = 0; i < count; ++i) {
    if (err == SAL_OK) finish(t, &t->hopper[i], out[i].value);
    sal_free(t->hopper[i].ratio);
  }
  return err;
}
