/** @file tests/io/test_journal.c
 *  What is written to a journal comes back bit by bit, or is known to be missing.
 */
#include "journal.h"
#include "journal_info.h"
#include "journal_read.h"
#include "journal_scan.h"
#include "journal_write.h"
#include "memory.h"
#include "sal_test.h"
#include "sample.h"
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CELLS = 40, TILE = 3, MOST_FILE = 1 << 20 };

static int         self, ranks;
static char        folder[64];
static const char *folders[1] = {folder};
static sal_sweep   sweep;

static int setup(void)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  snprintf(folder, sizeof folder, "journal_np%d.journal", ranks);
  sweep = sample_sweep(CELLS);
  return 0;
}

static sal_journal open_journal(const sal_sweep *s, sal_journal_use use)
{
  sal_journal j;

  CU_ASSERT_EQUAL_FATAL(sal_journal_open(MPI_COMM_WORLD, 1, folders, s, use, NULL, &j), SAL_OK);
  return j;
}

static void remove_all(void)
{
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_ANEW);

  if (self == 0) CU_ASSERT_EQUAL(sal_journal_remove(&j), SAL_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  sal_journal_close(&j);
}

/* Ranks take tiles by turns from first to before `end`. */
static void write_cells(int64_t first, int64_t end)
{
  sal_journal        j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  sal_journal_writer w;

  CU_ASSERT_EQUAL_FATAL(sal_journal_begin(&j, 0, CELLS, &w), SAL_OK);
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

static int differences(const sal_tile_result *result)
{
  int wrong = 0;

  for (int64_t c = 0; c < result->count; ++c) {
    for (int m = 0; m < SAL_N_CELL_METRIC; ++m)
      wrong += !sample_same(result->cell[c].value[m], sample_cell_value(result->first + c, m));
    for (int r = 0; r < SAMPLE_CONTENDERS; ++r)
      for (int m = 0; m < SAL_N_METRIC; ++m)
        wrong += !sample_same(result->record[c * SAMPLE_CONTENDERS + r].value[m],
                              sample_value(result->first + c, r, m));
  }
  return wrong;
}

/* Reads every entry, which must hold what was written; the cells in them. */
static int64_t read_all(const sal_journal *j)
{
  sal_journal_reader reader = {.journal = j};
  int64_t            cells  = 0;

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

static void records_come_back_on_all_ranks(void)
{
  sal_tile *run;
  int64_t   n;

  remove_all();
  write_cells(5, 20);
  write_cells(23, 32);
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  CU_ASSERT_EQUAL(read_all(&j), 15 + 9);
  CU_ASSERT_EQUAL(j.damaged, 0);
  CU_ASSERT_EQUAL(j.twice, 0);
  CU_ASSERT_EQUAL_FATAL(sal_journal_missing(&j, &run, &n), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(n, 3);
  static const sal_tile hole[] = {{0, 5}, {20, 3}, {32, 8}};
  for (int i = 0; i < 3; ++i)
    CU_ASSERT(run[i].first == hole[i].first && run[i].count == hole[i].count);
  sal_free(run);
  sal_journal_close(&j);
}

static void cells_that_are_there_twice_count_once(void)
{
  remove_all();
  write_cells(0, 12);
  write_cells(9, 15);
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  CU_ASSERT_EQUAL(read_all(&j), 15);
  CU_ASSERT_EQUAL(j.twice, 3);
  sal_journal_close(&j);
}

static void no_cells_leave_no_file_and_no_folder(void)
{
  struct stat about;

  remove_all();
  write_cells(0, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT(stat(folder, &about) != 0);
}

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

static void another_sweep_is_refused_with_what_changed(void)
{
  sal_sweep   other = sample_sweep(CELLS);
  sal_journal j;

  remove_all();
  write_cells(0, CELLS);
  free(other.settled);
  other.settled = strdup("model: sample\nt_end: 11\nmesh: 0.01\n");
  CU_ASSERT_EQUAL(sal_journal_open(MPI_COMM_WORLD, 1, folders, &other, SAL_JOURNAL_WRITE, NULL, &j),
                  SAL_ERR_EXISTS);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "0000.sal: is of another sweep"));
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "\n- t_end: 10\n+ t_end: 11"));
  CU_ASSERT_PTR_NULL(strstr(sal_err_message(), "mesh"));
  sal_err_clear();
  sal_journal_close(&j);
  MPI_Barrier(MPI_COMM_WORLD);

  j = open_journal(&sweep, SAL_JOURNAL_WRITE); /* nothing was touched */
  CU_ASSERT_EQUAL(read_all(&j), CELLS);
  sal_journal_close(&j);
  MPI_Barrier(MPI_COMM_WORLD);
  j = open_journal(&sweep, SAL_JOURNAL_ANEW); /* of this sweep: they stay */
  CU_ASSERT_EQUAL(j.cells, CELLS);
  sal_journal_close(&j);
  MPI_Barrier(MPI_COMM_WORLD);
  j = open_journal(&other, SAL_JOURNAL_ANEW);
  CU_ASSERT_EQUAL(j.cells, 0);
  CU_ASSERT_EQUAL(j.n_file, 0);
  sal_journal_close(&j);
  sample_free(&other);
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

static void two_runs_do_not_share_a_folder(void)
{
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_WRITE), second;

  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(
      sal_journal_open(MPI_COMM_WORLD, 1, folders, &sweep, SAL_JOURNAL_WRITE, NULL, &second),
      SAL_ERR_EXISTS);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "another run is at work"));
  sal_err_clear();
  sal_journal_close(&second);
  sal_journal_close(&j);
}

