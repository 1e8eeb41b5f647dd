/** Cubes that are read in parts: the same values as in one piece, few bytes, little memory. */
#include "cube_info.h"
#include "cube_read.h"
#include "dataset.h"
#include "reseal.h"
#include "sal_test.h"
#include "sample.h"
#include "tile_rows.h"
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGE = 100000, MANY = 9000, CHOSEN = 5 };

static sal_sweep sweep;
static sal_tile_result result; /* all cells of the sample */

static int make_results(void)
{
  sweep = sample_sweep(SAMPLE_CELLS);
  result = sample_slab(&sweep, 0, SAMPLE_CELLS);
  return sample_write("sample.h5", &sweep, &result) != SAL_OK;
}

/* ---- files ---- */

static void copy_attributes(hid_t from, hid_t to)
{
  for (hsize_t i = 0;; ++i) {
    const hid_t a =
        H5Aopen_by_idx(from, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT);
    if (a < 0) return;
    char name[64];
    const hid_t type = H5Aget_type(a), space = H5Aget_space(a);
    const bool plain =
        H5Tdetect_class(type, H5T_VLEN) <= 0 && H5Tdetect_class(type, H5T_REFERENCE) <= 0;
    H5Aget_name(a, sizeof name, name);
    if (plain) {
      const hid_t b = H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
      void *data = calloc((size_t)H5Aget_storage_size(a) + 1, 1);
      H5Aread(a, type, data);
      H5Awrite(b, type, data);
      free(data);
      H5Aclose(b);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(a);
  }
}

/* How datasets along cells are made anew. */
typedef struct {
  int64_t n_cell;
  bool compressed; /* with their values; else without any, and so without a checksum */
} manner;

static void copy_values(hid_t from, hid_t to, hid_t type, int64_t n)
{
  void *data = calloc((size_t)n, H5Tget_size(type));

  H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  H5Dwrite(to, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  free(data);
  copy_attributes(from, to);
}

static void copy_set(hid_t from, hid_t to, const char *name, const manner *how)
{
  const hid_t set = H5Dopen2(from, name, H5P_DEFAULT), type = H5Dget_type(set);
  const hid_t held = H5Dget_space(set), list = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t size[4] = {0}, chunk[4];
  const int n_dim = H5Sget_simple_extent_dims(held, size, NULL);

  if (n_dim < 1 || size[0] != SAMPLE_CELLS) {
    H5Ocopy(from, name, to, name, H5P_DEFAULT, H5P_DEFAULT);
  } else {
    size[0] = (hsize_t)how->n_cell;
    memcpy(chunk, size, sizeof chunk);
    chunk[0] = how->compressed ? 4 : 10000;
    H5Pset_chunk(list, n_dim, chunk);
    H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
    H5Pset_alloc_time(list, how->compressed ? H5D_ALLOC_TIME_INCR : H5D_ALLOC_TIME_EARLY);
    if (how->compressed) H5Pset_deflate(list, 4);
    const hid_t space = H5Screate_simple(n_dim, size, NULL);
    const hid_t anew = H5Dcreate2(to, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (how->compressed) copy_values(set, anew, type, H5Sget_simple_extent_npoints(space));
    H5Dclose(anew);
    H5Sclose(space);
  }
  H5Pclose(list);
  H5Sclose(held);
  H5Tclose(type);
  H5Dclose(set);
}

/* The sample with other datasets along its cells, and so without a seal. */
static void remake(const char *path, manner how)
{
  const hid_t from = H5Fopen("sample.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t to = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5G_info_t info;

  copy_attributes(from, to);
  H5Gget_info(from, &info);
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    char name[64];
    H5Lget_name_by_idx(from, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
    if (strcmp(name, "sums") == 0)
      H5Ocopy(from, name, to, name, H5P_DEFAULT, H5P_DEFAULT);
    else
      copy_set(from, to, name, &how);
  }
  CU_ASSERT_EQUAL(test_reseal(to), SAL_OK);
  H5Fclose(to);
  H5Fclose(from);
}

/* Adds 1 to a value of max_error. */
static void change_value(const char *path, int64_t cell)
{
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t set = H5Dopen2(file, "max_error", H5P_DEFAULT), space = H5Dget_space(set);
  const hsize_t at[] = {(hsize_t)cell, 0, 0, 0}, one[] = {1, 1, 1, 1};
  const hid_t memory = H5Screate_simple(4, one, NULL);
  double value;

  H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, one, NULL);
  H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &value);
  value = isnan(value) ? 1 : value + 1;
  H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &value);
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(file);
}

/* ---- values ---- */

static bool same_cell(const sal_tile_result *a, int64_t i, const sal_tile_result *b, int64_t k)
{
  const double *x = a->record[i * SAMPLE_CONFIGS].value, *y = b->record[k * SAMPLE_CONFIGS].value;
  bool same = true;

  for (int m = 0; m < SAMPLE_CONFIGS * SAL_N_METRIC; ++m) same &= sample_same(x[m], y[m]);
  for (int m = 0; m < SAL_N_CELL_METRIC; ++m)
    same &= sample_same(a->cell[i].value[m], b->cell[k].value[m]);
  return same;
}

/* All metrics of all cells in blocks of 4, and of chosen ones, are those of the whole cube. */
static void check_parts(const char *path)
{
  static const int64_t cell[CHOSEN] = {0, 1, 3, 9, 10};
  const sal_cube_file_metrics all = sal_cube_file_all();
  sal_cube_file *file;
  sal_cube frame, cube;
  sal_tile_result part;

  CU_ASSERT_EQUAL_FATAL(sal_cube_read(path, &cube), SAL_OK);
  const sal_tile_result whole = {.count = SAMPLE_CELLS, .cell = cube.cell, .record = cube.record};
  CU_ASSERT_EQUAL_FATAL(sal_cube_file_open(path, &file, &frame), SAL_OK);
  CU_ASSERT_PTR_NULL(frame.param);
  CU_ASSERT_EQUAL_FATAL(sal_cube_file_room(file, &all, CHOSEN, &part), SAL_OK);
  for (part.first = 0; part.first < SAMPLE_CELLS; part.first += 4) {
    part.count = part.first + 4 < SAMPLE_CELLS ? 4 : SAMPLE_CELLS - part.first;
    CU_ASSERT_EQUAL_FATAL(sal_cube_file_read(file, &all, &part), SAL_OK);
    for (int64_t i = 0; i < part.count; ++i) CU_ASSERT(same_cell(&part, i, &whole, part.first + i));
  }
  CU_ASSERT_EQUAL_FATAL(sal_cube_file_read_cells(file, &all, CHOSEN, cell, &part), SAL_OK);
  for (int64_t i = 0; i < CHOSEN; ++i) CU_ASSERT(same_cell(&part, i, &whole, cell[i]));
  CU_ASSERT(!same_cell(&part, 0, &whole, 1)); /* cells do differ */
  sal_tile_result_free(&part);
  sal_cube_file_close(&file);
  sal_cube_free(&frame);
  sal_cube_free(&cube);
}

static void parts_are_those_of_the_whole(void) { check_parts("sample.h5"); }

static void parts_of_a_compressed_cube_are_too(void)
{
  remake("packed.h5", (manner){SAMPLE_CELLS, true});
  check_parts("packed.h5");
  unlink("packed.h5");
}

static void only_what_is_asked_for_is_read(void)
{
  static const sal_cube_file_metrics some = {
      .n = 1, .metric = {SAL_METRIC_RHS}, .n_of_cell = 1, .of_cell = {SAL_CELL_SECONDS}};
  sal_cube_file *file;
  sal_cube frame;
  sal_tile_result part;

  CU_ASSERT_EQUAL_FATAL(sal_cube_file_open("sample.h5", &file, &frame), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_cube_file_room(file, &some, 1, &part), SAL_OK);
  part.first = 2;
  part.count = 1;
  CU_ASSERT_EQUAL_FATAL(sal_cube_file_read(file, &some, &part), SAL_OK);
  CU_ASSERT(sample_same(part.record[1].value[SAL_METRIC_RHS], sample_value(2, 1, SAL_METRIC_RHS)));
  CU_ASSERT(
      sample_same(part.cell[0].value[SAL_CELL_SECONDS], sample_cell_value(2, SAL_CELL_SECONDS)));
  CU_ASSERT(isnan(part.record[1].value[SAL_METRIC_STEPS]));
  CU_ASSERT(isnan(part.cell[0].value[SAL_CELL_VERDICT]));
  CU_ASSERT(!isnan(sample_value(2, 1, SAL_METRIC_STEPS))); /* the file has it */
  sal_tile_result_free(&part);
  sal_cube_file_close(&file);
  sal_cube_free(&frame);
}

/* ---- trouble ---- */

/* Reads all cells one after another, or a cell alone. */
static sal_err read_errors(const char *path, int64_t alone)
{
  static const sal_cube_file_metrics errors = {.n = 1, .metric = {SAL_METRIC_MAX_ERROR}};
  sal_cube_file *file;
  sal_cube frame;
  sal_tile_result part;
  sal_err err;

  CU_ASSERT_EQUAL_FATAL(sal_cube_file_open(path, &file, &frame), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_cube_file_room(file, &errors, 1, &part), SAL_OK);
  part.count = 1;
  err = alone >= 0 ? sal_cube_file_read_cells(file, &errors, 1, &alone, &part) : SAL_OK;
  for (; alone < 0 && err == SAL_OK && part.first < frame.n_cell; ++part.first)
    err = sal_cube_file_read(file, &errors, &part);
  sal_tile_result_free(&part);
  sal_cube_file_close(&file);
  sal_cube_free(&frame);
  return err;
}

/* A sweep of ten blocks of 4 cells; cell 13 is changed. */
static void damage_is_found_by_who_reads_the_block(void)
{
  enum { CELLS = 40, CHANGED = 13 };
  static const int64_t in_block[] = {12, CHANGED, 15}, elsewhere[] = {0, 11, 16, 39};
  sal_sweep more = sample_sweep(CELLS);
  sal_tile_result slab = sample_slab(&more, 0, CELLS);

  CU_ASSERT_EQUAL_FATAL(sample_write("damaged.h5", &more, &slab), SAL_OK);
  CU_ASSERT_EQUAL(read_errors("damaged.h5", -1), SAL_OK);
  for (int i = 0; i < 3; ++i) CU_ASSERT_EQUAL(read_errors("damaged.h5", in_block[i]), SAL_OK);
  change_value("damaged.h5", CHANGED);
  for (int i = -1; i < 3; ++i) {
    CU_ASSERT_EQUAL(read_errors("damaged.h5", i < 0 ? -1 : in_block[i]), SAL_ERR_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "'max_error' is damaged"));
    sal_err_clear();
  }
  for (int i = 0; i < 4; ++i) CU_ASSERT_EQUAL(read_errors("damaged.h5", elsewhere[i]), SAL_OK);
  unlink("damaged.h5");
  sample_slab_free(&slab);
  sample_free(&more);
}

