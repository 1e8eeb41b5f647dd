/** @file src/answers/neighbours.c
 *  Branch and bound over the product of the axes.
 */
#include "neighbours.h"
#include "memory.h"
#include "point_set.h"
#include <math.h>
#include <stdlib.h>

enum { SORTED_POINTS = 1 << 16 }; /* axes with more are searched as sets */

static const double rounded_down = 1 - 1e-12;

/* The points of an axis of one coordinate by that; z NULL: a set. */
typedef struct {
  int64_t n;
  double *z;      /* [n] ascending */
  int64_t *order; /* [n] the point of each */
} sorted_axis;

struct sal_neighbours {
  const sal_reader_coordinates *of;
  sorted_axis sorted[SAL_MAX_AXIS];
  sal_point_set set[SAL_MAX_AXIS], scattered;
  int c[SAL_MAX_QUANTITY], scattered_c[SAL_MAX_QUANTITY];
};

/* ---- Creation ---- */

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

static bool sort_axis(const sal_axis *axis, const sal_reader_coordinate *at, sorted_axis *out)
{
  SAL_OWN placed *list = sal_alloc((size_t)axis->n_point, sizeof *list);

  out->n = axis->n_point;
  out->z = sal_alloc((size_t)out->n, sizeof *out->z);
  out->order = sal_alloc((size_t)out->n, sizeof *out->order);
  if (!list || !out->z || !out->order) return false;
  for (int64_t i = 0; i < out->n; ++i)
    list[i] = (placed){sal_reader_coordinate_of(at, sal_axis_value(axis, i, at->c)), i};
  qsort(list, (size_t)out->n, sizeof *list, compare_placed);
  for (int64_t i = 0; i < out->n; ++i) {
    out->z[i] = list[i].z;
    out->order[i] = list[i].point;
  }
  return true;
}

static sal_err create_axis(sal_neighbours *s, int a)
{
  const sal_reader_coordinates *c = s->of;
  const sal_axis *axis = &c->sweep->axis[a];
  const int first = c->first[a], n = c->first[a + 1] - first;

  s->set[a] = (sal_point_set){
      .axis = axis, .n = n, .at = &c->at[first], .c = &s->c[first], .class_of = c->words[a].of};
  if (n != 1 || c->words[a].of || axis->n_point > SORTED_POINTS) return SAL_OK;
  return sort_axis(axis, &c->at[first], &s->sorted[a])
             ? SAL_OK
             : sal_fail(SAL_ERR_MEMORY, "no memory for the axes");
}

sal_err sal_neighbours_create(const sal_reader_coordinates *c, sal_neighbours **out)
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

  for (int a = 0; s && a < SAL_MAX_AXIS; ++a) {
    sal_free(s->sorted[a].z);
    sal_free(s->sorted[a].order);
    sal_point_set_free(&s->set[a]);
  }
  if (s) sal_point_set_free(&s->scattered);
  sal_free(s);
  *out = NULL;
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

/* ---- Search ---- */

typedef struct {
  const sal_neighbours *of;
  const sal_neighbours_search *ask;
  sal_nearest *list;
  double after[SAL_MAX_AXIS + 1]; /* the least that axes from a on add to a square */
  int64_t below[SAL_MAX_AXIS];    /* sorted axes: the number of points below the place */
} search;

/* A cell as far as it is known: the axes before `a`. */
typedef struct {
  search *q;
  int a;
  int64_t cell;
} branch;

static void search_axis(search *q, int a, int64_t cell, double sum);

/* d2: the sum over the coordinates. */
static void offer_cell(search *q, int64_t cell, double d2)
{
  sal_reader_place at;

  if (cell == q->ask->skip) return;
  if (!q->ask->metric->diagonal) {
    sal_reader_place_of_cell(q->of->of, cell, &at);
    for (int k = 0; k < q->of->of->n; ++k) at.z[k] -= q->ask->place->z[k];
    d2 = sal_reader_metric_square(q->ask->metric, at.z);
  }
  sal_nearest_offer(q->list, cell, d2);
}

