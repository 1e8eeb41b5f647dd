/** LU with partial pivoting, one system per lane, each with its own pivots. */
#include "lane_probe.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

enum { LARGEST = 12, COUNT = 512 };
static const double eps = 0x1p-52;

static double A[COUNT * LARGEST * LARGEST], b[COUNT * LARGEST], x[COUNT * LARGEST],
    x_w1[COUNT * LARGEST];

/* A reproducible number in [-1, 1). */
static double chance(void)
{
  static uint64_t state = 7;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) * 0x1p-52 - 1;
}

/* System k: full, with a zero first pivot, with tiny pivots down the diagonal, or rows of the unit
 * matrix in reverse order; neighbours differ, so lanes pivot differently. */
static void fill(int n, int k)
{
  double *M = A + k * n * n;

  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      M[i * n + j] = chance();
      if (i == j && k % 4 == 2) M[i * n + j] *= 1e-14;
      if (k % 4 == 3) M[i * n + j] = i + j == n - 1 ? 2 : 0;
    }
    b[k * n + i] = chance();
  }
  if (k % 4 == 1 && n > 1) M[0] = 0;
}

/* max_i |A x - b|_i / (sum_j |A_ij x_j| + |b_i|): small whatever the condition of A. */
static double residual(int n, int k)
{
  double worst = 0;

  for (int i = 0; i < n; ++i) {
    long double sum = -b[k * n + i], size = fabs(b[k * n + i]);
    for (int j = 0; j < n; ++j) {
      const long double term = (long double)A[(k * n + i) * n + j] * x[k * n + j];
      sum += term;
      size += fabsl(term);
    }
    worst = fmax(worst, (double)(fabsl(sum) / size));
  }
  return worst;
}

static void solve(int n, int count)
{
  for (int w = 0; w < n_probe(); ++w) {
    probes[w].solve(n, NULL, count, A, b, x);
    if (w == 0) memcpy(x_w1, x, sizeof x);
    CU_ASSERT_EQUAL(memcmp(x_w1, x, (size_t)(count * n) * sizeof *x), 0);
  }
}

static void each_lane_solves_its_own_system(void)
{
  double worst = 0;

  for (int n = 1; n <= LARGEST; ++n) {
    for (int k = 0; k < COUNT; ++k) fill(n, k);
    solve(n, COUNT);
    double largest = 0;
    for (int k = 0; k < COUNT; ++k) {
      worst = fmax(worst, residual(n, k));
      for (int i = 0; i < n; ++i) largest = fmax(largest, fabs(x[k * n + i]));
    }
    CU_ASSERT(largest > 0.4);
  }
  printf("(residual %.1e) ", worst);
  CU_ASSERT(worst < 100 * eps && worst > 0.1 * eps);
}

static void rows_in_reverse_order_come_back_exactly(void)
{
  for (int n = 2; n <= LARGEST; ++n) {
    for (int k = 0; k < COUNT; ++k) fill(n, k);
    solve(n, COUNT);
    for (int k = 3; k < COUNT; k += 4)
      for (int i = 0; i < n; ++i) CU_ASSERT_EQUAL(x[k * n + i], 0.5 * b[k * n + (n - 1 - i)]);
  }
}

static void a_singular_system_gives_no_number_and_spares_its_neighbours(void)
{
  const int n = 4, bad = 5;

  for (int kind = 0; kind < 3; ++kind) {
    for (int k = 0; k < PROBE_BLOCK; ++k) fill(n, k);
    double *M = A + bad * n * n;
    for (int i = 0; i < n; ++i) {
      if (kind == 0) M[i * n + 2] = 0;                                    /* a column of zeros */
      if (kind == 1) M[3 * n + i] = 0;                                    /* a row of zeros */
      if (kind == 2) M[i * n + 1] = 2 * (M[i * n] = (double)(1 + i % 3)); /* equal directions */
    }
    solve(n, PROBE_BLOCK);
    for (int k = 0; k < PROBE_BLOCK; ++k) {
      bool finite = true;
      for (int i = 0; i < n; ++i) finite &= isfinite(x[k * n + i]) != 0;
      CU_ASSERT_EQUAL(finite, k != bad);
    }
  }
}

