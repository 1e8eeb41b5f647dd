/** Records written to a journal come back bit by bit, and folders are kept apart. */
#define JOURNAL_TEST "journal"
#include "journal.h"
#include "journal_private.h"
#include "journal_sample.h"
#include "machine.h"
#include "tile_rows.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void records_come_back_on_all_ranks(void)
{
  sal_tile *run;
  int64_t n;

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

/* Ranges are those of the records that count: the run that a record was of is not in them when its
 * cells are there without it. */
static void ranges_are_of_the_records_that_count(void)
{
  remove_all();
  run_number = 1;
  write_cells(3, 15);
  run_number = 2;
  write_cells(12, 18);
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_READ);
  CU_ASSERT(j.cells == 15 && j.twice == 3);
  check_ranges(&j, 3, 17, 1, 2);
  sal_journal_close(&j);
  remove_all();
  run_number = 1;
  write_cells(3, 15);
  run_number = 3;
  write_cells(6, 12);
  j = open_journal(&sweep, SAL_JOURNAL_READ);
  CU_ASSERT(j.cells == 12 && j.twice == 6);
  check_ranges(&j, 3, 14, 1, 1);
  sal_journal_close(&j);
  run_number = 0;
}

/* Without the lock records would lie over each other. */
static void ranks_of_a_node_write_to_one_journal(void)
{
  enum { TIMES = 60 };
  sal_tile_result result = sample_slab(&sweep, self * TILE, TILE);
  sal_journal j;
  sal_journal_writer w;
  int64_t end, size = 0;
  struct stat about;

  remove_all();
  j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  CU_ASSERT_EQUAL_FATAL(sal_journal_begin(&j, 100, CELLS, NULL, &w), SAL_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < TIMES; ++i) CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(sal_node_words_add(&w.share, SAL_JOURNAL_END, 0, &end), SAL_OK);
  CU_ASSERT(stat(w.path, &about) == 0 && about.st_size == end);
  for (int64_t i = 1; i < w.list.n; ++i) size = w.list.entry[i].offset - w.list.entry[i - 1].offset;
  CU_ASSERT(size > 0 && size < end);
  CU_ASSERT_EQUAL(sal_journal_end(&w), SAL_OK);
  sal_journal_writer_free(&w);
  CU_ASSERT_EQUAL(sal_journal_scan(&j), SAL_OK);
  CU_ASSERT(j.n_file == 1 && j.damaged == 0);
  CU_ASSERT(j.cells == TILE * ranks && j.twice == (TIMES - 1) * TILE * ranks);
  CU_ASSERT_EQUAL(read_all(&j), TILE * ranks);
  sal_journal_close(&j);
  sample_slab_free(&result);
}

/* The list of records, as it is known and as a new scan finds it. */
static void check_entries(sal_journal *j)
{
  const int64_t n = j->n_entry, cells = j->cells;
  sal_journal_entry *known = sal_alloc((size_t)n, sizeof *known);

  memcpy(known, j->entry, (size_t)n * sizeof *known);
  for (int64_t i = 0; i < n; ++i) known[i].fresh = false; /* to a new scan */
  CU_ASSERT_EQUAL(sal_journal_scan(j), SAL_OK);
  CU_ASSERT(j->n_entry == n && j->cells == cells);
  CU_ASSERT(memcmp(known, j->entry, (size_t)n * sizeof *known) == 0);
  sal_free(known);
}

/* A tile from `first` on, if there is one, that comes of such a machine; what is known then, and after a scan. */
static void write_from(const char *machine, int64_t first, const char *known)
{
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  sal_journal_writer w;

  CU_ASSERT_EQUAL_FATAL(sal_journal_begin(&j, 0, CELLS, machine, &w), SAL_OK);
  if (first >= 0 && self == 0) {
    sal_tile_result result = sample_slab(&sweep, first, TILE);
    CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK);
    sample_slab_free(&result);
  }
  CU_ASSERT_EQUAL(sal_journal_end(&w), SAL_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(sal_journal_scan_add(&j, &w.list, &w.held), SAL_OK);
  sal_journal_writer_free(&w);
  CU_ASSERT_STRING_EQUAL(j.machine.string, known);
  sal_journal_close(&j);
  j = open_journal(&sweep, SAL_JOURNAL_READ);
  CU_ASSERT_STRING_EQUAL(j.machine.string, known);
  sal_journal_close(&j);
}

