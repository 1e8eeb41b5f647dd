/** Kept trajectories in a cube, written by any number of ranks; and the same cube with filters. */
#include "atomic_file.h"
#include "cube_info.h"
#include "cube_read.h"
#include "cube_write.h"
#include "memory.h"
#include "sal_test.h"
#include "sample.h"
#include "stored_write.h"
#include <hdf5.h>
#include <hdf5_hl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_CELL = 3, FEW = 7, MANY = 40000, N_STATE = 2 };

static int64_t chosen[N_CELL] = {1, 4, 10};
static int my_rank, n_rank;
static sal_sweep sweep;
static sal_tile_result result;

static int prepare(void)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n_rank);
  sweep = sample_sweep(SAMPLE_CELLS);
  result = sample_slab(&sweep, 0, SAMPLE_CELLS);
  sweep.stored.cell = chosen;
  sweep.stored.n_cell = N_CELL;
  return 0;
}

/* Different at each place; a run of every fifth configuration ends after two thirds. */
static double value(int64_t at, int config, int64_t j, int state)
{
  const bool ended = config % 5 == 1 && j > 2 * sweep.stored.n_mesh / 3;

  return ended ? NAN : sqrt((double)(at * 131 + config * 17 + state) + 1e-5 * (double)j);
}

static int8_t mode_of(double y, int64_t j) { return (int8_t)(isnan(y) ? 2 : j / 3 % 2); }

static sal_err put(sal_stored_file *file, int64_t at, int config)
{
  const int64_t n = sweep.stored.n_mesh + 1;
  double *state = malloc((size_t)(n * N_STATE) * sizeof *state);
  int8_t *mode = malloc((size_t)n);

  for (int64_t j = 0; j < n; ++j) {
    for (int i = 0; i < N_STATE; ++i) state[j * N_STATE + i] = value(at, config, j, i);
    mode[j] = mode_of(state[j * N_STATE], j);
  }
  const sal_err err = sal_stored_write_put(file, at, config, state, mode);
  free(state);
  free(mode);
  return err;
}

