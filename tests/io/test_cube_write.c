/** Cubes from any number of ranks: what was written is read back, and failures are shared. */
#include "atomic_file.h"
#include "cube_chunk.h"
#include "cube_frame.h"
#include "cube_info.h"
#include "cube_read.h"
#include "sal_test.h"
#include "sample.h"
#include "write_cube.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MAX_SLAB = 64 };

static int self, ranks;

static int find_rank(void)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return 0;
}

/* A file name of our own for each number of ranks, since CTest may run them side by side. */
static const char *path_of(const char *what)
{
  static char path[128];

  snprintf(path, sizeof path, "write_%s_np%d.h5", what, ranks);
  return path;
}

/* Deals results of `size` cells to the ranks in turn, each rank's in falling order. */
static int deal(const sal_sweep *sweep, int64_t size, sal_tile_result result[MAX_SLAB])
{
  int n = 0;

  for (int64_t i = (sweep->n_cell - 1) / size; i >= 0; --i) {
    const int64_t left = sweep->n_cell - i * size;
    if (i % ranks == self) result[n++] = sample_slab(sweep, i * size, left < size ? left : size);
  }
  return n;
}

static void drop(int n, sal_tile_result result[])
{
  for (int i = 0; i < n; ++i) sample_slab_free(&result[i]);
}

