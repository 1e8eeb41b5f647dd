/** Elimination by rows of bits. */
#include "sobol_points.h"

enum { BITS = SAL_SOBOL_BITS };

int sal_sobol_equations_bits(int64_t n_point)
{
  int bits = 1;

  while (n_point >> bits) ++bits;
  return bits;
}

/* Mask of the bits of the Gray code that make the bit of a level, and above them the bit of the level itself. */
static uint64_t equation_of(const sal_sobol_equations *e, int level)
{
  int bit = 0;
  uint64_t row = (uint64_t)1 << (32 + level);

  for (int i = 0; i < level; ++i) bit += e->halved[i] == e->halved[level];
  const uint32_t *v = sal_sobol_directions(e->halved[level]);
  for (int j = 0; j < e->n_bit; ++j) row |= (uint64_t)(v[j] >> (BITS - 1 - bit) & 1) << j;
  return row;
}

/* Gray codes that the equations, solved, all have 0 for. */
static void find_null(sal_sobol_equations *e, const uint64_t row[])
{
  uint32_t pivots = 0;

  for (int i = 0; i < e->n_pivot; ++i) {
    e->by[i] = (uint32_t)(row[i] >> 32);
    pivots |= 1U << e->pivot[i];
  }
  e->n_free = 0;
  for (int j = 0; j < e->n_bit; ++j) {
    if (pivots >> j & 1) continue;
    uint32_t gray = 1U << j;
    for (int i = 0; i < e->n_pivot; ++i) gray |= (uint32_t)(row[i] >> j & 1) << e->pivot[i];
    e->null[e->n_free++] = gray;
  }
}

void sal_sobol_equations_solve(sal_sobol_equations *e)
{
  uint64_t row[BITS];

  e->n_pivot = e->n_check = 0;
  for (int level = 0; level < e->depth; ++level) {
    uint64_t own = equation_of(e, level);
    for (int i = 0; i < e->n_pivot; ++i)
      if (own >> e->pivot[i] & 1) own ^= row[i];
    if ((uint32_t)own == 0) {
      e->check[e->n_check++] = (uint32_t)(own >> 32);
      continue;
    }
    const int pivot = __builtin_ctz((uint32_t)own);
    for (int i = 0; i < e->n_pivot; ++i)
      if (row[i] >> pivot & 1) row[i] ^= own;
    e->pivot[e->n_pivot] = pivot;
    row[e->n_pivot++] = own;
  }
  find_null(e, row);
}

static uint32_t parity(uint32_t bits) { return (uint32_t)__builtin_popcount(bits) & 1; }

bool sal_sobol_equations_gray(const sal_sobol_equations *e, uint32_t box, uint32_t *gray)
{
  *gray = 0;
  for (int i = 0; i < e->n_check; ++i)
    if (parity(e->check[i] & box)) return false;
  for (int i = 0; i < e->n_pivot; ++i) *gray |= parity(e->by[i] & box) << e->pivot[i];
  return true;
}