/* A cube with the group, each rank writing the trajectories it gets from a shuffled deal. */
static void write_cube(const char *path, int64_t n_mesh)
{
  const int n = SAMPLE_CONFIGS + 1, all = N_CELL * n;
  sal_stored_file *file = NULL;

  sweep.stored.n_mesh = n_mesh;
  if (my_rank == 0) {
    CU_ASSERT_EQUAL(sample_write(path, &sweep, &result), SAL_OK);
    CU_ASSERT_EQUAL(sal_atomic_file_copy(path, 0), SAL_OK);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CU_ASSERT_EQUAL_FATAL(sal_stored_write_open(MPI_COMM_WORLD, path, &sweep, &file), SAL_OK);
  CU_ASSERT_EQUAL(sal_stored_write_close(&file, SAL_OK), SAL_OK);
  /* takes the place of the first */
  CU_ASSERT_EQUAL_FATAL(sal_stored_write_open(MPI_COMM_WORLD, path, &sweep, &file), SAL_OK);
  for (int k = 0; k < all; ++k) {
    const int place = k * 7 % all; /* 7 and 39 have no divisor in common */
    if (k % n_rank == my_rank) CU_ASSERT_EQUAL(put(file, place / n, place % n), SAL_OK);
  }
  CU_ASSERT_EQUAL(sal_stored_write_close(&file, SAL_OK), SAL_OK);
  if (my_rank == 0) CU_ASSERT_EQUAL(sal_atomic_file_commit(path), SAL_OK);
  MPI_Barrier(MPI_COMM_WORLD);
}

static double *read_reals(hid_t file, const char *name, int64_t n)
{
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space(set);
  double *found = malloc((size_t)n * sizeof *found);

  CU_ASSERT_EQUAL_FATAL(H5Sget_simple_extent_npoints(space), n);
  CU_ASSERT(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >= 0);
  H5Sclose(space);
  H5Dclose(set);
  return found;
}

static void check_values(hid_t file, const char *prefix, int first, int count)
{
  static const char *const name[] = {"y", "v", "mode"};
  const int64_t n = sweep.stored.n_mesh + 1;
  int64_t wrong = 0, missing = 0;
  char full[64];

  for (int i = 0; i <= N_STATE; ++i) {
    snprintf(full, sizeof full, "trajectories/%s%s", prefix, name[i]);
    double *found = read_reals(file, full, N_CELL * count * n);
    for (int64_t p = 0; p < N_CELL * count * n; ++p) {
      const int64_t at = p / n / count, j = p % n;
      const int k = first + (int)(p / n % count);
      const double wanted = i < N_STATE ? value(at, k, j, i) : mode_of(value(at, k, j, 0), j);
      wrong += !sample_same(found[p], wanted);
      missing += isnan(found[p]);
    }
    free(found);
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT(missing > 0 || count == 1);
  CU_ASSERT(missing < N_STATE * N_CELL * count * n / 2);
}

static void check_scale(hid_t file, const char *set, unsigned dim, const char *scale)
{
  const hid_t a = H5Dopen2(file, set, H5P_DEFAULT), b = H5Dopen2(file, scale, H5P_DEFAULT);

  CU_ASSERT(H5DSis_attached(a, b, dim) > 0);
  H5Dclose(a);
  H5Dclose(b);
}

static void check_file(const char *path)
{
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);

  CU_ASSERT_FATAL(file >= 0);
  check_values(file, "", 0, SAMPLE_CONFIGS);
  check_values(file, "reference_", SAMPLE_CONFIGS, 1);
  double *cell = read_reals(file, "trajectories/cell_number", N_CELL);
  double *b = read_reals(file, "trajectories/b", N_CELL);
  double *t = read_reals(file, "trajectories/t", sweep.stored.n_mesh + 1);
  for (int i = 0; i < N_CELL; ++i) {
    CU_ASSERT_EQUAL(cell[i], (double)chosen[i] + 1);
    CU_ASSERT_EQUAL(b[i], sweep.axis->value[3 * chosen[i]]);
  }
  CU_ASSERT_EQUAL(t[0], 0);
  CU_ASSERT_EQUAL(t[1], 10.0 / (double)sweep.stored.n_mesh);
  CU_ASSERT_EQUAL(t[sweep.stored.n_mesh], 10);
  check_scale(file, "trajectories/y", 0, "trajectories/cell");
  check_scale(file, "trajectories/mode", 4, "trajectories/t");
  check_scale(file, "trajectories/reference_v", 1, "trajectories/t");
  free(cell);
  free(b);
  free(t);
  H5Fclose(file);
}

static void check_on_first(const char *path)
{
  if (my_rank == 0) check_file(path);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void few_points_come_back(void)
{
  write_cube("keep_few.h5", FEW);
  check_on_first("keep_few.h5");
}

/* More than a chunk. */
static void many_points_come_back(void)
{
  write_cube("keep_many.h5", MANY);
  check_on_first("keep_many.h5");
}

static void the_rest_of_the_cube_is_as_it_was(void)
{
  bool same = false;

  if (my_rank != 0) return;
  CU_ASSERT_EQUAL(sample_write("keep_bare.h5", &sweep, &result), SAL_OK);
  CU_ASSERT_EQUAL(sal_cube_diff("keep_bare.h5", "keep_many.h5", false, stdout, &same), SAL_OK);
  CU_ASSERT_TRUE(same);
  CU_ASSERT_EQUAL(sal_stored_write_exists("keep_bare.h5", &same), SAL_OK);
  CU_ASSERT_FALSE(same);
  CU_ASSERT_EQUAL(sal_stored_write_exists("keep_many.h5", &same), SAL_OK);
  CU_ASSERT_TRUE(same);
}

/* The memory of the fixture is not from sal_alloc. */
static void nothing_is_left_in_memory(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

SAL_TEST_MAIN_MPI("kept trajectories", prepare, {"few points come back", few_points_come_back},
                  {"many points come back", many_points_come_back},
                  {"the rest of the cube is as it was", the_rest_of_the_cube_is_as_it_was},
                  {"nothing is left in memory", nothing_is_left_in_memory})
