/** One double per lane: the only SIMD vocabulary in the project.
 *
 *  Every file below kernels/ marked "lane half" is compiled once per width with
 *  -DSAL_LANES=1|4|8, or 2, of NEON, in place of 4.  Width 1 is plain double; a wider build advances N trajectories
 *  in lock step and gives the same bits (the build sets -ffp-contract=off).
 *  sal_v takes + - * / like a double; a mask sal_m is 0 or ~0 in each lane.
 *  Intrinsics appear in this file only.  Its names are the operators of lane code and therefore
 *  short; all other functions of kernels/ are named after their file.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if SAL_LANES == 2
#include <arm_neon.h>
#elif SAL_LANES > 1
#include <immintrin.h>
#endif

#if (SAL_LANES == 8 && !(defined(__AVX512F__) && defined(__AVX512DQ__))) ||                        \
    (SAL_LANES == 4 && !defined(__AVX2__))
#error "SAL_LANES is wider than the target's registers: gcc would go through memory"
#endif

/* Blocks of lanes that an explicit pair takes by turns, so that one computes while another one waits
 * for results (pair_steps.h). */
#define SAL_BLOCKS 2

#define SAL_PASTE_(name, width) name##_w##width
#define SAL_PASTE(name, width) SAL_PASTE_(name, width)
#if SAL_LANES == 2
#define SAL_BUILD                                                                                  \
  4 /* has two lanes there: a program has one build of width 1, and at most two others */
#else
#define SAL_BUILD SAL_LANES
#endif
#define SAL_FN(name) SAL_PASTE(name, SAL_BUILD) /* sal_foo -> sal_foo_w8 */
#define SAL_JOIN_(a, b) a##b
#define SAL_JOIN(a, b) SAL_JOIN_(a, b)
#define SAL_WIDTH(w) SAL_JOIN(w, SAL_BUILD) /* a descriptor's member: w -> w8 */
#define SAL_INLINE static inline __attribute__((always_inline))

#if SAL_LANES == 1
typedef double sal_v;
typedef int64_t sal_m;
#define SAL_AT(v, lane) (*((void)(lane), &(v)))
#define SAL_MASK(cond) (-(sal_m)(cond))
#define SAL_SEL(m, a, b) ((m) ? (a) : (b))
#else
typedef double sal_v __attribute__((vector_size(8 * SAL_LANES)));
typedef int64_t sal_m __attribute__((vector_size(8 * SAL_LANES)));
#define SAL_AT(v, lane) ((v)[lane])
#define SAL_MASK(cond) ((sal_m)(cond))
#if SAL_LANES == 4
#define SAL_SEL(m, a, b) ((sal_v)_mm256_blendv_pd((__m256d)(b), (__m256d)(a), (__m256d)(m)))
#elif SAL_LANES == 2
#define SAL_SEL(m, a, b) ((sal_v)vbslq_f64((uint64x2_t)(m), (float64x2_t)(a), (float64x2_t)(b)))
#else
#define SAL_SEL(m, a, b) ((sal_v)(((sal_m)(a) & (m)) | ((sal_m)(b) & ~(m))))
#endif
#endif

SAL_INLINE sal_v sal_set(double x) { return (sal_v){0} + x; }
SAL_INLINE sal_m sal_none(void) { return (sal_m){0}; }
SAL_INLINE sal_m sal_lt(sal_v a, sal_v b) { return SAL_MASK(a < b); }
SAL_INLINE sal_m sal_le(sal_v a, sal_v b) { return SAL_MASK(a <= b); }
SAL_INLINE sal_m sal_gt(sal_v a, sal_v b) { return SAL_MASK(a > b); }
SAL_INLINE sal_m sal_ge(sal_v a, sal_v b) { return SAL_MASK(a >= b); }
SAL_INLINE sal_m sal_eq(sal_v a, sal_v b) { return SAL_MASK(a == b); }

/** a where m, else b. */
SAL_INLINE sal_v sal_sel(sal_m m, sal_v a, sal_v b) { return SAL_SEL(m, a, b); }

/** The larger of a and b; a NaN in a is passed on as b, a NaN in b as b. */
#if SAL_LANES == 8
SAL_INLINE sal_v sal_max(sal_v a, sal_v b) { return (sal_v)_mm512_max_pd((__m512d)a, (__m512d)b); }
SAL_INLINE sal_v sal_min(sal_v a, sal_v b) { return (sal_v)_mm512_min_pd((__m512d)a, (__m512d)b); }
#elif SAL_LANES == 4
SAL_INLINE sal_v sal_max(sal_v a, sal_v b) { return (sal_v)_mm256_max_pd((__m256d)a, (__m256d)b); }
SAL_INLINE sal_v sal_min(sal_v a, sal_v b) { return (sal_v)_mm256_min_pd((__m256d)a, (__m256d)b); }
#else
SAL_INLINE sal_v sal_max(sal_v a, sal_v b) { return sal_sel(sal_gt(a, b), a, b); }
SAL_INLINE sal_v sal_min(sal_v a, sal_v b) { return sal_sel(sal_lt(a, b), a, b); }
#endif

/** Reinterprets bits, for masks on the sign or the exponent. */
SAL_INLINE sal_m sal_bits(sal_v a)
{
#if SAL_LANES == 1
  sal_m m;
  memcpy(&m, &a, sizeof m);
  return m;
#else
  return (sal_m)a;
#endif
}

SAL_INLINE sal_v sal_from_bits(sal_m m)
{
#if SAL_LANES == 1
  sal_v a;
  memcpy(&a, &m, sizeof a);
  return a;
#else
  return (sal_v)m;
#endif
}

