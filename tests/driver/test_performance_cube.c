/** Rows of a performance table from a cube: chosen ones are those of the whole table, and take few
 *  bytes.
 */
#include "config.h"
#include "cube_write.h"
#include "group_seal.h"
#include "memory.h"
#include "performance_cube.h"
#include "sal_test.h"
#include "surrogate_rows.h"
#include "sweep_read.h"
#include "work.h"
#include "write_cube.h"
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 51200 cells of 3 configurations: a metric takes 1.2 MB, and is cut into chunks. */
static const char text[] = "title: made up\n"
                           "model: monopod\n"
                           "cells:\n"
                           "  axes:\n"
                           "    - {name: b, log: [550, 38000], points: 40}\n"
                           "    - {name: k, log: [1, 480], points: 40}\n"
                           "    - {name: f, log: [0.01, 0.3], points: 32}\n"
                           "solvers: [ode45]\n"
                           "strategies: [event]\n"
                           "rtol: [1e-3, 1e-4, 1e-5]\n";

enum { N_POINT = 32, N_CONFIG = 3 };

static const char path[] = "made_up.h5";
static sal_sweep sweep;
static const double missing = 17; /* each of so many cells has no reference, or no end */

static void make_record(int64_t cell, int config, double value[])
{
  const double x = (double)(cell * N_CONFIG + config);

  for (int m = 0; m < SAL_N_METRIC; ++m) value[m] = 0;
  value[SAL_METRIC_OUTCOME] = fmod(x, missing) == 3 ? SAL_OUT_STUCK : SAL_OUT_DONE;
  value[SAL_METRIC_MAX_ERROR] = pow(10, -3 - config) * (1 + fmod(x, 101) / 50);
  value[SAL_METRIC_RHS] = 100 * (1 + config) + fmod(x, 37);
  value[SAL_METRIC_DT] = fmod(x, 43) / 43;
  value[SAL_METRIC_IAE] = fmod(x, 57) / 57;
}

static int make_cube(void)
{
  const sal_origin origin = {
      .command = "test", .ranks = 1, .threads = 1, .width = 4, .wall_seconds = 1};
  sal_tile_result result;

  if (sal_sweep_parse("s.yaml", text, 0, NULL, &sweep) != SAL_OK) return 1;
  result = (sal_tile_result){.count = sweep.n_cell,
                             .cell = sal_alloc((size_t)sweep.n_cell, sizeof *result.cell),
                             .record =
                                 sal_alloc((size_t)sweep.n_cell * N_CONFIG, sizeof *result.record)};
  for (int64_t c = 0; c < sweep.n_cell; ++c) {
    result.cell[c].value[SAL_CELL_REFERENCE_OUTCOME] =
        fmod((double)c, missing) == 5 ? SAL_OUT_STUCK : SAL_OUT_DONE;
    result.cell[c].value[SAL_CELL_REFERENCE_ERROR_WATCHED] = 1e-9 * (double)(c % 7);
    for (int k = 0; k < N_CONFIG; ++k) make_record(c, k, result.record[c * N_CONFIG + k].value);
  }
  const sal_err err = write_cube(MPI_COMM_SELF, path, &sweep, &origin, 1, &result);
  sal_tile_result_free(&result);
  if (err != SAL_OK) printf("%s\n", sal_err_message());
  return err != SAL_OK;
}

/* Cells around point (20, 20, 15) of the axes, in no order. */
static void list_around(int64_t cell[N_POINT])
{
  for (int i = 0; i < N_POINT; ++i) {
    const int64_t j = (i * 13) % N_POINT, b = 19 + j % 4, k = 19 + j / 4 % 4, f = 15 + j / 16;
    cell[i] = (b * 40 + k) * 32 + f;
  }
}

static bool same_numbers(const double *a, const double *b, int64_t n)
{
  bool same = !a == !b;

  for (int64_t i = 0; a && b && i < n; ++i)
    same &= memcmp(&a[i], &b[i], sizeof *a) == 0 || (isnan(a[i]) && isnan(b[i]));
  return same;
}

static bool same_row(const sal_performance_table *a, int64_t i, const sal_performance_table *b,
                     int64_t k)
{
  const double *x[] = {a->work, a->error, a->least_error, a->sd, a->dt, a->iae},
               *y[] = {b->work, b->error, b->least_error, b->sd, b->dt, b->iae};
  bool same = same_numbers(&a->reference_error[i], &b->reference_error[k], 1);

  for (int c = 0; c < 6; ++c)
    same &= same_numbers(x[c] ? x[c] + i * N_CONFIG : NULL, y[c] ? y[c] + k * N_CONFIG : NULL,
                         N_CONFIG);
  return same;
}

