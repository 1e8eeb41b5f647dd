/** Files for other programs: a trajectory, and a cube and a trajectory that open_with_xarray.py
 *  reads afterwards (sample_cube.h5, sample_trajectory.h5, sample_quiet.h5).
 */
#include "cube_read.h"
#include "memory.h"
#include "sal_test.h"
#include "sample.h"
#include "table_file.h"
#include <hdf5.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { N = 5, N_EVENT = 2 };

static const sal_method method = {.name = "ode45"};
static const sal_strategy strategy = {.name = "event"};
static const double param[] = {1951, 1e5, 1};
static const double t[N] = {0, 0.25, 0.5, 0.75, 1};
static const double state[N][2] = {{1, 0}, {0.5, -1}, {0, -2}, {0.5, 1}, {NAN, NAN}};
static const uint8_t closed[N] = {0, 0, 1, 0, 0};
static double after_event[N_EVENT][2] = {{0, -2}, {0, 2}}, ahead_of[N_EVENT][2] = {{0, -3}, {0, 1}};
static const sal_event events[N_EVENT] = {
    {.t = 0.5, .y = after_event[0], .ahead = ahead_of[0], .closes = true},
    {.t = 0.625, .y = after_event[1], .ahead = ahead_of[1], .closes = false}};

static sal_err write_run(const char *path, const uint8_t mode[], int64_t n_event)
{
  const sal_setup setup = {.model = &sample_model,
                           .method = &method,
                           .strategy = &strategy,
                           .rtol = 1e-6,
                           .atol = 1e-6,
                           .t_end = 1};

  static const bool start[2] = {false, true}, after[N_EVENT][2] = {{true, true}, {false, true}};
  static const double re[2] = {0.5, 0.5}, im[2] = {0.25, -0.25};
  const sal_trajectory_table table = {.n = N,
                                      .t = t,
                                      .state = &state[0][0],
                                      .closed = mode,
                                      .n_event = n_event,
                                      .event = events,
                                      .n_guard = 2,
                                      .start_closed = mode ? start : NULL,
                                      .event_closed = &after[0][0],
                                      .model_text = mode ? "equations: 1" : NULL,
                                      .period = 1,
                                      .n_multiplier = mode ? 2 : 0,
                                      .re = re,
                                      .im = im};
  return sal_trajectory_write(path, &setup, param, &table);
}

static void read_set(hid_t file, const char *name, hid_t type, void *value)
{
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);

  CU_ASSERT_FATAL(set >= 0);
  CU_ASSERT(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
  H5Dclose(set);
}

static void a_trajectory_comes_back(void)
{
  double y[N], at[N_EVENT], v[N_EVENT], ahead[N_EVENT], re[2], im[2], b;
  int8_t mode[N], closes[N_EVENT], start[2], after[N_EVENT][2];

  CU_ASSERT_EQUAL(write_run("sample_trajectory.h5", closed, N_EVENT), SAL_OK);
  CU_ASSERT_STRING_EQUAL(sal_err_message(), "");
  CU_ASSERT(access("sample_trajectory.h5.part", F_OK) != 0);
  const hid_t file = H5Fopen("sample_trajectory.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  CU_ASSERT_FATAL(file >= 0);
  read_set(file, "y", H5T_NATIVE_DOUBLE, y);
  read_set(file, "mode", H5T_NATIVE_INT8, mode);
  read_set(file, "event_t", H5T_NATIVE_DOUBLE, at);
  read_set(file, "event_v", H5T_NATIVE_DOUBLE, v);
  read_set(file, "b", H5T_NATIVE_DOUBLE, &b);
  read_set(file, "event_closes", H5T_NATIVE_INT8, closes);
  read_set(file, "ahead_v", H5T_NATIVE_DOUBLE, ahead);
  read_set(file, "start_closed", H5T_NATIVE_INT8, start);
  read_set(file, "event_closed", H5T_NATIVE_INT8, after);
  read_set(file, "multiplier_re", H5T_NATIVE_DOUBLE, re);
  read_set(file, "multiplier_im", H5T_NATIVE_DOUBLE, im);
  H5Fclose(file);
  for (int i = 0; i < N; ++i) {
    CU_ASSERT(sample_same(y[i], state[i][0]));
    CU_ASSERT_EQUAL(mode[i], closed[i]);
  }
  CU_ASSERT_EQUAL(at[1], 0.625);
  CU_ASSERT_EQUAL(closes[0] * 2 + closes[1], 2);
  CU_ASSERT_EQUAL(ahead[0], -3);
  CU_ASSERT_EQUAL(start[0] * 2 + start[1], 1);
  CU_ASSERT(after[0][0] && after[0][1] && !after[1][0] && after[1][1]);
  CU_ASSERT_EQUAL(re[1], 0.5);
  CU_ASSERT_EQUAL(im[1], -0.25);
  CU_ASSERT_EQUAL(v[0], -2);
  CU_ASSERT_EQUAL(b, 1951);
}

static void no_events_and_no_modes_are_fine(void)
{
  CU_ASSERT_EQUAL(write_run("sample_quiet.h5", NULL, 0), SAL_OK);
  const hid_t file = H5Fopen("sample_quiet.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  CU_ASSERT_FATAL(file >= 0);
  CU_ASSERT(H5Lexists(file, "mode", H5P_DEFAULT) == 0);
  CU_ASSERT(H5Lexists(file, "start_closed", H5P_DEFAULT) == 0);
  CU_ASSERT(H5Lexists(file, "multiplier_re", H5P_DEFAULT) == 0);
  CU_ASSERT(H5Lexists(file, "event_t", H5P_DEFAULT) > 0);
  H5Fclose(file);
}

static void a_trajectory_is_no_cube(void)
{
  sal_cube cube;

  CU_ASSERT_EQUAL(sal_cube_read("sample_trajectory.h5", &cube), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "'saltus trajectory', not a 'saltus cube'"));
  sal_err_clear();
}

static void a_trajectory_that_cannot_be_written_says_why(void)
{
  CU_ASSERT_EQUAL(write_run("no/such/directory/t.h5", closed, N_EVENT), SAL_ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "no/such/directory/t.h5: cannot be written: "));
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void a_cube_is_left_for_xarray(void)
{
  sal_sweep sweep = sample_sweep(SAMPLE_CELLS);
  sal_tile_result result = sample_slab(&sweep, 0, SAMPLE_CELLS);

  for (int i = 0; i < SAMPLE_CELLS * SAMPLE_CONFIGS; ++i) { /* none of these is missing */
    double *count = &result.record[i].value[SAL_METRIC_JACOBIANS];
    if (isnan(*count)) *count = 0;
  }
  CU_ASSERT_EQUAL(sample_write("sample_cube.h5", &sweep, &result), SAL_OK);
  sample_slab_free(&result);
  sample_free(&sweep);
}

SAL_TEST_MAIN_MPI("files for other programs", NULL,
                  {"a trajectory comes back", a_trajectory_comes_back},
                  {"no events and no modes are fine", no_events_and_no_modes_are_fine},
                  {"a trajectory is not a cube", a_trajectory_is_no_cube},
                  {"a trajectory that cannot be written gives the reason",
                   a_trajectory_that_cannot_be_written_says_why},
                  {"a cube is left for xarray", a_cube_is_left_for_xarray})