static void another_shape_is_refused(void)
{
  CU_ASSERT_EQUAL_FATAL(sample_write("shape.h5", &sweep, &result), SAL_OK);
  const hid_t file = H5Fopen("shape.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  const hsize_t size[] = {SAMPLE_CELLS + 1, 2, 2, 3};
  const double value[(SAMPLE_CELLS + 1) * SAMPLE_CONFIGS] = {0};
  const hid_t space = H5Screate_simple(4, size, NULL);
  H5Ldelete(file, "max_error", H5P_DEFAULT);
  const hid_t set = H5Dcreate2(file, "max_error", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                               H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
  H5Dclose(set);
  H5Sclose(space);
  CU_ASSERT_EQUAL(test_reseal(file), SAL_OK);
  H5Fclose(file);
  for (int alone = 0; alone < 2; ++alone) {
    CU_ASSERT_EQUAL(read_errors("shape.h5", alone ? 3 : -1), SAL_ERR_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "has not the shape"));
    sal_err_clear();
  }
  unlink("shape.h5");
}

/* ---- bytes and memory ---- */

/* A number of a file under /proc/self, after that word. */
static double figure(const char *path, const char *word)
{
  FILE *file = fopen(path, "r");
  char line[256];
  double value = NAN;

  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  while (fgets(line, sizeof line, file))
    if (strncmp(line, word, strlen(word)) == 0) value = strtod(line + strlen(word), NULL);
  fclose(file);
  CU_ASSERT(!isnan(value));
  return value;
}

static double bytes_read(void) { return figure("/proc/self/io", "rchar: "); }

/* A chunk is 10000 cells; what is needed of each is 96 bytes a metric, and eight times that is read
 * where cells lie close together. */
static void chosen_cells_take_few_bytes(void)
{
  static const sal_cube_file_metrics two = {.n = 2,
                                            .metric = {SAL_METRIC_MAX_ERROR, SAL_METRIC_RHS}};
  const double needed = 32.0 * 2 * SAMPLE_CONFIGS * sizeof(double);
  int64_t cell[32], first;
  sal_cube_file *file;
  sal_cube frame;
  sal_tile_result part;

  remake("large.h5", (manner){LARGE, false});
  CU_ASSERT_EQUAL_FATAL(sal_cube_file_open("large.h5", &file, &frame), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(frame.n_cell, LARGE);
  CU_ASSERT_EQUAL_FATAL(sal_cube_file_room(file, &two, 32, &part), SAL_OK);
  for (int stride = 1; stride < 3000; stride += 7) {
    for (first = 0; first < 32; ++first) cell[first] = first * stride + stride;
    const double before = bytes_read();
    CU_ASSERT_EQUAL(sal_cube_file_read_cells(file, &two, 32, cell, &part), SAL_OK);
    const double read = bytes_read() - before - 4096; /* and this very figure */
    if (stride > 1) CU_ASSERT(read < 10 * needed);    /* datasets are opened by the first */
    CU_ASSERT(read > needed - 4096);
  }
  sal_tile_result_free(&part);
  sal_cube_file_close(&file);
  sal_cube_free(&frame);
}

/* The most memory [B] is counted from now on; what there is now. */
static double watch_memory(void)
{
  FILE *clear = fopen("/proc/self/clear_refs", "w");

  CU_ASSERT_PTR_NOT_NULL_FATAL(clear);
  fputs("5", clear);
  fclose(clear);
  return 1024 * figure("/proc/self/status", "VmRSS:");
}

static double most_memory(void) { return 1024 * figure("/proc/self/status", "VmHWM:"); }

/* The most memory that comparing takes, beyond what there is. */
static double memory_of_diff(bool *same, char **told)
{
  size_t length;
  FILE *out = open_memstream(told, &length);
  const double before = watch_memory();

  CU_ASSERT_EQUAL(sal_cube_diff("large.h5", "larger.h5", false, out, same), SAL_OK);
  fclose(out);
  return most_memory() - before;
}

/* All cells are one round, whose results are there already.  Libraries may still have
 * the memory of another cube. */
static void writing_takes_the_memory_that_is_told(void)
{
  sal_sweep wide = sample_sweep(MANY);
  const double results = (double)MANY * (double)sal_tile_rows_bytes(&wide);
  sal_tile_result slab = sample_slab(&wide, 0, MANY);
  const double before = watch_memory();

  CU_ASSERT_EQUAL_FATAL(sample_write("many.h5", &wide, &slab), SAL_OK);
  const double taken = most_memory() - before;
  const sal_cube_size size = sal_cube_size_of(&wide, &(sal_packed_size){0}, MANY);
  const double told = (double)(size.memory + size.first) - results;
  CU_ASSERT(taken < told);
  unlink("many.h5");
  sample_slab_free(&slab);
  sample_free(&wide);
}

/* 9.6 MB a metric in each; the address sanitizer keeps some of what was freed. */
static void large_cubes_are_compared_in_little_memory(void)
{
  const double whole = 2.0 * LARGE * SAMPLE_CONFIGS * sizeof(double);
  char *told;
  bool same;

  remake("larger.h5", (manner){LARGE, false});
  CU_ASSERT(memory_of_diff(&same, &told) < 0.75 * whole);
  CU_ASSERT(same);
  free(told);
  change_value("larger.h5", 70000);
  CU_ASSERT(memory_of_diff(&same, &told) < 0.75 * whole);
  CU_ASSERT(!same);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(told, "max_error: 1 of 1200000 values differ, first at cell 70001"));
  CU_ASSERT_PTR_NOT_NULL(strstr(told, ": 0 and 1; largest difference 1\n"));
  free(told);
  unlink("large.h5");
  unlink("larger.h5");
}

SAL_TEST_MAIN_MPI("a cube in parts", make_results,
                  {"writing takes the predicted memory", writing_takes_the_memory_that_is_told},
                  {"parts are those of the whole", parts_are_those_of_the_whole},
                  {"parts of a compressed cube are, too", parts_of_a_compressed_cube_are_too},
                  {"only what is asked for is read", only_what_is_asked_for_is_read},
                  {"damage is found by who reads the block",
                   damage_is_found_by_who_reads_the_block},
                  {"another shape is refused", another_shape_is_refused},
                  {"chosen cells take few bytes", chosen_cells_take_few_bytes},
                  {"large cubes are compared in little memory",
                   large_cubes_are_compared_in_little_memory})
