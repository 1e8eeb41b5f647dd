/** Valid sweeps read right, their text reads the same again, and files that cannot be read. */
#include "config.h"
#include "model_source.h"
#include "parameter_column.h"
#include "refuse.h"
#include "registry.h"
#include "sweep_read.h"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define DALLAS SAL_TEST_DATA "/../../sweeps/dallas2017.yaml"

static sal_sweep read_dallas(int n_set, const char *const set[])
{
  sal_sweep sweep;
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_sweep_read(DALLAS, n_set, set, &sweep), SAL_OK);
  if (sal_err_message()[0]) fprintf(stderr, "\n    %s\n", sal_err_message());
  return sweep;
}

/* Everything but path and text. */
static bool same_sweep(const sal_sweep *a, const sal_sweep *b)
{
  sal_sweep x = *a, y = *b;
  bool same = strcmp(a->title, b->title) == 0 && strcmp(a->settled, b->settled) == 0 &&
              a->n_cell == b->n_cell;
  for (int64_t i = 0; same && i < a->n_cell; ++i) {
    double p[2][SAL_MAX_PARAM + SAL_MAX_OPTION] = {{0}}, y0[2][SAL_MAX_STATE] = {{0}};
    sal_sweep_cell(a, i, p[0], y0[0]);
    sal_sweep_cell(b, i, p[1], y0[1]);
    same = memcmp(p[0], p[1], sizeof p[0]) == 0 && memcmp(y0[0], y0[1], sizeof y0[0]) == 0;
  }
  x.path = x.text = x.title = x.settled = NULL;
  x.settled_line = y.settled_line = NULL;
  y.path = y.text = y.title = y.settled = NULL;
  x.axis = y.axis = NULL;
  x.read_bytes = y.read_bytes = 0;
  return same && memcmp(&x, &y, sizeof x) == 0;
}

static void the_paper_has_13_cells_and_42_configs(void)
{
  sal_sweep s = read_dallas(0, NULL);
  CU_ASSERT_STRING_EQUAL(s.path, DALLAS);
  CU_ASSERT_STRING_EQUAL(s.title, "13 monopods, Dallas et al.");
  CU_ASSERT_STRING_EQUAL(s.model->name, "monopod");
  CU_ASSERT_EQUAL(s.n_cell, 13);
  CU_ASSERT_EQUAL(sal_config_count(&s), 42);
  CU_ASSERT_STRING_EQUAL(s.method[2]->name, "ode113");
  CU_ASSERT_STRING_EQUAL(s.method[6]->name, "ode23tb");
  CU_ASSERT_STRING_EQUAL(s.strategy[0]->name, "switch");
  CU_ASSERT_EQUAL(s.tolerance[2], 1e-9);
  CU_ASSERT_EQUAL(s.t_end, 50);
  CU_ASSERT_EQUAL(s.n_mesh, 50000);
  CU_ASSERT_EQUAL(s.epsilon[0], 0.05);
  CU_ASSERT_EQUAL(s.epsilon[2], 0.01);
  CU_ASSERT_EQUAL(s.floor, 0.05);
  CU_ASSERT_EQUAL(s.reference, SAL_REFERENCE_CERTIFIED);
  CU_ASSERT_EQUAL(s.reference_tolerance, 1e-13);
  CU_ASSERT_EQUAL(s.points, SAL_POINTS_GLOBAL);
  CU_ASSERT_EQUAL(s.jacobian, SAL_JACOBIAN_DIFFERENCES);
  CU_ASSERT_EQUAL(s.repeats, 3);
  CU_ASSERT_EQUAL(s.width, 0);
  sal_sweep_free(&s);
}

/* Table 2 of the paper: b, m1, k, f. */
static void the_paper_s_table_is_in_order(void)
{
  static const double table[13][4] = {
      {1951, 20.00, 22.8, 0.051}, {1951, 10.40, 22.8, 0.051}, {1951, 1.88, 22.8, 0.010},
      {550, 1.88, 22.8, 0.051},   {1951, 1.88, 22.8, 0.051},  {1951, 1.88, 22.8, 0.155},
      {1951, 0.80, 22.8, 0.051},  {1951, 1.88, 22.8, 0.300},  {19275, 1.88, 22.8, 0.051},
      {1951, 1.88, 240.5, 0.051}, {38000, 1.88, 22.8, 0.051}, {1951, 1.88, 480.0, 0.051},
      {1951, 1.88, 1.0, 0.051}};
  sal_sweep s = read_dallas(0, NULL);
  for (int64_t cell = 0; cell < 13; ++cell) {
    double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
    sal_sweep_cell(&s, cell, param, initial);
    CU_ASSERT_EQUAL(memcmp(param, table[cell], sizeof table[cell]), 0);
    CU_ASSERT_EQUAL(param[6], 0); /* literal */
    CU_ASSERT_EQUAL(memcmp(initial, (double[]){0.5, 0, 1.5, 0}, 4 * sizeof(double)), 0);
  }
  sal_sweep_free(&s);
}