static void go_on_with_point(void *with, int64_t point, double sum)
{
  const branch *b = with;

  search_axis(b->q, b->a + 1, b->cell + point * b->q->of->of->stride[b->a], sum);
}

static void offer_scattered(void *with, int64_t point, double sum)
{
  search *q = with;

  offer_cell(q, q->of->of->sweep->n_grid + point, sum);
}

static void search_set(search *q, int a, int64_t cell, double sum)
{
  const int k = q->of->of->first[a];
  branch b = {q, a, cell};

  sal_point_set_search(&q->of->set[a], &(sal_point_search){.z = &q->ask->place->z[k],
                                                           .scale = &q->ask->metric->least[k],
                                                           .class = q->ask->place->word[a],
                                                           .before = sum,
                                                           .after = q->after[a + 1],
                                                           .limit = &q->list->limit,
                                                           .found = go_on_with_point,
                                                           .with = &b});
}

static double square_to(const search *q, int a, int64_t i)
{
  const int k = q->of->of->first[a];
  const double d = q->ask->metric->least[k] * (q->of->sorted[a].z[i] - q->ask->place->z[k]);

  return d * d;
}

/* Outwards from the place, the nearer one of both sides first. */
static void search_sorted(search *q, int a, int64_t cell, double sum)
{
  const sorted_axis *axis = &q->of->sorted[a];
  int64_t below = q->below[a] - 1, above = q->below[a];

  while (below >= 0 || above < axis->n) {
    const double down = below >= 0 ? square_to(q, a, below) : INFINITY;
    const double up = above < axis->n ? square_to(q, a, above) : INFINITY;
    const int64_t i = down <= up ? below-- : above++;
    const double next = sum + fmin(down, up);
    if ((next + q->after[a + 1]) * rounded_down > q->list->limit) return;
    search_axis(q, a + 1, cell + axis->order[i] * q->of->of->stride[a], next);
  }
}

static void search_axis(search *q, int a, int64_t cell, double sum)
{
  if (a == q->of->of->sweep->n_axis)
    offer_cell(q, cell, sum);
  else if (q->of->sorted[a].z)
    search_sorted(q, a, cell, sum);
  else
    search_set(q, a, cell, sum);
}

/* Where the place is on the sorted axes, and the least that they add. */
static void begin_axes(search *q)
{
  const sal_reader_coordinates *c = q->of->of;

  q->after[c->sweep->n_axis] = 0;
  for (int a = c->sweep->n_axis - 1; a >= 0; --a) {
    const sorted_axis *axis = &q->of->sorted[a];
    q->after[a] = q->after[a + 1];
    if (!axis->z) continue;
    int64_t lo = 0, hi = axis->n;
    while (lo < hi) {
      const int64_t middle = lo + (hi - lo) / 2;
      if (axis->z[middle] < q->ask->place->z[c->first[a]])
        lo = middle + 1;
      else
        hi = middle;
    }
    q->below[a] = lo;
    q->after[a] += fmin(lo > 0 ? square_to(q, a, lo - 1) : INFINITY,
                        lo < axis->n ? square_to(q, a, lo) : INFINITY);
  }
}

sal_err sal_neighbours_find(const sal_neighbours *s, const sal_neighbours_search *ask,
                            sal_nearest *list, double *next)
{
  search q = {.of = s, .ask = ask, .list = list};

  sal_nearest_begin(list, ask->k);
  begin_axes(&q);
  search_axis(&q, 0, 0, 0);
  if (s->scattered.axis->n_point > 0)
    sal_point_set_search(&s->scattered, &(sal_point_search){.z = ask->place->z,
                                                            .scale = ask->metric->least,
                                                            .class = (int)ask->place->sample,
                                                            .limit = &list->limit,
                                                            .found = offer_scattered,
                                                            .with = &q});
  *next = sal_nearest_end(list);
  return list->out_of_memory ? sal_fail(SAL_ERR_MEMORY, "no memory for neighbouring cells")
                             : SAL_OK;
}
