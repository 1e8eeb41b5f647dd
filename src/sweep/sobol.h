/** Points of Sobol's sequence by number.
 *
 *  A coordinate is the exclusive or of direction numbers, one for each bit that is set in the Gray code of the
 *  number: a linear map over the field of two elements.  Direction numbers are those of Bratley and Fox (Algorithm 659,
 *  ACM Trans. Math. Softw. 14, 1988), which GSL has, too.
 */
#pragma once

#include <stdint.h>

enum { SAL_SOBOL_COLUMNS = 40, SAL_SOBOL_BITS = 30 };

/** Gray code of a point: number 0 is the corner of the box, before all points, and point i has number i + 1. */
static inline uint32_t sal_sobol_gray(int64_t point)
{
  const uint32_t n = (uint32_t)point + 1;

  return n ^ n >> 1;
}
/** The point with that Gray code; -1: the corner. */
int64_t sal_sobol_point(uint32_t gray);

/** The direction numbers of a column [SAL_SOBOL_BITS], in 2^-SAL_SOBOL_BITSths; the first belongs to the lowest bit. */
const uint32_t *sal_sobol_directions(int column);

/** Coordinate `column` of the point with that Gray code, in 2^-SAL_SOBOL_BITSths. */
uint32_t sal_sobol_coordinate(int column, uint32_t gray);
/** That of a point from that of the point before, 0 before the first: Gray codes of numbers that follow each other differ
 *  in one bit. */
static inline uint32_t sal_sobol_after(int column, int64_t point, uint32_t before)
{
  return before ^ sal_sobol_directions(column)[__builtin_ctzll((uint64_t)point + 1)];
}
