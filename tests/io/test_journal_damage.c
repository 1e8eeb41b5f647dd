/** Records that are damaged in a journal, or could not be written, are reported as missing. */
#define JOURNAL_TEST "journal_damage"
#include "journal_private.h"
#include "journal_sample.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static sal_journal rescan(void)
{
  sal_journal j;

  CU_ASSERT_EQUAL_FATAL(
      sal_journal_open(MPI_COMM_SELF, 1, folders, &sweep, SAL_JOURNAL_WRITE, &ranges, &j), SAL_OK);
  return j;
}

static void a_torn_record_is_dropped_and_no_other(void)
{
  static char bytes[MOST_FILE];

  if (ranks > 1) return;
  remove_all();
  write_cells(0, 4 * TILE);
  const size_t n = slurp(bytes);
  for (size_t lost = 1; lost < n; lost += n / 97 + 1) {
    spit(bytes, n - lost);
    sal_journal j = rescan();
    const int64_t kept = read_all(&j);
    CU_ASSERT(kept % TILE == 0 && kept < 4 * TILE);
    CU_ASSERT(lost > n / 4 || kept >= 3 * TILE - TILE);
    if (lost == 1) CU_ASSERT(kept == 3 * TILE && j.damaged == 1);
    sal_journal_close(&j);
  }
}

/* Any byte after the head: one record is lost at most, and never is one made up.  One of the head, or of its
 * texts: the file is set aside, and goes on to exist. */
static void a_flipped_byte_costs_one_record(void)
{
  static char bytes[MOST_FILE];
  int lost = 0, aside = 0;

  if (ranks > 1) return;
  remove_all();
  write_cells(0, 4 * TILE);
  const size_t n = slurp(bytes);
  sal_journal sound = rescan();
  const size_t mark = 64, head = (size_t)sound.entry[0].offset - mark;
  sal_journal_close(&sound);
  for (size_t at = 0; at < n; at += at < 600 ? 7 : 101) {
    bytes[at] ^= 0x10;
    spit(bytes, n);
    bytes[at] ^= 0x10;
    sal_journal j = rescan();
    const int64_t kept = read_all(&j);
    CU_ASSERT_EQUAL(kept, at < head ? 0 : at < head + mark ? 4 * TILE : 3 * TILE);
    CU_ASSERT(j.aside == 0 ||
              at < head); /* texts longer than the file: it is taken for a torn one */
    CU_ASSERT(at < head || j.damaged > 0);
    aside += j.aside > 0;
    lost += kept == 3 * TILE;
    sal_journal_close(&j);
  }
  CU_ASSERT(aside > 10 && lost > 100);
}

/* A rank that is killed while it writes leaves a torn record; what others wrote after it counts. */
static void records_behind_a_torn_one_are_found(void)
{
  static char bytes[MOST_FILE];

  if (ranks > 1) return;
  remove_all();
  write_cells(0, 4 * TILE);
  const size_t n = slurp(bytes);
  sal_journal j = rescan();
  const size_t at = (size_t)j.entry[1].offset, next = (size_t)j.entry[2].offset;
  sal_journal_close(&j);
  for (size_t left = 1; left < next - at; left += (next - at) / 23 + 1) {
    static char torn[MOST_FILE];
    memcpy(torn, bytes, at + left);
    memcpy(torn + at + left, bytes + next, n - next);
    spit(torn, n - (next - at - left));
    j = rescan();
    CU_ASSERT(read_all(&j) == 3 * TILE && j.damaged == 1 && j.entry[1].first == 2 * TILE);
    sal_journal_close(&j);
    write_cells(0, 0);
    j = rescan();
    CU_ASSERT(read_all(&j) == 3 * TILE && j.damaged == 1);
    sal_journal_close(&j);
  }
}

static void a_record_that_is_there_twice_counts_once(void)
{
  static char bytes[MOST_FILE];

  if (ranks > 1) return;
  remove_all();
  write_cells(0, 2 * TILE);
  const size_t n = slurp(bytes);
  sal_journal j = rescan();
  const size_t from = (size_t)j.entry[0].offset, size = (size_t)j.entry[1].offset - from;
  sal_journal_close(&j);
  memcpy(bytes + n, bytes + from, size);
  spit(bytes, n + size);
  j = rescan();
  CU_ASSERT(read_all(&j) == 2 * TILE && j.twice == TILE && j.damaged == 0);
  sal_journal_close(&j);
}

static void a_record_that_changes_after_it_was_found_is_noticed(void)
{
  static char bytes[MOST_FILE];
  sal_tile_result result;

  if (ranks > 1) return;
  remove_all();
  write_cells(0, TILE);
  const size_t n = slurp(bytes);
  sal_journal j = rescan();
  sal_journal_reader reader = {.journal = &j};
  CU_ASSERT_EQUAL_FATAL(j.n_entry, 1);
  for (int cut = 0; cut < 2; ++cut) {
    bytes[n - 100] ^= (char)!cut;
    spit(bytes, n - (size_t)cut);
    bytes[n - 100] ^= (char)!cut;
    CU_ASSERT_EQUAL(sal_journal_read(&reader, &j.entry[0], &result), SAL_ERR_IO);
    sal_tile_result_free(&result);
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "has changed since"));
    sal_err_clear();
  }
  sal_journal_read_end(&reader);
  sal_journal_close(&j);
}

