/** Values of axes: exact where decimals are, and the same on every thread and rank. */
#include "axis.h"
#include "memory.h"
#include "random.h"
#include "sal_test.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 4096 };

/* The known answers that come with Random123. */
static void philox_gives_the_published_answers(void)
{
  static const struct {
    uint32_t counter[4], key[2], answer[4];
  } known[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
    uint32_t out[4];
    sal_random_philox(known[i].counter, known[i].key, out);
    CU_ASSERT_EQUAL(memcmp(out, known[i].answer, sizeof out), 0);
  }
}

/* The bits of the draws are cut from those answers, and each argument reaches them. */
static void a_draw_depends_on_seed_index_and_component(void)
{
  const double first = sal_random(0, 0, 0);
  CU_ASSERT_EQUAL(first, (double)(0x6627e8d5e169c58dU >> 11) * 0x1p-53);
  CU_ASSERT(sal_random(1, 0, 0) != first && sal_random(0, 1, 0) != first);
  CU_ASSERT(sal_random(0, 0, 1) != first && sal_random(1ULL << 32, 0, 0) != first);
  CU_ASSERT(sal_random(0, 1ULL << 32, 0) != first);
}

/* Moments of the uniform distribution, within five of their standard deviations. */
static void draws_are_uniform_and_not_correlated(void)
{
  double sum = 0, square = 0, product = 0;
  for (uint64_t i = 0; i < MANY; ++i) {
    const double u = sal_random(7, i, 0), v = sal_random(7, i, 1);
    CU_ASSERT_FATAL(u >= 0 && u < 1);
    sum += u / MANY;
    square += (u - 0.5) * (u - 0.5) / MANY;
    product += (u - 0.5) * (v - 0.5) / MANY;
  }
  CU_ASSERT(fabs(sum - 0.5) < 5 * sqrt(1.0 / 12 / MANY) && sum != 0.5);
  CU_ASSERT(fabs(square - 1.0 / 12) < 5 * sqrt(1.0 / 180 / MANY));
  CU_ASSERT(fabs(product) < 5.0 / 12 / sqrt(MANY) && product != 0);
}

static sal_axis graded(sal_axis_kind kind, double lo, double hi, int64_t n, bool whole)
{
  sal_axis axis = {
      .kind = kind, .n_column = 1, .n_point = n, .lo = {lo}, .hi = {hi}, .whole = {whole}};
  CU_ASSERT_FATAL(sal_axis_fill(&axis));
  return axis;
}

/* All values, as decimals. */
static bool is(sal_axis axis, const char *text)
{
  bool same = true;
  char *end;
  for (int64_t i = 0; i < axis.n_point; ++i, text = end)
    same = sal_axis_value(&axis, i, 0) == strtod(text, &end) && end != text && same;
  sal_free(axis.value);
  return same && *text == '\0';
}

static void linear_values_are_the_decimals_meant(void)
{
  CU_ASSERT(is(graded(SAL_AXIS_LINEAR, 10, 30, 5, false), "10 15 20 25 30"));
  CU_ASSERT(is(graded(SAL_AXIS_LINEAR, 0.1, 0.5, 5, false), "0.1 0.2 0.3 0.4 0.5"));
  CU_ASSERT(is(graded(SAL_AXIS_LINEAR, -0.3, 0.3, 7, false), "-0.3 -0.2 -0.1 0 0.1 0.2 0.3"));
  CU_ASSERT(is(graded(SAL_AXIS_LINEAR, -0.1, 0.3, 5, false), "-0.1 0 0.1 0.2 0.3"));
  CU_ASSERT(is(graded(SAL_AXIS_LINEAR, -0.7, 1.4, 7, false), "-0.7 -0.35 0 0.35 0.7 1.05 1.4"));
  CU_ASSERT(is(graded(SAL_AXIS_LINEAR, 1, 4, 3, true), "1 2 4")); /* 2.5 goes to the even one */
  CU_ASSERT_FALSE(is(graded(SAL_AXIS_LINEAR, 0, 1, 3, false), "0 0.50000000000000011 1"));
}

static void linear_values_are_the_formula_s_elsewhere(void)
{
  sal_axis axis = graded(SAL_AXIS_LINEAR, 1.0 / 3, sqrt(2), 101, false);
  CU_ASSERT(axis.value[0] == 1.0 / 3 && axis.value[100] == sqrt(2));
  for (int i = 0; i < 101; ++i) {
    const double v = 1.0 / 3 + (sqrt(2) - 1.0 / 3) * i / 100;
    CU_ASSERT(fabs(axis.value[i] - v) <= 4e-16 && v > 0.3);
  }
  sal_free(axis.value);
}

