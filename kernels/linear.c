/** Elimination and substitution, compiled for the usual numbers of states and for any other, of bands,
 *  and the same of complex matrices.
 */
#include "linear.h"
#include "model.h"

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

/* A pivot's size is |re| + |im|; a and p are the places of the row below and of the pivot. */
SAL_INLINE sal_m exchange_rows(int length, int a, int p, sal_v re[], sal_v im[])
{
  const sal_m larger = sal_gt(sal_abs(re[a]) + sal_abs(im[a]), sal_abs(re[p]) + sal_abs(im[p]));

  if (!sal_any(larger)) return larger;
  for (int k = 0; k < length; ++k) {
    sal_linear_exchange(larger, &re[a + k], &re[p + k]);
    sal_linear_exchange(larger, &im[a + k], &im[p + k]);
  }
  return larger;
}

/* b_i -= A_ij b_j */
SAL_INLINE void take_off(sal_v a_re, sal_v a_im, const sal_v *b_re, const sal_v *b_im, sal_v *re,
                         sal_v *im)
{
  const pair part = times(a_re, a_im, (pair){*b_re, *b_im});

  *re -= part.re;
  *im -= part.im;
}

/* As sal_linear_eliminate_form and sal_linear_substitute_form. */
SAL_INLINE void eliminate_complex(int n, int below, int right, int step, sal_v re[], sal_v im[],
                                  sal_m piv[])
{
  sal_m any = sal_none();

  for (int j = 0; j < n; ++j) {
    const int end = sal_linear_end(n, j, below), length = sal_linear_end(n, j, right) - j;
    const int p = j * step + j;
    for (int i = j + 1; i < end; ++i) {
      const sal_m larger = exchange_rows(length, i * step + j, p, re, im);
      piv[j * step + i] = larger;
      any |= larger;
    }
    const pair inverse = reciprocal(re[p], im[p]);
    for (int i = j + 1; i < end; ++i) {
      const int a = i * step + j;
      const pair factor = times(re[a], im[a], inverse);
      re[a] = factor.re;
      im[a] = factor.im;
      for (int k = 1; k < length; ++k)
        take_off(re[p + k], im[p + k], &factor.re, &factor.im, &re[a + k], &im[a + k]);
    }
    re[p] = inverse.re;
    im[p] = inverse.im;
  }
  piv[0] = any;
}

void sal_linear_factorise_complex(int n, sal_v re[], sal_v im[], sal_m piv[]){
#define ELIMINATE_COMPLEX(size) eliminate_complex(size, size, size, size, re, im, piv)
    FOR_CONSTANT_N(ELIMINATE_COMPLEX)}

SAL_INLINE void substitute_complex(int n, int below, int right, int step, const sal_v re[],
                                   const sal_v im[], const sal_m piv[], sal_v b_re[], sal_v b_im[])
{
  const bool exchanges = sal_any(piv[0]);

  for (int j = 0; j < n; ++j) {
    const int end = sal_linear_end(n, j, below);
    for (int i = j + 1; i < end && exchanges; ++i) {
      sal_linear_exchange(piv[j * step + i], &b_re[i], &b_re[j]);
      sal_linear_exchange(piv[j * step + i], &b_im[i], &b_im[j]);
    }
    for (int i = j + 1; i < end; ++i)
      take_off(re[i * step + j], im[i * step + j], &b_re[j], &b_im[j], &b_re[i], &b_im[i]);
  }
  for (int i = n - 1; i >= 0; --i) {
    const int d = i * step + i, length = sal_linear_end(n, i, right) - i;
    for (int k = 1; k < length; ++k)
      take_off(re[d + k], im[d + k], &b_re[i + k], &b_im[i + k], &b_re[i], &b_im[i]);
    const pair x = times(re[d], im[d], (pair){b_re[i], b_im[i]});
    b_re[i] = x.re;
    b_im[i] = x.im;
  }
}

void sal_linear_solve_complex(int n, const sal_v re[], const sal_v im[], const sal_m piv[],
                              sal_v b_re[], sal_v b_im[])
{
#define SUBSTITUTE_COMPLEX(size) substitute_complex(size, size, size, size, re, im, piv, b_re, b_im)
  FOR_CONSTANT_N(SUBSTITUTE_COMPLEX)
}

/* ---- bands ---------------------------------------------------------------------------------- */

void sal_linear_band_form(const sal_band *b, double diagonal, sal_v scale, const sal_v A[],
                          sal_v M[])
{
  const int row = sal_band_row(b);

  for (int i = 0; i < b->n; ++i)
    for (int e = 0, j = i - b->lower; e < row; ++e, ++j) {
      const bool inside = j >= 0 && j < b->n && j <= i + b->upper;
      const sal_v part = inside ? scale * A[i * row + e] : sal_set(0);
      M[i * row + e] = (i == j ? diagonal : 0.0) + part;
    }
}

void sal_linear_band_times(const sal_band *b, const sal_v A[], const sal_v x[], sal_v out[])
{
  const int row = sal_band_row(b);

  for (int i = 0; i < b->n; ++i) {
    const int last = i + b->upper < b->n ? i + b->upper : b->n - 1, to = sal_band_element(b, i);
    for (int j = i > b->lower ? i - b->lower : 0; j <= last; ++j)
      out[to] += A[i * row + j - i + b->lower] * x[sal_band_element(b, j)];
  }
}

/* The form of a band, from its first diagonal element on. */
#define FORM_OF(b) (b)->n, (b)->lower, (b)->lower + (b)->upper, sal_band_row(b) - 1

void sal_linear_band_factorise(const sal_band *b, sal_v A[], sal_m piv[])
{
  sal_linear_eliminate_form(FORM_OF(b), A + b->lower, piv);
}

void sal_linear_band_solve(const sal_band *b, const sal_v LU[], const sal_m piv[], sal_v x[])
{
  sal_v in_order[SAL_MAX_STATE], *const y = b->order ? in_order : x;

  for (int i = 0; i < b->n && b->order; ++i) y[i] = x[b->order[i]];
  sal_linear_substitute_form(FORM_OF(b), LU + b->lower, piv, y);
  for (int i = 0; i < b->n && b->order; ++i) x[b->order[i]] = y[i];
}

void sal_linear_band_factorise_complex(const sal_band *b, sal_v re[], sal_v im[], sal_m piv[])
{
  eliminate_complex(FORM_OF(b), re + b->lower, im + b->lower, piv);
}

void sal_linear_band_solve_complex(const sal_band *b, const sal_v re[], const sal_v im[],
                                   const sal_m piv[], sal_v b_re[], sal_v b_im[])
{
  sal_v x[SAL_MAX_STATE], y[SAL_MAX_STATE];

  for (int i = 0; i < b->n; ++i) {
    x[i] = b_re[sal_band_element(b, i)];
    y[i] = b_im[sal_band_element(b, i)];
  }
  substitute_complex(FORM_OF(b), re + b->lower, im + b->lower, piv, x, y);
  for (int i = 0; i < b->n; ++i) {
    b_re[sal_band_element(b, i)] = x[i];
    b_im[sal_band_element(b, i)] = y[i];
  }
}
