/** Branch and bound over the product of the axes. */
#include "neighbours.h"
#include "base.h"

enum { SORTED_POINTS = 1 << 16 }; /* axes with more are searched as sets */

/* Bounds on squares are rounded towards less. */
static const double rounded_down = 1 - 1e-9;

/* The points of an axis of one coordinate by that; z NULL: a set. */
typedef struct {
  int64_t n;
  double *z;      /* [n] ascending */
  int64_t *order; /* [n] the point of each */
} sorted_axis;

struct sal_neighbours {
  const sal_surrogate_coordinates *of;
  sorted_axis sorted[SAL_MAX_AXIS];
  sal_point_set set[SAL_MAX_AXIS], scattered;
  int c[SAL_MAX_QUANTITY], scattered_c[SAL_MAX_QUANTITY];
  bool twin;                /* axes and sets are another's */
  sal_neighbour_pool *pool; /* where all coordinates are those of one sequence; or NULL */
};

typedef struct {
  double z;
  int64_t point;
} placed;

static int compare_placed(const void *left, const void *right)
{
  const placed *a = left, *b = right;

  return a->z != b->z ? (a->z > b->z) - (a->z < b->z)
                      : (a->point > b->point) - (a->point < b->point);
}

static bool sort_axis(const sal_axis *axis, const sal_surrogate_coordinate *at, sorted_axis *out)
{
  SAL_OWN placed *list = sal_alloc((size_t)axis->n_point, sizeof *list);

  out->n = axis->n_point;
  out->z = sal_alloc((size_t)out->n, sizeof *out->z);
  out->order = sal_alloc((size_t)out->n, sizeof *out->order);
  if (!list || !out->z || !out->order) return false;
  for (int64_t i = 0; i < out->n; ++i)
    list[i] = (placed){sal_surrogate_coordinate_of(at, sal_axis_value(axis, i, at->c)), i};
  qsort(list, (size_t)out->n, sizeof *list, compare_placed);
  for (int64_t i = 0; i < out->n; ++i) {
    out->z[i] = list[i].z;
    out->order[i] = list[i].point;
  }
  return true;
}

static sal_err create_axis(sal_neighbours *s, int a)
{
  const sal_surrogate_coordinates *c = s->of;
  const sal_axis *axis = &c->sweep->axis[a];
  const int first = c->first[a], n = c->first[a + 1] - first;

  s->set[a] = (sal_point_set){
      .axis = axis, .n = n, .at = &c->at[first], .c = &s->c[first], .class_of = c->words[a].of};
  if (!c->words[a].of) s->set[a].sequence = sal_sobol_boxes_of(axis, n, s->set[a].at, s->set[a].c);
  s->set[a].of = c;
  s->set[a].number = a;
  if (s->set[a].sequence.n > 0 && n == c->n && axis->n_point == c->sweep->n_cell)
    return sal_neighbour_pool_create(c, a, &s->set[a].sequence, &s->pool);
  if (n != 1 || c->words[a].of || axis->n_point > SORTED_POINTS) return SAL_OK;
  return sort_axis(axis, &c->at[first], &s->sorted[a])
             ? SAL_OK
             : sal_fail(SAL_ERR_MEMORY, "no memory for the axes");
}

sal_err sal_neighbours_create(const sal_surrogate_coordinates *c, sal_neighbours **out)
{
  sal_neighbours *s = *out = sal_alloc(1, sizeof *s);

  if (!s) return sal_fail(SAL_ERR_MEMORY, "no memory for the axes");
  s->of = c;
  for (int k = 0; k < c->n; ++k) {
    s->c[k] = c->at[k].c;
    s->scattered_c[k] = c->at[k].scattered_c;
  }
  s->scattered = (sal_point_set){.axis = &c->sweep->scattered.point,
                                 .n = c->n,
                                 .at = c->at,
                                 .c = s->scattered_c,
                                 .class_of = c->scattered_sample};
  for (int a = 0; a < c->sweep->n_axis; ++a) {
    const sal_err err = create_axis(s, a);
    if (err == SAL_OK) continue;
    sal_neighbours_free(out);
    return err;
  }
  return SAL_OK;
}

