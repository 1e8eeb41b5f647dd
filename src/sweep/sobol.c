/** Direction numbers from primitive polynomials over the field of two elements. */
#include "sobol.h"
#include <assert.h>

#define SAL_SOBOL(...) {__VA_ARGS__},
static const uint32_t direction[SAL_SOBOL_COLUMNS][SAL_SOBOL_BITS] = {
#include "sobol.def"
};

const uint32_t *sal_sobol_directions(int column)
{
  assert(column < SAL_SOBOL_COLUMNS);
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