/* One rule: what a run sets aside, a merge does not read, and neither uses its records. */
static void a_damaged_head_does_not_count(void)
{
  static char bytes[MOST_FILE];
  sal_sweep other = sample_sweep(CELLS);
  sal_journal j;

  if (ranks == 1) {
    remove_all();
    write_cells(0, CELLS);
    const size_t n = slurp(bytes);
    bytes[3] ^= 1;
    spit(bytes, n);
    j = open_journal(&sweep, SAL_JOURNAL_READ);
    CU_ASSERT_EQUAL(j.cells, 0);
    CU_ASSERT_EQUAL(j.aside, 1);
    sal_journal_close(&j);
    free(other.settled);
    other.settled = strdup("model: sample\nt_end: 11\nmesh: 0.01\n");
    j = open_journal(&other, SAL_JOURNAL_WRITE);
    CU_ASSERT_EQUAL(j.cells, 0);
    CU_ASSERT_EQUAL(j.aside, 1);
    CU_ASSERT_EQUAL(j.n_file, 0);
    sal_journal_close(&j);
    write_cells(0, CELLS);
    j = open_journal(&sweep, SAL_JOURNAL_READ);
    CU_ASSERT_EQUAL(j.cells, CELLS);
    CU_ASSERT_EQUAL(j.aside, 0);
    sal_journal_close(&j);
  }
  sample_free(&other);
}

/* The file may not grow beyond two records and a half; ranks write by turns. */
static void a_full_disk_leaves_what_was_there(void)
{
  sal_tile_result result = sample_slab(&sweep, 0, TILE);
  sal_journal j;
  sal_journal_writer w;
  struct rlimit free_size, small;
  int64_t head, end;

  remove_all();
  j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  CU_ASSERT_EQUAL_FATAL(sal_journal_begin(&j, 0, CELLS, NULL, &w), SAL_OK);
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &free_size);
  for (int turn = 0; turn < ranks; ++turn) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (turn != self) continue;
    CU_ASSERT_EQUAL(sal_node_words_add(&w.share, SAL_JOURNAL_END, 0, &head), SAL_OK);
    result.first = 0;
    CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK);
    CU_ASSERT_EQUAL(sal_node_words_add(&w.share, SAL_JOURNAL_END, 0, &end), SAL_OK);
    const int64_t size = end - head;
    small = (struct rlimit){(rlim_t)(head + size * 5 / 2), free_size.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    result.first = TILE;
    CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK);
    result.first = 2 * TILE;
    CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_ERR_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "File too large"));
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "stays in the journals"));
    sal_err_clear();
    CU_ASSERT_EQUAL(lseek(w.fd, 0, SEEK_END), head + 2 * size); /* no half record */
    setrlimit(RLIMIT_FSIZE, &free_size);
    CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK); /* there is room again */
  }
  CU_ASSERT_EQUAL(sal_journal_end(&w), SAL_OK);
  sal_journal_writer_free(&w);
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(sal_journal_scan(&j), SAL_OK);
  CU_ASSERT_EQUAL(j.cells, 3 * TILE);
  CU_ASSERT_EQUAL(j.twice, 3 * TILE * (ranks - 1));
  CU_ASSERT_EQUAL(j.damaged, 0);
  sal_journal_close(&j);
  sample_slab_free(&result);
}

static void a_journal_that_is_cut_or_gone_is_noticed(void)
{
  sal_tile_result result = sample_slab(&sweep, 0, TILE);
  sal_journal j;
  sal_journal_writer w;
  int64_t end;

  for (int cut = 0; cut < 2; ++cut) {
    remove_all();
    j = open_journal(&sweep, SAL_JOURNAL_WRITE);
    CU_ASSERT_EQUAL_FATAL(sal_journal_begin(&j, 0, CELLS, NULL, &w), SAL_OK);
    CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK);
    MPI_Barrier(MPI_COMM_WORLD);
    CU_ASSERT_EQUAL(sal_node_words_add(&w.share, SAL_JOURNAL_END, 0, &end), SAL_OK);
    if (self == 0) CU_ASSERT((cut ? truncate(w.path, end - 1) : unlink(w.path)) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (cut) { /* no record comes after a hole, which would be as long as the file was */
      CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_ERR_IO);
      sal_err_clear();
      MPI_Barrier(MPI_COMM_WORLD);
    }
    CU_ASSERT_EQUAL(sal_journal_end(&w), SAL_ERR_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), w.path));
    sal_err_clear();
    sal_journal_writer_free(&w);
    MPI_Barrier(MPI_COMM_WORLD);
    sal_journal_close(&j);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  sample_slab_free(&result);
}

SAL_TEST_MAIN_MPI("journal_damage", setup,
                  {"a journal that is cut or gone is noticed",
                   a_journal_that_is_cut_or_gone_is_noticed},
                  {"a torn record is dropped and no other", a_torn_record_is_dropped_and_no_other},
                  {"a flipped byte costs one record", a_flipped_byte_costs_one_record},
                  {"records after a torn one are found", records_behind_a_torn_one_are_found},
                  {"a record that is there twice counts once",
                   a_record_that_is_there_twice_counts_once},
                  {"a record that changes after it was found is noticed",
                   a_record_that_changes_after_it_was_found_is_noticed},
                  {"a damaged head does not count", a_damaged_head_does_not_count},
                  {"a full disk leaves what was there", a_full_disk_leaves_what_was_there},
                  {"memory comes back", memory_comes_back})
