/** Maps from any number of ranks have the same bits, and a cube that gets one is never half changed.
 */
#include "answer.h"
#include "cube_info.h"
#include "error_metric.h"
#include "map_frame.h"
#include "map_group.h"
#include "raw.h"
#include "sal_test.h"
#include "sample.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CELLS = 100 };

static int self, ranks;

static int find_rank(void)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return 0;
}

static const char *path_of(const char *what)
{
  static char path[4][128];
  static int next;

  snprintf(path[next = (next + 1) % 4], sizeof *path, "map_%s_np%d.h5", what, ranks);
  return path[next];
}

/* ---- files as bytes ---- */

typedef struct {
  size_t n;
  char *byte;
} bytes;

static bytes load(const char *path)
{
  struct stat found;
  FILE *file = fopen(path, "r");
  bytes b = {0};

  CU_ASSERT_FATAL(file && stat(path, &found) == 0);
  b.n = (size_t)found.st_size;
  b.byte = malloc(b.n + 1);
  CU_ASSERT_EQUAL(fread(b.byte, 1, b.n, file), b.n);
  fclose(file);
  return b;
}

static bool same_bytes(const char *path, const bytes *b)
{
  bytes now = load(path);
  const bool same = now.n == b->n && memcmp(now.byte, b->byte, b->n) == 0;

  free(now.byte);
  return same;
}

static void copy_file(const char *from, const char *to)
{
  bytes b = load(from);
  FILE *file = fopen(to, "w");

  CU_ASSERT_FATAL(file != NULL);
  CU_ASSERT_EQUAL(fwrite(b.byte, 1, b.n, file), b.n);
  CU_ASSERT_EQUAL(fclose(file), 0);
  free(b.byte);
}

/* ---- a map ---- */

static sal_map ask(int64_t n_cell)
{
  return (sal_map){.n_cell = n_cell,
                   .by = sal_error_metrics,
                   .n_error = 2,
                   .n_weights = 1,
                   .n_tolerance = 2,
                   .error = {1e-2, 1e-4},
                   .weights = {{2, 0, 1}},
                   .work = {1, 0, 0, 0},
                   .method = {true, true, true},
                   .strategy = {true, true},
                   .member = sal_answer_members};
}

static sal_map_place place_of(int64_t i, double shift)
{
  const bool none = i % 7 == 3;

  return (sal_map_place){.best = none ? -1 : (int)(i % SAMPLE_CONFIGS),
                         .second = none ? -1 : (int)((i + 5) % SAMPLE_CONFIGS),
                         .value = none ? NAN : sqrt((double)i) + shift,
                         .margin = none ? NAN : 0.1 * (double)(i % 11),
                         .error = 1e-5,
                         .reason = none ? SAL_REASON_NO_REFERENCE : SAL_REASON_WORK};
}

/* Cells first .. first + count - 1; `shift` makes another map. */
static sal_map part_of(const sal_map *questions, int64_t first, int64_t count, double shift)
{
  sal_map part = *questions;

  part.n_cell = count;
  part.by_error = malloc(((size_t)count * 2 + 1) * sizeof *part.by_error);
  part.by_points = malloc(((size_t)count * 2 + 1) * sizeof *part.by_points);
  part.answer = malloc(((size_t)count * 2 + 1) * sizeof *part.answer);
  for (int64_t i = 0; i < 2 * count; ++i) {
    const int64_t at = 2 * first + i;
    part.by_error[i] = place_of(at, shift);
    part.by_points[i] = place_of(3 * at, shift);
    part.answer[i] = (sal_answer){.pair = (int)(at % 6) - 1,
                                  .runner_up = (int)(at % 5) - 1,
                                  .reason = SAL_REASON_ALONE,
                                  .rtol = 1e-3,
                                  .probability = 0.5,
                                  .work = (double)at,
                                  .total = (double)at + 1,
                                  .margin = 2,
                                  .confidence = 0.75};
  }
  return part;
}

static void free_part(sal_map *part)
{
  free(part->by_error);
  free(part->by_points);
  free(part->answer);
}

