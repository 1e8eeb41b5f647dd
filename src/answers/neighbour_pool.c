/** Points column by column, so that their distances are found side by side. */
#include "base.h"
#include "neighbours.h"
#include "scalar_math.h"

enum { MOST = SAL_SURROGATE_MOST_COORDINATES };
enum { WORTH = 96 }; /* points for each place, at most */
enum {
  PIECE = 256,
  FIRST = 4 * PIECE
}; /* points whose distances are found at once; for which there is room at first */

static const double pi = 3.141592653589793;

struct sal_neighbour_pool {
  const sal_surrogate_coordinates *of;
  const sal_sobol_boxes *boxes;
  int axis, n; /* coordinates */
  int64_t n_point, room;
  int64_t *point; /* [room] */
  double *z;      /* [n][room] */
  double full;    /* square up to which it has all points; 0: it is empty */
  double last;    /* limit of the last search */
  double widest;  /* of all since it was filled */
  bool out_of_memory;
};

sal_err sal_neighbour_pool_create(const sal_surrogate_coordinates *c, int axis,
                                  const sal_sobol_boxes *boxes, sal_neighbour_pool **pool)
{
  sal_neighbour_pool *p = *pool = sal_alloc(1, sizeof *p);

  if (!p) return sal_fail(SAL_ERR_MEMORY, "no memory for neighbouring cells");
  *p = (sal_neighbour_pool){.of = c, .boxes = boxes, .axis = axis, .n = c->n};
  return SAL_OK;
}

sal_err sal_neighbour_pool_twin(const sal_neighbour_pool *of, const sal_surrogate_coordinates *c,
                                sal_neighbour_pool **pool)
{
  return sal_neighbour_pool_create(c, of->axis, of->boxes, pool);
}

void sal_neighbour_pool_free(sal_neighbour_pool **pool)
{
  if (*pool) {
    sal_free_all((*pool)->point, (*pool)->z);
  }
  sal_free(*pool);
  *pool = NULL;
}

void sal_neighbour_pool_empty(sal_neighbour_pool *p) { p->full = p->last = 0; }

double sal_neighbour_pool_reach(const sal_neighbour_pool *p)
{
  static const double wider = 1.1;

  return wider * sqrt(p->widest);
}

void sal_neighbour_pool_note(sal_neighbour_pool *p, double square)
{
  if (square > p->widest && isfinite(square)) p->widest = square;
}

/* The middle of the places by x = L' z, and how far they reach from there: both [n]. */
static void find_box(const sal_neighbour_pool *p, const sal_surrogate_metric *metric, int n,
                     const sal_surrogate_place place[], double middle[], double half[])
{
  double x[MOST], lo[MOST] = {0}, hi[MOST] = {0};

  for (int i = 0; i < n; ++i) {
    sal_surrogate_metric_apply(metric, place[i].z, x);
    for (int k = 0; k < p->n; ++k) {
      lo[k] = i == 0 || x[k] < lo[k] ? x[k] : lo[k];
      hi[k] = i == 0 || x[k] > hi[k] ? x[k] : hi[k];
    }
  }
  for (int k = 0; k < p->n; ++k) {
    middle[k] = (lo[k] + hi[k]) / 2;
    half[k] = (hi[k] - lo[k]) / 2;
  }
}

/* The place that is nearest to the middle. */
static int nearest_to(const sal_neighbour_pool *p, const sal_surrogate_metric *metric, int n,
                      const sal_surrogate_place place[], const double middle[])
{
  double x[MOST], least = INFINITY;
  int best = 0;

  for (int i = 0; i < n; ++i) {
    double sum = 0;
    sal_surrogate_metric_apply(metric, place[i].z, x);
    for (int k = 0; k < p->n; ++k) sum += (x[k] - middle[k]) * (x[k] - middle[k]);
    if (sum < least) least = sum, best = i;
  }
  return best;
}

/* Volume of the ball of radius 1. */
static double unit_ball(int n)
{
  double v = n % 2 ? 2 : 1;

  for (int i = n % 2 ? 3 : 2; i <= n; i += 2) v *= 2 * pi / i;
  return v;
}

/* Points lie evenly: those of a box that is as much wider as neighbours are apart. */
bool sal_neighbour_pool_pays(const sal_neighbour_pool *p, const sal_surrogate_metric *metric, int n,
                             const sal_surrogate_place place[], int k, int *middle)
{
  double at[MOST], half[MOST], density = (double)p->boxes->n_point;

  find_box(p, metric, n, place, at, half);
  for (int a = 0; a < p->n; ++a) density /= sal_surrogate_metric_at(metric, a, a);
  const double apart = sal_scalar_pow(k / (density * unit_ball(p->n)), 1. / p->n);
  double points = density;
  for (int a = 0; a < p->n; ++a) points *= 2 * (half[a] + apart);
  *middle = nearest_to(p, metric, n, place, at);
  return points <= WORTH * (double)n;
}