static void powers_of_two_and_ten_are_exact(void)
{
  sal_axis twos = graded(SAL_AXIS_LOG, ldexp(1, -20), ldexp(1, 20), 41, false);
  for (int i = 0; i <= 40; ++i) CU_ASSERT_EQUAL(twos.value[i], ldexp(1, i - 20));
  sal_free(twos.value);
  CU_ASSERT(is(graded(SAL_AXIS_LOG, 2, 1024, 10, true), "2 4 8 16 32 64 128 256 512 1024"));
  CU_ASSERT(is(graded(SAL_AXIS_LOG, 2, 1024, 10, false), "2 4 8 16 32 64 128 256 512 1024"));
  CU_ASSERT(is(graded(SAL_AXIS_LOG, 1e-9, 1e6, 16, false),
               "1e-9 1e-8 1e-7 1e-6 1e-5 1e-4 1e-3 1e-2 0.1 1 10 100 1e3 1e4 1e5 1e6"));
  CU_ASSERT(is(graded(SAL_AXIS_LOG, 0.3, 3000, 5, false), "0.3 3 30 300 3000"));
  /* every third of a decade; between the decades no decimal is near */
  sal_axis thirds = graded(SAL_AXIS_LOG, 1, 1000, 10, false);
  CU_ASSERT(thirds.value[3] == 10 && thirds.value[6] == 100);
  CU_ASSERT(fabs(thirds.value[1] / cbrt(10) - 1) < 3e-16 && fabs(thirds.value[1] - 2.1544) < 1e-4);
  sal_free(thirds.value);
}

static void whole_numbers_have_equal_shares(void)
{
  sal_axis axis = {.kind = SAL_AXIS_RANDOM,
                   .n_column = 2,
                   .n_point = MANY,
                   .lo = {1, -1},
                   .hi = {4, 1},
                   .whole = {true, false},
                   .seed = 5};
  int times[] = {0, 0, 0, 0};
  CU_ASSERT_FATAL(sal_axis_fill(&axis));
  CU_ASSERT_PTR_NULL(axis.value); /* random points need no memory */
  for (int64_t i = 0; i < MANY; ++i) {
    const double n = sal_axis_value(&axis, i, 0), v = sal_axis_value(&axis, i, 1);
    CU_ASSERT_FATAL(n == floor(n) && n >= 1 && n <= 4 && v >= -1 && v <= 1);
    ++times[(int)n - 1];
    CU_ASSERT_EQUAL(v, -1 + sal_random(5, (uint64_t)i, 1) * 2);
  }
  for (int i = 0; i < 4; ++i) CU_ASSERT(abs(times[i] - MANY / 4) < 5 * sqrt(MANY * 3.0 / 16));
}

/* By the logarithm each decade has the same share of the draws, and each whole number n the share
 * of n - 1/2 to n + 1/2; the other columns are what they were. */
static void draws_by_the_logarithm_fill_each_decade(void)
{
  sal_axis axis = {.kind = SAL_AXIS_RANDOM,
                   .n_column = 3,
                   .n_point = MANY,
                   .lo = {1e-2, 1, 5},
                   .hi = {1e2, 4, 6},
                   .whole = {false, true, false},
                   .log = {true, true, false},
                   .seed = 5};
  int decade[] = {0, 0, 0, 0}, times[] = {0, 0, 0, 0};
  CU_ASSERT_FATAL(sal_axis_fill(&axis));
  for (int64_t i = 0; i < MANY; ++i) {
    const double v = sal_axis_value(&axis, i, 0), n = sal_axis_value(&axis, i, 1);
    CU_ASSERT_FATAL(v >= 1e-2 && v <= 1e2 && n == floor(n) && n >= 1 && n <= 4);
    CU_ASSERT_DOUBLE_EQUAL(log10(v), -2 + 4 * sal_random(5, (uint64_t)i, 0), 1e-14);
    CU_ASSERT_EQUAL(sal_axis_value(&axis, i, 2), 5 + sal_random(5, (uint64_t)i, 2));
    ++decade[(int)(log10(v) + 2)];
    ++times[(int)n - 1];
  }
  for (int i = 0; i < 4; ++i) {
    const double share = log((i + 1.5) / (i + 0.5)) / log(4.5 / 0.5);
    CU_ASSERT(abs(decade[i] - MANY / 4) < 5 * sqrt(MANY * 3.0 / 16));
    CU_ASSERT(fabs(times[i] - MANY * share) < 5 * sqrt(MANY * share * (1 - share)));
  }
  CU_ASSERT(sal_axis_column_by_log(&axis, 1) && !sal_axis_column_by_log(&axis, 2));
}

