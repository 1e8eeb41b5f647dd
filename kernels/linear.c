/** Elimination and substitution, compiled for the usual numbers of states and for any other, and
 *  the same of complex matrices.
 */
#include "linear.h"

/* With n a constant, loops unroll and rows stay in registers. */
#define FOR_CONSTANT_N(call)                                                                       \
  switch (n) {                                                                                     \
    CASE(2, call)                                                                                  \
    CASE(3, call)                                                                                  \
    CASE(4, call)                                                                                  \
    CASE(6, call)                                                                                  \
  default:                                                                                         \
    call(n);                                                                                       \
  }
#define CASE(number, call)                                                                         \
  case number:                                                                                     \
    call(number);                                                                                  \
    return;

void sal_linear_factorise(int n, sal_v A[], sal_m piv[])
{
#define ELIMINATE(size) sal_linear_eliminate(size, A, piv)
  FOR_CONSTANT_N(ELIMINATE)
}

void sal_linear_solve(int n, const sal_v LU[], const sal_m piv[], sal_v b[])
{
#define SUBSTITUTE(size) sal_linear_substitute(size, LU, piv, b)
  FOR_CONSTANT_N(SUBSTITUTE)
}

/* A complex number per lane. */
typedef struct {
  sal_v re, im;
} pair;

SAL_INLINE pair times(sal_v a_re, sal_v a_im, pair b)
{
  return (pair){a_re * b.re - a_im * b.im, a_re * b.im + a_im * b.re};
}

/* 1 / (re + i im), scaled so that no square overflows. */
SAL_INLINE pair reciprocal(sal_v re, sal_v im)
{
  const sal_v size = sal_max(sal_abs(re), sal_abs(im)), a = re / size, b = im / size;
  const sal_v over = 1.0 / (size * (a * a + b * b));

  return (pair){a * over, -b * over};
}

/* A pivot's size is |re| + |im|. */
SAL_INLINE void exchange_rows(int n, int j, int i, sal_v re[], sal_v im[], sal_m piv[])
{
  const sal_v below = sal_abs(re[i * n + j]) + sal_abs(im[i * n + j]);
  const sal_m larger = sal_gt(below, sal_abs(re[j * n + j]) + sal_abs(im[j * n + j]));

  piv[j * n + i] = larger;
  if (!sal_any(larger)) return;
  for (int k = j; k < n; ++k) {
    sal_linear_exchange(larger, &re[i * n + k], &re[j * n + k]);
    sal_linear_exchange(larger, &im[i * n + k], &im[j * n + k]);
  }
}

SAL_INLINE void eliminate_complex(int n, sal_v re[], sal_v im[], sal_m piv[])
{
  sal_m any = sal_none();

  for (int j = 0; j < n; ++j) {
    for (int i = j + 1; i < n; ++i) {
      exchange_rows(n, j, i, re, im, piv);
      any |= piv[j * n + i];
    }
    const pair inverse = reciprocal(re[j * n + j], im[j * n + j]);
    for (int i = j + 1; i < n; ++i) {
      const pair factor = times(re[i * n + j], im[i * n + j], inverse);
      re[i * n + j] = factor.re;
      im[i * n + j] = factor.im;
      for (int k = j + 1; k < n; ++k) {
        const pair part = times(re[j * n + k], im[j * n + k], factor);
        re[i * n + k] -= part.re;
        im[i * n + k] -= part.im;
      }
    }
    re[j * n + j] = inverse.re;
    im[j * n + j] = inverse.im;
  }
  piv[0] = any;
}

void sal_linear_factorise_complex(int n, sal_v re[], sal_v im[], sal_m piv[]){
#define ELIMINATE_COMPLEX(size) eliminate_complex(size, re, im, piv)
    FOR_CONSTANT_N(ELIMINATE_COMPLEX)}

/* b_i -= A_ij b_j */
SAL_INLINE void take_off(sal_v a_re, sal_v a_im, const sal_v *b_re, const sal_v *b_im, sal_v *re,
                         sal_v *im)
{
  const pair part = times(a_re, a_im, (pair){*b_re, *b_im});

  *re -= part.re;
  *im -= part.im;
}

SAL_INLINE void substitute_complex(int n, const sal_v re[], const sal_v im[], const sal_m piv[],
                                   sal_v b_re[], sal_v b_im[])
{
  const bool exchanges = sal_any(piv[0]);

  for (int j = 0; j < n; ++j) {
    for (int i = j + 1; i < n && exchanges; ++i) {
      sal_linear_exchange(piv[j * n + i], &b_re[i], &b_re[j]);
      sal_linear_exchange(piv[j * n + i], &b_im[i], &b_im[j]);
    }
    for (int i = j + 1; i < n; ++i)
      take_off(re[i * n + j], im[i * n + j], &b_re[j], &b_im[j], &b_re[i], &b_im[i]);
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j)
      take_off(re[i * n + j], im[i * n + j], &b_re[j], &b_im[j], &b_re[i], &b_im[i]);
    const pair x = times(re[i * n + i], im[i * n + i], (pair){b_re[i], b_im[i]});
    b_re[i] = x.re;
    b_im[i] = x.im;
  }
}

void sal_linear_solve_complex(int n, const sal_v re[], const sal_v im[], const sal_m piv[],
                              sal_v b_re[], sal_v b_im[])
{
#define SUBSTITUTE_COMPLEX(size) substitute_complex(size, re, im, piv, b_re, b_im)
  FOR_CONSTANT_N(SUBSTITUTE_COMPLEX)
}