static void the_smallest_sweep_is_one_cell_of_presets(void)
{
  sal_sweep s = accept("");
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  sal_parameter_presets(s.model, param, initial);
  CU_ASSERT_EQUAL(s.n_cell, 1);
  CU_ASSERT_EQUAL(memcmp(s.param, param, 7 * sizeof(double)), 0);
  CU_ASSERT_EQUAL(memcmp(s.initial, initial, 4 * sizeof(double)), 0);
  CU_ASSERT_STRING_EQUAL(s.title, "");
  CU_ASSERT_EQUAL(s.repeats, 0);
  CU_ASSERT_EQUAL(s.max_attempts, 0);
  CU_ASSERT_EQUAL(s.mesh, 0.001);
  CU_ASSERT_EQUAL(s.n_mesh, 5000);
  sal_sweep_free(&s);
}

static void columns_mix_parameters_and_initial_states(void)
{
  sal_sweep s = accept("cells:\n  columns: [y2, f]\n  rows: [[1.25, 0.1], [1.75, 0.2]]\n"
                       "parameters: {k: 30}\ninitial: {v1: -0.5}\n"
                       "options: {adhesion: clamp}\nwidth: 4\nmax_attempts: 1e6\npoints: per-cell\n"
                       "jacobian: analytic\nmax_step: 0.5\n");
  CU_ASSERT_EQUAL(s.n_cell, 2);
  static const double param[2][7] = {{1951, 1.88, 30, 0.1, 0, 0, 1},
                                     {1951, 1.88, 30, 0.2, 0, 0, 1}};
  static const double initial[2][4] = {{0.5, -0.5, 1.25, 0}, {0.5, -0.5, 1.75, 0}};
  for (int i = 0; i < 2; ++i) {
    double p[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE];
    sal_sweep_cell(&s, i, p, y);
    CU_ASSERT_EQUAL(memcmp(p, param[i], sizeof param[i]), 0);
    CU_ASSERT_EQUAL(memcmp(y, initial[i], sizeof initial[i]), 0);
  }
  CU_ASSERT_EQUAL(s.width, 4);
  CU_ASSERT_EQUAL(s.max_attempts, 1000000);
  CU_ASSERT_EQUAL(s.points, SAL_POINTS_PER_CELL);
  CU_ASSERT_EQUAL(s.jacobian, SAL_JACOBIAN_ANALYTIC);
  CU_ASSERT_EQUAL(s.max_step, 0.5);
  sal_sweep_free(&s);
}

static void configs_are_numbered_as_in_the_cube(void)
{
  sal_sweep s = read_dallas(0, NULL);
  int i = 0;
  for (int t = 0; t < 3; ++t)
    for (int k = 0; k < 2; ++k)
      for (int m = 0; m < 7; ++m)
        CU_ASSERT_EQUAL(sal_config_encode(&s, (sal_config){t, k, m}), i++);
  CU_ASSERT_EQUAL(i, sal_config_count(&s));
  sal_sweep_free(&s);
}

static void without_overrides_the_text_is_the_file(void)
{
  sal_sweep s = accept("# a comment that stays\nmesh:   0.01\n");
  CU_ASSERT_STRING_EQUAL(s.text, SMALLEST "# a comment that stays\nmesh:   0.01\n");
  sal_sweep_free(&s);
}

static void the_text_as_run_is_the_same_sweep(void)
{
  static const char *const set[] = {"t_end=5",
                                    "rtol=[1e-6]",
                                    "divergence={}",
                                    "options.adhesion=clamp",
                                    "title=\"a: 'b'\nc\"",
                                    "cells.rows=[[1951, 2, 3, 4]]"};
  sal_sweep s = read_dallas(6, set), plain = read_dallas(0, NULL);
  CU_ASSERT_FALSE(same_sweep(&s, &plain));
  sal_sweep again = accept_with(s.text, 0, NULL);
  CU_ASSERT_TRUE(same_sweep(&s, &again));
  CU_ASSERT_STRING_EQUAL(s.text, again.text);
  CU_ASSERT_PTR_NOT_NULL(strstr(s.text, "# with --set t_end=5\n"));
  CU_ASSERT_STRING_EQUAL(s.title, "a: 'b' c");
  sal_sweep_free(&s);
  sal_sweep_free(&plain);
  sal_sweep_free(&again);
}

