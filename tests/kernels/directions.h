/** Vectors for tests of derivatives: random directions, lengths, distances. */
#pragma once

#include <math.h>
#include <stdint.h>

/** Uniform in (-1, 1); xorshift64* (Vigna 2016), state not 0. */
static inline double random_sign(uint64_t *state)
{
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (double)((*state * 0x2545F4914F6CDD1DU) >> 11) * 0x1p-52 - 1;
}

static inline double length_of(int n, const double v[])
{
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += v[i] * v[i];
  return sqrt(sum);
}

static inline double distance(int n, const double a[], const double b[])
{
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

/** A direction of length 1. */
static inline void random_direction(uint64_t *state, int n, double d[])
{
  double length;

  do {
    for (int i = 0; i < n; ++i) d[i] = random_sign(state);
    length = length_of(n, d);
  } while (length > 1 || length < 0.1);
  for (int i = 0; i < n; ++i) d[i] /= length;
}
