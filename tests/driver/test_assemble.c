/** A cube from journals whose records begin and end anywhere: each value is there, in chunks and rounds.
 */
#include "../io/sample.h"
#include "assemble.h"
#include "cube_chunk.h"
#include "cube_read.h"
#include "cube_write.h"
#include "journal.h"
#include "journal_write.h"
#include "memory.h"
#include "sal_test.h"
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CELLS = 17003, TILE = 301 };

static int self, ranks;
static char cube_path[64], folder[64];
static const char *const folders[1] = {folder};

static int find_rank(void)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  snprintf(cube_path, sizeof cube_path, "assemble_np%d.h5", ranks);
  snprintf(folder, sizeof folder, "assemble_np%d.h5.journal", ranks);
  return 0;
}

/* All but the tile that begins with `lost`; ranks take them by turns. */
static void write_tiles(sal_journal *j, const sal_sweep *sweep, int64_t lost)
{
  sal_journal_writer w;

  CU_ASSERT_EQUAL_FATAL(sal_journal_begin(j, 10, CELLS, NULL, &w), SAL_OK);
  for (int64_t at = self * TILE; at < CELLS; at += TILE * ranks) {
    sal_tile_result result = sample_slab(sweep, at, CELLS - at < TILE ? CELLS - at : TILE);
    if (at != lost) CU_ASSERT_EQUAL(sal_journal_append(&w, &result), SAL_OK);
    sample_slab_free(&result);
  }
  CU_ASSERT_EQUAL(sal_journal_end(&w), SAL_OK);
  CU_ASSERT_EQUAL(sal_journal_scan_add(j, &w.list, &w.held), SAL_OK);
  sal_journal_writer_free(&w);
}

static bool is_points(int m) { return m >= SAL_METRIC_POINTS_SD && m <= SAL_METRIC_POINTS_IAE; }

static void check_values(void)
{
  sal_cube cube;
  int64_t wrong = 0;

  CU_ASSERT_EQUAL_FATAL(sal_cube_read(cube_path, &cube), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(cube.n_cell, CELLS);
  for (int64_t c = 0; c < CELLS; ++c) {
    wrong +=
        !sample_same(cube.cell[c].value[SAL_CELL_SECONDS], sample_cell_value(c, SAL_CELL_SECONDS));
    for (int r = 0; r < SAMPLE_CONFIGS; ++r)
      for (int m = 0; m < SAL_N_METRIC; ++m)
        wrong += sal_metrics[m].group == SAL_GROUP_RUN && !is_points(m) &&
                 !sample_same(cube.record[c * SAMPLE_CONFIGS + r].value[m], sample_value(c, r, m));
  }
  CU_ASSERT_EQUAL(wrong, 0);
  sal_cube_free(&cube);
}

static void assemble(int64_t lost, sal_err expected)
{
  sal_sweep sweep = sample_sweep(CELLS);
  const sal_journal_ranges ranges = sal_assemble_ranges(&sweep);
  sal_assembly out = {.path = cube_path, .origin = &sample_origin};
  sal_journal j;

  CU_ASSERT(sal_cube_chunk(&sweep) > 1 && TILE % sal_cube_chunk(&sweep) != 0);
  CU_ASSERT(ranks > 1 || sal_cube_round(&sweep) < CELLS);
  CU_ASSERT_EQUAL_FATAL(
      sal_journal_open(MPI_COMM_WORLD, 1, folders, &sweep, SAL_JOURNAL_ANEW, &ranges, &j), SAL_OK);
  write_tiles(&j, &sweep, lost);
  CU_ASSERT_EQUAL(sal_assemble(&j, &out), expected);
  CU_ASSERT_EQUAL(sal_journal_remove(&j), SAL_OK);
  sal_journal_close(&j);
  sample_free(&sweep);
}

static void check_cube(void)
{
  if (self == 0) {
    check_values();
    unlink(cube_path);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Every second record that this rank has written is in the file alone, and so are those that no room was left for: on one rank the
 * last ones. */
static void forget_some(sal_journal *j)
{
  CU_ASSERT(j->held.n > 1 && j->held.record[0].bytes && j->held.record[1].bytes);
  CU_ASSERT_EQUAL(j->held.record[j->held.n - 1].bytes == NULL, ranks == 1);
  for (int64_t i = 0; i < j->held.n; i += 2) {
    sal_free(j->held.record[i].bytes);
    j->held.record[i].bytes = NULL;
  }
}

/* Changes a byte of a record in the first journal. */
static void change_a_byte(void)
{
  char path[128], byte = 0;
  struct stat about;

  snprintf(path, sizeof path, "%s/0000.sal", folder);
  const int fd = self == 0 ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd >= 0) {
    CU_ASSERT(fstat(fd, &about) == 0 && pread(fd, &byte, 1, about.st_size / 2) == 1);
    byte ^= 1;
    CU_ASSERT_EQUAL(pwrite(fd, &byte, 1, about.st_size / 2), 1);
    close(fd);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* As `merge` does: journals of another run, in which a record may change after it was found. */
static void merge(const sal_sweep *sweep, bool changes, sal_err expected)
{
  const sal_journal_ranges ranges = sal_assemble_ranges(sweep);
  sal_assembly out = {.path = cube_path, .origin = &sample_origin};
  sal_journal j;

  CU_ASSERT_EQUAL_FATAL(
      sal_journal_open(MPI_COMM_WORLD, 1, folders, sweep, SAL_JOURNAL_READ, &ranges, &j), SAL_OK);
  CU_ASSERT_EQUAL(j.held.n, 0);
  if (changes) change_a_byte();
  CU_ASSERT_EQUAL(sal_assemble(&j, &out), expected);
  sal_journal_close(&j);
}

static void records_anywhere_become_chunks(void)
{
  sal_sweep sweep = sample_sweep(CELLS);
  const sal_journal_ranges ranges = sal_assemble_ranges(&sweep);
  sal_assembly out = {.path = cube_path, .origin = &sample_origin};
  sal_journal j;

  CU_ASSERT_EQUAL_FATAL(
      sal_journal_open(MPI_COMM_WORLD, 1, folders, &sweep, SAL_JOURNAL_ANEW, &ranges, &j), SAL_OK);
  write_tiles(&j, &sweep, -1);
  forget_some(&j);
  CU_ASSERT_EQUAL(sal_assemble(&j, &out), SAL_OK);
  check_cube();
  sal_journal_close(&j);
  merge(&sweep, false, SAL_OK);
  check_cube();
  merge(&sweep, true, SAL_ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "a record has changed since it was found"));
  sal_err_clear();
  CU_ASSERT(access(cube_path, F_OK) != 0);
  CU_ASSERT_EQUAL_FATAL(
      sal_journal_open(MPI_COMM_WORLD, 1, folders, &sweep, SAL_JOURNAL_ANEW, &ranges, &j), SAL_OK);
  CU_ASSERT_EQUAL(sal_journal_remove(&j), SAL_OK);
  sal_journal_close(&j);
  sample_free(&sweep);
}

static void a_cell_that_is_missing_leaves_no_cube(void)
{
  assemble(TILE, SAL_ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "its journals lack cells from 1 to"));
  sal_err_clear();
  CU_ASSERT(access(cube_path, F_OK) != 0);
}

static void memory_comes_back(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

SAL_TEST_MAIN_MPI("assemble", find_rank,
                  {"records anywhere, in memory or read by one rank, become chunks",
                   records_anywhere_become_chunks},
                  {"a cell that is missing leaves no cube", a_cell_that_is_missing_leaves_no_cube},
                  {"memory comes back", memory_comes_back})