static const double scale[] = {1, 2, 3};
static const int64_t asked[SAL_ERROR_METRIC_PRESETS] = {1, 2, 3};
static const double predicted[SAL_ERROR_METRIC_PRESETS] = {0.5, 0.6, 0.7};
static const sal_map_reading reading = {.n = 2,
                                        .scale = scale,
                                        .metric = scale,
                                        .n_knot = 2,
                                        .shape_at = scale,
                                        .shape_below = predicted,
                                        .width = predicted,
                                        .asked = asked,
                                        .predicted = predicted,
                                        .observed = predicted};

/* As the answers of a map are brought there. */
static sal_err put_part(sal_map_file *file, int64_t first, const sal_map *part)
{
  const int64_t n = part->n_cell;
  int64_t cell[CELLS];
  char *row = malloc((size_t)((n + 1) * sal_map_write_row(file)));

  for (int64_t i = 0; i < n; ++i) cell[i] = first + i;
  sal_err err = sal_map_write_pack(file, part, cell, row);
  if (err == SAL_OK) err = sal_map_write_rows(file, first, n, row);
  free(row);
  return err;
}

/* Rounds of n cells a rank, of which the last `lost` do not come. */
static sal_err put_rounds(MPI_Comm comm, sal_map_file *file, const sal_map *questions, int64_t n,
                          int lost, double shift)
{
  int rank, size;
  sal_err err = SAL_OK;

  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int64_t rounds = (questions->n_cell + n * size - 1) / (n * size);
  for (int64_t r = 0; r < rounds - lost && err == SAL_OK; ++r) {
    int64_t first = (r * size + rank) * n, count = questions->n_cell - first;
    if (count < 0) first = questions->n_cell, count = 0;
    sal_map part = part_of(questions, first, count < n ? count : n, shift);
    err = put_part(file, first, &part);
    free_part(&part);
  }
  return err;
}

static sal_err write_map(MPI_Comm comm, const char *path, const sal_sweep *sweep, int64_t n,
                         double shift)
{
  const sal_map questions = ask(sweep->n_cell);
  sal_map_file *file = NULL;

  sal_err err =
      sal_map_write_open(comm, path, SAL_MAP_IN_PLACE, sweep, &questions, &reading, &file);
  if (err == SAL_OK) err = put_rounds(comm, file, &questions, n, 0, shift);
  return sal_map_write_close(&file, err);
}

