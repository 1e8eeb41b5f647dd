/** Finished trajectories of unfinished cells: found for any cut of the cells, on the machine that has run them, not
 *  used when damaged, and passed over by readers of finished cells.
 */
#define JOURNAL_TEST "journal_partial"
#include "journal_sample.h"
#include <math.h>
#include <string.h>

enum { ALL = CELLS * SAMPLE_CONFIGS };

static bool is_done(int64_t cell, int config, int share) { return (cell + config) % 3 < share; }

/* Each rank writes a tile of its own, a share of which is done. */
static void write_partial(int64_t first, int64_t count, int share)
{
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  sal_journal_writer w;

  CU_ASSERT_EQUAL_FATAL(sal_journal_begin(&j, 0, CELLS, NULL, &w), SAL_OK);
  sal_tile_result result = sample_slab(&sweep, first + self * count, count);
  for (int64_t i = 0; i < count * SAMPLE_CONFIGS; ++i)
    if (!is_done(result.first + i / SAMPLE_CONFIGS, (int)(i % SAMPLE_CONFIGS), share))
      for (int m = 0; m < SAL_N_METRIC; ++m) result.record[i].value[m] = NAN;
  CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK);
  sample_slab_free(&result);
  CU_ASSERT_EQUAL(sal_journal_end(&w), SAL_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(sal_journal_scan_add(&j, &w.list, &w.held), SAL_OK);
  CU_ASSERT(j.n_partial >= ranks && j.cells == 0);
  sal_journal_writer_free(&w);
  sal_journal_close(&j);
}

/* Trajectories that are there of all cells, by tiles of `size`; each must be the one that was written. */
static int64_t find(int64_t size, int share)
{
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  sal_journal_reader reader = {.journal = &j};
  int64_t n = 0;
  uint8_t done[ALL];

  for (int64_t at = 0; at < CELLS; at += size) {
    const sal_tile tile = {at, CELLS - at < size ? CELLS - at : size};
    sal_tile_kept to = {.done = done};
    CU_ASSERT_EQUAL_FATAL(sal_journal_read_partial(&reader, &tile, &to), SAL_OK);
    for (int64_t i = 0; i < tile.count * SAMPLE_CONFIGS; ++i) {
      const int64_t cell = at + i / SAMPLE_CONFIGS;
      const int of = (int)(i % SAMPLE_CONFIGS);
      if (!done[i]) continue;
      ++n;
      CU_ASSERT(is_done(cell, of, share));
      for (int m = 0; m < SAL_N_METRIC; ++m)
        CU_ASSERT(sample_same(to.result.record[i].value[m], sample_value(cell, of, m)));
    }
    sal_tile_result_free(&to.result);
  }
  sal_journal_read_end(&reader);
  sal_journal_close(&j);
  return n;
}

static void they_are_found_for_any_cut(void)
{
  remove_all();
  CU_ASSERT(find(CELLS, 0) == 0);
  write_partial(2, 6, 1);
  for (int64_t size = 1; size <= CELLS; size += 6)
    CU_ASSERT(find(size, 1) == (int64_t)ranks * 6 * SAMPLE_CONFIGS / 3);
  write_partial(2, 6, 2); /* the same cells again, in the same file */
  CU_ASSERT(find(7, 2) == (int64_t)ranks * 6 * SAMPLE_CONFIGS * 2 / 3);
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_READ);
  CU_ASSERT(j.n_file == 1 && j.n_partial == 0 && j.cells == 0);
  sal_journal_close(&j);
}

/* The run that goes on reads metrics, too, that the cube goes without. */
static void they_have_dropped_metrics(void)
{
  remove_all();
  sweep.without_points = sweep.dropped[SAL_METRIC_RHS] = true;
  write_partial(0, 4, 1);
  CU_ASSERT(find(CELLS, 1) == (int64_t)ranks * 4 * SAMPLE_CONFIGS / 3);
  sweep.without_points = sweep.dropped[SAL_METRIC_RHS] = false;
}

/* A sweep of the same identity, whose libraries are another machine's. */
static void those_of_another_machine_do_not_count(void)
{
  sal_journal j;
  sal_journal_writer w;

  remove_all();
  j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  CU_ASSERT_EQUAL_FATAL(sal_journal_begin(&j, 0, CELLS, "A", &w), SAL_OK);
  sal_tile_result result = sample_slab(&sweep, 3 * self, 3);
  result.record[1].value[SAL_METRIC_OUTCOME] = NAN;
  CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK);
  sample_slab_free(&result);
  CU_ASSERT_EQUAL(sal_journal_end(&w), SAL_OK);
  sal_journal_writer_free(&w);
  sal_journal_close(&j);
  CU_ASSERT(find(CELLS, 3) == 0);
  j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  CU_ASSERT(j.machine.length == 0); /* and no finished cell is of it */
  sal_journal_close(&j);
}

static void readers_of_finished_cells_pass_them_over(void)
{
  remove_all();
  write_partial(0, 4, 1);
  write_cells(0, CELLS);
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_READ);
  CU_ASSERT(read_all(&j) == CELLS && j.damaged == 0 && j.twice == 0);
  check_ranges(&j, 0, CELLS - 1, 0, 0);
  sal_journal_close(&j);
}

/* The record is the first of its file; every so many bytes one is changed. */
static void damage_is_passed_over(void)
{
  static char bytes[MOST_FILE];

  if (ranks > 1) return;
  remove_all();
  write_partial(0, 2, 1);
  const size_t n = slurp(bytes);
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  CU_ASSERT_FATAL(j.n_entry == 0 && j.n_partial == 1);
  const size_t from = (size_t)j.entry[0].offset;
  sal_journal_close(&j);
  CU_ASSERT(find(3, 1) == 2 * SAMPLE_CONFIGS / 3);
  for (size_t at = from; at < n; at += at < from + 64 ? 3 : 97) {
    bytes[at] = (char)~bytes[at];
    spit(bytes, n);
    CU_ASSERT(find(3, 1) == 0);
    bytes[at] = (char)~bytes[at];
    spit(bytes, at); /* torn */
    CU_ASSERT(find(3, 1) == 0);
  }
}

SAL_TEST_MAIN_MPI(
    "journal_partial", setup, {"they are found for any cut", they_are_found_for_any_cut},
    {"they have dropped metrics", they_have_dropped_metrics},
    {"those of another machine do not count", those_of_another_machine_do_not_count},
    {"readers of finished cells pass them over", readers_of_finished_cells_pass_them_over},
    {"damage is passed over", damage_is_passed_over}, {"memory comes back", memory_comes_back})
