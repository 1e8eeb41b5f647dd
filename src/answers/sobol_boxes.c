/** Boxes by halving, points of a box by elimination. */
#include "sobol_points.h"

enum { MOST = SAL_SURROGATE_MOST_COORDINATES, BITS = SAL_SOBOL_BITS };
enum { FREE_BITS = 5 }; /* of the numbers of points in a box, at least */

/* Values are decimals of 12 digits where they can be; coordinates of points that are near are made from them. */
static const double rounded_down = 1 - 1e-7, smallest = 1e-20;

typedef struct {
  const sal_sobol_boxes *of;
  const sal_metric_block *block;
  const double *slack; /* or NULL */
  const double *limit;
  void (*near)(void *with, int64_t point);
  void *with;
  sal_sobol_equations box;     /* halved and depth are those of the levels below */
  int halved[BITS];            /* the coordinate that each level halves */
  uint32_t null_x[BITS][MOST]; /* coordinates of the Gray codes that leave a box */
} search;

sal_sobol_boxes sal_sobol_boxes_of(const sal_axis *axis, int n, const sal_surrogate_coordinate at[],
                                   const int c[])
{
  sal_sobol_boxes b = {.n = sal_axis_is_smooth_sequence(axis) && n <= MOST ? n : 0,
                       .n_point = axis->n_point};

  for (int k = 0; k < b.n; ++k) {
    b.column[k] = c[k];
    b.at_0[k] = sal_surrogate_coordinate_of(&at[k], axis->lo[c[k]]);
    b.range[k] = sal_surrogate_coordinate_of(&at[k], axis->hi[c[k]]) - b.at_0[k];
  }
  return b;
}

/* The coordinate along which a box is longest is halved next. */
static void choose_halves(search *q)
{
  int bits[MOST] = {0};
  double length[MOST] = {0};

  for (int k = 0; k < q->of->n; ++k) {
    double sum = 0;
    for (int i = 0; i <= k; ++i) sum += q->block->l[i][k] * q->block->l[i][k];
    length[k] = sqrt(sum) * q->of->range[k];
  }
  for (int level = 0; level < q->box.depth; ++level) {
    int longest = 0;
    for (int k = 1; k < q->of->n; ++k)
      if (length[k] > length[longest]) longest = k;
    q->halved[level] = longest;
    q->box.halved[level] = q->of->column[longest];
    length[longest] /= ++bits[longest] < BITS ? 2 : INFINITY;
  }
}

static void begin_search(search *q)
{
  sal_sobol_equations *e = &q->box;

  e->n_bit = sal_sobol_equations_bits(q->of->n_point);
  e->depth = e->n_bit > FREE_BITS ? e->n_bit - FREE_BITS : 0;
  choose_halves(q);
  sal_sobol_equations_solve(e);
  for (int i = 0; i < e->n_free; ++i)
    for (int k = 0; k < q->of->n; ++k)
      q->null_x[i][k] = sal_sobol_coordinate(q->of->column[k], e->null[i]);
}

/* Most are too far by their last coordinates. */
static void try_gray(const search *q, uint32_t gray, const uint32_t x[])
{
  const double most = *q->limit + smallest;
  double dz[MOST], sum = q->block->before;

  for (int k = q->of->n - 1; k >= 0; --k) {
    dz[k] = q->of->at_0[k] + q->of->range[k] * ((double)x[k] / (1 << BITS)) - q->block->z[k];
    const double least = fabs(sal_metric_block_x(q->block, k, dz)) - (q->slack ? q->slack[k] : 0);
    if (least > 0) sum += least * least;
    if (sum * rounded_down > most) return;
  }
  const int64_t point = sal_sobol_point(gray);
  if (point >= 0 && point < q->of->n_point) q->near(q->with, point);
}

/* All points of a box, whose bits are one a level. */
static void search_box(const search *q, uint32_t box)
{
  uint32_t gray, x[MOST];

  if (!sal_sobol_equations_gray(&q->box, box, &gray)) return;
  for (int k = 0; k < q->of->n; ++k) x[k] = sal_sobol_coordinate(q->of->column[k], gray);
  try_gray(q, gray, x);
  for (uint32_t i = 1; i >> q->box.n_free == 0; ++i) {
    const int next = __builtin_ctz(i);
    gray ^= q->box.null[next];
    for (int k = 0; k < q->of->n; ++k) x[k] ^= q->null_x[next][k];
    try_gray(q, gray, x);
  }
}

/* The nearer half first. */
static void search_below(const search *q, int level, uint32_t box, double lo[], double hi[])
{
  if (sal_metric_block_box_near(q->block, lo, hi, q->slack) * rounded_down > *q->limit + smallest)
    return;
  if (level == q->box.depth) {
    search_box(q, box);
    return;
  }
  const int k = q->halved[level];
  const double from = lo[k], to = hi[k], middle = (from + to) / 2;
  const bool above = q->block->z[k] >= middle;
  for (int side = 0; side < 2; ++side) {
    const bool up = (side == 0) == above;
    lo[k] = up ? middle : from;
    hi[k] = up ? to : middle;
    search_below(q, level + 1, box | (uint32_t)up << level, lo, hi);
  }
  lo[k] = from;
  hi[k] = to;
}

void sal_sobol_boxes_search(const sal_sobol_boxes *of, const sal_metric_block *block,
                            const double slack[], const double *limit,
                            void (*near)(void *with, int64_t point), void *with)
{
  search q = {.of = of, .block = block, .slack = slack, .limit = limit, .near = near, .with = with};
  double lo[MOST], hi[MOST];

  begin_search(&q);
  for (int k = 0; k < of->n; ++k) {
    lo[k] = of->at_0[k];
    hi[k] = of->at_0[k] + of->range[k];
  }
  search_below(&q, 0, 0, lo, hi);
}
