/** @file tests/io/test_journal_kept.c
 *  Finished trajectories of unfinished cells: kept, found for any cut of the cells, never believed when
 *  damaged, and gone when they are of no use.
 */
#define JOURNAL_TEST "journal_kept"
#include "journal_sample.h"
#include "journal_write.h"
#include <dirent.h>
#include <string.h>
#include <unistd.h>

enum { ALL = CELLS * SAMPLE_CONTENDERS };

static bool is_done(int64_t cell, int contender, int salt) { return (cell + contender) % 3 < salt; }

/* Each rank keeps a tile of its own, of which more is done from run to run. */
static void keep(int64_t first, int64_t count, int salt)
{
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_WRITE);
  sal_journal_writer w;
  uint8_t done[ALL];

  CU_ASSERT_EQUAL_FATAL(sal_journal_begin(&j, 0, CELLS, NULL, &w), SAL_OK);
  sal_tile_kept kept = {.result = sample_slab(&sweep, first + self * count, count), .done = done};
  for (int64_t c = 0; c < count; ++c)
    for (int k = 0; k < SAMPLE_CONTENDERS; ++k)
      done[c * SAMPLE_CONTENDERS + k] = is_done(kept.result.first + c, k, salt);
  CU_ASSERT_EQUAL(sal_journal_kept_append(&w, &kept), SAL_OK);
  sample_slab_free(&kept.result);
  CU_ASSERT_EQUAL(sal_journal_end(&w), SAL_OK);
  sal_journal_writer_free(&w);
  MPI_Barrier(MPI_COMM_WORLD);
  sal_journal_close(&j);
}

/* As another machine would be called. */
static bool elsewhere;

static sal_journal open_here(void)
{
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_WRITE);

  if (elsewhere) sal_text_add(&j.here, " fma9");
  return j;
}

/* Trajectories that are kept of all cells, by tiles of `size`; each must be what was written. */
static int64_t find(int64_t size, int salt)
{
  sal_journal j = open_here();
  sal_journal_kept k;
  int64_t n = 0;
  uint8_t done[ALL];

  CU_ASSERT_EQUAL_FATAL(sal_journal_kept_open(&j, &k), SAL_OK);
  for (int64_t at = 0; at < CELLS; at += size) {
    const sal_tile tile = {at, CELLS - at < size ? CELLS - at : size};
    sal_tile_kept to = {.done = done};
    CU_ASSERT_EQUAL_FATAL(sal_journal_kept_fill(&k, &tile, &to), SAL_OK);
    for (int64_t i = 0; i < tile.count * SAMPLE_CONTENDERS; ++i) {
      const int64_t cell = at + i / SAMPLE_CONTENDERS;
      const int of = (int)(i % SAMPLE_CONTENDERS);
      if (!done[i]) continue;
      ++n;
      CU_ASSERT(is_done(cell, of, salt));
      for (int m = 0; m < SAL_N_METRIC; ++m)
        CU_ASSERT(sample_same(to.result.record[i].value[m], sample_value(cell, of, m)));
    }
    sal_tile_result_free(&to.result);
  }
  sal_journal_kept_close(&k);
  sal_journal_close(&j);
  return n;
}

/* Files of kept trajectories; the name of the last one. */
static int n_files(char path[])
{
  DIR *dir = opendir(folder);
  int n = 0;

  for (const struct dirent *e; dir && (e = readdir(dir));)
    if (strncmp(e->d_name, "kept-", 5) == 0 && ++n && path)
      snprintf(path, PATH_MAX, "%s/%s", folder, e->d_name);
  if (dir) closedir(dir);
  MPI_Barrier(MPI_COMM_WORLD);
  return n;
}

static void write_bytes(const char *path, const char bytes[], size_t n)
{
  FILE *file = fopen(path, "wb");

  CU_ASSERT_FATAL(file && fwrite(bytes, 1, n, file) == n);
  fclose(file);
}