void sal_neighbours_free(sal_neighbours **out)
{
  sal_neighbours *s = *out;

  for (int a = 0; s && !s->twin && a < SAL_MAX_AXIS; ++a) {
    sal_free_all(s->sorted[a].z, s->sorted[a].order);
    sal_point_set_free(&s->set[a]);
  }
  if (s && !s->twin) sal_point_set_free(&s->scattered);
  if (s) sal_neighbour_pool_free(&s->pool);
  sal_free(s);
  *out = NULL;
}

sal_err sal_neighbours_twin(const sal_neighbours *of, const sal_surrogate_coordinates *c,
                            sal_neighbours **out)
{
  sal_neighbours *s = *out = sal_alloc(1, sizeof *s);

  if (!s) return sal_fail(SAL_ERR_MEMORY, "no memory for the axes");
  *s = *of;
  s->of = c;
  s->twin = true;
  s->pool = NULL;
  for (int a = 0; a < SAL_MAX_AXIS; ++a)
    if (s->set[a].of) s->set[a].of = c;
  return of->pool ? sal_neighbour_pool_twin(of->pool, c, &s->pool) : SAL_OK;
}

bool sal_neighbours_scattered(const sal_neighbours *s)
{
  bool any = s->scattered.axis->n_point > 0;

  for (int a = 0; a < s->of->sweep->n_axis; ++a) any = any || (s->set[a].n > 0 && !s->sorted[a].z);
  return any;
}

sal_err sal_neighbours_index(sal_neighbours *s)
{
  for (int a = 0; a < s->of->sweep->n_axis; ++a)
    if (!s->sorted[a].z) SAL_TRY(sal_point_set_index(&s->set[a]));
  return s->scattered.axis->n_point ? sal_point_set_index(&s->scattered) : SAL_OK;
}

typedef struct {
  const sal_neighbours *of;
  const sal_neighbours_search *ask;
  sal_nearest *list;
  double dz[SAL_MAX_QUANTITY]; /* of the coordinates chosen so far, from the last one downwards */
} search;

/* A cell as far as it is known: the axes after `a`. */
typedef struct {
  search *q;
  int a;
  int64_t cell;
} branch;

static void search_axis(search *q, int a, int64_t cell, double sum);

static void offer_cell(search *q, int64_t cell)
{
  if (cell != q->ask->skip)
    sal_nearest_offer(q->list, cell, sal_surrogate_metric_square(q->ask->metric, q->dz));
}

/* Coordinates first .. first + n - 1. */
static void choose(search *q, int first, int n, const double z[])
{
  for (int k = 0; k < n; ++k) q->dz[first + k] = z[k] - q->ask->place->z[first + k];
}

/* The part of x_k from the coordinates from `from` on, which are chosen. */
static double offset_of(const search *q, int k, int from)
{
  double x = 0;

  for (int a = from; a < q->of->of->n; ++a)
    x += sal_surrogate_metric_at(q->ask->metric, a, k) * q->dz[a];
  return x;
}

static void go_on_with_point(void *with, int64_t point, const double z[], double sum)
{
  const branch *b = with;
  const sal_surrogate_coordinates *c = b->q->of->of;

  choose(b->q, c->first[b->a], b->q->of->set[b->a].n, z);
  search_axis(b->q, b->a - 1, b->cell + point * c->stride[b->a], sum);
}

static void offer_scattered(void *with, int64_t point, const double z[], double sum)
{
  search *q = with;

  (void)sum;
  choose(q, 0, q->of->of->n, z);
  offer_cell(q, q->of->of->sweep->n_grid + point);
}

static void search_set(search *q, int a, int64_t cell, double sum)
{
  const sal_point_set *set = &q->of->set[a];
  const int first = q->of->of->first[a];
  double offset[SAL_MAX_QUANTITY];
  branch b = {q, a, cell};

  for (int k = 0; k < set->n; ++k) offset[k] = offset_of(q, first + k, first + set->n);
  sal_point_set_search(set, &(sal_point_search){.z = &q->ask->place->z[first],
                                                .metric = q->ask->metric,
                                                .first = first,
                                                .offset = offset,
                                                .class = q->ask->place->word[a],
                                                .before = sum,
                                                .limit = &q->list->limit,
                                                .found = go_on_with_point,
                                                .with = &b});
}