static sal_performance_table make_rows(const sal_performance_cube *c, int64_t n, bool points)
{
  sal_performance_table rows;

  CU_ASSERT_EQUAL_FATAL(
      sal_performance_create(&c->sweep, n, NULL, &c->table.weights, points, false, &rows), SAL_OK);
  return rows;
}

static void chosen_rows_are_those_of_the_table(void)
{
  enum { MANY = 40000 };
  int64_t *cell = sal_alloc(MANY, sizeof *cell);
  sal_performance_cube whole, parts;
  int64_t n_nan = 0;

  CU_ASSERT_EQUAL_FATAL(sal_performance_cube_open(path, NULL, SAL_PERFORMANCE_ERRORS, &whole),
                        SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_performance_cube_begin(path, NULL, SAL_PERFORMANCE_ERRORS, &parts),
                        SAL_OK);
  CU_ASSERT_PTR_NULL(parts.table.work);
  const sal_performance_source source = sal_performance_cube_source(&parts);
  CU_ASSERT_EQUAL(source.n_cell, sweep.n_cell);
  sal_performance_table rows = make_rows(&parts, MANY, false);
  for (int64_t i = 0; i < MANY; ++i) cell[i] = (i * 7919 + i % 3) % 30011; /* some twice */
  cell[11] = cell[29999] = sweep.n_cell - 1;
  for (int again = 0; again < 2; ++again) { /* from the file, and as they are kept */
    CU_ASSERT_EQUAL_FATAL(source.read(source.with, MANY, cell, &rows), SAL_OK);
    for (int64_t i = 0; i < MANY; ++i) {
      if (!same_row(&rows, i, &whole.table, cell[i])) CU_FAIL_FATAL("another row");
      n_nan += isnan(rows.error[i * N_CONFIG]);
    }
  }
  CU_ASSERT(n_nan > MANY / 20 && n_nan < MANY); /* of both kinds */
  CU_ASSERT(!same_row(&rows, 0, &whole.table, cell[1]));
  sal_performance_free(&rows);
  sal_performance_cube_free(&parts);
  sal_performance_cube_free(&whole);
  sal_free(cell);
}

/* ---- bytes ---- */

static double bytes_read(void)
{
  FILE *file = fopen("/proc/self/io", "r");
  long long n = -1;

  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  CU_ASSERT_EQUAL(fscanf(file, "rchar: %lld", &n), 1);
  fclose(file);
  return (double)n;
}

/* Needed of a cell: outcomes, errors and four counts of three runs, and two figures of the
 * reference, each in its own dataset and verified with its block, as few cells as have 1 kB.  Opening
 * and labels take what they take, whatever the size of the cube, whose metrics have 1.2 MB each. */
static void a_question_reads_few_bytes(void)
{
  const double needed = N_POINT * (N_CONFIG * 41.0 + 9), labels = 120e3;
  const double blocks = N_POINT * 8 * 1024.0;
  int64_t cell[N_POINT];
  sal_performance_cube c;
  sal_surrogate_rows *kept;

  list_around(cell);
  const double start = bytes_read();
  CU_ASSERT_EQUAL_FATAL(sal_performance_cube_begin(path, NULL, SAL_PERFORMANCE_ERRORS, &c), SAL_OK);
  const sal_performance_source source = sal_performance_cube_source(&c);
  sal_performance_table rows = make_rows(&c, N_POINT, false);
  CU_ASSERT_EQUAL(source.read(source.with, N_POINT, cell, &rows), SAL_OK);
  const double first = bytes_read();
  CU_ASSERT(first - start < labels + blocks);
  for (int i = 0; i < N_POINT; ++i) cell[i] += 9 * 32; /* other ones, of datasets that are open */
  CU_ASSERT_EQUAL(source.read(source.with, N_POINT, cell, &rows), SAL_OK);
  const double second = bytes_read();
  CU_ASSERT(second - first < blocks);
  CU_ASSERT(second - first > needed);
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_rows_create(&source, sal_surrogate_rows_memory, &kept),
                        SAL_OK);
  CU_ASSERT_EQUAL(sal_surrogate_rows_fetch(kept, N_POINT, cell), SAL_OK);
  const double third = bytes_read();
  CU_ASSERT(third - second > needed);
  CU_ASSERT_EQUAL(sal_surrogate_rows_fetch(kept, N_POINT, cell), SAL_OK);
  CU_ASSERT(bytes_read() - third <
            1000); /* a surrogate keeps them; a count of bytes is read, too */
  sal_surrogate_rows_free(&kept);
  CU_ASSERT_EQUAL_FATAL(sal_performance_cube_table(&c), SAL_OK);
  CU_ASSERT(bytes_read() - third >
            2 * (second - first)); /* all chunks are more than some of them */
  sal_performance_free(&rows);
  sal_performance_cube_free(&c);
}

