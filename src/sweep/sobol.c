/** @file src/sweep/sobol.c
 *  Direction numbers from primitive polynomials over the field of two elements.
 */
#include "sobol.h"
#include <assert.h>

enum { FIRST = 8 }; /* direction numbers that are given, of polynomials up to that degree */

/* Bit d of a polynomial is the coefficient of x^d. */
static const uint16_t polynomial[SAL_SOBOL_COLUMNS] = {
    1,   3,   7,   11,  13,  19,  25,  37,  59,  47,  61,  55,  41,  67,
    97,  91,  109, 103, 115, 131, 193, 137, 145, 143, 241, 157, 185, 167,
    229, 171, 213, 191, 253, 203, 211, 239, 247, 285, 369, 299};

/* Numerators: number j is over 2^(j + 1). */
static const uint8_t first[FIRST][SAL_SOBOL_COLUMNS] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
     1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    {1, 3, 1, 3, 1, 3, 1, 3, 3, 1, 3, 1, 3, 1, 3, 1, 1, 3, 1, 3,
     1, 3, 1, 3, 3, 1, 3, 1, 3, 1, 3, 1, 1, 3, 1, 3, 1, 3, 1, 3},
    {1, 5, 7, 7, 5, 1, 3, 3, 7, 5, 5, 7, 7, 1, 3, 3, 7, 5, 1, 1,
     5, 3, 3, 1, 7, 5, 1, 3, 3, 7, 5, 1, 1, 5, 7, 7, 5, 1, 3, 3},
    {1, 15, 11, 5, 3, 1,  7, 9, 13, 11, 1, 3,  7, 9,  5,  13, 13, 11, 3, 15,
     5, 3,  15, 7, 9, 13, 9, 1, 11, 7,  5, 15, 1, 15, 11, 5,  3,  1,  7, 9},
    {1, 17, 13, 7, 15, 9,  31, 9,  3,  27, 15, 29, 21, 23, 19, 11, 25, 7, 13, 17,
     1, 25, 29, 3, 31, 11, 5,  23, 27, 19, 21, 5,  1,  17, 13, 7,  15, 9, 31, 9},
    {1,  51, 61, 43, 51, 59, 47, 57, 35, 53, 19, 51, 61, 37, 33, 7,  5,  11, 39, 63,
     27, 17, 15, 23, 29, 3,  21, 13, 31, 25, 9,  49, 33, 19, 29, 11, 19, 27, 15, 25},
    {1,  85,  67, 49, 125, 25, 109, 43, 89, 69,  113, 47, 55, 97, 3, 37,  83, 103, 27, 13,
     33, 115, 41, 79, 17,  29, 119, 75, 73, 105, 7,   59, 65, 21, 3, 113, 61, 89,  45, 107},
    {1,   255, 79,  147, 141, 89,  173, 43,  9,   25, 115, 97,  19,  97,
     197, 101, 255, 29,  203, 65,  195, 177, 105, 17, 47,  169, 109, 149,
     15,  213, 135, 253, 191, 155, 175, 63,  47,  7,  23,  39}};

static uint32_t direction[SAL_SOBOL_COLUMNS][SAL_SOBOL_BITS];

static int degree_of(unsigned p)
{
  int d = 0;

  while (p >> (d + 1)) ++d;
  return d;
}

/* v_j = v_{j-d} / 2^d + v_{j-d} + sum of those v_{j-i} whose coefficient of x^(d-i) is 1. */
static void fill_column(int c)
{
  const int d = degree_of(polynomial[c]);
  uint32_t *v = direction[c];

  for (int j = 0; j < FIRST; ++j) v[j] = (uint32_t)first[j][c] << (SAL_SOBOL_BITS - 1 - j);
  for (int j = FIRST; j < SAL_SOBOL_BITS; ++j) {
    v[j] = d == 0 ? 1U << (SAL_SOBOL_BITS - 1 - j) : v[j - d] >> d ^ v[j - d];
    for (int i = 1; i < d; ++i)
      if (polynomial[c] >> (d - i) & 1) v[j] ^= v[j - i];
  }
}

void sal_sobol_prepare(void)
{
  for (int c = 0; c < SAL_SOBOL_COLUMNS; ++c) fill_column(c);
}

const uint32_t *sal_sobol_directions(int column)
{
  assert(column < SAL_SOBOL_COLUMNS && direction[0][0]);
  return direction[column];
}

int64_t sal_sobol_point(uint32_t gray)
{
  for (int shift = 1; shift < 32; shift *= 2) gray ^= gray >> shift;
  return (int64_t)gray - 1;
}

uint32_t sal_sobol_coordinate(int column, uint32_t gray)
{
  const uint32_t *v = sal_sobol_directions(column);
  uint32_t x = 0;

  assert(gray >> SAL_SOBOL_BITS == 0);
  for (; gray; gray &= gray - 1) x ^= v[__builtin_ctz(gray)];
  return x;
}