static bool grow(sal_neighbour_pool *p)
{
  const int64_t room = p->room ? 2 * p->room : FIRST;
  int64_t *point = sal_alloc((size_t)room, sizeof *point);
  double *z = sal_alloc((size_t)room * (size_t)p->n, sizeof *z);

  if (point && z && p->n_point > 0) {
    memcpy(point, p->point, (size_t)p->n_point * sizeof *point);
    for (int k = 0; k < p->n; ++k)
      memcpy(z + k * room, p->z + k * p->room, (size_t)p->n_point * sizeof *z);
  }
  sal_free_all(p->point, p->z);
  p->point = point;
  p->z = z;
  p->room = room;
  return point && z;
}

static void take_point(void *with, int64_t point)
{
  sal_neighbour_pool *p = with;
  double z[MOST];

  if (p->out_of_memory) return;
  if (p->n_point == p->room && !grow(p)) {
    p->out_of_memory = true;
    return;
  }
  sal_surrogate_coordinates_point(p->of, p->axis, point, z);
  for (int k = 0; k < p->n; ++k) p->z[k * p->room + p->n_point] = z[k];
  p->point[p->n_point++] = point;
}

sal_err sal_neighbour_pool_fill(sal_neighbour_pool *p, const sal_surrogate_metric *metric, int n,
                                const sal_surrogate_place place[], double reach)
{
  static const double origin[MOST] = {0};
  double middle[MOST], half[MOST];
  sal_metric_block block;

  find_box(p, metric, n, place, middle, half);
  for (int k = 0; k < p->n; ++k) middle[k] = -middle[k];
  sal_metric_block_make(metric, 0, p->n, origin, middle, 0, &block);
  p->n_point = 0;
  p->full = reach * reach;
  p->widest = 0;
  sal_sobol_boxes_search(p->boxes, &block, half, &p->full, take_point, p);
  if (!p->out_of_memory) return SAL_OK;
  return sal_fail(SAL_ERR_MEMORY, "no memory for neighbouring cells");
}

/* Squares of the distances of points first .. first + n - 1, as sal_surrogate_metric_square adds them up. */
static void find_squares(const sal_neighbour_pool *p, const sal_surrogate_metric *metric,
                         const double at[], int64_t first, int n, double sum[])
{
  double x[PIECE];

  for (int i = 0; i < n; ++i) sum[i] = 0;
  for (int k = 0; k < p->n; ++k) {
    const double *z = p->z + k * p->room + first, l = sal_surrogate_metric_at(metric, k, k);
    for (int i = 0; i < n; ++i) x[i] = l * (z[i] - at[k]);
    for (int a = k + 1; a < p->n; ++a) {
      const double *z_a = p->z + a * p->room + first, l_a = sal_surrogate_metric_at(metric, a, k);
      for (int i = 0; i < n; ++i) x[i] += l_a * (z_a[i] - at[a]);
    }
    for (int i = 0; i < n; ++i) sum[i] += x[i] * x[i];
  }
}

static void offer_up_to(const sal_neighbour_pool *p, const sal_neighbours_search *ask, double most,
                        sal_nearest *list)
{
  double sum[PIECE];

  sal_nearest_begin(list, ask->k);
  list->limit = most;
  for (int64_t first = 0; first < p->n_point; first += PIECE) {
    const int n = p->n_point - first < PIECE ? (int)(p->n_point - first) : PIECE;
    find_squares(p, ask->metric, ask->place->z, first, n, sum);
    for (int i = 0; i < n; ++i)
      if (sum[i] <= list->limit && p->point[first + i] != ask->skip)
        sal_nearest_offer(list, p->point[first + i], sum[i]);
  }
}

/* Is the next one after them there, too? */
static bool is_whole(const sal_nearest *list)
{
  return list->n > list->n_near && list->n > list->k;
}

bool sal_neighbour_pool_find(sal_neighbour_pool *p, const sal_neighbours_search *ask,
                             sal_nearest *list)
{
  static const double wider = 1.5, sure = 1 - 1e-6;

  if (!(p->full > 0)) return false;
  offer_up_to(p, ask, p->last > 0 ? wider * p->last : INFINITY, list);
  if (p->last > 0 && !is_whole(list)) offer_up_to(p, ask, INFINITY, list);
  if (!is_whole(list) || !(list->limit <= sure * p->full)) return false;
  p->last = list->limit;
  sal_neighbour_pool_note(p, p->last);
  return true;
}
