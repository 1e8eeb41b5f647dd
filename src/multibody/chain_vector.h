/** @file src/multibody/chain_vector.h
 *  Products of vectors, of single numbers and of packs of columns.
 */
#ifndef SAL_CHAIN_VECTOR_H
#define SAL_CHAIN_VECTOR_H

#include "chain_parts.h"

static inline double dot3(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** out += a x b */
static inline void add_cross(const double a[3], const double b[3], double out[3])
{
  out[0] += a[1] * b[2] - a[2] * b[1];
  out[1] += a[2] * b[0] - a[0] * b[2];
  out[2] += a[0] * b[1] - a[1] * b[0];
}

/** out = A s */
static inline void rotate(const double A[9], const double s[3], double out[3])
{
  for (int i = 0; i < 3; ++i) out[i] = dot3(A + 3 * (ptrdiff_t)i, s);
}

/** out = A^T s */
static inline void rotate_back(const double A[9], const double s[3], double out[3])
{
  for (int i = 0; i < 3; ++i) out[i] = A[i] * s[0] + A[3 + i] * s[1] + A[6 + i] * s[2];
}

static inline sal_chain_pack dot_pack(const double a[3], const sal_chain_pack b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Sets packs to 0; a memset of so few is slower. */
static inline void clear(int n, sal_chain_pack x[])
{
  const sal_chain_pack none = {0};

  for (int i = 0; i < n; ++i) x[i] = none;
}

/** out += a x b of packs. */
static inline void spin(const double a[3], const sal_chain_pack b[3], sal_chain_pack out[3])
{
  out[0] += a[1] * b[2] - a[2] * b[1];
  out[1] += a[2] * b[0] - a[0] * b[2];
  out[2] += a[0] * b[1] - a[1] * b[0];
}

/** out -= a x b, so out += b x a */
static inline void spin_back(const double a[3], const sal_chain_pack b[3], sal_chain_pack out[3])
{
  out[0] -= a[1] * b[2] - a[2] * b[1];
  out[1] -= a[2] * b[0] - a[0] * b[2];
  out[2] -= a[0] * b[1] - a[1] * b[0];
}

/** out += J b */
static inline void weigh(const double J[9], const sal_chain_pack b[3], sal_chain_pack out[3])
{
  for (int i = 0; i < 3; ++i) out[i] += dot_pack(J + 3 * (ptrdiff_t)i, b);
}

static inline double sum_of(sal_chain_pack a) { return a[0] + a[1] + a[2] + a[3]; }

/** Number i of an array of packs. */
static inline double *lane_of(sal_chain_pack a[], int i) { return (double *)a + i; }

/** Part of a body's velocity by speed k of its block: component i at [i * SAL_CHAIN_LANES]. */
static inline const double *local_of_speed(const sal_chain *c, int body, int k)
{
  const ptrdiff_t pack =
      (ptrdiff_t)body * (SAL_CHAIN_BLOCK / SAL_CHAIN_LANES) + k / SAL_CHAIN_LANES;

  return (const double *)(c->local + pack * 6) + k % SAL_CHAIN_LANES;
}

/** Column pack p of a body, or of an arm. */
static inline sal_chain_pack *pack_of(const sal_chain *c, sal_chain_pack a[], int which, int p,
                                      int height)
{
  return a + ((ptrdiff_t)which * c->plan->n_pack + p) * height;
}

#endif