/* ---- points ---- */

static void points_of_chosen_cells_are_on_the_scale_of_all(void)
{
  int64_t cell[N_POINT];
  sal_performance_cube whole, parts;
  int n_point = 0;

  list_around(cell);
  CU_ASSERT_EQUAL_FATAL(sal_performance_cube_open(path, NULL, SAL_PERFORMANCE_POINTS, &whole),
                        SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_performance_cube_begin(path, NULL, SAL_PERFORMANCE_POINTS, &parts),
                        SAL_OK);
  const sal_performance_source source = sal_performance_cube_source(&parts);
  sal_performance_table rows = make_rows(&parts, N_POINT, true);
  CU_ASSERT_EQUAL_FATAL(source.read(source.with, N_POINT, cell, &rows), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_performance_cube_score(&parts, &rows), SAL_OK);
  for (int i = 0; i < N_POINT; ++i) {
    CU_ASSERT(same_row(&rows, i, &whole.table, cell[i]));
    for (int k = 0; k < N_CONFIG; ++k) n_point += rows.dt[i * N_CONFIG + k] > 1;
  }
  CU_ASSERT(n_point > N_POINT);
  sal_performance_free(&rows);
  sal_performance_cube_free(&parts);
  sal_performance_cube_free(&whole);
}

/* ---- what a surrogate has estimated ---- */

static void put_numbers(hid_t group, const char *name, int n, const double value[])
{
  const hsize_t size = (hsize_t)n;
  const hid_t space = n ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
  const hid_t a = H5Acreate2(group, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);

  H5Awrite(a, H5T_NATIVE_DOUBLE, value);
  H5Aclose(a);
  H5Sclose(space);
}