static void what_is_kept_is_found_for_any_cut(void)
{
  remove_all();
  CU_ASSERT(find(CELLS, 0) == 0);
  keep(2, 6, 1);
  CU_ASSERT(n_files(NULL) == 1); /* for all ranks of a node */
  for (int64_t size = 1; size <= CELLS; size += 6)
    CU_ASSERT(find(size, 1) == (int64_t)ranks * 6 * SAMPLE_CONTENDERS / 3);
  elsewhere = true;
  if (ranks == 1) {
    static char bytes[MOST_FILE];
    char path[PATH_MAX];
    CU_ASSERT_EQUAL_FATAL(n_files(path), 1);
    FILE *file = fopen(path, "rb");
    const size_t n = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    CU_ASSERT_FATAL(n > 0 && fclose(file) == 0);
    CU_ASSERT(find(CELLS, 1) == 0);
    write_bytes(path, bytes, n);
  }
  elsewhere = false;
  keep(2, 6, 2); /* the same cells again: what was kept before is of no use */
  CU_ASSERT(n_files(NULL) == 2);
  CU_ASSERT(find(7, 2) == (int64_t)ranks * 6 * SAMPLE_CONTENDERS * 2 / 3);
  CU_ASSERT(n_files(NULL) == 1);
}

static void it_is_gone_when_the_cells_are_finished(void)
{
  remove_all();
  keep(0, 4, 1);
  write_cells(0, 3);
  CU_ASSERT(find(CELLS, 1) > 0 && n_files(NULL) == 1);
  write_cells(3, CELLS);
  CU_ASSERT(n_files(NULL) == 1); /* readers of finished cells pass it over */
  sal_journal j = open_journal(&sweep, SAL_JOURNAL_READ);
  CU_ASSERT(read_all(&j) == CELLS && j.damaged == 0);
  sal_journal_close(&j);
  CU_ASSERT(find(CELLS, 1) == 0 && n_files(NULL) == 0);
}

/* What begins otherwise is somebody else's. */
static void all_go_with_the_journals(void)
{
  char path[PATH_MAX];

  remove_all();
  keep(0, 4, 1);
  snprintf(path, sizeof path, "%s/kept-notes.txt", folder);
  FILE *notes = self == 0 ? fopen(path, "w") : NULL;
  CU_ASSERT(self != 0 || (notes && fputs("notes\n", notes) > 0 && fclose(notes) == 0));
  MPI_Barrier(MPI_COMM_WORLD);
  remove_all();
  CU_ASSERT(n_files(path) == 1 && strstr(path, "notes"));
  if (self == 0) CU_ASSERT(unlink(path) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  remove_all();
  CU_ASSERT(access(folder, F_OK) != 0);
}

/* One record after another; every so many bytes one is changed, and the file ends there. */
static void damage_is_passed_over(void)
{
  static char bytes[MOST_FILE];
  char path[PATH_MAX];
  int64_t lost = 0, one = 0;

  if (ranks > 1) return;
  remove_all();
  keep(0, 2, 1);
  CU_ASSERT_EQUAL_FATAL(n_files(path), 1);
  FILE *file = fopen(path, "rb");
  const size_t n = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  CU_ASSERT_FATAL(n > 100 && n < sizeof bytes / 2);
  fclose(file);
  memcpy(bytes + n, bytes, n); /* twice: the first is what counts when the second is damaged */
  const int64_t whole = 2 * SAMPLE_CONTENDERS / 3;
  for (size_t at = 0; at < n; at += at < 64 ? 3 : 397) {
    bytes[at] = (char)~bytes[at];
    write_bytes(path, bytes, n);
    lost += find(3, 1) == 0;
    write_bytes(path, bytes, n + at);
    CU_ASSERT(find(3, 1) == 0);
    bytes[at] = (char)~bytes[at];
    write_bytes(path, bytes, at);
    CU_ASSERT(find(3, 1) == 0);
    write_bytes(path, bytes, n + at); /* torn */
    CU_ASSERT(find(3, 1) == whole);
    ++one;
  }
  CU_ASSERT(lost == one && one > 25);
}

SAL_TEST_MAIN_MPI(
    "journal_kept", setup, {"what is kept is found for any cut", what_is_kept_is_found_for_any_cut},
    {"it is gone when the cells are finished", it_is_gone_when_the_cells_are_finished},
    {"all go with the journals", all_go_with_the_journals},
    {"damage is passed over", damage_is_passed_over}, {"memory comes back", memory_comes_back})