/* A node goes on in the file of the same machines. */
static void machines_are_those_of_the_records(void)
{
  char here[256];

  remove_all();
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  snprintf(here, sizeof here, "A; B; %s", j.here.string);
  CU_ASSERT(sal_machine_count(&j.here) == 1 && j.machine.length == 0);
  sal_journal_close(&j);
  write_from("A", 0, "A");
  write_from("B; A", 3, "A; B");
  write_from("C", -1, "A; B");
  write_from(NULL, 6, here);
  write_from("A", 9, here);
  write_from("B", 12, here);
  write_from("B", 15, here);
  j = open_journal(&sweep, SAL_JOURNAL_READ);
  CU_ASSERT(j.n_file == 4 && j.cells == 18); /* A, B; A, here, B */
  CU_ASSERT(sal_machine_count(&j.machine) == 3);
  sal_journal_close(&j);
}

/* A byte of a record of this run is changed: the reader notices. */
static void what_a_run_has_written_is_known_without_reading(void)
{
  static char bytes[MOST_FILE];
  sal_journal j;
  sal_journal_writer w;

  remove_all();
  write_cells(10, 20);
  j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  CU_ASSERT_EQUAL_FATAL(sal_journal_begin(&j, 0, CELLS, NULL, &w), SAL_OK);
  for (int64_t at = 20 + self; at < 38; at += ranks) { /* nothing by some when there are many */
    sal_tile_result result = sample_slab(&sweep, at, 1);
    CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK);
    sample_slab_free(&result);
  }
  CU_ASSERT_EQUAL(sal_journal_end(&w), SAL_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  const size_t n = self == 0 ? slurp(bytes) : 0;
  if (self == 0) {
    bytes[n / 2] ^= 1;
    spit(bytes, n);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(sal_journal_scan_add(&j, &w.list, &w.held), SAL_OK);
  sal_journal_writer_free(&w);
  CU_ASSERT(j.cells == 28 && j.n_file == 1);
  check_ranges(&j, 10, 37, 0, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (self == 0) {
    bytes[n / 2] ^= 1;
    spit(bytes, n);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(read_all(&j), 28);
  check_entries(&j);
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

static void another_sweep_is_refused_with_what_changed(void)
{
  sal_sweep other = sample_sweep(CELLS);
  sal_journal j;

  remove_all();
  write_cells(0, CELLS);
  free(other.settled);
  other.settled = strdup("model: sample\nt_end: 11\nmesh: 0.01\n");
  CU_ASSERT_EQUAL(
      sal_journal_open(MPI_COMM_WORLD, 1, folders, &other, SAL_JOURNAL_WRITE, &ranges, &j),
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

static void two_runs_do_not_share_a_folder(void)
{
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_WRITE), second;

  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(
      sal_journal_open(MPI_COMM_WORLD, 1, folders, &sweep, SAL_JOURNAL_WRITE, &ranges, &second),
      SAL_ERR_BUSY);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "another run is at work"));
  sal_err_clear();
  sal_journal_close(&second);
  sal_journal_close(&j);
}

/* Another run that ends: it removes the folder, and then lets go of its lock. */
static void *end_in_a_while(void *lock)
{
  usleep(200000);
  CU_ASSERT_EQUAL(rmdir(folder), 0);
  close(*(int *)lock);
  return NULL;
}

static void a_run_that_ends_meanwhile_is_told(void)
{
  sal_journal j;
  pthread_t other;
  int lock = -1;

  remove_all();
  if (self == 0) {
    CU_ASSERT_EQUAL(mkdir(folder, 0700), 0);
    lock = open(folder, O_RDONLY | O_DIRECTORY);
    CU_ASSERT_FATAL(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&other, NULL, end_in_a_while, &lock), 0);
  }
  CU_ASSERT_EQUAL(
      sal_journal_open(MPI_COMM_WORLD, 1, folders, &sweep, SAL_JOURNAL_WRITE, &ranges, &j),
      SAL_ERR_BUSY);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "has ended meanwhile"));
  sal_err_clear();
  sal_journal_close(&j);
  if (self == 0) CU_ASSERT_EQUAL(pthread_join(other, NULL), 0);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void what_is_no_folder_is_refused(void)
{
  static const char *const none[] = {"/dev/null"}, *const never[] = {"/proc/none.journal"};
  sal_journal j;

  CU_ASSERT_EQUAL(sal_journal_open(MPI_COMM_WORLD, 1, none, &sweep, SAL_JOURNAL_WRITE, &ranges, &j),
                  SAL_ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "/dev/null: is not a folder"));
  sal_err_clear();
  sal_journal_close(&j);
  CU_ASSERT_EQUAL(
      sal_journal_open(MPI_COMM_WORLD, 1, never, &sweep, SAL_JOURNAL_WRITE, &ranges, &j),
      SAL_ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "/proc/none.journal: cannot be made"));
  sal_err_clear();
  sal_journal_close(&j);
}

