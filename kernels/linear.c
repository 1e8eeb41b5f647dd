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

/* ---- bands ---------------------------------------------------------------------------------- */

/* The last row that column j has below the diagonal; the last column that row j may have by then. */
static int last_below(const sal_band *b, int j)
{
  return j + b->lower < b->n ? j + b->lower : b->n - 1;
}
static int last_right(const sal_band *b, int j)
{
  return j + b->lower + b->upper < b->n ? j + b->lower + b->upper : b->n - 1;
}

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

void sal_linear_band_factorise(const sal_band *b, sal_v A[], sal_m piv[])
{
  const int row = sal_band_row(b);
  sal_m any = sal_none();

  for (int j = 0; j < b->n; ++j) {
    const int below = last_below(b, j), more = last_right(b, j) - j;
    sal_v *const pivot = A + j * row + b->lower;
    for (int i = j + 1; i <= below; ++i) {
      sal_v *const a = A + i * row + j - i + b->lower;
      const sal_m larger = sal_gt(sal_abs(*a), sal_abs(*pivot));
      piv[j * row + i - j] = larger;
      any |= larger;
      if (sal_any(larger))
        for (int k = 0; k <= more; ++k) sal_linear_exchange(larger, &a[k], &pivot[k]);
    }
    const sal_v inverse = 1.0 / *pivot;
    for (int i = j + 1; i <= below; ++i) {
      sal_v *const a = A + i * row + j - i + b->lower;
      const sal_v factor = *a * inverse;
      *a = factor;
      for (int k = 1; k <= more; ++k) a[k] -= factor * pivot[k];
    }
    *pivot = inverse;
  }
  piv[0] = any;
}

void sal_linear_band_solve(const sal_band *b, const sal_v LU[], const sal_m piv[], sal_v x[])
{
  const bool exchanges = sal_any(piv[0]);
  const int n = b->n, row = sal_band_row(b);
  sal_v in_order[SAL_MAX_STATE], *const y = b->order ? in_order : x;

  for (int i = 0; i < n && b->order; ++i) y[i] = x[b->order[i]];
  for (int j = 0; j < n; ++j) {
    const int below = last_below(b, j);
    for (int i = j + 1; i <= below && exchanges; ++i)
      sal_linear_exchange(piv[j * row + i - j], &y[i], &y[j]);
    for (int i = j + 1; i <= below; ++i) y[i] -= LU[i * row + j - i + b->lower] * y[j];
  }
  for (int i = n; i-- > 0;) {
    const sal_v *const diagonal = LU + i * row + b->lower;
    const int more = last_right(b, i) - i;
    for (int k = 1; k <= more; ++k) y[i] -= diagonal[k] * y[i + k];
    y[i] *= *diagonal;
  }
  for (int i = 0; i < n && b->order; ++i) x[b->order[i]] = y[i];
}

void sal_linear_band_factorise_complex(const sal_band *b, sal_v re[], sal_v im[], sal_m piv[])
{
  const int row = sal_band_row(b);
  sal_m any = sal_none();

  for (int j = 0; j < b->n; ++j) {
    const int below = last_below(b, j), more = last_right(b, j) - j, p = j * row + b->lower;
    for (int i = j + 1; i <= below; ++i) {
      const int a = i * row + j - i + b->lower;
      const sal_m larger = sal_gt(sal_abs(re[a]) + sal_abs(im[a]), sal_abs(re[p]) + sal_abs(im[p]));
      piv[j * row + i - j] = larger;
      any |= larger;
      for (int k = 0; k <= more && sal_any(larger); ++k) {
        sal_linear_exchange(larger, &re[a + k], &re[p + k]);
        sal_linear_exchange(larger, &im[a + k], &im[p + k]);
      }
    }
    const pair inverse = reciprocal(re[p], im[p]);
    for (int i = j + 1; i <= below; ++i) {
      const int a = i * row + j - i + b->lower;
      const pair factor = times(re[a], im[a], inverse);
      re[a] = factor.re;
      im[a] = factor.im;
      for (int k = 1; k <= more; ++k)
        take_off(re[p + k], im[p + k], &factor.re, &factor.im, &re[a + k], &im[a + k]);
    }
    re[p] = inverse.re;
    im[p] = inverse.im;
  }
  piv[0] = any;
}

static void substitute_band_complex(const sal_band *b, const sal_v re[], const sal_v im[],
                                    const sal_m piv[], sal_v x[], sal_v y[])
{
  const bool exchanges = sal_any(piv[0]);
  const int row = sal_band_row(b);

  for (int j = 0; j < b->n; ++j) {
    const int below = last_below(b, j);
    for (int i = j + 1; i <= below && exchanges; ++i) {
      sal_linear_exchange(piv[j * row + i - j], &x[i], &x[j]);
      sal_linear_exchange(piv[j * row + i - j], &y[i], &y[j]);
    }
    for (int i = j + 1; i <= below; ++i) {
      const int a = i * row + j - i + b->lower;
      take_off(re[a], im[a], &x[j], &y[j], &x[i], &y[i]);
    }
  }
  for (int i = b->n; i-- > 0;) {
    const int d = i * row + b->lower, more = last_right(b, i) - i;
    for (int k = 1; k <= more; ++k)
      take_off(re[d + k], im[d + k], &x[i + k], &y[i + k], &x[i], &y[i]);
    const pair z = times(re[d], im[d], (pair){x[i], y[i]});
    x[i] = z.re;
    y[i] = z.im;
  }
}

void sal_linear_band_solve_complex(const sal_band *b, const sal_v re[], const sal_v im[],
                                   const sal_m piv[], sal_v b_re[], sal_v b_im[])
{
  sal_v x[SAL_MAX_STATE], y[SAL_MAX_STATE];

  for (int i = 0; i < b->n; ++i) {
    x[i] = b_re[sal_band_element(b, i)];
    y[i] = b_im[sal_band_element(b, i)];
  }
  substitute_band_complex(b, re, im, piv, x, y);
  for (int i = 0; i < b->n; ++i) {
    b_re[sal_band_element(b, i)] = x[i];
    b_im[sal_band_element(b, i)] = y[i];
  }
}
