/** @file tests/io/test_journal_damage.c
 *  What is damaged in a journal, or could not be written, is known to be missing.
 */
#define JOURNAL_TEST "journal_damage"
#include "journal_sample.h"
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MOST_FILE = 1 << 20 };

/* The only file, of one rank. */
static const char *only_file(void)
{
  static char path[PATH_MAX];

  snprintf(path, sizeof path, "%s/0000.sal", folder);
  return path;
}

static size_t slurp(char bytes[])
{
  FILE        *file = fopen(only_file(), "rb");
  const size_t n    = file ? fread(bytes, 1, MOST_FILE, file) : 0;

  CU_ASSERT_FATAL(n > 0 && n < MOST_FILE);
  fclose(file);
  return n;
}

static void spit(const char bytes[], size_t n)
{
  FILE *file = fopen(only_file(), "wb");

  CU_ASSERT_FATAL(file && fwrite(bytes, 1, n, file) == n);
  fclose(file);
}

static sal_journal rescan(void)
{
  sal_journal j;

  CU_ASSERT_EQUAL_FATAL(
      sal_journal_open(MPI_COMM_SELF, 1, folders, &sweep, SAL_JOURNAL_WRITE, NULL, &j), SAL_OK);
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
    sal_journal   j    = rescan();
    const int64_t kept = read_all(&j);
    CU_ASSERT(kept % TILE == 0 && kept < 4 * TILE);
    CU_ASSERT(lost > n / 4 || kept >= 3 * TILE - TILE);
    if (lost == 1) CU_ASSERT(kept == 3 * TILE && j.damaged == 1);
    sal_journal_close(&j);
  }
}

/* Any byte, that of the head included: one record is lost at most, and never is one made up. */
static void a_flipped_byte_costs_one_record(void)
{
  static char bytes[MOST_FILE];
  int         whole = 0, lost = 0;

  if (ranks > 1) return;
  remove_all();
  write_cells(0, 4 * TILE);
  const size_t n = slurp(bytes);
  for (size_t at = 0; at < n; at += at < 600 ? 7 : 101) {
    bytes[at] ^= 0x10;
    spit(bytes, n);
    bytes[at] ^= 0x10;
    sal_journal   j    = rescan();
    const int64_t kept = read_all(&j);
    CU_ASSERT(kept == 4 * TILE || kept == 3 * TILE);
    CU_ASSERT(kept == 4 * TILE || j.damaged > 0);
    whole += kept == 4 * TILE;
    lost += kept == 3 * TILE;
    sal_journal_close(&j);
  }
  CU_ASSERT(whole > 10 && lost > 100);
}

static void a_record_that_changes_after_it_was_found_is_noticed(void)
{
  static char     bytes[MOST_FILE];
  sal_tile_result result;

  if (ranks > 1) return;
  remove_all();
  write_cells(0, TILE);
  const size_t       n      = slurp(bytes);
  sal_journal        j      = rescan();
  sal_journal_reader reader = {.journal = &j};
  CU_ASSERT_EQUAL_FATAL(j.n_entry, 1);
  bytes[n - 100] ^= 1;
  spit(bytes, n);
  CU_ASSERT_EQUAL(sal_journal_read(&reader, &j.entry[0], &result), SAL_ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "has changed since"));
  sal_err_clear();
  sal_journal_read_end(&reader);
  sal_journal_close(&j);
}

/* The checksum of a record is of its sweep, whatever has become of the head. */
static void a_record_of_another_sweep_is_none(void)
{
  static char bytes[MOST_FILE];
  sal_sweep   other = sample_sweep(CELLS);
  sal_journal j;

  if (ranks == 1) {
    remove_all();
    write_cells(0, CELLS);
    const size_t n = slurp(bytes);
    bytes[0] ^= 1;
    spit(bytes, n);
    free(other.settled);
    other.settled = strdup("model: sample\nt_end: 11\nmesh: 0.01\n");
    j             = open_journal(&other, SAL_JOURNAL_WRITE);
    CU_ASSERT_EQUAL(j.cells, 0);
    CU_ASSERT(j.damaged > 0);
    sal_journal_close(&j);
    j = open_journal(&sweep, SAL_JOURNAL_WRITE);
    CU_ASSERT_EQUAL(j.cells, CELLS);
    sal_journal_close(&j);
  }
  sample_free(&other);
}

/* The file may not grow beyond two records and a half. */
static void a_full_disk_leaves_what_was_there(void)
{
  sal_tile_result    result = sample_slab(&sweep, 0, TILE);
  sal_journal        j;
  sal_journal_writer w;
  struct rlimit      free_size, small;

  remove_all();
  j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  CU_ASSERT_EQUAL_FATAL(sal_journal_begin(&j, 0, CELLS, &w), SAL_OK);
  const int64_t head = w.end;
  CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK);
  const int64_t size = w.end - head;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &free_size);
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

static void a_journal_that_is_gone_at_the_end_is_noticed(void)
{
  sal_tile_result    result = sample_slab(&sweep, 0, TILE);
  sal_journal        j;
  sal_journal_writer w;

  for (int cut = 0; cut < 2; ++cut) {
    remove_all();
    j = open_journal(&sweep, SAL_JOURNAL_WRITE);
    CU_ASSERT_EQUAL_FATAL(sal_journal_begin(&j, 0, CELLS, &w), SAL_OK);
    CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK);
    CU_ASSERT((cut ? truncate(w.path, w.end - 1) : unlink(w.path)) == 0);
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
                  {"a journal that is gone at the end is noticed",
                   a_journal_that_is_gone_at_the_end_is_noticed},
                  {"a torn record is dropped and no other", a_torn_record_is_dropped_and_no_other},
                  {"a flipped byte costs one record", a_flipped_byte_costs_one_record},
                  {"a record that changes after it was found is noticed",
                   a_record_that_changes_after_it_was_found_is_noticed},
                  {"a record of another sweep is none", a_record_of_another_sweep_is_none},
                  {"a full disk leaves what was there", a_full_disk_leaves_what_was_there},
                  {"memory comes back", memory_comes_back})
