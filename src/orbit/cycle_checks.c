/** Multipliers of an orbit, and its checks from a run with a log of its events. */
#include "base.h"
#include "cycle.h"

enum { N = SAL_MAX_DENSE };

/* An orbit grazes a surface where its rate over |Dh| |f| is below this. */
#define LEAST_CROSSING 1e-7

/* Gaps that turn back at less than this many tolerances, over their range, are grazed: the integration
 * does not show on which side of the surface. */
#define LEAST_CLEARANCE 10

/** The runs of all cells. */
typedef struct {
  sal_return *point;
  double *end;      /* [n][n_state] */
  bool *closed;     /* [n][n_guard] */
  sal_events *log;  /* [n] */
  sal_event *event; /* of all logs */
  bool *modes;      /* likewise */
} runs;

static void free_runs(runs *r)
{
  sal_free_all(r->point, r->end, r->closed, r->log, r->event, r->modes);
}

static sal_err fail_no_memory(void)
{
  return sal_fail(SAL_ERR_MEMORY, "no memory for the events of orbits");
}

/* Runs the cells of point twice: to count the events, and to keep them. */
static sal_err run_logged(const sal_return_map *map, int64_t n, runs *r)
{
  int64_t all = 0;

  SAL_TRY(sal_return_map_run(map, n, r->point));
  for (int64_t p = 0; p < n; ++p) all += r->point[p].n_event;
  r->event = sal_alloc(sal_events_bytes(all, map->model.n_state), 1);
  r->modes = sal_alloc((size_t)(all * map->n_guard), sizeof *r->modes);
  if (!r->event || !r->modes) return fail_no_memory();
  double *state = sal_events_of(r->event, all, map->model.n_state).state;
  for (int64_t p = 0, at = 0; p < n; at += r->point[p++].n_event) {
    r->log[p] = (sal_events){.event = r->event + at,
                             .capacity = r->point[p].n_event,
                             .state = state + 2 * at * map->model.n_state,
                             .n_state = map->model.n_state,
                             .closed = r->modes + at * map->n_guard};
    r->point[p].events = &r->log[p];
  }
  return sal_return_map_run(map, n, r->point);
}

static void take_events(const sal_events *log, sal_cycle *c)
{
  c->gap = 0;
  c->crossing = INFINITY;
  c->grazing = -1;
  for (int64_t e = 0; e < log->n && e < log->capacity; ++e) {
    const sal_event *at = &log->event[e];
    c->n_at_once += at->t == 0;
    if (sal_cycle_leaps(log, e)) continue;
    c->gap = fmax(c->gap, fabs(at->gap));
    if (fabs(at->steep) >= c->crossing) continue;
    c->crossing = fabs(at->steep);
    c->grazing = at->guard;
  }
}

/* Gradient of the section's gap, as it is ahead of the event, by the unknowns: row [n_unknown].
 * False where the map does leave its level: after a jump that turns the section. */
static bool section_normal(const sal_return_map *map, const sal_cycle *c, const sal_events *log,
                           const double dp[], double row[])
{
  const sal_model *m = map->setup.model;
  const int n = map->n_unknown;
  double slope[N] = {0}, gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD], length = 0;
  bool closed[SAL_MAX_GUARD];

  if (m->section.period || log->n == 0 || log->n > log->capacity) return false;
  memcpy(closed, log->n > 1 ? log->closed + (log->n - 2) * map->n_guard : c->closed,
         (size_t)map->n_guard * sizeof *closed);
  sal_model_rates(m, c->param, closed, 0, c->y, slope, gap, rate);
  const double by_time = rate[m->section.contact];
  for (int j = 0; j < n; ++j) {
    if (map->unknown[j] >= sal_model_continuous(m)) return false;
    slope[map->unknown[j]] = 1;
    sal_model_rates(m, c->param, closed, 0, c->y, slope, gap, rate);
    slope[map->unknown[j]] = 0;
    row[j] = rate[m->section.contact] - by_time;
    length = fmax(length, fabs(row[j]));
  }
  for (int j = 0; j < n && length > 0; ++j) {
    double along = 0, size = 0;
    for (int i = 0; i < n; ++i) {
      along += row[i] * dp[i * n + j];
      size += fabs(row[i] * dp[i * n + j]);
    }
    if (fabs(along) > 1e-5 * size) return false;
  }
  return length > 0;
}