/* The number of points below z. */
static int64_t count_below(const sorted_axis *axis, double z)
{
  int64_t lo = 0, hi = axis->n;

  while (lo < hi) {
    const int64_t middle = lo + (hi - lo) / 2;
    if (axis->z[middle] < z)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

/* Outwards from where the coordinate adds nothing, the nearer one of both sides first. */
static void search_sorted(search *q, int a, int64_t cell, double sum)
{
  const sorted_axis *axis = &q->of->sorted[a];
  const int k = q->of->of->first[a];
  const double l = sal_surrogate_metric_at(q->ask->metric, k, k), offset = offset_of(q, k, k + 1);
  const double centre = q->ask->place->z[k] - offset / l;
  int64_t above = count_below(axis, centre), below = above - 1;

  while (below >= 0 || above < axis->n) {
    const double down = below >= 0 ? l * (centre - axis->z[below]) : INFINITY;
    const double up = above < axis->n ? l * (axis->z[above] - centre) : INFINITY;
    const int64_t i = down <= up ? below-- : above++;
    const double next = sum + fmin(down * down, up * up);
    if (next * rounded_down > q->list->limit) return;
    choose(q, k, 1, &axis->z[i]);
    search_axis(q, a - 1, cell + axis->order[i] * q->of->of->stride[a], next);
  }
}

static void search_axis(search *q, int a, int64_t cell, double sum)
{
  if (a < 0)
    offer_cell(q, cell);
  else if (q->of->sorted[a].z)
    search_sorted(q, a, cell, sum);
  else
    search_set(q, a, cell, sum);
}

/* One by one. */
static void search_all(const sal_neighbours *s, const sal_neighbours_search *ask, sal_nearest *list)
{
  search q = {.of = s, .ask = ask, .list = list};

  sal_nearest_begin(list, ask->k);
  search_axis(&q, s->of->sweep->n_axis - 1, 0, 0);
  if (s->scattered.axis->n_point > 0)
    sal_point_set_search(&s->scattered, &(sal_point_search){.z = ask->place->z,
                                                            .metric = ask->metric,
                                                            .class = (int)ask->place->sample,
                                                            .limit = &list->limit,
                                                            .found = offer_scattered,
                                                            .with = &q});
}

sal_err sal_neighbours_find(const sal_neighbours *s, const sal_neighbours_search *ask,
                            sal_nearest *list, double *next)
{
  if (!s->pool || !sal_neighbour_pool_find(s->pool, ask, list)) {
    search_all(s, ask, list);
    if (s->pool) sal_neighbour_pool_note(s->pool, list->limit);
  }
  *next = sal_nearest_end(list);
  return list->out_of_memory ? sal_fail(SAL_ERR_MEMORY, "no memory for neighbouring cells")
                             : SAL_OK;
}

/* How far the next one after the k nearest is, and somewhat more: as before, or around the place in the middle. */
static sal_err find_reach(const sal_neighbours *s, const sal_surrogate_metric *metric,
                          const sal_surrogate_place *place, int k, double *reach)
{
  SAL_OWN_BY(sal_nearest_free) sal_nearest list = {0};

  *reach = sal_neighbour_pool_reach(s->pool);
  if (*reach > 0) return SAL_OK;
  SAL_TRY(sal_neighbours_find(
      s, &(sal_neighbours_search){.place = place, .metric = metric, .k = k, .skip = -1}, &list,
      reach));
  *reach = sal_neighbour_pool_reach(s->pool);
  return SAL_OK;
}

void sal_neighbours_gather_end(sal_neighbours *s)
{
  if (s->pool) sal_neighbour_pool_empty(s->pool);
}

sal_err sal_neighbours_gather(sal_neighbours *s, const sal_surrogate_metric *metric, int n,
                              const sal_surrogate_place place[], int k, bool *pays)
{
  double reach;
  int middle;

  sal_neighbours_gather_end(s);
  *pays = s->pool && n > SAL_NEIGHBOURS_FEW && k < s->of->sweep->n_cell &&
          sal_neighbour_pool_pays(s->pool, metric, n, place, k, &middle);
  if (!*pays) return SAL_OK;
  SAL_TRY(find_reach(s, metric, &place[middle], k, &reach));
  return sal_neighbour_pool_fill(s->pool, metric, n, place, reach);
}
