/** @file tests/io/test_journal.c
 *  What is written to a journal comes back bit by bit, and folders are kept apart.
 */
#define JOURNAL_TEST "journal"
#include "journal_info.h"
#include "journal_sample.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* What a visitor has seen: cells, and whether all were right. */
typedef struct {
  int64_t cells;
  int     wrong;
} seen;

static void see_result(void *with, const sal_tile_result *result)
{
  seen *s = with;

  s->cells += result->count;
  s->wrong += differences(result);
}

static void a_visitor_sees_every_record_once(void)
{
  seen                      mine    = {0};
  const sal_journal_visitor visitor = {see_result, &mine};
  sal_journal               j;
  int64_t                   cells;

  remove_all();
  write_cells(0, 12);
  write_cells(9, 15);
  CU_ASSERT_EQUAL_FATAL(
      sal_journal_open(MPI_COMM_WORLD, 1, folders, &sweep, SAL_JOURNAL_WRITE, &visitor, &j),
      SAL_OK);
  MPI_Allreduce(&mine.cells, &cells, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  CU_ASSERT(cells == j.cells + j.twice && cells == 18 && mine.wrong == 0);
  sal_journal_close(&j);
}

/* The list of records, as it is known and as a new scan finds it. */
static void check_entries(sal_journal *j)
{
  const int64_t      n = j->n_entry, cells = j->cells;
  sal_journal_entry *known = sal_alloc((size_t)n, sizeof *known);

  memcpy(known, j->entry, (size_t)n * sizeof *known);
  CU_ASSERT_EQUAL(sal_journal_scan(j), SAL_OK);
  CU_ASSERT(j->n_entry == n && j->cells == cells);
  CU_ASSERT(memcmp(known, j->entry, (size_t)n * sizeof *known) == 0);
  sal_free(known);
}

static void what_a_run_has_written_is_known_without_reading(void)
{
  seen                      mine    = {0};
  const sal_journal_visitor visitor = {see_result, &mine};
  sal_journal               j;
  sal_journal_writer        w;

  remove_all();
  write_cells(10, 20);
  CU_ASSERT_EQUAL_FATAL(
      sal_journal_open(MPI_COMM_WORLD, 1, folders, &sweep, SAL_JOURNAL_WRITE, &visitor, &j),
      SAL_OK);
  mine = (seen){0};
  CU_ASSERT_EQUAL_FATAL(sal_journal_begin(&j, 0, CELLS, &w), SAL_OK);
  for (int64_t at = 20 + self; at < 38; at += ranks) { /* nothing by some when there are many */
    sal_tile_result result = sample_slab(&sweep, at, 1);
    CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK);
    sample_slab_free(&result);
  }
  CU_ASSERT_EQUAL(sal_journal_end(&w), SAL_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(sal_journal_scan_add(&j, &w.list), SAL_OK);
  sal_journal_writer_free(&w);
  CU_ASSERT(mine.cells == 0); /* nothing was read */
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
    CU_ASSERT_EQUAL(sal_journal_info(folder, false, out), SAL_OK);
    fclose(out);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "has stopped"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, " 30 of 40 (75 %)"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, " 12 of each cell"));
    CU_ASSERT_PTR_NULL(strstr(text, "twice"));
    free(text);
    CU_ASSERT_EQUAL(sal_journal_info("no.journal", false, stdout), SAL_ERR_IO);
    sal_err_clear();
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

SAL_TEST_MAIN_MPI("journal", setup,
                  {"records come back on all ranks", records_come_back_on_all_ranks},
                  {"cells that are there twice count once", cells_that_are_there_twice_count_once},
                  {"a visitor sees every record once", a_visitor_sees_every_record_once},
                  {"what a run has written is known without reading",
                   what_a_run_has_written_is_known_without_reading},
                  {"no cells leave no file and no folder", no_cells_leave_no_file_and_no_folder},
                  {"another sweep is refused with what changed",
                   another_sweep_is_refused_with_what_changed},
                  {"two runs do not share a folder", two_runs_do_not_share_a_folder},
                  {"what is no folder is refused", what_is_no_folder_is_refused},
                  {"a record waits for the disk no longer than asked",
                   a_record_waits_for_the_disk_no_longer_than_asked},
                  {"info tells what is there", info_tells_what_is_there},
                  {"memory comes back", memory_comes_back})