/* Comparing these texts decides whether results of one may be used for the other. */
static void what_is_settled_depends_on_what_is_said_only(void)
{
  sal_sweep a = accept("mesh: 0.01\ncells: {columns: [b, k], rows: [[1000, 20], [1100, 30]]}\n"
                       "parameters: {f: 0.1, m1: 2}\nwidth: 4\n");
  sal_sweep b = accept("# a remark\nparameters:\n  m1: 2\n  f: 0.1\njacobian: 'differences'\n"
                       "cells:\n  rows:\n  - [1000, 20]\n  - - 1100\n    - 30\n"
                       "  columns: [b, k]\nmesh:     0.01\n");
  CU_ASSERT_STRING_EQUAL(a.settled, b.settled);
  CU_ASSERT_PTR_NOT_NULL(strstr(a.settled, "\nmesh: 0.01\n"));
  CU_ASSERT_PTR_NOT_NULL(
      strstr(a.settled, "\ncells.rows[1]: [1000, 20]\ncells.rows[2]: [1100, 30]\n"));
  CU_ASSERT_PTR_NULL(strstr(a.settled, "width"));
  static const char *const other[] = {"mesh=0.02", "cells.rows=[[1100, 30], [1000, 20]]",
                                      "jacobian=analytic", "points=per-cell"};
  for (int i = 0; i < 4; ++i) {
    sal_sweep c = accept_with(b.text, 1, &other[i]);
    CU_ASSERT_STRING_NOT_EQUAL(c.settled, b.settled);
    sal_sweep_free(&c);
  }
  sal_sweep_free(&a);
  sal_sweep_free(&b);
}

/* Writes bytes to a file, reads it as a sweep and expects a failure at its line. */
static void refuse_file(size_t n, const char bytes[], int line, const char *fragment)
{
  char path[] = "/tmp/sal_test_sweep_XXXXXX", place[100];
  const int file = mkstemp(path);
  sal_sweep sweep;
  CU_ASSERT(file >= 0 && write(file, bytes, n) == (ssize_t)n);
  close(file);
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_sweep_read(path, 0, NULL, &sweep), SAL_ERR_INPUT);
  snprintf(place, sizeof place, "%s:%d: ", path, line);
  CU_ASSERT_NSTRING_EQUAL(sal_err_message(), place, strlen(place));
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), fragment));
  unlink(path);
}

static void files_are_refused_at_their_line(void)
{
  static const char nul[] = SMALLEST "title: a\n\0\0";
  refuse_file(sizeof nul, nul, 7, "NUL");
  refuse_file(0, "", 1, "is empty");
  refuse_file(strlen(SMALLEST "mesh: 0\n"), SMALLEST "mesh: 0\n", 6, "mesh = 0");
}

static void what_is_no_file_is_refused(void)
{
  sal_sweep sweep;
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_sweep_read("no/such/file.yaml", 0, NULL, &sweep), SAL_ERR_IO);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "no/such/file.yaml: cannot be read"));
  CU_ASSERT_PTR_NULL(sweep.text);
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_sweep_read(SAL_TEST_DATA, 0, NULL, &sweep), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "is a directory"));
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_sweep_read("/dev/zero", 0, NULL, &sweep), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "is a device"));
}

static void many_rows_are_read(void)
{
  enum { N = 3000 };
  char *text = malloc(N * 32 + 400), *end = text;
  end += sprintf(end, SMALLEST "cells:\n  columns: [b, m1]\n  rows:\n");
  for (int i = 0; i < N; ++i) end += sprintf(end, "  - [%d, %.4f]\n", i, 1 + i * 1e-4);
  sal_sweep s = accept_with(text, 0, NULL);
  double last[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  CU_ASSERT_EQUAL(s.n_cell, N);
  sal_sweep_cell(&s, N - 1, last, initial);
  CU_ASSERT_EQUAL(last[0], N - 1);
  CU_ASSERT_EQUAL(last[1], 1.2999);
  sal_sweep_free(&s);
  free(text);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void *is_given(void *answer)
{
  *(bool *)answer = sal_model_source_is_file("monopod");
  return NULL;
}

/* A model of functions may have the name of one of the program, which another thread opens meanwhile. */
static void a_model_that_is_given_is_that_of_its_thread(void)
{
  bool here = false, there = true;
  pthread_t thread;

  sal_model_source_give("monopod", "functions", sal_registry_model("monopod"));
  is_given(&here);
  CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, is_given, &there), 0);
  CU_ASSERT_EQUAL(pthread_join(thread, NULL), 0);
  sal_model_source_give(NULL, NULL, NULL);
  CU_ASSERT_TRUE(here);
  CU_ASSERT_FALSE(there);
}

SAL_TEST_MAIN(
    "sweep", NULL,
    {"the paper has 13 cells and 42 configurations", the_paper_has_13_cells_and_42_configs},
    {"the paper's table is in order", the_paper_s_table_is_in_order},
    {"the smallest sweep is one cell of presets", the_smallest_sweep_is_one_cell_of_presets},
    {"columns mix parameters and initial states", columns_mix_parameters_and_initial_states},
    {"configurations are numbered as in the cube", configs_are_numbered_as_in_the_cube},
    {"without overrides the text is the file", without_overrides_the_text_is_the_file},
    {"the text as run is the same sweep", the_text_as_run_is_the_same_sweep},
    {"what is settled depends on what is said only", what_is_settled_depends_on_what_is_said_only},
    {"files are refused at their line", files_are_refused_at_their_line},
    {"a path that is not a file is refused", what_is_no_file_is_refused},
    {"many rows are read", many_rows_are_read},
    {"a model that is given is that of its thread", a_model_that_is_given_is_that_of_its_thread})