static void check_values(const sal_cube *cube, const sal_sweep *sweep)
{
  int64_t wrong = 0, missing = 0;

  CU_ASSERT_EQUAL_FATAL(cube->n_cell, sweep->n_cell);
  for (int64_t c = 0; c < cube->n_cell; ++c) {
    for (int r = 0; r < SAMPLE_CONFIGS; ++r)
      for (int m = 0; m < SAL_N_METRIC; ++m) {
        const double found = cube->record[c * SAMPLE_CONFIGS + r].value[m];
        const double wanted =
            sal_sweep_asks(sweep, sal_metrics[m].group) ? sample_value(c, r, m) : NAN;
        wrong += !sample_same(found, wanted);
        missing += isnan(found);
      }
    for (int m = 0; m < SAL_N_CELL_METRIC; ++m) {
      const double wanted =
          sal_sweep_asks(sweep, sal_metrics_of_cell[m].group) ? sample_cell_value(c, m) : NAN;
      wrong += !sample_same(cube->cell[c].value[m], wanted);
    }
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT(missing > 0);
}

static void check_frame(const sal_cube *cube, const sal_sweep *sweep)
{
  CU_ASSERT_STRING_EQUAL(cube->model, "sample");
  CU_ASSERT_STRING_EQUAL(cube->title, sweep->title);
  CU_ASSERT_STRING_EQUAL(cube->sweep_text, sweep->text);
  CU_ASSERT_STRING_EQUAL(cube->strategy[1], "event");
  CU_ASSERT_STRING_EQUAL(cube->method[2], "ode15s");
  CU_ASSERT_EQUAL(cube->tolerance[1], 1e-6);
  CU_ASSERT_EQUAL(cube->n_mesh, 1000);
  CU_ASSERT_EQUAL(cube->t_end, 10);
  CU_ASSERT_EQUAL_FATAL(cube->n_param, 2); /* the option is none of them */
  CU_ASSERT_STRING_EQUAL(cube->param_name[1], "k");
  CU_ASSERT_STRING_EQUAL(cube->state_name[0], "y");
  int64_t right = 0;
  for (int64_t c = 0; c < cube->n_cell; ++c)
    right += cube->param[2 * c] == sweep->axis->value[3 * c] && cube->param[2 * c + 1] == 1e5 &&
             cube->initial[2 * c] == sweep->axis->value[3 * c + 2];
  CU_ASSERT_EQUAL(right, cube->n_cell);
}

/* On the first rank, which removes it. */
static void check_cube(const char *path, const sal_sweep *sweep)
{
  sal_cube cube;

  if (self > 0) return;
  CU_ASSERT_EQUAL_FATAL(sal_cube_read(path, &cube), SAL_OK);
  check_frame(&cube, sweep);
  check_values(&cube, sweep);
  sal_cube_free(&cube);
  unlink(path);
}

static void write_and_read(const char *what, int64_t n_cell, int64_t slab_size)
{
  sal_tile_result result[MAX_SLAB];
  sal_sweep sweep = sample_sweep(n_cell);
  const char *path = path_of(what);
  const int n = deal(&sweep, slab_size, result);

  CU_ASSERT_EQUAL(write_cube(MPI_COMM_WORLD, path, &sweep, &sample_origin, n, result), SAL_OK);
  CU_ASSERT_STRING_EQUAL(sal_err_message(), "");
  check_cube(path, &sweep);
  drop(n, result);
  sample_free(&sweep);
}

static void scattered_slabs_come_back(void) { write_and_read("scattered", SAMPLE_CELLS, 2); }

/* With one result all ranks but the first write nothing. */
static void ranks_without_cells_take_part(void) { write_and_read("one", SAMPLE_CELLS, 100); }

/* Above 1 MiB a dataset is cut into chunks, which the ranks have by turns; the last one is not full. */
enum { MANY = 16001 };

static int64_t chunk_of_many(void)
{
  sal_sweep sweep = sample_sweep(MANY);
  const int64_t chunk = sal_cube_chunk(&sweep);

  CU_ASSERT(chunk > 100 && chunk < 1000 && MANY % chunk != 0);
  sample_free(&sweep);
  return chunk;
}

static void chunked_datasets_come_back(void) { write_and_read("chunks", MANY, chunk_of_many()); }

/* Slabs dealt to this rank, given out one a round. */
typedef struct {
  int n_slab;
  bool lose; /* the last one */
  sal_tile_result *result;
} hoard;

static sal_err get_some(void *with, int64_t round, sal_tile_result *result)
{
  const hoard *h = with;

  if (round < h->n_slab - (h->lose && h->n_slab > 0)) *result = h->result[round];
  return SAL_OK;
}

static int rounds_of(const hoard *h)
{
  int most;

  MPI_Allreduce(&h->n_slab, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

static sal_err write_rounds(const char *path, sal_sweep *sweep, hoard *h, sal_cube_source source)
{
  source.rounds = rounds_of(h);
  source.get = get_some;
  source.with = h;
  CU_ASSERT(source.rounds > 1);
  return sal_cube_write_rounds(MPI_COMM_WORLD, path, sweep, &sample_origin, &source);
}

/* Hints change no value, and an MPI that does not know one passes over it. */
static void hints_leave_no_trace(void)
{
  sal_tile_result result[MAX_SLAB];
  sal_sweep sweep = sample_sweep(SAMPLE_CELLS);
  const char *path = path_of("hints");
  hoard h = {deal(&sweep, 1, result), false, result};
  sal_cube_source source = {.hints = "striping_factor=4,no_such_hint=1"};

  CU_ASSERT_EQUAL(write_rounds(path, &sweep, &h, source), SAL_OK);
  check_cube(path, &sweep);
  source.hints = "striping_factor";
  CU_ASSERT_EQUAL(write_rounds(path, &sweep, &h, source), SAL_ERR_USAGE);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "'striping_factor': expected KEY=VALUE"));
  sal_err_clear();
  drop(h.n_slab, result);
  sample_free(&sweep);
}

/* In pieces and in chunks, with ranks that have nothing left in the last rounds. */
static void rounds_leave_no_trace(void)
{
  const int64_t cells[] = {SAMPLE_CELLS, MANY}, each[] = {1, chunk_of_many()};

  for (int i = 0; i < 2; ++i) {
    sal_tile_result result[MAX_SLAB];
    sal_sweep sweep = sample_sweep(cells[i]);
    const char *path = path_of("rounds");
    hoard h = {deal(&sweep, each[i], result), false, result};
    CU_ASSERT_EQUAL(write_rounds(path, &sweep, &h, (sal_cube_source){0}), SAL_OK);
    check_cube(path, &sweep);
    drop(h.n_slab, result);
    sample_free(&sweep);
  }
}

static void rounds_that_lack_a_cell_leave_no_file(void)
{
  sal_tile_result result[MAX_SLAB];
  sal_sweep sweep = sample_sweep(SAMPLE_CELLS);
  const char *path = path_of("lost");
  hoard h = {deal(&sweep, 1, result), self == ranks - 1, result};

  CU_ASSERT_EQUAL(write_rounds(path, &sweep, &h, (sal_cube_source){0}), SAL_ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "do not hold each of the 11 cells once"));
  sal_err_clear();
  CU_ASSERT(access(path, F_OK) != 0);
  drop(h.n_slab, result);
  sample_free(&sweep);
}

static void the_number_of_ranks_leaves_no_trace(void)
{
  sal_tile_result result[MAX_SLAB];
  sal_sweep sweep = sample_sweep(SAMPLE_CELLS);
  const char *path = path_of("many");
  const int n = deal(&sweep, 1, result);

  CU_ASSERT_EQUAL(write_cube(MPI_COMM_WORLD, path, &sweep, &sample_origin, n, result), SAL_OK);
  if (self == 0) {
    char alone[128];
    bool same = false;
    snprintf(alone, sizeof alone, "write_alone_np%d.h5", ranks);
    sal_tile_result all = sample_slab(&sweep, 0, SAMPLE_CELLS);
    CU_ASSERT_EQUAL(sample_write(alone, &sweep, &all), SAL_OK);
    CU_ASSERT_EQUAL(sal_cube_diff(path, alone, false, stdout, &same), SAL_OK);
    CU_ASSERT(same);
    sample_slab_free(&all);
    unlink(alone);
    unlink(path);
  }
  drop(n, result);
  sample_free(&sweep);
}

