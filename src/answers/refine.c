/** @file src/answers/refine.c
 *  Pairs of neighbours, what they are worth, and a choice among them.
 */
#include "refine.h"
#include "grid_coordinates.h"
#include "memory.h"
#include <assert.h>
#include <math.h>

static const double most_loss  = 1;    /* a run that misses is lost, all of it */
static const double thin       = 0.02; /* a lead by this share, and what it may add at most */
static const double least_pair = 1e-6; /* closer neighbours are not told apart any more [gaps] */
static const double slack      = 1e-9; /* places are as good as this [gaps] */

typedef struct {
  int64_t a, b;
  double  score;
  double  share; /* left by the points chosen so far, */
  int64_t seen;  /* of which it knows this many */
} candidate;

typedef struct {
  const sal_performance_table *table;
  const sal_map               *map;
  sal_grid_coordinates         grid;
  int64_t                      n, room;
  candidate                   *list;
  bool                         lost; /* memory ran out */
} market;

/* ---- what a pair is worth ---- */

/* What the winner of one cell costs in another one, `cell`, beyond the winner there. */
static double loss(const sal_performance_table *a, const sal_map_place *from,
                   const sal_map_place *there, int64_t cell, double asked)
{
  const int64_t at = cell * a->n_contender + from->best;

  if (from->best < 0 || there->best < 0) return from->best == there->best ? 0 : most_loss;
  if (isnan(a->work[at]) || a->error[at] > asked) return most_loss;
  return fmin(most_loss, a->work[at] / there->value - 1);
}

/* From `thin` at no lead at all to nothing at a large one. */
static double thinness(double lead) { return isnan(lead) ? 0 : thin / (1 + lead / thin); }

static double lead(const sal_map_place *p, double asked)
{
  return p->best < 0 ? 0 : thinness(p->margin) + thinness(log(asked / p->error));
}

static double worth(const market *m, int64_t a, int64_t b)
{
  const sal_map *map = m->map;
  double         sum = 0;

  for (int e = 0; e < map->n_error; ++e) {
    const sal_map_place *left  = &map->by_error[a * map->n_error + e];
    const sal_map_place *right = &map->by_error[b * map->n_error + e];
    const double         asked = map->error[e];
    sum += loss(m->table, left, right, b, asked) + loss(m->table, right, left, a, asked) +
           lead(left, asked) + lead(right, asked);
  }
  return sum / (2 * map->n_error);
}

/* ---- pairs ---- */

static double square_between(const market *m, const double x[], const double y[])
{
  double sum = 0;

  for (int a = 0; a < m->grid.n; ++a) sum += (x[a] - y[a]) * (x[a] - y[a]);
  return sum;
}

static void middle_of(const market *m, const candidate *c, double middle[])
{
  double b[SAL_MAX_AXIS];

  sal_grid_coordinates_place(&m->grid, c->a, middle);
  sal_grid_coordinates_place(&m->grid, c->b, b);
  for (int a = 0; a < m->grid.n; ++a) middle[a] = (middle[a] + b[a]) / 2;
}

static void add(market *m, int64_t a, int64_t b, double distance)
{
  if (m->n == m->room) {
    const int64_t room = m->room ? 2 * m->room : 1024;
    candidate    *list = sal_alloc((size_t)room, sizeof *list);
    m->lost            = m->lost || !list;
    if (m->lost) return;
    for (int64_t i = 0; i < m->n; ++i) list[i] = m->list[i];
    sal_free(m->list);
    m->list = list;
    m->room = room;
  }
  m->list[m->n++] = (candidate){.a = a, .b = b, .score = distance * worth(m, a, b), .share = 1};
}

typedef struct {
  const market *m;
  const double *middle;
  double        square; /* of the radius */
  bool          taken;
} ball;

static void look_inside(void *with, int64_t point)
{
  ball  *b = with;
  double place[SAL_MAX_AXIS];

  sal_grid_coordinates_place(&b->m->grid, b->m->grid.sweep->n_grid + point, place);
  b->taken = b->taken || square_between(b->m, place, b->middle) < b->square - slack;
}

/* Adds a pair, if no cell lies inside the ball between the two. */
static void consider(market *m, int64_t a, int64_t b)
{
  double          x[SAL_MAX_AXIS], y[SAL_MAX_AXIS], middle[SAL_MAX_AXIS], corner[SAL_MAX_AXIS];
  const candidate pair = {.a = a, .b = b};

  sal_grid_coordinates_place(&m->grid, a, x);
  sal_grid_coordinates_place(&m->grid, b, y);
  middle_of(m, &pair, middle);
  const double distance = sqrt(square_between(m, x, y));
  if (distance < least_pair) return;
  ball inside = {m, middle, distance * distance / 4, false};
  sal_grid_coordinates_place(&m->grid, sal_grid_coordinates_nearest(&m->grid, middle), corner);
  if (square_between(m, corner, middle) < inside.square - slack) return;
  sal_grid_coordinates_around(&m->grid, middle, distance / 2, look_inside, &inside);
  if (!inside.taken) add(m, a, b, distance);
}

static void pairs_of_grid(market *m)
{
  for (int64_t cell = 0; cell < m->grid.sweep->n_grid; ++cell)
    for (int a = 0; a < m->grid.n; ++a) {
      const sal_grid_axis *r     = &m->grid.ruler[a];
      const int64_t        point = cell / r->stride % r->axis->n_point, next = r->rank[point] + 1;
      if (r->divides && next < r->axis->n_point)
        consider(m, cell, cell + (r->order[next] - point) * r->stride);
    }
}

