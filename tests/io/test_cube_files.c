/** Cubes as files: what may be overwritten, what is refused, and what two of them differ in. */
#include "atomic_file.h"
#include "cube_frame.h"
#include "cube_info.h"
#include "cube_read.h"
#include "cube_write.h"
#include "memory.h"
#include "reseal.h"
#include "sal_test.h"
#include "sample.h"
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static sal_sweep sweep;
static sal_tile_result result; /* all cells */

static int make_results(void)
{
  sweep = sample_sweep(SAMPLE_CELLS);
  result = sample_slab(&sweep, 0, SAMPLE_CELLS);
  return 0;
}

static void put_file(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");

  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  fputs(text, file);
  fclose(file);
}

/* This failure, with a message that begins with the file's name and contains `words`. */
static void check_failure(sal_err found, sal_err expected, const char *path, const char *words)
{
  CU_ASSERT_EQUAL(found, expected);
  CU_ASSERT(strncmp(sal_err_message(), path, strlen(path)) == 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), words));
  if (!strstr(sal_err_message(), words)) printf("'%s' is not in '%s'\n", words, sal_err_message());
  sal_err_clear();
}

static void a_new_name_is_claimed_without_a_trace(void)
{
  CU_ASSERT_EQUAL(sal_atomic_file_claim("claim_new.h5", "-o", false), SAL_OK);
  CU_ASSERT_EQUAL(sal_atomic_file_claim("claim_new.h5", "-o", true), SAL_OK);
  CU_ASSERT(access("claim_new.h5", F_OK) != 0);
  CU_ASSERT(access("claim_new.h5.part", F_OK) != 0);
}