static void sobol_by_the_logarithm_starts_at_the_geometric_mean(void)
{
  sal_axis axis = {.kind = SAL_AXIS_SOBOL,
                   .n_column = 2,
                   .n_point = 3,
                   .lo = {1, 1},
                   .hi = {16, 3},
                   .log = {true, false}};
  static const double known[][2] = {{4, 2}, {8, 1.5}, {2, 2.5}};
  CU_ASSERT_FATAL(sal_axis_fill(&axis));
  for (int i = 0; i < 3; ++i) {
    CU_ASSERT_DOUBLE_EQUAL(sal_axis_value(&axis, i, 0), known[i][0], 1e-14);
    CU_ASSERT_EQUAL(sal_axis_value(&axis, i, 1), known[i][1]);
  }
  sal_free(axis.value);
}

static void sobol_points_fill_the_box_evenly(void)
{
  enum { COLUMNS = 3, N = 1023 };
  sal_axis axis = {.kind = SAL_AXIS_SOBOL,
                   .n_column = COLUMNS,
                   .n_point = N,
                   .lo = {0, 10, -1},
                   .hi = {1, 20, 1}};
  CU_ASSERT_FATAL(sal_axis_fill(&axis));
  for (int c = 0; c < COLUMNS; ++c) { /* the middle comes first, then quarters */
    const double lo = axis.lo[c], size = axis.hi[c] - lo;
    CU_ASSERT_EQUAL(sal_axis_value(&axis, 0, c), lo + 0.5 * size);
    CU_ASSERT_EQUAL(fabs(sal_axis_value(&axis, 1, c) - lo - 0.5 * size), 0.25 * size);
    /* with the corner left out, 1023 points are one in each 1024th of any axis but the first */
    bool there[N + 1] = {false};
    for (int i = 0; i < N; ++i)
      there[(int)((sal_axis_value(&axis, i, c) - lo) / size * (N + 1))] = true;
    for (int i = 1; i <= N; ++i) CU_ASSERT(there[i]);
    CU_ASSERT_FALSE(there[0]);
  }
  sal_free(axis.value);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* Values of linear and log axes by their definition, computed through text. */
static double decimal_of(long double v)
{
  char text[64];
  snprintf(text, sizeof text, "%.12Lg", v);
  const double decimal = strtod(text, NULL);
  return fabsl(v - decimal) <= 2 * DBL_EPSILON * fabsl(v) ? decimal : (double)v;
}

/* On axes of all magnitudes, most of whose values are not decimals, and on some where all are. */
static void short_decimals_are_found_on_every_axis(void)
{
  enum { N = 2001 };
  int64_t decimals = 0, others = 0;
  for (int k = 0; k < 60; ++k) {
    const double size = pow(10, k / 3.0 - 10), lo = k % 4 ? size : 0.001 * (k + 1);
    sal_axis axis = {.kind = k % 2 ? SAL_AXIS_LOG : SAL_AXIS_LINEAR,
                     .n_column = 1,
                     .n_point = N,
                     .lo = {lo},
                     .hi = {k % 4 ? 7 * size : lo + 200}};
    const long double a = axis.lo[0], b = axis.hi[0];
    CU_ASSERT_FATAL(sal_axis_fill(&axis));
    for (int i = 1; i < N - 1; ++i) {
      const long double share = (long double)i / (N - 1);
      const long double v = k % 2 ? a * powl(b / a, share) : a + (b - a) * share;
      CU_ASSERT_EQUAL(axis.value[i], decimal_of(v));
      ++*(axis.value[i] == (double)v ? &others : &decimals);
    }
    sal_free(axis.value);
  }
  CU_ASSERT(decimals > 100 && others > 10000);
}

SAL_TEST_MAIN(
    "axis", NULL, {"Philox gives the published answers", philox_gives_the_published_answers},
    {"a draw depends on seed, index and component", a_draw_depends_on_seed_index_and_component},
    {"draws are uniform and not correlated", draws_are_uniform_and_not_correlated},
    {"linear values are the decimals meant", linear_values_are_the_decimals_meant},
    {"linear values are the formula's elsewhere", linear_values_are_the_formula_s_elsewhere},
    {"short decimals are found on every axis", short_decimals_are_found_on_every_axis},
    {"powers of two and ten are exact", powers_of_two_and_ten_are_exact},
    {"whole numbers have equal shares", whole_numbers_have_equal_shares},
    {"draws by the logarithm fill each decade", draws_by_the_logarithm_fill_each_decade},
    {"Sobol by the logarithm starts at the geometric mean",
     sobol_by_the_logarithm_starts_at_the_geometric_mean},
    {"Sobol's points fill the box evenly", sobol_points_fill_the_box_evenly})