/* With the corners of the box around a scattered cell. */
static void pairs_with_corners(market *m, int64_t cell)
{
  double place[SAL_MAX_AXIS], corner[SAL_MAX_AXIS];
  int    inner[SAL_MAX_AXIS], n = 0;

  sal_grid_coordinates_place(&m->grid, cell, place);
  for (int a = 0; a < m->grid.n; ++a) {
    corner[a] = floor(place[a]);
    if (place[a] > corner[a]) inner[n++] = a;
  }
  for (int64_t which = 0; which < (int64_t)1 << n; ++which) {
    for (int i = 0; i < n; ++i)
      corner[inner[i]] = floor(place[inner[i]]) + (double)(which >> i & 1);
    consider(m, sal_grid_coordinates_nearest(&m->grid, corner), cell);
  }
}

typedef struct {
  market *m;
  int64_t cell;
} visitor;

static void meet(void *with, int64_t point)
{
  const visitor *v     = with;
  const int64_t  other = v->m->grid.sweep->n_grid + point;

  if (other > v->cell) consider(v->m, v->cell, other);
}

static void pairs_of_scattered(market *m)
{
  for (int64_t cell = m->grid.sweep->n_grid; cell < m->grid.sweep->n_cell; ++cell) {
    double  place[SAL_MAX_AXIS];
    visitor v = {m, cell};
    pairs_with_corners(m, cell);
    sal_grid_coordinates_place(&m->grid, cell, place);
    sal_grid_coordinates_around(&m->grid, place, 1, meet, &v);
  }
}

/* ---- the choice: a heap whose scores are looked at again when they come to the top ---- */

static double now(const candidate *c) { return c->score * c->share; }

static bool before(const candidate *list, int64_t a, int64_t b)
{
  return now(&list[a]) != now(&list[b]) ? now(&list[a]) > now(&list[b]) : a < b;
}

static void sink(const candidate *list, int64_t n, int64_t heap[], int64_t i)
{
  for (int64_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
    if (child + 1 < n && before(list, heap[child + 1], heap[child])) ++child;
    if (!before(list, heap[child], heap[i])) return;
    const int64_t held = heap[i];
    heap[i]            = heap[child];
    heap[child]        = held;
    i                  = child;
  }
}

/* The share of a candidate that a point chosen before leaves. */
static double share_beside(const market *m, const double place[], const double chosen[])
{
  for (int a = 0; a < m->grid.n; ++a)
    if (!m->grid.ruler[a].divides && fabs(place[a] - chosen[a]) > slack) return 1;
  return fmin(1, square_between(m, place, chosen));
}

/* The cell between a pair; false when its parameters make no sense together. */
static bool make_point(const market *m, const candidate *c, const double place[],
                       sal_refine_point *out)
{
  const sal_sweep *s       = m->grid.sweep;
  const int        n_param = s->model->n_param + s->model->n_option;
  double           param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  *out = (sal_refine_point){.a = c->a, .b = c->b, .score = now(c)};
  sal_sweep_cell(s, c->a, param, initial);
  for (int a = 0; a < m->grid.n; ++a) {
    const int k   = s->axis[a].column[0];
    out->value[a] = sal_grid_coordinates_value(&m->grid, a, place[a]);
    if (k < n_param) param[k] = out->value[a];
  }
  return !s->model->flaw || !s->model->flaw(param);
}

/* Makes up for the points that a candidate has not seen; true when that has changed it. */
static bool catch_up(const market *m, candidate *c, const double place[], const double *chosen,
                     int64_t n)
{
  const double old = c->share;

  for (; c->seen < n; ++c->seen)
    c->share = fmin(c->share, share_beside(m, place, chosen + c->seen * SAL_MAX_AXIS));
  return c->share < old;
}

static int64_t pick(const market *m, int64_t heap[], double *chosen, int64_t budget,
                    sal_refine_point point[])
{
  int64_t left = m->n, n = 0;

  for (int64_t i = 0; i < left; ++i) heap[i] = i;
  for (int64_t i = left / 2; i-- > 0;) sink(m->list, left, heap, i);
  while (n < budget && left > 0 && now(&m->list[heap[0]]) > 0) {
    candidate *c = &m->list[heap[0]];
    double     place[SAL_MAX_AXIS];
    middle_of(m, c, place);
    if (!catch_up(m, c, place, chosen, n)) {
      if (make_point(m, c, place, &point[n])) {
        for (int a = 0; a < m->grid.n; ++a) chosen[n * SAL_MAX_AXIS + a] = place[a];
        ++n;
      }
      heap[0] = heap[--left];
    }
    sink(m->list, left, heap, 0);
  }
  return n;
}

sal_err sal_refine_choose(const sal_performance_table *table, const sal_map *map, int64_t budget,
                          sal_refine_point point[], int64_t *n)
{
  market m = {.table = table, .map = map};

  assert(map->n_error > 0 && map->by_error);
  *n          = 0;
  sal_err err = sal_grid_coordinates_create(table->sweep, &m.grid);
  if (err == SAL_OK) {
    pairs_of_grid(&m);
    pairs_of_scattered(&m);
    int64_t *heap   = sal_alloc((size_t)m.n, sizeof *heap);
    double  *chosen = sal_alloc((size_t)budget * SAL_MAX_AXIS, sizeof *chosen);
    if (heap && chosen && !m.lost)
      *n = pick(&m, heap, chosen, budget, point);
    else
      err = sal_fail(SAL_ERR_MEMORY, "no memory to choose cells");
    sal_free(heap);
    sal_free(chosen);
  }
  sal_free(m.list);
  sal_grid_coordinates_free(&m.grid);
  return err;
}
