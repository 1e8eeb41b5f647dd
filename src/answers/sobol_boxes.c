/** @file src/answers/sobol_boxes.c
 *  Boxes by halving, points of a box by elimination.
 */
#include "sobol_boxes.h"
#include "sobol.h"
#include <math.h>

enum { MOST = SAL_READER_MOST_COORDINATES, BITS = SAL_SOBOL_BITS };
enum { FREE_BITS = 5 }; /* of the numbers of points in a box, at least */

/* Values are decimals of 12 digits where they can be; coordinates of points that are near are made from them. */
static const double rounded_down = 1 - 1e-7, smallest = 1e-20;

typedef struct {
  const sal_sobol_boxes *of;
  const sal_metric_block *block;
  const double *limit;
  void (*near)(void *with, int64_t point);
  void *with;
  int n_bit;                /* of numbers */
  int depth, halved[BITS];  /* the coordinate that each level halves */
  int n_pivot, pivot[BITS]; /* bits of the Gray code that equations give */
  uint32_t by[BITS];        /* each the parity of these bits of a box */
  int n_check;              /* without a solution where one of these parities is odd */
  uint32_t check[BITS];
  int n_free;
  uint32_t null[BITS];         /* Gray codes that leave a box */
  uint32_t null_x[BITS][MOST]; /* and their coordinates */
} search;

sal_sobol_boxes sal_sobol_boxes_of(const sal_axis *axis, int n, const sal_reader_coordinate at[],
                                   const int c[])
{
  sal_sobol_boxes b = {.n = sal_axis_is_smooth_sequence(axis) && n <= MOST ? n : 0,
                       .n_point = axis->n_point};

  for (int k = 0; k < b.n; ++k) {
    b.column[k] = c[k];
    b.at_0[k] = sal_reader_coordinate_of(&at[k], axis->lo[c[k]]);
    b.range[k] = sal_reader_coordinate_of(&at[k], axis->hi[c[k]]) - b.at_0[k];
  }
  return b;
}

/* ---- Boxes as equations ---- */

/* The coordinate along which a box is longest is halved next. */
static void choose_halves(search *q)
{
  int bits[MOST] = {0};
  double length[MOST];

  for (int k = 0; k < q->of->n; ++k) {
    double sum = 0;
    for (int i = 0; i <= k; ++i) sum += q->block->l[i][k] * q->block->l[i][k];
    length[k] = sqrt(sum) * q->of->range[k];
  }
  for (int level = 0; level < q->depth; ++level) {
    int longest = 0;
    for (int k = 1; k < q->of->n; ++k)
      if (length[k] > length[longest]) longest = k;
    q->halved[level] = longest;
    length[longest] /= ++bits[longest] < BITS ? 2 : INFINITY;
  }
}

/* What bits of the Gray code make the bit that a level asks for, and above them the level itself. */
static uint64_t equation_of(const search *q, int level)
{
  int bit = 0;
  uint64_t row = (uint64_t)1 << (32 + level);

  for (int i = 0; i < level; ++i) bit += q->halved[i] == q->halved[level];
  const uint32_t *v = sal_sobol_directions(q->of->column[q->halved[level]]);
  for (int j = 0; j < q->n_bit; ++j) row |= (uint64_t)(v[j] >> (BITS - 1 - bit) & 1) << j;
  return row;
}

/* Gauss and Jordan's elimination. */
static void solve_equations(search *q)
{
  uint64_t row[BITS];

  q->n_pivot = q->n_check = 0;
  for (int level = 0; level < q->depth; ++level) {
    uint64_t own = equation_of(q, level);
    for (int i = 0; i < q->n_pivot; ++i)
      if (own >> q->pivot[i] & 1) own ^= row[i];
    if ((uint32_t)own == 0) {
      q->check[q->n_check++] = (uint32_t)(own >> 32);
      continue;
    }
    const int pivot = __builtin_ctz((uint32_t)own);
    for (int i = 0; i < q->n_pivot; ++i)
      if (row[i] >> pivot & 1) row[i] ^= own;
    q->pivot[q->n_pivot] = pivot;
    row[q->n_pivot++] = own;
  }
  uint32_t pivots = 0;
  for (int i = 0; i < q->n_pivot; ++i) {
    q->by[i] = (uint32_t)(row[i] >> 32);
    pivots |= 1U << q->pivot[i];
  }
  q->n_free = 0;
  for (int j = 0; j < q->n_bit; ++j) {
    if (pivots >> j & 1) continue;
    uint32_t gray = 1U << j;
    for (int i = 0; i < q->n_pivot; ++i) gray |= (uint32_t)(row[i] >> j & 1) << q->pivot[i];
    q->null[q->n_free++] = gray;
  }
}

static void begin_search(search *q)
{
  for (q->n_bit = 1; q->of->n_point >> q->n_bit;) ++q->n_bit;
  q->depth = q->n_bit > FREE_BITS ? q->n_bit - FREE_BITS : 0;
  choose_halves(q);
  solve_equations(q);
  for (int i = 0; i < q->n_free; ++i)
    for (int k = 0; k < q->of->n; ++k)
      q->null_x[i][k] = sal_sobol_coordinate(q->of->column[k], q->null[i]);
}

/* ---- Search ---- */

static void try_gray(const search *q, uint32_t gray, const uint32_t x[])
{
  const int64_t point = sal_sobol_point(gray);
  double dz[MOST];

  if (point < 0 || point >= q->of->n_point) return;
  for (int k = 0; k < q->of->n; ++k)
    dz[k] = q->of->at_0[k] + q->of->range[k] * ((double)x[k] / (1 << BITS)) - q->block->z[k];
  if (sal_metric_block_square(q->block, dz) * rounded_down <= *q->limit + smallest)
    q->near(q->with, point);
}

static uint32_t parity(uint32_t bits) { return (uint32_t)__builtin_popcount(bits) & 1; }

/* All points of a box, whose bits are one a level. */
static void search_box(const search *q, uint32_t box)
{
  uint32_t gray = 0, x[MOST];

  for (int i = 0; i < q->n_check; ++i)
    if (parity(q->check[i] & box)) return;
  for (int i = 0; i < q->n_pivot; ++i) gray |= parity(q->by[i] & box) << q->pivot[i];
  for (int k = 0; k < q->of->n; ++k) x[k] = sal_sobol_coordinate(q->of->column[k], gray);
  try_gray(q, gray, x);
  for (uint32_t i = 1; i >> q->n_free == 0; ++i) {
    const int next = __builtin_ctz(i);
    gray ^= q->null[next];
    for (int k = 0; k < q->of->n; ++k) x[k] ^= q->null_x[next][k];
    try_gray(q, gray, x);
  }
}

/* The nearer half first. */
static void search_below(const search *q, int level, uint32_t box, double lo[], double hi[])
{
  if (sal_metric_block_box(q->block, lo, hi) * rounded_down > *q->limit + smallest) return;
  if (level == q->depth) {
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
                            const double *limit, void (*near)(void *with, int64_t point),
                            void *with)
{
  search q = {.of = of, .block = block, .limit = limit, .near = near, .with = with};
  double lo[MOST], hi[MOST];

  begin_search(&q);
  for (int k = 0; k < of->n; ++k) {
    lo[k] = of->at_0[k];
    hi[k] = of->at_0[k] + of->range[k];
  }
  search_below(&q, 0, 0, lo, hi);
}
