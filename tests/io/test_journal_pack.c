/** Packed records come back with all their bits, and damage is seen. */
#include "journal_pack.h"
#include "memory.h"
#include "sal_test.h"
#include "scramble.h"
#include <math.h>
#include <string.h>

enum { COUNT = 5, EACH = 24, N = COUNT * EACH, ROW = 8 };

static sal_cell_record cell[COUNT], cell_back[COUNT];
static sal_record record[N], record_back[N];
static double row[COUNT * ROW], row_back[COUNT * ROW];
static sal_tile_result tile = {
    .count = COUNT, .cell = cell, .record = record, .row = row, .n_row = ROW};
static sal_tile_result back = {
    .count = COUNT, .cell = cell_back, .record = record_back, .row = row_back, .n_row = ROW};

static double other_nan(void)
{
  const uint64_t bits = UINT64_C(0xfff8000000000001);
  double value;

  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Value of a column of metric m at place i: each number that is near a border of what its kind of
 * column can hold, in a column that would have it but for that number. */
static double edge(int m, int64_t i)
{
  const double edges[] = {NAN,         -0.0,       127,   -127,   128,      -128,
                          32767,       -32767,     32768, -32768, 65536,    2147483647,
                          -2147483647, 2147483648, 0.5,   1e300,  INFINITY, 0};
  const int n = sizeof edges / sizeof edges[0];

  if (m % 3 == 2) return m % 2 ? other_nan() : edges[m % n]; /* all alike */
  if (i == 3) return edges[(m / 3 * 2 + m % 3) % n];
  return i % 4 == 1 ? NAN : i == 7 && m % 5 == 0 ? other_nan() : (double)(i % 7);
}

static void fill(double value_of(int m, int64_t i))
{
  for (int64_t i = 0; i < COUNT; ++i)
    for (int m = 0; m < SAL_N_CELL_METRIC; ++m) cell[i].value[m] = value_of(m, i);
  for (int64_t i = 0; i < N; ++i)
    for (int m = 0; m < SAL_N_METRIC; ++m) record[i].value[m] = value_of(m, i);
  for (int64_t i = 0; i < COUNT * ROW; ++i) row[i] = value_of(1, i);
  memset(row_back, 1, sizeof row_back);
  memset(cell_back, 1, sizeof cell_back);
  memset(record_back, 1, sizeof record_back);
}

static bool same(void)
{
  return memcmp(cell, cell_back, sizeof cell) == 0 &&
         memcmp(record, record_back, sizeof record) == 0 && memcmp(row, row_back, sizeof row) == 0;
}

static bool comes_back(sal_journal_pack *p, const char *bytes, int64_t n)
{
  bool sound = false;

  CU_ASSERT_EQUAL(sal_journal_pack_back(p, bytes, n, EACH, &back, &sound), SAL_OK);
  return sound;
}

static double random_value(int m, int64_t i)
{
  const uint64_t drawn = sal_scramble((uint64_t)(i * 1000 + m));
  double value;

  memcpy(&value, &drawn, sizeof value);
  return value;
}

static double small_count(int m, int64_t i) { return (double)((i * (m + 1)) % 11); }

static void every_bit_comes_back(void)
{
  SAL_OWN_BY(sal_journal_pack_free) sal_journal_pack p = {0};
  double (*const kind[])(int, int64_t) = {edge, random_value, small_count, edge};

  for (size_t k = 0; k < sizeof kind / sizeof kind[0]; ++k) {
    fill(kind[k]);
    CU_ASSERT_EQUAL_FATAL(sal_journal_pack_tile(&p, EACH, NULL, &tile), SAL_OK);
    CU_ASSERT(p.n > 0);
    CU_ASSERT_FALSE(same());
    CU_ASSERT(comes_back(&p, p.bytes, p.n) && same());
  }
}

/* Whole numbers are kept as such, and columns that are alike take next to nothing. */
static void it_is_small(void)
{
  SAL_OWN_BY(sal_journal_pack_free) sal_journal_pack p = {0};
  const int64_t records = sizeof record, cells = sizeof cell;

  fill(small_count);
  CU_ASSERT_EQUAL_FATAL(sal_journal_pack_tile(&p, EACH, NULL, &tile), SAL_OK);
  CU_ASSERT(p.n < (records + cells) / 8);
  const int64_t small = p.n;
  fill(random_value);
  CU_ASSERT_EQUAL_FATAL(sal_journal_pack_tile(&p, EACH, NULL, &tile), SAL_OK);
  CU_ASSERT(p.n > records && p.n > 8 * small);
  memset(row, 0, sizeof row);
  memset(cell, 0, sizeof cell);
  memset(record, 0, sizeof record);
  CU_ASSERT_EQUAL_FATAL(sal_journal_pack_tile(&p, EACH, NULL, &tile), SAL_OK);
  CU_ASSERT(p.n < 100);
}

/* Dropped metrics come back as missing and take next to nothing; all others keep their bits. */
static void dropped_metrics_are_missing(void)
{
  SAL_OWN_BY(sal_journal_pack_free) sal_journal_pack p = {0};
  bool dropped[SAL_N_METRIC];
  int64_t missing = 0, kept = 0;

  for (int m = 0; m < SAL_N_METRIC; ++m) dropped[m] = m % 3 != 1;
  fill(random_value);
  CU_ASSERT_EQUAL_FATAL(sal_journal_pack_tile(&p, EACH, NULL, &tile), SAL_OK);
  const int64_t whole = p.n;
  CU_ASSERT_EQUAL_FATAL(sal_journal_pack_tile(&p, EACH, dropped, &tile), SAL_OK);
  CU_ASSERT(p.n < whole / 2);
  CU_ASSERT_FATAL(comes_back(&p, p.bytes, p.n));
  for (int64_t i = 0; i < N; ++i)
    for (int m = 0; m < SAL_N_METRIC; ++m) {
      const double *was = &record[i].value[m], *is = &record_back[i].value[m];
      missing += dropped[m] && isnan(*is);
      kept += !dropped[m] && memcmp(was, is, sizeof *is) == 0;
    }
  CU_ASSERT(kept > 0 && missing > 0 && kept + missing == (int64_t)N * SAL_N_METRIC);
}

static void damage_is_seen(void)
{
  SAL_OWN_BY(sal_journal_pack_free) sal_journal_pack p = {0}, other = {0};

  int flipped = 0, lost = 0;

  fill(edge);
  CU_ASSERT_EQUAL_FATAL(sal_journal_pack_tile(&p, EACH, NULL, &tile), SAL_OK);
  for (int64_t at = 0; at < p.n; at += at < 64 ? 1 : 13) {
    p.bytes[at] ^= 4;
    lost += !comes_back(&other, p.bytes, p.n) || same(); /* as where a match has two places */
    p.bytes[at] ^= 4;
    ++flipped;
    CU_ASSERT_FALSE(comes_back(&other, p.bytes, at)); /* cut off */
  }
  CU_ASSERT(flipped > 100 && lost == flipped);
  CU_ASSERT_FALSE(
      comes_back(&other, p.bytes, p.n + 1)); /* something follows: there is room for more */
  CU_ASSERT(comes_back(&other, p.bytes, p.n) && same());
  back.count = COUNT - 1; /* of another number of cells */
  CU_ASSERT_FALSE(comes_back(&other, p.bytes, p.n));
  back.count = COUNT;
}

static void memory_comes_back(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

SAL_TEST_MAIN("journal_pack", NULL, {"every bit comes back", every_bit_comes_back},
              {"it is small", it_is_small},
              {"dropped metrics are missing", dropped_metrics_are_missing},
              {"damage is seen", damage_is_seen}, {"memory comes back", memory_comes_back})