SAL_INLINE sal_v sal_abs(sal_v a) { return sal_from_bits(sal_bits(a) & INT64_MAX); }

/** Is any lane of the mask set?  Lane data may steer a branch through this alone. */
SAL_INLINE bool sal_any(sal_m m)
{
#if SAL_LANES == 8
  return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0;
#elif SAL_LANES == 4
  return !_mm256_testz_si256((__m256i)m, (__m256i)m);
#elif SAL_LANES == 2
  return vmaxvq_u32((uint32x4_t)m) != 0;
#else
  return m != 0;
#endif
}

SAL_INLINE sal_v sal_sqrt(sal_v a)
{
#if SAL_LANES == 8
  return (sal_v)_mm512_sqrt_pd((__m512d)a);
#elif SAL_LANES == 4
  return (sal_v)_mm256_sqrt_pd((__m256d)a);
#elif SAL_LANES == 2
  return (sal_v)vsqrtq_f64((float64x2_t)a);
#else
  return sqrt(a);
#endif
}

/** Integer lanes to double lanes and back (truncating); |a| < 2^51 in both directions. */
SAL_INLINE sal_v sal_to_double(sal_m a)
{
#if SAL_LANES == 1
  return (double)a;
#else
  return __builtin_convertvector(a, sal_v);
#endif
}

SAL_INLINE sal_m sal_to_int(sal_v a)
{
#if SAL_LANES == 1
  return (int64_t)a;
#else
  return __builtin_convertvector(a, sal_m);
#endif
}

/** Before code for narrow registers that is timed: gcc 12 leaves the upper halves of wide ones in use after calls that
 *  take vectors, which slows it down. */
SAL_INLINE void sal_narrow(void)
{
#if SAL_LANES > 2
  __builtin_ia32_vzeroupper();
#endif
}

/** The greatest of integer lanes. */
SAL_INLINE int64_t sal_highest(sal_m a)
{
#if SAL_LANES == 8
  return _mm512_reduce_max_epi64((__m512i)a);
#else
  int64_t most = SAL_AT(a, 0);
  for (int lane = 1; lane < SAL_LANES; ++lane)
    most = SAL_AT(a, lane) > most ? SAL_AT(a, lane) : most;
  return most;
#endif
}

/** a[i] of each lane, from rows of lanes; i is an index of a in all of them. */
SAL_INLINE sal_v sal_gather(const sal_v a[], sal_m i)
{
#if SAL_LANES == 8
  const sal_m lane = {0, 1, 2, 3, 4, 5, 6, 7};
  return (sal_v)_mm512_i64gather_pd((__m512i)(i * 8 + lane), a, 8);
#elif SAL_LANES == 4
  const sal_m lane = {0, 1, 2, 3};
  return (sal_v)_mm256_i64gather_pd((const double *)a, (__m256i)(i * 4 + lane), 8);
#elif SAL_LANES == 2
  return (sal_v){a[i[0]][0], a[i[1]][1]};
#else
  return a[i];
#endif
}

/** The same from a table that all lanes share. */
SAL_INLINE sal_v sal_look_up(const double a[], sal_m i)
{
#if SAL_LANES == 8
  return (sal_v)_mm512_i64gather_pd((__m512i)i, a, 8);
#elif SAL_LANES == 4
  return (sal_v)_mm256_i64gather_pd(a, (__m256i)i, 8);
#elif SAL_LANES == 2
  return (sal_v){a[i[0]], a[i[1]]};
#else
  return a[i];
#endif
}

/** a[lane][i] of each lane, from arrays of their own. */
SAL_INLINE sal_v sal_fetch(const double *const a[], sal_m i)
{
#if SAL_LANES == 8
  const sal_m base = (sal_m)_mm512_loadu_si512(a);
  return (sal_v)_mm512_i64gather_pd((__m512i)(base + i * 8), NULL, 1);
#else
  sal_v x = sal_set(0);
  for (int lane = 0; lane < SAL_LANES; ++lane) SAL_AT(x, lane) = a[lane][SAL_AT(i, lane)];
  return x;
#endif
}

/** Adds x to a[lane * length + i] of each lane. */
SAL_INLINE void sal_add_to(double a[], int length, sal_m i, sal_v x)
{
#if SAL_LANES == 8
  const sal_m first = {0, 1, 2, 3, 4, 5, 6, 7}, at = first * length + i;
  const __m512d sum = _mm512_i64gather_pd((__m512i)at, a, 8);
  _mm512_i64scatter_pd(a, (__m512i)at, (__m512d)((sal_v)sum + x), 8);
#else
  for (int lane = 0; lane < SAL_LANES; ++lane)
    a[lane * length + SAL_AT(i, lane)] += SAL_AT(x, lane);
#endif
}

/** Copies a [n] to b in the lanes of m. */
SAL_INLINE void sal_assign(int n, sal_m m, sal_v b[], const sal_v a[])
{
  for (int i = 0; i < n; ++i) b[i] = sal_sel(m, a[i], b[i]);
}

/** a where m, else b, for masks and integer lanes. */
SAL_INLINE sal_m sal_pick(sal_m m, sal_m a, sal_m b)
{
#if SAL_LANES == 4
  return (sal_m)SAL_SEL(m, (sal_v)a, (sal_v)b);
#else
  return (a & m) | (b & ~m);
#endif
}

/** Adds k to the counter in the lanes of m. */
SAL_INLINE void sal_count(sal_m *counter, sal_m m, int64_t k) { *counter += m & ((sal_m){0} + k); }
