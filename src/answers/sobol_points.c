/** Elements of affine spaces of numbers, counted below a bound and found by rank. */
#include "sobol_points.h"
#include "base.h"

enum { BITS = SAL_SOBOL_BITS };

/* The numbers of the boxes of a depth: one of them and sums of these; leading bits ascend. */
typedef struct {
  sal_sobol_equations box;
  int lead[BITS];
  uint32_t vector[BITS];
} level;

enum { COUNTED = 14 }; /* depth up to which all boxes are counted once */

struct sal_sobol_points {
  int64_t n; /* points have numbers 1 .. n, and 0 is the corner */
  int depth, counted;
  int32_t count[2 << COUNTED]; /* of the boxes of depth d from 2^d on, d <= counted */
  level at[];                  /* [depth + 1] */
};

static uint32_t number_of(uint32_t gray) { return (uint32_t)(sal_sobol_point(gray) + 1); }

static int leading_bit(uint32_t x) { return 31 - __builtin_clz(x); }

/* Each vector gets a leading bit that no other has: those with it are added to it. */
static void find_vectors(level *l)
{
  const int n = l->box.n_free;

  for (int i = 0; i < n; ++i) l->vector[i] = number_of(l->box.null[i]);
  for (int i = n - 1; i >= 0; --i) {
    int most = i;
    for (int k = 0; k < i; ++k)
      if (l->vector[k] > l->vector[most]) most = k;
    const uint32_t own = l->vector[most];
    l->vector[most] = l->vector[i];
    l->vector[i] = own;
    l->lead[i] = leading_bit(own);
    for (int k = 0; k < n; ++k)
      if (k != i && l->vector[k] >> l->lead[i] & 1) l->vector[k] ^= own;
  }
}

/* The least number of a box; false: it has none. */
static bool least_number(const level *l, uint32_t box, uint32_t *x)
{
  uint32_t gray;

  if (!sal_sobol_equations_gray(&l->box, box, &gray)) return false;
  *x = number_of(gray);
  for (int i = 0; i < l->box.n_free; ++i)
    if (*x >> l->lead[i] & 1) *x ^= l->vector[i];
  return true;
}

/* Numbers of a box, whose least one is x, that are at most `last`. */
static int64_t count_up_to(const level *l, uint32_t x, uint32_t last)
{
  int64_t count = 0;
  int left = l->box.n_free; /* vectors with lower leading bits */

  for (int b = l->box.n_bit; b >= 0; --b) {
    const uint32_t due = last >> b & 1;
    if (left > 0 && l->lead[left - 1] == b) {
      --left;
      if (!due) continue;
      count += (int64_t)1 << left;
      x ^= l->vector[left];
    } else if ((x >> b & 1) != due) {
      return count + (due ? (int64_t)1 << left : 0);
    }
  }
  return count + 1;
}

/* The corner, number 0, is not counted as a point. */
static int64_t count_points(const sal_sobol_points *p, int depth, uint32_t bits)
{
  const level *l = &p->at[depth];
  uint32_t x;

  if (!least_number(l, bits, &x)) return 0;
  return count_up_to(l, x, (uint32_t)p->n) - (x == 0);
}

int64_t sal_sobol_points_count(const sal_sobol_points *p, sal_sobol_box box)
{
  return box.depth <= p->counted ? p->count[(1U << box.depth) + box.bits]
                                 : count_points(p, box.depth, box.bits);
}

sal_err sal_sobol_points_create(int64_t n_point, int depth, const int column[],
                                sal_sobol_points **out)
{
  sal_sobol_points *p = *out = sal_alloc(1, sizeof *p + (size_t)(depth + 1) * sizeof *p->at);

  if (!p) return sal_fail(SAL_ERR_MEMORY, "no memory for an order of cells");
  p->n = n_point;
  p->depth = depth;
  for (int d = 0; d <= depth; ++d) {
    sal_sobol_equations *e = &p->at[d].box;
    *e = (sal_sobol_equations){.n_bit = sal_sobol_equations_bits(n_point), .depth = d};
    memcpy(e->halved, column, (size_t)d * sizeof *column);
    sal_sobol_equations_solve(e);
    find_vectors(&p->at[d]);
  }
  p->counted = depth < COUNTED ? depth : COUNTED;
  for (int d = 0; d <= p->counted; ++d)
    for (uint32_t bits = 0; bits < 1U << d; ++bits)
      p->count[(1U << d) + bits] = (int32_t)count_points(p, d, bits);
  return SAL_OK;
}

/* The least number in a box that has points. */
static uint32_t least_of(const level *l, uint32_t box)
{
  uint32_t x = 0;
  const bool some = least_number(l, box, &x);

  assert(some);
  return some ? x : 0;
}

int64_t sal_sobol_points_number(const sal_sobol_points *p, sal_sobol_box box, int64_t k)
{
  const level *l = &p->at[box.depth];
  uint32_t x = least_of(l, box.bits);

  k += x == 0;
  for (int i = 0; i < l->box.n_free; ++i)
    if (k >> i & 1) x ^= l->vector[i];
  return (int64_t)x - 1;
}

int64_t sal_sobol_points_rank(const sal_sobol_points *p, sal_sobol_box box, int64_t point)
{
  const level *l = &p->at[box.depth];
  const uint32_t number = (uint32_t)(point + 1);
  int64_t k = 0;

  for (int i = 0; i < l->box.n_free; ++i) k |= (int64_t)(number >> l->lead[i] & 1) << i;
  return k - (least_of(l, box.bits) == 0);
}

uint32_t sal_sobol_points_boxes(const sal_sobol_points *p, int64_t point)
{
  const uint32_t gray = sal_sobol_gray(point);
  const int *halved = p->at[p->depth].box.halved;
  int halvings[SAL_SOBOL_COLUMNS] = {0};
  uint32_t boxes = 0;

  for (int d = 0; d < p->depth; ++d) {
    const int bit = BITS - ++halvings[halved[d]];
    boxes |= (sal_sobol_coordinate(halved[d], gray) >> bit & 1) << d;
  }
  return boxes;
}