/* A write that fails on all ranks with this message, leaves neither file, and none open. */
static void check_failure(const char *path, const char *words)
{
  CU_ASSERT(!sal_err_must_abort());
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), words));
  CU_ASSERT(strncmp(sal_err_message(), path, strlen(path)) == 0);
  sal_err_clear();
  MPI_Barrier(MPI_COMM_WORLD); /* rank 0 has removed it by then */
  char part[PATH_MAX];
  CU_ASSERT_EQUAL(sal_atomic_file_name(path, part), SAL_OK);
  CU_ASSERT(access(path, F_OK) != 0);
  CU_ASSERT(access(part, F_OK) != 0);
}

static void cells_must_be_covered_once(void)
{
  sal_tile_result result[MAX_SLAB];
  sal_sweep sweep = sample_sweep(SAMPLE_CELLS);
  const int n = deal(&sweep, 1, result);

  /* one cell missing */
  const int fewer = n - (self == 0);
  CU_ASSERT_EQUAL(
      write_cube(MPI_COMM_WORLD, path_of("hole"), &sweep, &sample_origin, fewer, result),
      SAL_ERR_IO);
  check_failure(path_of("hole"), "each of the 11 cells once");

  /* cell 1 twice, the last one never: as many as there should be */
  if (self == 0) result[n] = sample_slab(&sweep, 0, 1);
  if (result[0].first == SAMPLE_CELLS - 1) result[0].first = 0;
  CU_ASSERT_EQUAL(write_cube(MPI_COMM_WORLD, path_of("twice"), &sweep, &sample_origin, n, result),
                  SAL_ERR_IO);
  check_failure(path_of("twice"), "each of the 11 cells once");
  if (self == 0) sample_slab_free(&result[n]);
  drop(n, result);
  sample_free(&sweep);
}

static void all_ranks_learn_that_one_cannot_create(void)
{
  sal_tile_result result[MAX_SLAB];
  sal_sweep sweep = sample_sweep(SAMPLE_CELLS);
  const char *path = "no/such/directory/cube.h5";
  const int n = deal(&sweep, 2, result);

  CU_ASSERT_EQUAL(write_cube(MPI_COMM_WORLD, path, &sweep, &sample_origin, n, result), SAL_ERR_IO);
  check_failure(path, "mkdir -p no/such/directory");
  drop(n, result);
  sample_free(&sweep);
}

/* The file may grow to hold the frame but not the metrics, as on a full disk. */
static void a_full_disk_is_one_message_on_all_ranks(void)
{
  sal_tile_result result[MAX_SLAB];
  sal_sweep sweep = sample_sweep(2000);
  const char *path = path_of("full");
  const int n = deal(&sweep, 100, result);
  struct rlimit before;

  getrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){400000, before.rlim_max});
  CU_ASSERT_EQUAL(write_cube(MPI_COMM_WORLD, path, &sweep, &sample_origin, n, result), SAL_ERR_IO);
  setrlimit(RLIMIT_FSIZE, &before);
  check_failure(path, strerror(EFBIG));
  drop(n, result);
  sample_free(&sweep);
}

/* Gives the first round; the second fails on the last rank. */
static sal_err get_one(void *with, int64_t round, sal_tile_result *result)
{
  if (round == 0) return get_some(with, round, result);
  return self == ranks - 1 ? sal_fail(SAL_ERR_IO, "%s: its journal is lost", path_of("source"))
                           : SAL_OK;
}

/* HDF5 has not failed then, so the file is closed and MPI may end as ever. */
static void a_source_that_fails_leaves_no_file_open(void)
{
  sal_tile_result result[MAX_SLAB];
  sal_sweep sweep = sample_sweep(SAMPLE_CELLS);
  hoard h = {deal(&sweep, 1, result), false, result};
  const sal_cube_source source = {.rounds = 3, .get = get_one, .with = &h};

  CU_ASSERT_EQUAL(
      sal_cube_write_rounds(MPI_COMM_WORLD, path_of("source"), &sweep, &sample_origin, &source),
      SAL_ERR_IO);
  check_failure(path_of("source"), "its journal is lost");
  drop(h.n_slab, result);
  sample_free(&sweep);
}

/* Gives the results, but from now on no file may grow or be written after its first bytes. */
static sal_err get_and_limit(void *with, int64_t round, sal_tile_result *result)
{
  struct rlimit limit;

  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = 1000;
  return setrlimit(RLIMIT_FSIZE, &limit) ? SAL_ERR_IO : get_some(with, round, result);
}

