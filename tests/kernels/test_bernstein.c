/** The first zeros of polynomials whose zeros are known, one polynomial a lane. */
#include "lane_probe.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

enum { MOST = 16, COUNT = PROBE_BLOCK, HIGHEST = 13 };

static double a[COUNT * (HIGHEST + 1)], at[COUNT * MOST * 2], at_w1[COUNT * MOST * 2];
static int n[COUNT], n_w1[COUNT], open[COUNT], open_w1[COUNT];

/* Polynomial k of degree d is c times the product of theta - zero[k][i], in powers of theta - origin. */
static void fill(int k, int d, double origin, double c, const double zero[])
{
  double *p = a + k * (d + 1);

  memset(p, 0, (size_t)(d + 1) * sizeof *p);
  p[0] = c;
  for (int i = 0; i < d; ++i)
    for (int j = i + 1; j >= 0; --j) p[j] = (j > 0 ? p[j - 1] : 0) + (origin - zero[i]) * p[j];
}

/* Finds the zeros at all widths, with the same bits. */
static void find(int d, double origin, double noise)
{
  for (int w = 0; w < n_probe(); ++w) {
    memset(at, 0, sizeof at);
    probes[w].zeros(d, origin, noise, COUNT, a, MOST, at, n, open);
    if (w == 0) {
      memcpy(at_w1, at, sizeof at);
      memcpy(n_w1, n, sizeof n);
      memcpy(open_w1, open, sizeof open);
    }
    CU_ASSERT_EQUAL(memcmp(at, at_w1, sizeof at), 0);
    CU_ASSERT_EQUAL(memcmp(n, n_w1, sizeof n) | memcmp(open, open_w1, sizeof open), 0);
  }
}

static void check(int k, int count, const double zero[])
{
  CU_ASSERT_EQUAL(n[k], count);
  for (int i = 0; i < count && i < n[k]; ++i) {
    const double *bounds = at + (k * MOST + i) * 2;
    CU_ASSERT(bounds[0] <= zero[i] + 1e-9 && zero[i] - 1e-9 <= bounds[1]);
    if (i > 0) CU_ASSERT(bounds[0] >= bounds[-1]);
  }
}

/* Chebyshev's polynomials on [0, 1], above 0 where they begin; lanes differ in size. */
static void test_chebyshev(void)
{
  for (int d = 1; d <= HIGHEST; ++d)
    for (int origin = 0; origin <= 1; ++origin) {
      double zero[HIGHEST];
      for (int i = 0; i < d; ++i) zero[i] = 0.5 - 0.5 * cos(M_PI * (2 * i + 1) / (2.0 * d));
      for (int k = 0; k < COUNT; ++k) fill(k, d, origin, ldexp(d % 2 ? -1 : 1, 7 * k - 20), zero);
      find(d, origin, 0);
      for (int k = 0; k < COUNT; ++k) check(k, d, zero);
    }
}

/* (theta - 1/3)^2 + e: none, or two that are 2 sqrt(-e) apart; with a noise above |e| it is left open. */
static void test_double_zero(void)
{
  for (int i = 3; i <= 12; ++i) {
    const double e = pow(10, -i), half = sqrt(e), zero[] = {1.0 / 3 - half, 1.0 / 3 + half};
    for (int k = 0; k < COUNT; ++k) {
      fill(k, 2, 0, 1, (double[]){1.0 / 3, 1.0 / 3});
      a[3 * k] += k % 2 ? e : -e;
    }
    find(2, 0, 1e-16);
    for (int k = 0; k < COUNT; ++k) check(k, k % 2 ? 0 : 2, zero);
    find(2, 0, 10 * e);
    for (int k = 0; k < COUNT; ++k) CU_ASSERT_EQUAL(n[k], 0);
  }
}

/* Zeros that crowd together, in one lane alone: the others are not held up and find their own. */
static void test_cluster(void)
{
  const double close[] = {0.7, 0.7 + 1e-4, 0.7 + 2e-4, 0.9, 0.95},
               wide[] = {0.1, 0.3, 0.5, 0.7, 0.9}, outside[] = {-0.1, 1.2, 1.3, -2, 3};

  for (int k = 0; k < COUNT; ++k) fill(k, 5, 0, -1, k == 2 ? close : k == 3 ? outside : wide);
  find(5, 0, 1e-15);
  for (int k = 0; k < COUNT; ++k) check(k, k == 3 ? 0 : 5, k == 2 ? close : wide);
}

/* A gap that is 0 all along, one that stays within its noise, and one that is not a number end at once. */
static void test_flat_and_nan(void)
{
  for (int k = 0; k < COUNT; ++k)
    for (int j = 0; j <= 4; ++j) a[5 * k + j] = k == 1 ? NAN : k == 2 && j == 0 ? -1e-15 : 0;
  find(4, 0, 1e-12);
  for (int k = 0; k < COUNT; ++k) CU_ASSERT(n[k] == 0 && !open[k]);
  for (int k = 0; k < COUNT; ++k) a[5 * k] = -2e-12; /* below the level */
  find(4, 0, 1e-12);
  for (int k = 0; k < COUNT; ++k) CU_ASSERT(n[k] > 0 || k == 1);
}

SAL_TEST_MAIN("polynomials in Bernstein form", NULL,
              {"all zeros of Chebyshev's polynomials are found in order", test_chebyshev},
              {"a double zero is none, two, or left open", test_double_zero},
              {"zeros that crowd together in one lane spare its neighbours", test_cluster},
              {"what is flat, level or not a number ends at once", test_flat_and_nan})