static void take_multipliers(const sal_return_map *map, const sal_cycle_setup *s,
                             const sal_events *log, const double dp[], sal_cycle *c)
{
  double normal[N * N], basis[N * N];
  const int n = map->n_unknown;
  int m = n;
  int normals = section_normal(map, c, log, dp, normal) ? 1 : 0;

  c->n_normal = normals;
  memcpy(c->normal, normal, (size_t)(normals * n) * sizeof *normal);
  normals = sal_cycle_add_normals(map, s, c, c->y, normals, normal);
  if (!sal_multipliers_basis(n, normals, normal, &m, basis) ||
      !sal_multipliers_find(n, dp, m, basis, &c->multipliers))
    c->why = SAL_CYCLE_DIVERGES;
}

/* Does contact k change at the instant of the orbit's point, and not as the section? */
static bool changes_at_once(const sal_return_map *map, const sal_events *log, int k)
{
  if (!map->model.section.period && k == map->model.section.contact) return false;
  for (int64_t e = 0; e < log->n && e < log->capacity && log->event[e].t == 0; ++e)
    if (log->event[e].guard == k) return true;
  return false;
}

/* Is a contact on the wrong side of its gap at the orbit's point?  One that changes at this instant, such as
 * one that nothing holds after the section's event, is not. */
static bool in_wrong_mode(const sal_return_map *map, const sal_events *log, const sal_cycle *c)
{
  int k = -1;

  do k = sal_return_map_wrong_contact(map, c->param, c->y, c->closed, k + 1);
  while (k >= 0 && changes_at_once(map, log, k));
  return k >= 0;
}

/* |Phi f - f'| / |f| of the unknowns, f' at the end. */
static double flow_defect(const sal_return_map *through, const sal_cycle *c, const double phi[],
                          const double end[])
{
  const sal_model *m = &through->model;
  const int n = through->n_unknown;
  double f[N] = {0}, f_end[N] = {0}, off = 0, size = 0;

  sal_model_field(m, c->param, c->closed, 0, c->y, f);
  sal_model_field(m, c->param, c->closed, 0, end, f_end);
  for (int i = 0; i < n; ++i) {
    double sum = -f_end[through->unknown[i]];
    for (int j = 0; j < n; ++j) sum += phi[i * n + j] * f[through->unknown[j]];
    off += sum * sum;
    size += f[through->unknown[i]] * f[through->unknown[i]];
  }
  return sqrt(off / size);
}

/* Makes a point of each orbit that is found; returns how many there are. */
static int64_t list_found(int64_t n, const sal_cycle cell[], int64_t n_state, runs *r)
{
  int64_t found = 0;

  for (int64_t i = 0; i < n; ++i) {
    if (cell[i].why != SAL_CYCLE_FOUND) continue;
    r->point[found] = (sal_return){.param = cell[i].param,
                                   .start = cell[i].y,
                                   .closed = cell[i].closed,
                                   .end = r->end + found * n_state};
    ++found;
  }
  return found;
}

/* Runs the orbits once more with the monodromy matrix. */
static sal_err measure_flow(const sal_return_map *through, int64_t n, sal_cycle cell[], runs *r)
{
  const int64_t m = through->n_unknown;
  const int64_t found = list_found(n, cell, through->model.n_state, r);
  SAL_OWN double *phi = sal_alloc((size_t)(n * m * m), sizeof *phi);

  if (!phi) return fail_no_memory();
  for (int64_t p = 0; p < found; ++p) r->point[p].dp = phi + p * m * m;
  SAL_TRY(sal_return_map_run(through, found, r->point));
  for (int64_t i = 0, p = 0; i < n; ++i)
    if (cell[i].why == SAL_CYCLE_FOUND) {
      /* events at the instant of the point change the flow there */
      if (r->point[p].why == SAL_RETURN_MADE && cell[i].n_at_once == 0)
        cell[i].flow = flow_defect(through, &cell[i], r->point[p].dp, r->point[p].end);
      ++p;
    }
  return SAL_OK;
}

