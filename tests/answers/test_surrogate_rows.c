/** Rows that are kept: what is asked for again is not read again while there is room. */
#include "memory.h"
#include "sal_test.h"
#include "surrogate_rows.h"
#include "sweep_read.h"
#include <math.h>

enum { ROOM = 512 }; /* the least */

static int64_t n_read; /* rows that the source was asked for */

/* The error of a cell is e^cell, its work e^(2 cell), made small enough. */
static sal_err count_read(void *with, int64_t n, const int64_t cell[], sal_performance_table *rows)
{
  (void)with;
  n_read += n;
  for (int64_t i = 0; i < n; ++i) {
    rows->error[i] = exp(1e-3 * (double)cell[i]);
    rows->work[i] = exp(2e-3 * (double)cell[i]);
    rows->reference_error[i] = 0;
  }
  return SAL_OK;
}

static sal_sweep sweep;
static sal_surrogate_rows *rows;
static double with_sweep; /* bytes before the rows */

static void begin(double bytes)
{
  CU_ASSERT_EQUAL_FATAL(
      sal_sweep_parse("s.yaml",
                      "model: monopod\nt_end: 50\nsolvers: [ode45]\nstrategies: [switch]\n"
                      "rtol: [1e-3]\ncells: {axes: [{name: k, linear: [1, 2], points: 4000}]}\n",
                      0, NULL, &sweep),
      SAL_OK);
  with_sweep = (double)sal_memory_bytes();
  const sal_performance_source source = {.sweep = &sweep,
                                         .by = sweep.map_by,
                                         .n_cell = sweep.n_cell,
                                         .n_config = 1,
                                         .read = count_read};
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_rows_create(&source, bytes, &rows), SAL_OK);
  n_read = 0;
}

static void end(void)
{
  sal_surrogate_rows_free(&rows);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* Fetches n cells from `first` on, looks at each, and returns how many rows were read for it. */
static int64_t fetch(int64_t first, int64_t n)
{
  int64_t cell[2 * ROOM] = {0};
  const int64_t before = n_read;

  for (int64_t i = 0; i < n; ++i) cell[i] = first + n - 1 - i;
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_rows_fetch(rows, n, cell), SAL_OK);
  for (int64_t i = 0; i < n; ++i) {
    const sal_surrogate_row row = sal_surrogate_rows_of(rows, first + i);
    CU_ASSERT_DOUBLE_EQUAL(row.ln_error[0], 1e-3 * (double)(first + i), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(row.ln_work[0], 2e-3 * (double)(first + i), 1e-12);
  }
  return n_read - before;
}

static void rows_that_fit_are_read_once(void)
{
  begin(0);
  CU_ASSERT_EQUAL(fetch(0, 300), 300);
  CU_ASSERT_EQUAL(fetch(300, 200), 200);
  for (int i = 0; i < 5; ++i) CU_ASSERT_EQUAL(fetch(0, 300), 0); /* needs no room */
  CU_ASSERT_EQUAL(fetch(300, 200), 0);
  end();
}

static void with_memory_for_all_each_row_is_read_once(void)
{
  begin(sal_surrogate_rows_memory);
  for (int64_t at = 0; at < 4000; at += 500) CU_ASSERT_EQUAL(fetch(at, 500), 500);
  for (int64_t at = 0; at < 3500; at += 250) CU_ASSERT_EQUAL(fetch(at, 750), 0);
  end();
}

static void what_does_not_fit_is_read_again(void)
{
  begin(0);
  CU_ASSERT_EQUAL(fetch(0, 100), 100);
  for (int64_t at = 100; at < 3700; at += 300) { /* many times the room passes by */
    CU_ASSERT_EQUAL(fetch(at, 300), 300);
    CU_ASSERT_EQUAL(fetch(at + 100, 200), 0);
  }
  CU_ASSERT_EQUAL(fetch(0, 100), 100);
  end();
}

static void a_fetch_of_more_than_the_room_has_it(void)
{
  begin(0);
  CU_ASSERT_EQUAL(fetch(7, 2 * (int64_t)ROOM), 2 * (int64_t)ROOM);
  CU_ASSERT_EQUAL(fetch(7, 2 * (int64_t)ROOM), 0);
  end();
}

/* Includes temporary memory, and the few rows read at once for a fetch. */
static void memory_is_as_forecast(void)
{
  const double start = (double)sal_memory_bytes();

  begin(sal_surrogate_rows_memory);
  for (int64_t at = 0; at < 3000; at += 500) CU_ASSERT_EQUAL(fetch(at, 500), 500);
  sal_memory_watch();
  for (int64_t at = 3000; at < 4000; at += 500) CU_ASSERT_EQUAL(fetch(at, 500), 500);
  const double all = sal_surrogate_rows_bytes(sal_surrogate_rows_memory, 4000, 4000, 1);
  const double kept =
      sal_surrogate_rows_bytes(sal_surrogate_rows_memory, 500, 4000, 1) / 512 * 4000;
  CU_ASSERT((double)sal_memory_most() - start > 0.7 * kept);
  CU_ASSERT((double)sal_memory_most() - start < 1.2 * all);
  CU_ASSERT(all > 1.4 * kept && all < 1.6 * kept); /* the old room beside the new one */
  end();
  begin(0);
  CU_ASSERT_EQUAL(sal_surrogate_rows_most(0, 4000, 1), ROOM);
  for (int64_t at = 0; at < 4000; at += 500) (void)fetch(at, 500);
  const double two = sal_surrogate_rows_bytes(0, 4000, 4000, 1);
  const double taken = (double)sal_memory_bytes() - with_sweep;
  CU_ASSERT(taken > 0.7 * two && taken < 1.3 * two + 20e3); /* a block of the source */
  end();
}

SAL_TEST_MAIN("rows", NULL, {"memory is as forecast", memory_is_as_forecast},
              {"rows that fit are read once", rows_that_fit_are_read_once},
              {"with memory for all each row is read once",
               with_memory_for_all_each_row_is_read_once},
              {"what does not fit is read again", what_does_not_fit_is_read_again},
              {"a fetch of more than the room has it", a_fetch_of_more_than_the_room_has_it})