/* Row i of a complex system times x, less b, and the sum of the sizes of its terms. */
static double complex_residual(int n, const double M[], const double right[], const double found[],
                               int i)
{
  long double re = -right[i], im = -right[n + i], size = fabs(right[i]) + fabs(right[n + i]);

  for (int j = 0; j < n; ++j) {
    const long double a = M[i * n + j], c = M[n * n + i * n + j], x_re = found[j],
                      x_im = found[n + j];
    re += a * x_re - c * x_im;
    im += a * x_im + c * x_re;
    size += (fabsl(a) + fabsl(c)) * (fabsl(x_re) + fabsl(x_im));
  }
  return (double)((fabsl(re) + fabsl(im)) / size);
}

/* Real and imaginary parts are two of the systems above side by side: a zero pivot in one part or both,
 * tiny ones, and sizes whose squares overflow. */
static void complex_systems_are_solved_alike(void)
{
  enum { HALF = COUNT / 2, MOST = 9, BIG = 8 };
  double worst = 0, largest = 0, largest_im = 0;

  for (int n = 1; n <= MOST; ++n) {
    for (int k = 0; k < COUNT; ++k) fill(n, k);
    for (int k = 0; k < HALF && n > 1; k += 6) A[2 * k * n * n] = A[(2 * k + 1) * n * n] = 0;
    for (int i = 0; i < 2 * n * n; ++i) A[2 * BIG * n * n + i] *= 1e200;
    for (int w = 0; w < n_probe(); ++w) {
      probes[w].complex_solve(n, NULL, HALF, A, b, x);
      if (w == 0) memcpy(x_w1, x, sizeof x);
      CU_ASSERT_EQUAL(memcmp(x_w1, x, (size_t)(COUNT * n) * sizeof *x), 0);
    }
    for (int k = 0; k < HALF; ++k)
      for (int i = 0; i < n; ++i) {
        const double *found = x + 2 * k * n;
        worst = fmax(worst, complex_residual(n, A + 2 * k * n * n, b + 2 * k * n, found, i));
        if (k != BIG) largest = fmax(largest, fabs(found[i]));
        largest_im = fmax(largest_im, fabs(found[n + i]));
      }
  }
  printf("(residual %.1e) ", worst);
  CU_ASSERT(worst < 100 * eps && worst > 0.1 * eps && largest > 0.4 && largest_im > 0.4);
}

/* The same operations but for those on zeros: the same bits as full matrices, at every width. */
static void bands_are_solved_as_full_matrices(void)
{
  enum { N = LARGEST, HALF = COUNT / 2 };
  static const probe_band bands[] = {{0, 1}, {1, 0}, {2, 1}, {1, 3}, {4, 4}, {N - 1, N - 1}};

  for (size_t k = 0; k < sizeof bands / sizeof *bands; ++k) {
    double largest = 0;
    for (int i = 0; i < COUNT; ++i) fill(N, i);
    for (int i = 0; i < COUNT * N * N; ++i) {
      const int over = i % N - i / N % N;
      if (-over > bands[k].lower || over > bands[k].upper) A[i] = 0;
      if (over == 0 && A[i] == 0) A[i] = 1e-3;
    }
    probes[0].solve(N, NULL, COUNT, A, b, x_w1);
    for (int w = 0; w < n_probe(); ++w) {
      probes[w].solve(N, &bands[k], COUNT, A, b, x);
      CU_ASSERT_EQUAL(memcmp(x_w1, x, sizeof x), 0);
    }
    for (int i = 0; i < COUNT; ++i) largest = fmax(largest, residual(N, i));

    CU_ASSERT(largest < 1e-12 && largest > 0.1 * eps);
    probes[0].complex_solve(N, NULL, HALF, A, b, x_w1);
    for (int w = 0; w < n_probe(); ++w) {
      probes[w].complex_solve(N, &bands[k], HALF, A, b, x);
      CU_ASSERT_EQUAL(memcmp(x_w1, x, sizeof x), 0);
    }
  }
}

SAL_TEST_MAIN("small linear systems in lanes", NULL,
              {"each lane solves its own system", each_lane_solves_its_own_system},
              {"complex systems are solved alike", complex_systems_are_solved_alike},
              {"rows in reverse order come back exactly", rows_in_reverse_order_come_back_exactly},
              {"a singular system gives no number and spares its neighbours",
               a_singular_system_gives_no_number_and_spares_its_neighbours},
              {"bands are solved as full matrices", bands_are_solved_as_full_matrices})