static sal_err check_flow(const sal_return_map *map, int64_t n, sal_cycle cell[], runs *r)
{
  sal_return_setup setup = map->setup;
  SAL_OWN_BY(sal_return_map_destroy) sal_return_map *through = NULL;

  if (map->model.section.period) return SAL_OK;
  setup.every_state = setup.through = true;
  SAL_TRY(sal_return_map_new(&setup, &through));
  return measure_flow(through, n, cell, r);
}

static sal_err take_clearance(const sal_return_map *map, const sal_events *log, sal_cycle *c)
{
  sal_clearance miss;

  if (c->why != SAL_CYCLE_FOUND) return SAL_OK;
  SAL_TRY(sal_clearance_find(map, c, log, -1, &miss));
  c->clearance = miss.gap;
  c->clearance_time = miss.at;
  c->missed = miss.contact;
  if (miss.contact < 0 || miss.gap > LEAST_CLEARANCE * map->setup.rtol * miss.range) return SAL_OK;
  c->why = SAL_CYCLE_GRAZES;
  c->grazing = miss.contact;
  return SAL_OK;
}

static void take_cell(const sal_return_map *map, const sal_cycle_setup *s, const sal_return *p,
                      const double dp[], sal_cycle *c)
{
  c->n_event = p->n_event;
  c->n_zeno = p->n_zeno;
  take_events(p->events, c);
  c->least = sal_least_returns_in_log(map, p->events, c->y);
  take_multipliers(map, s, p->events, dp, c);
  if (p->why != SAL_RETURN_MADE)
    c->why = sal_cycle_of_return(p->why);
  else if (!(c->period > 1e-9 * map->setup.model->span))
    c->why = SAL_CYCLE_NO_FLIGHT;
  else if (c->crossing < LEAST_CROSSING &&
           c->n_zeno == 0) /* chatter grazes, and is carried through */
    c->why = SAL_CYCLE_GRAZES;
  else if (in_wrong_mode(map, p->events, c))
    c->why = SAL_CYCLE_WRONG_MODE;
}

static sal_err check_all(const sal_return_map *map, const sal_cycle_setup *s, int64_t n,
                         const double *const dp[], sal_cycle cell[], runs *r)
{
  const int64_t found = list_found(n, cell, map->setup.model->n_state, r);

  for (int64_t p = 0; p < found; ++p) r->point[p].end_closed = r->closed + p * map->n_guard;
  SAL_TRY(run_logged(map, found, r));
  for (int64_t i = 0, p = 0; i < n; ++i)
    if (cell[i].why == SAL_CYCLE_FOUND) {
      take_cell(map, s, &r->point[p], dp[i], &cell[i]);
      SAL_TRY(take_clearance(map, r->point[p++].events, &cell[i]));
    }
  SAL_TRY(sal_least_returns_run(map, n, cell));
  return check_flow(map, n, cell, r);
}

sal_err sal_cycle_checks_run(const sal_return_map *map, const sal_cycle_setup *setup, int64_t n,
                             const double *const dp[], sal_cycle cell[])
{
  const size_t cells = (size_t)n;
  SAL_OWN_BY(free_runs)
  runs r = {.point = sal_alloc(cells, sizeof *r.point),
            .end = sal_alloc(cells * (size_t)map->setup.model->n_state, sizeof *r.end),
            .closed = sal_alloc(cells * (size_t)map->n_guard, sizeof *r.closed),
            .log = sal_alloc(cells, sizeof *r.log)};

  for (int64_t i = 0; i < n; ++i) {
    cell[i].gap = cell[i].crossing = cell[i].flow = cell[i].clearance = NAN;
    cell[i].n_event = cell[i].n_at_once = cell[i].n_zeno = cell[i].multipliers.n =
        cell[i].n_normal = 0;
    cell[i].least = map->setup.returns;
    cell[i].grazing = cell[i].missed = -1;
    cell[i].clearance_time = NAN;
  }
  if (!r.point || !r.end || !r.closed || !r.log) return fail_no_memory();
  return check_all(map, setup, n, dp, cell, &r);
}
