/** Groups of configurations that miss the same cells, against a comparison of each with each. */
#include "local_forecast.h"
#include "memory.h"
#include "random.h"
#include "sal_test.h"
#include <math.h>

enum { N = 120, MOST = 70, PATTERNS = 9 };

static double number[MOST][N];
static const double *row[MOST];
static bool has_gaps[N];

/* Few patterns, so that groups are large; one of them has no gaps. */
static void draw(int n_cell)
{
  for (int k = 0; k < N; ++k) {
    const uint64_t pattern = (uint64_t)(PATTERNS * sal_random(3, (uint64_t)k, 0));
    has_gaps[k] = false;
    for (int i = 0; i < n_cell; ++i) {
      const bool gap = pattern > 0 && sal_random(5, pattern, (uint32_t)i) < 0.1;
      number[i][k] = gap ? NAN : (double)(i + k);
      has_gaps[k] = has_gaps[k] || gap;
      row[i] = number[i];
    }
  }
}

static bool same_gaps(int n_cell, int a, int b)
{
  for (int i = 0; i < n_cell; ++i)
    if (isnan(number[i][a]) != isnan(number[i][b])) return false;
  return true;
}

/* The one before k with the same gaps; -1: none. */
static int before(int n_cell, int k)
{
  int j = k - 1;

  while (j >= 0 && !(has_gaps[j] && same_gaps(n_cell, j, k))) --j;
  return j;
}

static void check(int n_cell, int *large)
{
  SAL_OWN_BY(sal_gap_groups_free) sal_gap_groups g = {0};

  draw(n_cell);
  CU_ASSERT_EQUAL_FATAL(sal_gap_groups_create(N, &g), SAL_OK);
  sal_gap_groups_make(&g, n_cell, row, has_gaps);
  for (int k = 0; k < N; ++k) {
    const int first = before(n_cell, k);
    CU_ASSERT_EQUAL(g.leads[k], has_gaps[k] && (first < 0 || n_cell > 64));
    if (!has_gaps[k]) CU_ASSERT_EQUAL(g.next[k], -1);
    if (has_gaps[k] && first >= 0 && n_cell <= 64) CU_ASSERT_EQUAL(g.next[first], k);
    *large += g.next[k] >= 0;
  }
}

static void those_that_miss_the_same_cells_are_together(void)
{
  int large = 0;

  check(48, &large);
  check(64, &large);
  CU_ASSERT(large > N);
}

static void of_more_cells_than_bits_each_is_alone(void)
{
  int large = 0;

  check(MOST, &large);
  CU_ASSERT_EQUAL(large, 0);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("configurations with the same gaps", NULL,
              {"those that miss the same cells are together",
               those_that_miss_the_same_cells_are_together},
              {"of more cells than bits each is alone", of_more_cells_than_bits_each_is_alone})