/* A cube without a map, by rank 0. */
static void make_cube(const char *path, const sal_sweep *sweep)
{
  if (self == 0) {
    sal_tile_result all = sample_slab(sweep, 0, sweep->n_cell);
    CU_ASSERT_EQUAL(sample_write(path, sweep, &all), SAL_OK);
    sample_slab_free(&all);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- tests ---- */

static int64_t size_of(const char *path)
{
  struct stat found = {0};

  CU_ASSERT_EQUAL(stat(path, &found), 0);
  return (int64_t)found.st_size;
}

static void a_map_takes_about_what_is_forecast(void)
{
  sal_sweep sweep = sample_sweep(CELLS);
  const sal_map questions = ask(sweep.n_cell);
  const char *path = path_of("size");

  make_cube(path, &sweep);
  const double before = (double)size_of(path);
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(write_map(MPI_COMM_WORLD, path, &sweep, 9, 0), SAL_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  const double forecast = (double)sal_map_write_bytes(&sweep, &questions, true);
  CU_ASSERT((double)size_of(path) - before > 0.6 * forecast);
  CU_ASSERT((double)size_of(path) - before < 1.4 * forecast);
  MPI_Barrier(MPI_COMM_WORLD);
  if (self == 0) unlink(path);
  sal_sweep_free(&sweep);
}

static void the_number_of_ranks_leaves_no_trace(void)
{
  sal_sweep sweep = sample_sweep(CELLS);
  const char *all = path_of("all"), *alone = path_of("alone");
  sal_cube_check_found found;

  make_cube(all, &sweep);
  if (self == 0) copy_file(all, alone);
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(write_map(MPI_COMM_WORLD, all, &sweep, 9, 0), SAL_OK);
  CU_ASSERT_STRING_EQUAL(sal_err_message(), "");
  if (self == 0) {
    CU_ASSERT_EQUAL(write_map(MPI_COMM_SELF, alone, &sweep, 17, 0), SAL_OK);
    bytes one = load(alone);
    CU_ASSERT(same_bytes(all, &one));
    free(one.byte);
    CU_ASSERT_EQUAL(sal_cube_check(all, &found), SAL_OK);
    CU_ASSERT(found.verified > 20);
    CU_ASSERT(found.group[SAL_CUBE_ROOT] && found.group[SAL_CUBE_MAP]);
    CU_ASSERT_EQUAL(found.without, 0);
    CU_ASSERT_EQUAL(write_map(MPI_COMM_SELF, alone, &sweep, 17, 1), SAL_OK); /* another one */
    one = load(alone);
    CU_ASSERT(!same_bytes(all, &one));
    free(one.byte);
    unlink(all);
    unlink(alone);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  sample_free(&sweep);
}

/* All that changes of what the cube has is its superblock, in the last step. */
static void nothing_of_the_cube_is_written_over(void)
{
  sal_sweep sweep = sample_sweep(CELLS);
  const char *path = path_of("over");

  make_cube(path, &sweep);
  bytes before = load(path);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int pass = 0; pass < 2; ++pass) {
    CU_ASSERT_EQUAL(write_map(MPI_COMM_WORLD, path, &sweep, 10, pass), SAL_OK);
    MPI_Barrier(MPI_COMM_WORLD);
    bytes after = load(path);
    CU_ASSERT(after.n > before.n);
    CU_ASSERT(memcmp(after.byte, before.byte, SAL_H5_SUPERBLOCK) != 0);
    CU_ASSERT_EQUAL(memcmp(after.byte + SAL_H5_SUPERBLOCK, before.byte + SAL_H5_SUPERBLOCK,
                           before.n - SAL_H5_SUPERBLOCK),
                    0);
    free(before.byte);
    before = after;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  free(before.byte);
  if (self == 0) unlink(path);
  MPI_Barrier(MPI_COMM_WORLD);
  sample_free(&sweep);
}

static void a_map_that_fails_leaves_the_cube_as_it_was(void)
{
  sal_sweep sweep = sample_sweep(CELLS);
  const char *path = path_of("fails");
  const sal_map questions = ask(CELLS);
  sal_map_file *file = NULL;

  make_cube(path, &sweep);
  bytes before = load(path);
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(sal_map_write_open(MPI_COMM_WORLD, path, SAL_MAP_IN_PLACE, &sweep, &questions,
                                     &reading, &file),
                  SAL_OK);
  CU_ASSERT_EQUAL(put_rounds(MPI_COMM_WORLD, file, &questions, 10, 1, 0), SAL_OK);
  CU_ASSERT_EQUAL(sal_map_write_close(&file, sal_fail(SAL_ERR_INPUT, "no more")), SAL_ERR_INPUT);
  sal_err_clear();
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT(same_bytes(path, &before));
  free(before.byte);
  MPI_Barrier(MPI_COMM_WORLD);
  if (self == 0) unlink(path);
  sample_free(&sweep);
}

/* The last rank may not write beyond where the map begins: it alone fails, though there is room. */
static void what_cannot_be_written_is_told(void)
{
  sal_sweep sweep = sample_sweep(CELLS);
  const char *path = path_of("limit");
  const sal_map questions = ask(CELLS);
  const bool last = self == ranks - 1;
  sal_map_file *file = NULL;
  struct rlimit before, limit;

  make_cube(path, &sweep);
  bytes cube = load(path);
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(sal_map_write_open(MPI_COMM_WORLD, path, SAL_MAP_IN_PLACE, &sweep, &questions,
                                     &reading, &file),
                  SAL_OK);
  CU_ASSERT_EQUAL(getrlimit(RLIMIT_FSIZE, &before), 0);
  limit = (struct rlimit){cube.n, before.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  if (last) CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &limit), 0);
  sal_map part = part_of(&questions, self * 10, 10, 0);
  const sal_err err = put_part(file, self * 10, &part);
  CU_ASSERT_EQUAL(err, last ? SAL_ERR_IO : SAL_OK);
  CU_ASSERT(!last || strstr(sal_err_message(), strerror(EFBIG)));
  CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &before), 0);
  free_part(&part);
  CU_ASSERT_EQUAL(sal_map_write_close(&file, SAL_ERR_IO), SAL_ERR_IO);
  sal_err_clear();
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT(same_bytes(path, &cube));
  free(cube.byte);
  MPI_Barrier(MPI_COMM_WORLD);
  if (self == 0) unlink(path);
  sample_free(&sweep);
}

/* A process that ends in the middle, here at each of three places, leaves a whole cube with bytes
 * after it, and the next map takes their place. */
static void end_in_the_middle(const char *path, int place)
{
  sal_h5_append a;
  const double column[CELLS] = {1};
  const hsize_t n = CELLS;

  if (sal_h5_append_open(path, path, SAL_MAP_GROUP, &a) != SAL_OK) _exit(1);
  if (place == 0) _exit(0);
  const hid_t group = H5Gcreate2(a.root, SAL_MAP_GROUP, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &n, NULL);
  const hid_t set =
      H5Dcreate2(group, "half", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column) < 0) _exit(1);
  if (place == 1) _exit(0);
  _exit(H5Fflush(a.file.id, H5F_SCOPE_GLOBAL) < 0);
}

