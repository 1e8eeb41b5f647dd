/** Numbers that look random, each of another one: the finaliser of SplitMix64 (Steele, Lea, Flood,
 *  "Fast splittable pseudorandom number generators", OOPSLA 2014).
 */
#pragma once

#include <stdint.h>
#include <string.h>

/** Different numbers have different results. */
static inline uint64_t sal_scramble(uint64_t i)
{
  uint64_t z = i + 0x9e3779b97f4a7c15U;

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/** A key of value [n], by their bits and their order; from: that of what comes before them. */
static inline uint64_t sal_scramble_numbers(uint64_t from, int64_t n, const double value[])
{
  for (int64_t i = 0; i < n; ++i) {
    uint64_t bits;
    memcpy(&bits, &value[i], sizeof bits);
    from = sal_scramble(from ^ bits);
  }
  return from;
}