static void a_file_is_kept_unless_forced(void)
{
  struct stat found;

  put_file("claim_old.h5", "precious");
  check_failure(sal_atomic_file_claim("claim_old.h5", "-o", false), SAL_ERR_EXISTS, "claim_old.h5",
                "exists; --force overwrites");
  CU_ASSERT_EQUAL(sal_atomic_file_claim("claim_old.h5", "-o", true), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(stat("claim_old.h5", &found), 0);
  CU_ASSERT_EQUAL(found.st_size, strlen("precious"));
  unlink("claim_old.h5");
}

static void what_cannot_be_a_file_is_refused(void)
{
  mkdir("claim_dir", 0777);
  check_failure(sal_atomic_file_claim("claim_dir", "-o", true), SAL_ERR_IO, "claim_dir",
                "is a directory");
  check_failure(sal_atomic_file_claim("claim_dir/no/cube.h5", "-o", false), SAL_ERR_IO,
                "claim_dir/no/cube.h5", "mkdir -p claim_dir/no");
  check_failure(sal_atomic_file_claim("/dev/null", "-o", true), SAL_ERR_IO, "/dev/null",
                "not a regular file");
  CU_ASSERT_EQUAL(sal_atomic_file_claim("/proc/cube.h5", "-o", false),
                  SAL_ERR_IO); /* no user may write there */
  sal_err_clear();
  if (geteuid() != 0) { /* permissions do not bind root */
    chmod("claim_dir", 0555);
    check_failure(sal_atomic_file_claim("claim_dir/cube.h5", "-o", false), SAL_ERR_IO,
                  "claim_dir/cube.h5", strerror(EACCES));
  }
  rmdir("claim_dir");
}

/* Reads, prints and compares a file that is not a cube: the same message, and nothing on stderr. */
static void check_refused(const char *path, sal_err expected, const char *words)
{
  sal_cube cube;
  bool same;
  sal_cube_info info;
  FILE *out = tmpfile();
  const int before = dup(STDERR_FILENO);
  const int quiet = open("stderr.txt", O_RDWR | O_CREAT | O_TRUNC, 0666);

  dup2(quiet, STDERR_FILENO);
  check_failure(sal_cube_read(path, &cube), expected, path, words);
  check_failure(sal_cube_info_read(path, &info), expected, path, words);
  check_failure(sal_cube_diff(path, path, false, out, &same), expected, path, words);
  fflush(stderr);
  dup2(before, STDERR_FILENO);
  CU_ASSERT_EQUAL(lseek(quiet, 0, SEEK_END), 0);
  CU_ASSERT_EQUAL(ftell(out), 0);
  CU_ASSERT_PTR_NULL(cube.record);
  fclose(out);
  close(before);
  close(quiet);
  unlink("stderr.txt");
}

static void files_of_other_kinds_are_refused(void)
{
  check_refused("bad_missing.h5", SAL_ERR_IO, strerror(ENOENT));
  check_refused(".", SAL_ERR_INPUT, "is a directory");
  put_file("bad_text.h5", "model: monopod\n");
  check_refused("bad_text.h5", SAL_ERR_INPUT, "is not an HDF5 file");
  put_file("bad_text.h5", "");
  check_refused("bad_text.h5", SAL_ERR_INPUT, "is not an HDF5 file");
  unlink("bad_text.h5");

  const hid_t foreign = H5Fcreate("bad_foreign.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(foreign);
  check_refused("bad_foreign.h5", SAL_ERR_INPUT, "no saltus cube");
  unlink("bad_foreign.h5");
}

static void a_truncated_cube_is_refused_at_any_length(void)
{
  struct stat whole;

  CU_ASSERT_EQUAL_FATAL(sample_write("bad_short.h5", &sweep, &result), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(stat("bad_short.h5", &whole), 0);
  CU_ASSERT_EQUAL(truncate("bad_short.h5", whole.st_size - 1), 0);
  check_refused("bad_short.h5", SAL_ERR_IO, "truncated file");
  CU_ASSERT_EQUAL(truncate("bad_short.h5", whole.st_size / 2), 0);
  check_refused("bad_short.h5", SAL_ERR_IO, "truncated file");
  CU_ASSERT_EQUAL(truncate("bad_short.h5", 9), 0);
  check_refused("bad_short.h5", SAL_ERR_IO, "");
  unlink("bad_short.h5");
}

/* A new cube, open to be spoilt. */
static hid_t fresh(const char *path)
{
  CU_ASSERT_EQUAL_FATAL(sample_write(path, &sweep, &result), SAL_OK);
  return H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
}

/* Closes a spoilt cube under new seals: the old ones would be refused first. */
static void seal_anew(hid_t file)
{
  CU_ASSERT_EQUAL(test_reseal(file), SAL_OK);
  H5Fclose(file);
}

static void spoilt_cubes_are_refused(void)
{
  const int64_t layout = 999;
  hid_t file = fresh("bad_layout.h5");
  hid_t at = H5Aopen(file, "layout", H5P_DEFAULT);
  H5Awrite(at, H5T_NATIVE_INT64, &layout);
  H5Aclose(at);
  seal_anew(file);
  check_refused("bad_layout.h5", SAL_ERR_INPUT,
                "has layout 999; this saltus reads layout 4: run its sweep again");

  file = fresh("bad_layout.h5");
  H5Adelete(file, "states");
  seal_anew(file);
  check_refused("bad_layout.h5", SAL_ERR_INPUT, "has no attribute 'states'");

  file = fresh("bad_layout.h5");
  H5Ldelete(file, "initial_v", H5P_DEFAULT);
  seal_anew(file);
  check_refused("bad_layout.h5", SAL_ERR_INPUT, "has no dataset 'initial_v'");
  unlink("bad_layout.h5");
}

static void a_metric_the_file_does_not_know_is_missing(void)
{
  sal_cube cube;
  const hid_t file = fresh("old.h5");

  H5Ldelete(file, sal_metrics[SAL_METRIC_GRAZES].name, H5P_DEFAULT);
  seal_anew(file);
  CU_ASSERT_EQUAL_FATAL(sal_cube_read("old.h5", &cube), SAL_OK);
  CU_ASSERT(isnan(cube.record[3].value[SAL_METRIC_GRAZES]));
  CU_ASSERT_EQUAL(cube.record[3].value[SAL_METRIC_STEPS], sample_value(0, 3, SAL_METRIC_STEPS));
  sal_cube_free(&cube);
  unlink("old.h5");
}

/* Text of sal_cube_diff for diff_a.h5 and diff_b.h5; freed by the caller. */
static char *differences(bool *same)
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);

  CU_ASSERT_EQUAL(sal_cube_diff("diff_a.h5", "diff_b.h5", false, out, same), SAL_OK);
  CU_ASSERT_STRING_EQUAL(sal_err_message(), "");
  fclose(out);
  return text;
}

/* Writes the cube as it is to diff_a.h5, and with one value of a record replaced to diff_b.h5. */
static void write_pair(int64_t record, int m, double value)
{
  double *place = &result.record[record].value[m], kept = *place;

  CU_ASSERT_EQUAL(sample_write("diff_a.h5", &sweep, &result), SAL_OK);
  *place = value;
  CU_ASSERT_EQUAL(sample_write("diff_b.h5", &sweep, &result), SAL_OK);
  *place = kept;
}

static void one_flipped_bit_is_found_and_named(void)
{
  const int64_t record = 3 * SAMPLE_CONFIGS + 7; /* cell 4, tolerance 2, switch, ode45 */
  const double value = result.record[record].value[SAL_METRIC_IAE];
  char line[256];
  bool same = true;

  CU_ASSERT_FATAL(!isnan(value));
  write_pair(record, SAL_METRIC_IAE, nextafter(value, INFINITY));
  char *text = differences(&same);
  CU_ASSERT(!same);
  snprintf(line, sizeof line,
           "integral_absolute_error: 1 of %d values differ, first at cell 4, rtol 1e-06, "
           "switch, ode45: %.17g and %.17g; largest difference ",
           SAMPLE_CELLS * SAMPLE_CONFIGS, value, nextafter(value, INFINITY));
  CU_ASSERT(strncmp(text, line, strlen(line)) == 0);
  CU_ASSERT_PTR_EQUAL(strchr(text, '\n'), text + strlen(text) - 1);
  free(text);
}

static void counts_flags_and_missing_values_are_compared(void)
{
  const struct {
    int m;
    double value;
    const char *name;
  } change[] = {{SAL_METRIC_STEPS, 123456789, "steps: 1 of"},
                {SAL_METRIC_STEPS, NAN, "steps: 1 of"},
                {SAL_METRIC_MAX_ERROR, NAN, "max_error: 1 of"},
                {SAL_METRIC_OUTCOME, SAL_OUT_STUCK, "outcome: 1 of"}};

  for (size_t i = 0; i < sizeof change / sizeof change[0]; ++i) {
    bool same = true;
    int64_t record = 0;
    while (isnan(result.record[record].value[change[i].m])) ++record;
    write_pair(record, change[i].m, change[i].value);
    char *text = differences(&same);
    CU_ASSERT(!same);
    CU_ASSERT(strncmp(text, change[i].name, strlen(change[i].name)) == 0);
    free(text);
  }
}

static void timings_may_differ(void)
{
  bool same = false;

  write_pair(5, SAL_METRIC_SD, 42);
  char *text = differences(&same);
  CU_ASSERT(same);
  CU_ASSERT_STRING_EQUAL(text, "");
  free(text);
}

static void coordinates_and_shapes_are_compared(void)
{
  double *b = &sweep.axis->value[6]; /* of the third cell */
  const double kept = *b;
  bool same = true;

  write_pair(0, SAL_METRIC_SD, 1);
  *b = kept + 1;
  CU_ASSERT_EQUAL(sample_write("diff_b.h5", &sweep, &result), SAL_OK);
  *b = kept;
  char *text = differences(&same);
  CU_ASSERT(!same);
  CU_ASSERT(strncmp(text, "b: 1 of 11 values differ, first at number 3: ", 45) == 0);
  free(text);

  sal_sweep fewer = sample_sweep(4);
  sal_tile_result few = sample_slab(&fewer, 0, 4);
  CU_ASSERT_EQUAL(sample_write("diff_b.h5", &fewer, &few), SAL_OK);
  text = differences(&same);
  CU_ASSERT(!same);
  CU_ASSERT_STRING_EQUAL(text, "other sweeps: 11 cells against 4 cells\n");
  free(text);
  sample_slab_free(&few);
  sample_free(&fewer);
}

static void a_dataset_of_one_file_only_is_a_difference(void)
{
  bool same = true;

  write_pair(0, SAL_METRIC_SD, 1);
  const hid_t file = H5Fopen("diff_b.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "max_error", H5P_DEFAULT);
  H5Ldelete(file, "solution_duration", H5P_DEFAULT);
  seal_anew(file);
  char *text = differences(&same);
  CU_ASSERT(!same);
  CU_ASSERT_STRING_EQUAL(text, "max_error: only in diff_a.h5\n");
  free(text);
  unlink("diff_a.h5");
  unlink("diff_b.h5");
}

static void info_knows_what_a_cube_holds(void)
{
  sal_cube_info info;

  CU_ASSERT_EQUAL(sample_write("info.h5", &sweep, &result), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_cube_info_read("info.h5", &info), SAL_OK);
  const sal_cube *c = &info.frame;
  CU_ASSERT_STRING_EQUAL(c->title, "Höhe over damping");
  CU_ASSERT_STRING_EQUAL(info.model_title, "a model of nothing");
  CU_ASSERT_EQUAL(c->n_strategy, 2);
  CU_ASSERT_STRING_EQUAL(c->method[2], "ode15s");
  CU_ASSERT_EQUAL(info.coordinate[0].least, 195.1);
  CU_ASSERT_EQUAL(info.coordinate[0].most, 780.4);
  CU_ASSERT_EQUAL(info.coordinate[0].known, c->n_cell);
  int64_t n = 0, of_first = 0;
  for (int o = 0; o <= SAL_N_OUTCOME; ++o) {
    n += info.outcomes[o];
    of_first += info.by_solver[0][o];
  }
  CU_ASSERT_EQUAL(n, 132);
  CU_ASSERT_EQUAL(of_first, 132 / c->n_method);
  CU_ASSERT(info.outcomes[SAL_OUT_DONE] > 0 && info.outcomes[SAL_OUT_DONE] < n);
  CU_ASSERT(info.has[SAL_CELL_SR]);
  CU_ASSERT_EQUAL(info.verdicts.all, 0);
  CU_ASSERT_EQUAL(info.stored_cells, 0);
  bool told = false;
  for (int i = 0; i < SAL_CUBE_ATTRIBUTES; ++i)
    told |= strcmp(info.attribute[i].name, "command") == 0 &&
            strcmp(info.attribute[i].text, "saltus run sample.yaml") == 0;
  CU_ASSERT(told);
  sal_cube_info_free(&info);
  unlink("info.h5");
}

static void nothing_leaks(void)
{
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
  CU_ASSERT_EQUAL(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
  sample_slab_free(&result);
  sample_free(&sweep);
}

/* Bytes of the frame that rank 0 makes in memory. */
static int64_t frame_bytes(int64_t n_cell)
{
  sal_sweep s = sample_sweep(n_cell);
  char part[PATH_MAX];
  struct stat found;

  CU_ASSERT_EQUAL(sal_cube_ahead_make("frame.h5", MPI_INFO_NULL), SAL_OK);
  CU_ASSERT_EQUAL(sal_cube_create("frame.h5", &s, &sample_origin), SAL_OK);
  CU_ASSERT_EQUAL(sal_atomic_file_name("frame.h5", part), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(stat(part, &found), 0);
  const int64_t bytes = (int64_t)found.st_size - sal_cube_room(&s);
  CU_ASSERT(sal_cube_room(&s) > 100 * n_cell); /* of what is not cut into chunks */
  unlink(part);
  sample_free(&s);
  return bytes;
}

static void the_frame_does_not_grow_with_the_cells(void)
{
  const int64_t few = frame_bytes(10000), many = frame_bytes(100000);
  CU_ASSERT(few > 10000);
  CU_ASSERT(many < few + few / 10);
}

/* Reading a model refuses such names; an own error lets no cube appear. */
static void a_clash_of_names_is_a_failure(void)
{
  sal_sweep clashes = sweep;
  sal_model model = sample_model;

  model.param[0].name = "steps";
  clashes.model = &model;
  CU_ASSERT_EQUAL(sample_write("clash.h5", &clashes, &result), SAL_ERR_EXISTS);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "two objects of the cube are called 'steps'"));
  CU_ASSERT(access("clash.h5", F_OK) != 0);
  sal_err_clear();
}

SAL_TEST_MAIN_MPI(
    "cubes as files", make_results,
    {"the frame does not grow with the cells", the_frame_does_not_grow_with_the_cells},
    {"a new name is claimed without a trace", a_new_name_is_claimed_without_a_trace},
    {"a file is kept unless forced", a_file_is_kept_unless_forced},
    {"what cannot be a file is refused", what_cannot_be_a_file_is_refused},
    {"a clash of names is a failure", a_clash_of_names_is_a_failure},
    {"files of other kinds are refused", files_of_other_kinds_are_refused},
    {"a truncated cube is refused at any length", a_truncated_cube_is_refused_at_any_length},
    {"spoilt cubes are refused", spoilt_cubes_are_refused},
    {"a metric the file does not know is missing", a_metric_the_file_does_not_know_is_missing},
    {"one flipped bit is found and named", one_flipped_bit_is_found_and_named},
    {"counts, flags and missing values are compared", counts_flags_and_missing_values_are_compared},
    {"timings may differ", timings_may_differ},
    {"coordinates and shapes are compared", coordinates_and_shapes_are_compared},
    {"a dataset of one file only is a difference", a_dataset_of_one_file_only_is_a_difference},
    {"info has the content of a cube", info_knows_what_a_cube_holds},
    {"nothing leaks", nothing_leaks})