static void a_process_that_ends_leaves_the_cube_whole(void)
{
  sal_sweep sweep = sample_sweep(CELLS);
  const char *path = path_of("killed");
  sal_cube_check_found found;
  int status = 1;

  make_cube(path, &sweep);
  bytes before = self == 0 ? load(path) : (bytes){0};
  for (int place = 0; self == 0 && place < 3; ++place) {
    const pid_t child = fork();
    if (child == 0) end_in_the_middle(path, place);
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    bytes after = load(path);
    CU_ASSERT(after.n >= before.n && memcmp(after.byte, before.byte, before.n) == 0);
    CU_ASSERT(place < 2 || after.n > before.n);
    free(after.byte);
    CU_ASSERT_EQUAL(sal_cube_check(path, &found), SAL_OK);
  }
  free(before.byte);
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL(write_map(MPI_COMM_WORLD, path, &sweep, 10, 0), SAL_OK);
  if (self == 0) {
    CU_ASSERT_EQUAL(sal_cube_check(path, &found), SAL_OK);
    unlink(path);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  sample_free(&sweep);
}

static void one_at_a_time(void)
{
  sal_sweep sweep = sample_sweep(CELLS);
  const char *path = path_of("lock");
  sal_h5_append a, b;

  make_cube(path, &sweep);
  if (self == 0) {
    CU_ASSERT_EQUAL(sal_h5_append_open(path, path, SAL_MAP_GROUP, &a), SAL_OK);
    CU_ASSERT_EQUAL(sal_h5_append_open(path, path, SAL_MAP_GROUP, &b), SAL_ERR_BUSY);
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "is being changed by another program"));
    sal_err_clear();
    sal_h5_append_drop(&b);
    sal_h5_append_drop(&a);
    CU_ASSERT_EQUAL(sal_h5_append_open(path, path, SAL_MAP_GROUP, &b), SAL_OK);
    sal_h5_append_drop(&b);
    unlink(path);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  sample_free(&sweep);
}

SAL_TEST_MAIN_MPI("writing a map", find_rank,
                  {"a map takes about what is forecast", a_map_takes_about_what_is_forecast},
                  {"the number of ranks leaves no trace", the_number_of_ranks_leaves_no_trace},
                  {"nothing of the cube is written over", nothing_of_the_cube_is_written_over},
                  {"a map that fails leaves the cube as it was",
                   a_map_that_fails_leaves_the_cube_as_it_was},
                  {"a failed write is reported", what_cannot_be_written_is_told},
                  {"a process that ends leaves the cube whole",
                   a_process_that_ends_leaves_the_cube_whole},
                  {"one at a time", one_at_a_time})