static void a_record_waits_for_the_disk_no_longer_than_asked(void)
{
  sal_tile_result result = sample_slab(&sweep, 0, TILE);
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_ANEW);
  sal_journal_writer w;
  int64_t since;

  CU_ASSERT_EQUAL_FATAL(sal_journal_begin(&j, 0.3, CELLS, NULL, &w), SAL_OK);
  if (self == 0) CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK);
  CU_ASSERT_EQUAL(sal_journal_sync(&w), SAL_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(sal_node_words_add(&w.share, SAL_JOURNAL_SINCE, 0, &since), SAL_OK);
  CU_ASSERT(since > 0); /* it may wait a little */
  MPI_Barrier(MPI_COMM_WORLD);
  usleep(310000);
  if (self == ranks - 1) CU_ASSERT_EQUAL(sal_journal_sync(&w), SAL_OK); /* for all of the node */
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(sal_node_words_add(&w.share, SAL_JOURNAL_SINCE, 0, &since), SAL_OK);
  CU_ASSERT_EQUAL(since, 0);
  CU_ASSERT_EQUAL(sal_journal_end(&w), SAL_OK);
  sal_journal_writer_free(&w);
  MPI_Barrier(MPI_COMM_WORLD);
  sal_journal_close(&j);
  sample_slab_free(&result);
}

static void info_tells_what_is_there(void)
{
  remove_all();
  write_cells(0, 30);
  if (self == 0) {
    sal_journal_info info;
    CU_ASSERT_EQUAL(sal_journal_info_read(folder, &info), SAL_OK);
    CU_ASSERT_FALSE(info.busy);
    CU_ASSERT_EQUAL(info.done, 30);
    CU_ASSERT_EQUAL(info.goal, 40);
    CU_ASSERT_EQUAL(info.configs, 12);
    CU_ASSERT_EQUAL(info.twice, 0);
    CU_ASSERT(info.machine.string && strstr(info.machine.string, "lanes"));
    sal_text_free(&info.machine);
    CU_ASSERT_EQUAL(sal_journal_info_read("no.journal", &info), SAL_ERR_IO);
    sal_err_clear();
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Memory to read a record of so many cells, alone in a journal. */
static double memory_of(int64_t cells)
{
  sal_tile_result result;

  remove_all();
  write_cells(0, cells);
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_READ);
  sal_journal_reader reader = {.journal = &j};
  CU_ASSERT_EQUAL_FATAL(j.n_entry, 1);
  const double before = (double)sal_memory_bytes();
  CU_ASSERT_EQUAL_FATAL(sal_journal_read(&reader, &j.entry[0], &result), SAL_OK);
  double memory = (double)sal_memory_bytes() - before;
  sal_tile_result_free(&result);
  memory -= (double)sal_memory_bytes() - before; /* what the reader keeps */
  sal_journal_read_end(&reader);
  sal_journal_close(&j);
  return memory;
}

static void cells_take_the_bytes_that_are_told(void)
{
  const double told = (double)sal_tile_rows_bytes(&sweep);

  CU_ASSERT_DOUBLE_EQUAL(memory_of(TILE) - memory_of(1), (TILE - 1) * told,
                         256); /* whole cache lines */
}

SAL_TEST_MAIN_MPI("journal", setup,
                  {"records come back on all ranks", records_come_back_on_all_ranks},
                  {"cells that are there twice count once", cells_that_are_there_twice_count_once},
                  {"ranges are of the records that count", ranges_are_of_the_records_that_count},
                  {"ranks of a node write to one journal", ranks_of_a_node_write_to_one_journal},
                  {"machines are those of the records", machines_are_those_of_the_records},
                  {"what a run has written is known without reading",
                   what_a_run_has_written_is_known_without_reading},
                  {"no cells leave no file and no folder", no_cells_leave_no_file_and_no_folder},
                  {"another sweep is refused with what changed",
                   another_sweep_is_refused_with_what_changed},
                  {"two runs do not share a folder", two_runs_do_not_share_a_folder},
                  {"a run that ends meanwhile is reported", a_run_that_ends_meanwhile_is_told},
                  {"a path that is not a folder is refused", what_is_no_folder_is_refused},
                  {"a record waits for the disk no longer than asked",
                   a_record_waits_for_the_disk_no_longer_than_asked},
                  {"info prints what is there", info_tells_what_is_there},
                  {"cells take the predicted bytes", cells_take_the_bytes_that_are_told},
                  {"memory comes back", memory_comes_back})
