/** @file src/answers/refine.c
 *  Pairs of neighbouring cells, their scores, and a choice among them.
 */
#include "refine.h"
#include "grid_coordinates.h"
#include "memory.h"
#include <assert.h>
#include <math.h>

static const double most_cost  = 1;    /* a run that misses is wasted altogether */
static const double thin       = 0.02; /* a lead by this share, and what it may add at most */
static const double least_pair = 1e-6; /* closer neighbours count as one [gaps] */
static const double slack      = 1e-9; /* rounding of places [gaps] */

typedef struct {
  int64_t a, b;
  double  score;
  double  share; /* left by the first `seen` of the points chosen so far */
  int64_t seen;
} cell_pair;

typedef struct {
  const sal_performance_table *table;
  const sal_map               *map;
  sal_grid_coordinates         grid;
  int64_t                      n, room;
  cell_pair                   *list;
  bool                         out_of_memory;
} pair_search;

/* ---- the score of a pair ---- */

/* Cost of the winner of one cell in another one, `cell`, beyond the winner there. */
static double cost_in(const sal_performance_table *a, const sal_map_place *from,
                      const sal_map_place *there, int64_t cell, double asked)
{
  const int64_t at = cell * a->n_contender + from->best;

  if (from->best < 0 || there->best < 0) return from->best == there->best ? 0 : most_cost;
  if (isnan(a->work[at]) || a->error[at] > asked) return most_cost;
  return fmin(most_cost, a->work[at] / there->value - 1);
}

/* From `thin` at no lead at all to nothing at a large one. */
static double thin_lead(double lead) { return isnan(lead) ? 0 : thin / (1 + lead / thin); }

static double leads_of(const sal_map_place *p, double asked)
{
  return p->best < 0 ? 0 : thin_lead(p->margin) + thin_lead(log(asked / p->error));
}

static double pair_score(const pair_search *m, int64_t a, int64_t b)
{
  const sal_map *map = m->map;
  double         sum = 0;

  for (int e = 0; e < map->n_error; ++e) {
    const sal_map_place *left  = &map->by_error[a * map->n_error + e];
    const sal_map_place *right = &map->by_error[b * map->n_error + e];
    const double         asked = map->error[e];
    sum += cost_in(m->table, left, right, b, asked) + cost_in(m->table, right, left, a, asked) +
           leads_of(left, asked) + leads_of(right, asked);
  }
  return sum / (2 * map->n_error);
}

/* ---- pairs ---- */

static double square_between(const pair_search *m, const double x[], const double y[])
{
  double sum = 0;

  for (int a = 0; a < m->grid.n; ++a) sum += (x[a] - y[a]) * (x[a] - y[a]);
  return sum;
}

static void middle_of(const pair_search *m, const cell_pair *c, double middle[])
{
  double b[SAL_MAX_AXIS];

  sal_grid_coordinates_place(&m->grid, c->a, middle);
  sal_grid_coordinates_place(&m->grid, c->b, b);
  for (int a = 0; a < m->grid.n; ++a) middle[a] = (middle[a] + b[a]) / 2;
}

static void add_pair(pair_search *m, int64_t a, int64_t b, double distance)
{
  if (m->n == m->room) {
    const int64_t room = m->room ? 2 * m->room : 1024;
    cell_pair    *list = sal_alloc((size_t)room, sizeof *list);
    m->out_of_memory   = m->out_of_memory || !list;
    if (m->out_of_memory) return;
    for (int64_t i = 0; i < m->n; ++i) list[i] = m->list[i];
    sal_free(m->list);
    m->list = list;
    m->room = room;
  }
  m->list[m->n++] =
      (cell_pair){.a = a, .b = b, .score = distance * pair_score(m, a, b), .share = 1};
}

typedef struct {
  const pair_search *m;
  const double      *middle;
  double             square; /* of the radius */
  bool               taken;
} ball;

static void note_cell_inside(void *with, int64_t point)
{
  ball  *b = with;
  double place[SAL_MAX_AXIS];

  sal_grid_coordinates_place(&b->m->grid, b->m->grid.sweep->n_grid + point, place);
  b->taken = b->taken || square_between(b->m, place, b->middle) < b->square - slack;
}

/* Adds a pair, if no cell lies inside the ball between the two. */
static void consider_pair(pair_search *m, int64_t a, int64_t b)
{
  double          x[SAL_MAX_AXIS], y[SAL_MAX_AXIS], middle[SAL_MAX_AXIS], corner[SAL_MAX_AXIS];
  const cell_pair pair = {.a = a, .b = b};

  sal_grid_coordinates_place(&m->grid, a, x);
  sal_grid_coordinates_place(&m->grid, b, y);
  middle_of(m, &pair, middle);
  const double distance = sqrt(square_between(m, x, y));
  if (distance < least_pair) return;
  ball inside = {m, middle, distance * distance / 4, false};
  sal_grid_coordinates_place(&m->grid, sal_grid_coordinates_nearest(&m->grid, middle), corner);
  if (square_between(m, corner, middle) < inside.square - slack) return;
  sal_grid_coordinates_around(&m->grid, middle, distance / 2, note_cell_inside, &inside);
  if (!inside.taken) add_pair(m, a, b, distance);
}

static void pairs_of_grid(pair_search *m)
{
  for (int64_t cell = 0; cell < m->grid.sweep->n_grid; ++cell)
    for (int a = 0; a < m->grid.n; ++a) {
      const sal_grid_axis *r     = &m->grid.axis[a];
      const int64_t        point = cell / r->stride % r->axis->n_point, next = r->rank[point] + 1;
      if (r->divides && next < r->axis->n_point)
        consider_pair(m, cell, cell + (r->order[next] - point) * r->stride);
    }
}