/* In one piece, and in chunks: HDF5 does not meet it, so that the file is closed and removed. */
static void fail_while_all_write(int64_t cells, int64_t each)
{
  sal_tile_result result[MAX_SLAB];
  sal_sweep sweep = sample_sweep(cells);
  hoard h = {deal(&sweep, each, result), false, result};
  const sal_cube_source source = {.rounds = rounds_of(&h), .get = get_and_limit, .with = &h};
  struct rlimit before;

  getrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_IGN);
  CU_ASSERT_EQUAL(
      sal_cube_write_rounds(MPI_COMM_WORLD, path_of("late"), &sweep, &sample_origin, &source),
      SAL_ERR_IO);
  setrlimit(RLIMIT_FSIZE, &before);
  check_failure(path_of("late"), strerror(EFBIG));
  drop(h.n_slab, result);
  sample_free(&sweep);
}

static void a_disk_that_fails_while_all_write_is_no_end_of_mpi(void)
{
  fail_while_all_write(2000, 100);
  fail_while_all_write(MANY, chunk_of_many());
}

/* Adds nothing, but meanwhile another file takes the name. */
static sal_err put_other(void *with)
{
  FILE *file = self == 0 ? fopen(path_of("fresh"), "w") : NULL;

  (void)with;
  if (file) fclose(file);
  return MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS ? SAL_OK : SAL_ERR_COMM;
}

static void a_fresh_cube_replaces_no_other_file(void)
{
  sal_tile_result result[MAX_SLAB];
  sal_sweep sweep = sample_sweep(SAMPLE_CELLS);
  const char *path = path_of("fresh");
  hoard h = {deal(&sweep, 1, result), false, result};
  sal_cube_source source = {.add = put_other, .fresh = true};

  CU_ASSERT_EQUAL(write_rounds(path, &sweep, &h, source), SAL_ERR_EXISTS);
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT(access(path, F_OK) == 0);
  sal_err_clear();
  source.fresh = false;
  CU_ASSERT_EQUAL(write_rounds(path, &sweep, &h, source), SAL_OK);
  check_cube(path, &sweep);
  drop(h.n_slab, result);
  sample_free(&sweep);
}

/* Some chunks are there before the cube, in a file that is another one by then, or under its frame. */
static void chunks_count_in_the_file_that_they_are_in(void)
{
  sal_tile_result result[MAX_SLAB];
  sal_sweep sweep = sample_sweep(MANY);
  const char *path = path_of("ahead");
  hoard h = {deal(&sweep, chunk_of_many(), result), false, result};

  for (int under = 0; under < 2; ++under) {
    sal_cube_ahead *a;
    CU_ASSERT_EQUAL_FATAL(sal_cube_ahead_open(MPI_COMM_WORLD, path, &sweep, NULL, &a), SAL_OK);
    if (under) a->cuts.frame = 4096;
    sal_cube_ahead_put(a, &result[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (self == 0 && !under) CU_ASSERT_EQUAL(sal_atomic_file_begin(path, "x", 1, 0), SAL_OK);
    CU_ASSERT_EQUAL(write_rounds(path, &sweep, &h, (sal_cube_source){.ahead = a}), SAL_OK);
    sal_cube_ahead_close(&a);
    check_cube(path, &sweep);
  }
  drop(h.n_slab, result);
  sample_free(&sweep);
}

SAL_TEST_MAIN_MPI(
    "writing a cube", find_rank, {"scattered results come back", scattered_slabs_come_back},
    {"ranks without cells take part", ranks_without_cells_take_part},
    {"chunked datasets come back", chunked_datasets_come_back},
    {"chunks count in the file that they are in", chunks_count_in_the_file_that_they_are_in},
    {"hints leave no trace", hints_leave_no_trace},
    {"rounds leave no trace", rounds_leave_no_trace},
    {"rounds that lack a cell leave no file", rounds_that_lack_a_cell_leave_no_file},
    {"the number of ranks leaves no trace", the_number_of_ranks_leaves_no_trace},
    {"cells must be covered once", cells_must_be_covered_once},
    {"all ranks fail if one cannot create", all_ranks_learn_that_one_cannot_create},
    {"a full disk is one message on all ranks", a_full_disk_is_one_message_on_all_ranks},
    {"a source that fails leaves no file open", a_source_that_fails_leaves_no_file_open},
    {"a fresh cube replaces no other file", a_fresh_cube_replaces_no_other_file},
    {"a disk that fails while all write does not end MPI",
     a_disk_that_fails_while_all_write_is_no_end_of_mpi})
