/** Gaps over a period, whose points follow each other in a ring.  Where a contact is muted the orbit need not be
 *  periodic, since differences are taken of its neighbours: the path goes on beyond its end in place of the ring. */
#include "base.h"
#include "trace.h"

enum { MESH = 512, BEYOND = 8, POINTS = SAL_EXTREME_POINTS };

/** Gaps on the mesh, and where events are. */
typedef struct {
  const sal_return_map *map;
  const sal_cycle *cell;
  const sal_events *log;
  int64_t n, n_period; /* points of the ring; parts of the mesh in a period */
  double end;          /* time of the n parts */
  int n_guard;
  double *state; /* [n + 1][n_state] */
  double *gap;   /* [n][n_guard] */
  bool *open;    /* likewise */
  bool *event;   /* [n] is there an event between this point and the next? */
  bool *own;     /* [n] one of the contact that is looked at? */
} ring;

static void free_ring(ring *r) { sal_free_all(r->state, r->gap, r->open, r->event, r->own); }

static sal_err make_ring(ring *r)
{
  const size_t n = (size_t)r->n, g = (size_t)r->n_guard;

  r->state = sal_alloc((n + 1) * (size_t)r->map->model.n_state, sizeof *r->state);
  r->gap = sal_alloc(n * g, sizeof *r->gap);
  r->open = sal_alloc(n * g, sizeof *r->open);
  r->event = sal_alloc(n, sizeof *r->event);
  r->own = sal_alloc(n, sizeof *r->own);
  if (r->state && r->gap && r->open && r->event && r->own) return SAL_OK;
  return sal_fail(SAL_ERR_MEMORY, "no memory for the gaps of an orbit");
}

static int64_t around(const ring *r, int64_t j) { return (j % r->n + r->n) % r->n; }

static void mark_time(const ring *r, double at, bool mark[])
{
  const int64_t part = (int64_t)floor(at);

  mark[around(r, part)] = true;
  if (at - (double)part < 1e-6) mark[around(r, part - 1)] = true;
  if ((double)part + 1 - at < 1e-6) mark[around(r, part + 1)] = true;
}

/* Marks the parts of the mesh that touch an event of this contact; -1: of any. */
static void mark_events(const ring *r, int contact, bool mark[])
{
  memset(mark, 0, (size_t)r->n * sizeof *mark);
  for (int64_t e = 0; e < r->log->n && e < r->log->capacity; ++e) {
    if (contact >= 0 && r->log->event[e].guard != contact) continue;
    const double at = r->log->event[e].t / r->end * (double)r->n, again = at + (double)r->n_period;
    mark_time(r, at, mark);
    if (again < (double)r->n) mark_time(r, again, mark);
  }
  if (r->n > r->n_period) mark[r->n - 1] = true; /* it is not a ring */
}

static void evaluate_gaps(const ring *r)
{
  const sal_model *m = &r->map->model;
  const double still[SAL_MAX_STATE] = {0};
  double gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];
  const bool *closed = r->cell->closed;
  int64_t e = 0;

  for (int64_t j = 0; j < r->n; ++j) {
    const double t = r->end * (double)j / (double)r->n;
    for (; e < r->log->n && e < r->log->capacity && r->log->event[e].t <= t; ++e)
      closed = r->log->closed + e * r->map->n_guard;
    sal_model_rates(m, r->cell->param, closed, t, r->state + j * m->n_state, still, gap, rate);
    for (int k = 0; k < r->n_guard; ++k) {
      r->gap[j * r->n_guard + k] = gap[k];
      r->open[j * r->n_guard + k] = !closed[k];
    }
  }
}

static double gap_at(const ring *r, int64_t j, int k)
{
  return r->gap[around(r, j) * r->n_guard + k];
}

/* Does the gap turn back at point j, far from the contact's own events? */
static bool turns_back(const ring *r, int64_t j, int k)
{
  if (!r->open[j * r->n_guard + k] || r->own[j] || r->own[around(r, j - 1)]) return false;
  return gap_at(r, j - 1, k) > gap_at(r, j, k) && gap_at(r, j, k) <= gap_at(r, j + 1, k);
}

/* The first of POINTS points around j without an event between them, j as near their middle as can be;
 * INT64_MIN: there are none. */
static int64_t smooth_around(const ring *r, int64_t j)
{
  static const int before[] = {3, 2, 4, 1, 5};

  for (size_t i = 0; i < sizeof before / sizeof *before; ++i) {
    int64_t p = 0;
    while (p < POINTS - 1 && !r->event[around(r, j - before[i] + p)]) ++p;
    if (p == POINTS - 1) return j - before[i];
  }
  return INT64_MIN;
}

/* The least value beside point j, where the gap turns back. */
static double least_beside(const ring *r, int64_t j, int k, double *at)
{
  const int64_t first = smooth_around(r, j);
  double v[POINTS];

  *at = (double)j;
  if (first == INT64_MIN) return gap_at(r, j, k);
  for (int p = 0; p < POINTS; ++p) v[p] = -gap_at(r, first + p, k);
  const double least = -sal_extreme_beside(v, (int)(j - first), 0, POINTS - 1, at);
  *at += (double)first;
  return least;
}

/* A muted contact counts only in the times in which it is. */
static bool is_looked_at(const ring *r, int64_t j, int k)
{
  const sal_tangent_model *m = &r->map->plain;
  const double t = r->end * (double)j / (double)r->n;

  for (int i = 0; i < m->n_mute; ++i)
    if (m->mute[i].contact == k) return sal_mute_holds(&m->mute[i], t);
  return true;
}

static void look_at(ring *r, int k, sal_clearance *out)
{
  double least = INFINITY, where = 0, range = 0;

  mark_events(r, k, r->own);
  for (int64_t j = 0; j < r->n; ++j) {
    double at;
    if (r->open[j * r->n_guard + k]) range = fmax(range, fabs(gap_at(r, j, k)));
    if (!turns_back(r, j, k) || !is_looked_at(r, j, k)) continue;
    const double gap = least_beside(r, j, k, &at);
    if (!(gap < least)) continue;
    least = gap;
    where = at;
  }
  if (!(least < INFINITY) || (out->contact >= 0 && !(least < out->gap))) return;
  const double period = r->cell->period, at = where / (double)r->n * r->end;
  const double t = at < period ? at : at - period;
  *out = (sal_clearance){.gap = least, .at = t < 0 ? t + period : t, .range = range, .contact = k};
}

sal_err sal_clearance_find(const sal_return_map *map, const sal_cycle *c, const sal_events *log,
                           int contact, sal_clearance *out)
{
  const bool on = map->plain.n_mute > 0;
  const int n = MESH * map->setup.returns;
  SAL_OWN_BY(free_ring)
  ring r = {.map = map,
            .cell = c,
            .log = log,
            .n = on ? n + BEYOND : n,
            .n_period = n,
            .n_guard = sal_model_guards(&map->model, c->param)};

  r.end = on ? c->period * (double)r.n / n : c->period;
  *out = (sal_clearance){.gap = NAN, .contact = -1};
  SAL_TRY(make_ring(&r));
  SAL_TRY(sal_orbit_path_sample(map, c, r.end, r.n, r.state, NULL));
  evaluate_gaps(&r);
  mark_events(&r, -1, r.event);
  for (int k = 0; k < r.n_guard; ++k)
    if (contact < 0 || k == contact) look_at(&r, k, out);
  return SAL_OK;
}