/* With the corners of the box around a scattered cell. */
static void pairs_with_corners(pair_search *m, int64_t cell)
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
    consider_pair(m, sal_grid_coordinates_nearest(&m->grid, corner), cell);
  }
}

typedef struct {
  pair_search *m;
  int64_t      cell;
} pair_visitor;

static void pair_with(void *with, int64_t point)
{
  const pair_visitor *v     = with;
  const int64_t       other = v->m->grid.sweep->n_grid + point;

  if (other > v->cell) consider_pair(v->m, v->cell, other);
}

static void pairs_of_scattered(pair_search *m)
{
  for (int64_t cell = m->grid.sweep->n_grid; cell < m->grid.sweep->n_cell; ++cell) {
    double       place[SAL_MAX_AXIS];
    pair_visitor v = {m, cell};
    pairs_with_corners(m, cell);
    sal_grid_coordinates_place(&m->grid, cell, place);
    sal_grid_coordinates_around(&m->grid, place, 1, pair_with, &v);
  }
}

/* ---- the choice: a heap whose scores are brought up to date when they come to the top ---- */

static double current_score(const cell_pair *c) { return c->score * c->share; }

static bool goes_before(const cell_pair *list, int64_t a, int64_t b)
{
  return current_score(&list[a]) != current_score(&list[b])
             ? current_score(&list[a]) > current_score(&list[b])
             : a < b;
}

static void sift_down(const cell_pair *list, int64_t n, int64_t heap[], int64_t i)
{
  for (int64_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
    if (child + 1 < n && goes_before(list, heap[child + 1], heap[child])) ++child;
    if (!goes_before(list, heap[child], heap[i])) return;
    const int64_t held = heap[i];
    heap[i]            = heap[child];
    heap[child]        = held;
    i                  = child;
  }
}

/* The share of a pair that a point chosen before leaves. */
static double share_beside(const pair_search *m, const double place[], const double chosen[])
{
  for (int a = 0; a < m->grid.n; ++a)
    if (!m->grid.axis[a].divides && fabs(place[a] - chosen[a]) > slack) return 1;
  return fmin(1, square_between(m, place, chosen));
}

/* The cell between a pair; false when its parameters make no sense together. */
static bool make_point(const pair_search *m, const cell_pair *c, const double place[],
                       sal_refine_point *out)
{
  const sal_sweep *s       = m->grid.sweep;
  const int        n_param = s->model->n_param + s->model->n_option;
  double           param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

  *out = (sal_refine_point){.a = c->a, .b = c->b, .score = current_score(c)};
  sal_sweep_cell(s, c->a, param, initial);
  for (int a = 0; a < m->grid.n; ++a) {
    const int k   = s->axis[a].column[0];
    out->value[a] = sal_grid_coordinates_value(&m->grid, a, place[a]);
    if (k < n_param) param[k] = out->value[a];
  }
  return !s->model->flaw || !s->model->flaw(param);
}

/* Takes the points into account that were chosen since the pair was last looked at; true when they
 * take something away. */
static bool update_share(const pair_search *m, cell_pair *c, const double place[],
                         const double *chosen, int64_t n)
{
  const double old = c->share;

  for (; c->seen < n; ++c->seen)
    c->share = fmin(c->share, share_beside(m, place, chosen + c->seen * SAL_MAX_AXIS));
  return c->share < old;
}

static int64_t pick_points(const pair_search *m, int64_t heap[], double *chosen, int64_t budget,
                           sal_refine_point point[])
{
  int64_t left = m->n, n = 0;

  for (int64_t i = 0; i < left; ++i) heap[i] = i;
  for (int64_t i = left / 2; i-- > 0;) sift_down(m->list, left, heap, i);
  while (n < budget && left > 0 && current_score(&m->list[heap[0]]) > 0) {
    cell_pair *c = &m->list[heap[0]];
    double     place[SAL_MAX_AXIS];
    middle_of(m, c, place);
    if (!update_share(m, c, place, chosen, n)) {
      if (make_point(m, c, place, &point[n])) {
        for (int a = 0; a < m->grid.n; ++a) chosen[n * SAL_MAX_AXIS + a] = place[a];
        ++n;
      }
      heap[0] = heap[--left];
    }
    sift_down(m->list, left, heap, 0);
  }
  return n;
}

sal_err sal_refine_choose(const sal_performance_table *table, const sal_map *map, int64_t budget,
                          sal_refine_point point[], int64_t *n)
{
  pair_search m = {.table = table, .map = map};

  assert(map->n_error > 0 && map->by_error);
  *n          = 0;
  sal_err err = sal_grid_coordinates_create(table->sweep, &m.grid);
  if (err == SAL_OK) {
    pairs_of_grid(&m);
    pairs_of_scattered(&m);
    int64_t *heap   = sal_alloc((size_t)m.n, sizeof *heap);
    double  *chosen = sal_alloc((size_t)budget * SAL_MAX_AXIS, sizeof *chosen);
    if (heap && chosen && !m.out_of_memory)
      *n = pick_points(&m, heap, chosen, budget, point);
    else
      err = sal_fail(SAL_ERR_MEMORY, "no memory to choose cells");
    sal_free(heap);
    sal_free(chosen);
  }
  sal_free(m.list);
  sal_grid_coordinates_free(&m.grid);
  return err;
}