static void what_is_no_folder_is_refused(void)
{
  static const char *const none[] = {"/dev/null"}, *const never[] = {"/proc/none.journal"};
  sal_journal j;

  CU_ASSERT_EQUAL(sal_journal_open(MPI_COMM_WORLD, 1, none, &sweep, SAL_JOURNAL_WRITE, NULL, &j),
                  SAL_ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "/dev/null: is no folder"));
  sal_err_clear();
  sal_journal_close(&j);
  CU_ASSERT_EQUAL(sal_journal_open(MPI_COMM_WORLD, 1, never, &sweep, SAL_JOURNAL_WRITE, NULL, &j),
                  SAL_ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "/proc/none.journal: cannot be made"));
  sal_err_clear();
  sal_journal_close(&j);
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

static void a_record_waits_for_the_disk_no_longer_than_asked(void)
{
  sal_tile_result    result = sample_slab(&sweep, 0, TILE);
  sal_journal        j      = open_journal(&sweep, SAL_JOURNAL_ANEW);
  sal_journal_writer w;

  CU_ASSERT_EQUAL_FATAL(sal_journal_begin(&j, 0.05, CELLS, &w), SAL_OK);
  CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK);
  CU_ASSERT_EQUAL(sal_journal_sync(&w), SAL_OK);
  CU_ASSERT(!isnan(w.written)); /* it may wait a little */
  usleep(60000);
  CU_ASSERT_EQUAL(sal_journal_sync(&w), SAL_OK);
  CU_ASSERT(isnan(w.written));
  CU_ASSERT_EQUAL(sal_journal_end(&w), SAL_OK);
  sal_journal_writer_free(&w);
  MPI_Barrier(MPI_COMM_WORLD);
  sal_journal_close(&j);
  sample_slab_free(&result);
}

static void info_tells_what_is_there(void)
{
  char  *text;
  size_t n;

  remove_all();
  write_cells(0, 30);
  if (self == 0) {
    FILE *out = open_memstream(&text, &n);
    CU_ASSERT_EQUAL(sal_journal_info(folder, out), SAL_OK);
    fclose(out);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "has stopped"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, " 30 of 40 (75 %)"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, " 12 of each cell"));
    CU_ASSERT_PTR_NULL(strstr(text, "twice"));
    free(text);
    CU_ASSERT_EQUAL(sal_journal_info("no.journal", stdout), SAL_ERR_IO);
    sal_err_clear();
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void memory_comes_back(void)
{
  remove_all();
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
  sample_free(&sweep);
}

SAL_TEST_MAIN_MPI("journal", setup,
                  {"records come back on all ranks", records_come_back_on_all_ranks},
                  {"cells that are there twice count once", cells_that_are_there_twice_count_once},
                  {"no cells leave no file and no folder", no_cells_leave_no_file_and_no_folder},
                  {"a torn record is dropped and no other", a_torn_record_is_dropped_and_no_other},
                  {"a flipped byte costs one record", a_flipped_byte_costs_one_record},
                  {"a record that changes after it was found is noticed",
                   a_record_that_changes_after_it_was_found_is_noticed},
                  {"another sweep is refused with what changed",
                   another_sweep_is_refused_with_what_changed},
                  {"a record of another sweep is none", a_record_of_another_sweep_is_none},
                  {"two runs do not share a folder", two_runs_do_not_share_a_folder},
                  {"what is no folder is refused", what_is_no_folder_is_refused},
                  {"a full disk leaves what was there", a_full_disk_leaves_what_was_there},
                  {"a record waits for the disk no longer than asked",
                   a_record_waits_for_the_disk_no_longer_than_asked},
                  {"info tells what is there", info_tells_what_is_there},
                  {"memory comes back", memory_comes_back})