/* A map with nothing but what a surrogate has estimated, for these weights of work. */
static void put_fit(const sal_work_weights *w, const sal_surrogate_fit *fit)
{
  const double weights[] = {w->rhs, w->jacobian, w->factorisation, w->solve}, n = fit->metric.n;
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t map = H5Gcreate2(file, "map", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t word = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  double asked[SAL_ERROR_METRIC_PRESETS], knots = fit->shape.n;

  H5Tset_size(word, sizeof "max_error");
  const hid_t by = H5Acreate2(map, "error_metric", word, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(by, word, "max_error");
  H5Aclose(by);
  for (int i = 0; i < SAL_ERROR_METRIC_PRESETS; ++i) asked[i] = (double)fit->asked[i];
  put_numbers(map, "work_weights", 4, weights);
  put_numbers(map, "surrogate_coordinates", 0, &n);
  put_numbers(map, "surrogate_metric", fit->metric.n * (fit->metric.n + 1) / 2, fit->metric.l);
  put_numbers(map, "surrogate_shape_knots", 0, &knots);
  put_numbers(map, "surrogate_shape_at", fit->shape.n, fit->shape.at);
  put_numbers(map, "surrogate_shape_below", fit->shape.n, fit->shape.below);
  const double parts = fit->between.n_part;
  const int each = fit->between.n_pair * fit->between.n_part;
  put_numbers(map, "surrogate_between_parts", 0, &parts);
  put_numbers(map, "surrogate_between_power", fit->between.n_pair, fit->between.power);
  put_numbers(map, "surrogate_between_shift", each, fit->between.shift);
  put_numbers(map, "surrogate_between_spread", each, fit->between.spread);
  put_numbers(map, "surrogate_between_at", SAL_BETWEEN_QUANTILES, fit->between.at);
  put_numbers(map, "surrogate_width", SAL_ERROR_METRIC_PRESETS, fit->width);
  put_numbers(map, "surrogate_asked", SAL_ERROR_METRIC_PRESETS, asked);
  put_numbers(map, "surrogate_predicted", SAL_ERROR_METRIC_PRESETS, fit->predicted);
  put_numbers(map, "surrogate_observed", SAL_ERROR_METRIC_PRESETS, fit->observed);
  const sal_h5 group = {.id = map, .path = path};
  CU_ASSERT_EQUAL(sal_group_seal_prepare(&group), SAL_OK);
  CU_ASSERT_EQUAL(sal_group_seal_put(&group), SAL_OK);
  H5Sclose(space);
  H5Tclose(word);
  H5Gclose(map);
  H5Fclose(file);
}

static sal_err weigh_solves(const void *with, const sal_sweep *of, sal_performance_choice *choice)
{
  (void)of;
  if (with) choice->weights.solve = *(const double *)with;
  return SAL_OK;
}

/* Has the cube a fit for such work? */
static bool read_fit(const double *solve, sal_surrogate_fit *fit)
{
  const sal_performance_chooser chooser = {weigh_solves, solve};
  sal_performance_cube c;
  bool there;

  CU_ASSERT_EQUAL_FATAL(sal_performance_cube_begin(path, &chooser, SAL_PERFORMANCE_ERRORS, &c),
                        SAL_OK);
  CU_ASSERT_EQUAL(sal_performance_cube_fit(&c, fit, &there), SAL_OK);
  sal_performance_cube_free(&c);
  return there;
}

static void what_a_reader_has_learnt_is_kept(void)
{
  static sal_surrogate_fit found;
  sal_surrogate_fit fit = {.metric = {.n = 3, .l = {0.5, -0.3, 1.25, 0.2, 0.1, 1.6}},
                           .shape = {3, {-1.5, 0.25, 2}, {0.1, 0.5, 0.875}},
                           .width = {1.3, 1, 2},
                           .asked = {256, 200, 0},
                           .predicted = {0.9, 0.8, NAN},
                           .observed = {0.91, 0.79, NAN}};
  const sal_work_weights w = sal_work_presets(&sweep);
  sal_between_levels *b = &fit.between;
  b->n_pair = sal_config_pairs(&sweep);
  b->n_part = sweep.n_tolerance - 1;
  CU_ASSERT(b->n_part > 0);
  for (int i = 0; i < b->n_pair * b->n_part; ++i) b->shift[i] = 0.1 * i - 1, b->spread[i] = 1 + i;
  for (int i = 0; i < b->n_pair; ++i) b->power[i] = 0.5;
  for (int i = 0; i < SAL_BETWEEN_QUANTILES; ++i) b->at[i] = i - 15.5;

  CU_ASSERT(!read_fit(NULL, &found));
  put_fit(&w, &fit);
  CU_ASSERT(read_fit(NULL, &found));
  CU_ASSERT_EQUAL(found.metric.n, 3);
  CU_ASSERT(same_numbers(found.metric.l, fit.metric.l, 6));
  CU_ASSERT_EQUAL(found.shape.n, 3);
  CU_ASSERT(same_numbers(found.shape.at, fit.shape.at, 3));
  CU_ASSERT(same_numbers(found.shape.below, fit.shape.below, 3));
  const int each = b->n_pair * b->n_part;
  CU_ASSERT(found.between.n_pair == b->n_pair && found.between.n_part == b->n_part);
  CU_ASSERT(same_numbers(found.between.shift, b->shift, each));
  CU_ASSERT(same_numbers(found.between.spread, b->spread, each));
  CU_ASSERT(same_numbers(found.between.power, b->power, b->n_pair));
  CU_ASSERT(same_numbers(found.between.at, b->at, SAL_BETWEEN_QUANTILES));
  CU_ASSERT(same_numbers(found.width, fit.width, SAL_ERROR_METRIC_PRESETS));
  for (int i = 0; i < SAL_ERROR_METRIC_PRESETS; ++i) CU_ASSERT_EQUAL(found.asked[i], fit.asked[i]);
  CU_ASSERT(same_numbers(found.predicted, fit.predicted, SAL_ERROR_METRIC_PRESETS));
  CU_ASSERT(same_numbers(found.observed, fit.observed, SAL_ERROR_METRIC_PRESETS));
  const double other = 7;
  CU_ASSERT(!read_fit(&other, &found)); /* of other work */
  unlink(path);
}

SAL_TEST_MAIN_MPI("a cube as a performance table", make_cube,
                  {"chosen rows are those of the table", chosen_rows_are_those_of_the_table},
                  {"a question reads few bytes", a_question_reads_few_bytes},
                  {"points of chosen cells are on the scale of all",
                   points_of_chosen_cells_are_on_the_scale_of_all},
                  {"what a surrogate has estimated is kept", what_a_reader_has_learnt_is_kept})
