/** Journals of a small sweep, written by tiles and read back; for a test program that defines
 *  JOURNAL_TEST, the name of its folder.
 */
#pragma once

#include "journal.h"
#include "journal_write.h"
#include "memory.h"
#include "sal_test.h"
#include "sample.h"
#include <limits.h>

enum { CELLS = 40, TILE = 3 };

static int self, ranks;
static char folder[64];
static const char *folders[1] = {folder};
static sal_sweep sweep;

static int setup(void)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  snprintf(folder, sizeof folder, JOURNAL_TEST "_np%d.journal", ranks);
  sweep = sample_sweep(CELLS);
  return 0;
}

/* Two figures of a record: its cells, and which of the runs of this test it is of. */
enum { N_RANGE = 2 };

static double run_number;

static void measure_sample(const void *with, const sal_tile_result *result, double range[])
{
  (void)with;
  range[0] = (double)result->first;
  range[N_RANGE] = (double)(result->first + result->count - 1);
  range[1] = run_number;
  range[N_RANGE + 1] = run_number;
}

static const sal_journal_ranges ranges = {.n = N_RANGE, .measure = measure_sample};

static sal_journal open_journal(const sal_sweep *s, sal_journal_use use)
{
  sal_journal j;

  CU_ASSERT_EQUAL_FATAL(sal_journal_open(MPI_COMM_WORLD, 1, folders, s, use, &ranges, &j), SAL_OK);
  return j;
}

/* Cells lo .. hi and runs of all records, as the journals know them without reading. */
static inline void check_ranges(const sal_journal *j, int64_t first, int64_t last, double low_run,
                                double high_run)
{
  double mine[2 * N_RANGE], lo[N_RANGE], hi[N_RANGE];

  CU_ASSERT_EQUAL(sal_journal_scan_ranges(j, mine), SAL_OK);
  MPI_Allreduce(mine, lo, N_RANGE, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(mine + N_RANGE, hi, N_RANGE, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  CU_ASSERT(lo[0] == (double)first && hi[0] == (double)last);
  CU_ASSERT(lo[1] == low_run && hi[1] == high_run);
}

static void remove_all(void)
{
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_ANEW);

  CU_ASSERT_EQUAL(sal_journal_remove(&j), SAL_OK);
  sal_journal_close(&j);
}

/* Ranks take tiles by turns from first to before `end`. */
static void write_cells(int64_t first, int64_t end)
{
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  sal_journal_writer w;

  CU_ASSERT_EQUAL_FATAL(sal_journal_begin(&j, 0, CELLS, NULL, &w), SAL_OK);
  for (int64_t at = first + self * TILE; at < end; at += TILE * ranks) {
    sal_tile_result result = sample_slab(&sweep, at, end - at < TILE ? end - at : TILE);
    CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK);
    sample_slab_free(&result);
  }
  CU_ASSERT_EQUAL(sal_journal_end(&w), SAL_OK);
  sal_journal_writer_free(&w);
  MPI_Barrier(MPI_COMM_WORLD);
  sal_journal_close(&j);
}

/* ---- the bytes of the first journal, of one rank ---- */

enum { MOST_FILE = 1 << 20 };

static const char *first_file(void)
{
  static char path[PATH_MAX];

  snprintf(path, sizeof path, "%s/0000.sal", folder);
  return path;
}

static inline size_t slurp(char bytes[])
{
  FILE *file = fopen(first_file(), "rb");
  const size_t n = file ? fread(bytes, 1, MOST_FILE, file) : 0;

  CU_ASSERT_FATAL(n > 0 && n < MOST_FILE);
  fclose(file);
  return n;
}

static inline void spit(const char bytes[], size_t n)
{
  FILE *file = fopen(first_file(), "wb");

  CU_ASSERT_FATAL(file && fwrite(bytes, 1, n, file) == n);
  fclose(file);
}

static int differences(const sal_tile_result *result)
{
  int wrong = 0;

  for (int64_t c = 0; c < result->count; ++c) {
    for (int m = 0; m < SAL_N_CELL_METRIC; ++m)
      wrong += !sample_same(result->cell[c].value[m], sample_cell_value(result->first + c, m));
    for (int r = 0; r < SAMPLE_CONFIGS; ++r)
      for (int m = 0; m < SAL_N_METRIC; ++m)
        wrong += !sample_same(result->record[c * SAMPLE_CONFIGS + r].value[m],
                              sample_value(result->first + c, r, m));
  }
  return wrong;
}

/* Reads every entry, which must hold what was written; the cells in them. */
static int64_t read_all(const sal_journal *j)
{
  sal_journal_reader reader = {.journal = j};
  int64_t cells = 0;

  for (int64_t i = 0; i < j->n_entry; ++i) {
    sal_tile_result result;
    CU_ASSERT_EQUAL_FATAL(sal_journal_read(&reader, &j->entry[i], &result), SAL_OK);
    CU_ASSERT_EQUAL(differences(&result), 0);
    if (i == 0) { /* and a difference would be seen */
      result.record[0].value[0] += 1;
      CU_ASSERT_EQUAL(differences(&result), 1);
    }
    cells += result.count;
    sal_free(result.cell);
    sal_free(result.record);
  }
  sal_journal_read_end(&reader);
  CU_ASSERT_EQUAL(cells, j->cells);
  return cells;
}

static void memory_comes_back(void)
{
  remove_all();
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
  sample_free(&sweep);
}
