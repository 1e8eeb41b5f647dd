/** Sweeps off the grid of another: where their cells lie, and that nothing else changes. */
#include "extension.h"
#include "parameter_column.h"
#include "random.h"
#include "refuse.h"
#include "sweep_read.h"
#include <math.h>

enum { N = 500, B = 0, M1 = 1, K = 2, ADHESION = 6, Y1 = 7, V2 = 10 };

/* The sweep off the grid of `grid`, with replicates or without; the caller frees. */
static sal_sweep off_with(const sal_sweep *grid, int64_t n, uint64_t seed, int replicates)
{
  const sal_offgrid_request q = {.points = n, .replicates = replicates, .seed = seed};
  sal_sweep s = {0};
  char *text = NULL;

  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_offgrid_text(grid, &q, &text), SAL_OK);
  const sal_err err = sal_sweep_parse("points", text, 0, NULL, &s);
  if (err != SAL_OK) fprintf(stderr, "\n    %s\n", sal_err_message());
  CU_ASSERT_EQUAL_FATAL(err, SAL_OK);
  sal_free(text);
  return s;
}

static sal_sweep off(const sal_sweep *grid, int64_t n, uint64_t seed)
{
  return off_with(grid, n, seed, 1);
}

static void value_of(const sal_sweep *s, int64_t cell, double value[])
{
  sal_sweep_cell(s, cell, value, value + s->model->n_param + s->model->n_option);
}

static void draws_are_uniform_on_each_axis_in_its_own_scale(void)
{
  sal_sweep grid = accept(
      "cells:\n  axes:\n"
      "    - {name: b, log: [100, 10000], points: 3}\n"
      "    - {name: v2, linear: [-1, 3], points: 2}\n"
      "    - {columns: [m1, y1], random: [[1, 20], [0.25, 0.5]], points: 4, seed: 3, log: [m1]}\n"
      "    - {columns: [k, f], rows: [[400, 0.1], [4, 0.3]]}\n");
  sal_sweep s = off(&grid, N, 7);
  double v[SAL_MAX_QUANTITY] = {0}, sum[6] = {0}, square[6] = {0}, least = 1, most = 0;

  CU_ASSERT_EQUAL(s.n_cell, N);
  for (int64_t i = 0; i < N; ++i) {
    value_of(&s, i, v);
    const double share[] = {log(v[B] / 100) / log(100), (v[V2] + 1) / 4,
                            log(v[M1]) / log(20),       (v[Y1] - 0.25) / 0.25,
                            log(v[K] / 4) / log(100),   (v[3] - 0.1) / 0.2};
    for (int k = 0; k < 6; ++k) {
      CU_ASSERT(share[k] >= 0 && share[k] <= 1);
      CU_ASSERT_DOUBLE_EQUAL(share[k], sal_random(7, (uint64_t)i, (uint32_t)k), 1e-13);
      sum[k] += share[k] / N;
      square[k] += share[k] * share[k] / N;
    }
    least = fmin(least, share[0]);
    most = fmax(most, share[0]);
  }
  for (int k = 0; k < 6; ++k) { /* means and squares to 4 standard deviations */
    CU_ASSERT_DOUBLE_EQUAL(sum[k], 0.5, 4 * sqrt(1 / 12. / N));
    CU_ASSERT_DOUBLE_EQUAL(square[k], 1 / 3., 4 * sqrt(4 / 45. / N));
  }
  CU_ASSERT(least < 0.02 && most > 0.98);
  sal_sweep_free(&s);
  sal_sweep_free(&grid);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void more_points_leave_the_first_and_another_seed_none(void)
{
  sal_sweep grid = accept("cells:\n  axes: [{name: b, log: [100, 10000], points: 3}]\n");
  sal_sweep few = off(&grid, 10, 1), many = off(&grid, 20, 1), other = off(&grid, 10, 2);
  double x[SAL_MAX_QUANTITY], y[SAL_MAX_QUANTITY], z[SAL_MAX_QUANTITY];

  for (int64_t i = 0; i < 10; ++i) {
    value_of(&few, i, x);
    value_of(&many, i, y);
    value_of(&other, i, z);
    CU_ASSERT_EQUAL(x[B], y[B]);
    CU_ASSERT_NOT_EQUAL(x[B], z[B]);
  }
  sal_sweep_free(&other);
  sal_sweep_free(&many);
  sal_sweep_free(&few);
  sal_sweep_free(&grid);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void lists_give_their_values_and_options_keep_their_axis(void)
{
  sal_sweep grid = accept("cells:\n  axes:\n"
                          "    - {name: k, list: [40, 10, 20]}\n"
                          "    - {name: adhesion, list: [clamp, literal]}\n");
  sal_sweep s = off(&grid, 60, 1);
  double v[SAL_MAX_QUANTITY];
  int seen[3] = {0};

  CU_ASSERT_EQUAL_FATAL(s.n_cell, 120);
  for (int64_t i = 0; i < 120; ++i) {
    value_of(&s, i, v);
    CU_ASSERT(v[K] == 40 || v[K] == 10 || v[K] == 20);
    CU_ASSERT_EQUAL(v[ADHESION], i % 2 == 0);
    const double k = v[K];
    value_of(&s, i ^ 1, v); /* each choice has the same points */
    CU_ASSERT_EQUAL(v[K], k);
    seen[k == 40 ? 0 : k == 10 ? 1 : 2] += i % 2 != 0;
  }
  CU_ASSERT(seen[0] > 8 && seen[1] > 8 && seen[2] > 8);
  sal_sweep_free(&s);
  sal_sweep_free(&grid);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

#define PLATE "model: plate\nt_end: 2\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-3]\n"

static void whole_numbers_stay_whole_and_nonsense_is_drawn_again(void)
{
  sal_sweep grid = accept_with(PLATE, 0, NULL), s;
  double v[SAL_MAX_QUANTITY], sum = 0;
  int n = 0, length = 0, width = 0, wide = 0;

  for (int k = 0; k < grid.model->n_param; ++k) {
    if (strcmp(grid.model->param[k].name, "n") == 0) n = k;
    if (strcmp(grid.model->param[k].name, "length") == 0) length = k;
    if (strcmp(grid.model->param[k].name, "width") == 0) width = k;
  }
  sal_sweep_free(&grid);
  CU_ASSERT_EQUAL(sal_sweep_parse("s.yaml",
                                  PLATE
                                  "cells:\n  axes:\n"
                                  "    - {name: n, log: [2, 64], points: 6}\n"
                                  "    - {columns: [length, width], rows: [[1, 0.5], [3, 2.5]]}\n",
                                  0, NULL, &grid),
                  SAL_OK);
  s = off(&grid, 100, 4);
  for (int64_t i = 0; i < 100; ++i) {
    value_of(&s, i, v);
    CU_ASSERT(v[n] == floor(v[n]) && v[n] >= 2 && v[n] <= 64);
    CU_ASSERT(v[length] >= v[width]);
    /* the first attempt of some would be longer across */
    wide += 1 + 2 * sal_random(4, (uint64_t)i, 1) < 0.5 + 2 * sal_random(4, (uint64_t)i, 2);
    sum += log2(v[n]) / 100;
  }
  CU_ASSERT(wide > 10);
  CU_ASSERT_DOUBLE_EQUAL(sum, 3.5, 0.6);
  sal_sweep_free(&s);
  sal_sweep_free(&grid);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* Uniform to either side, and the same as without replicates where the point itself is. */
static void replicates_are_within_a_ten_thousandth_of_each_axis(void)
{
  enum { R = 5, OPTIONS = 2 };
  sal_sweep grid =
      accept("cells:\n  axes:\n"
             "    - {name: adhesion, list: [clamp, literal]}\n"
             "    - {name: b, log: [100, 10000], points: 3}\n"
             "    - {name: v2, linear: [-1, 3], points: 2}\n"
             "    - {columns: [m1, y1], random: [[1, 20], [0.25, 0.5]], points: 4, seed: 3}\n"
             "    - {name: k, list: [400, 4, 40]}\n");
  sal_sweep alone = off(&grid, N, 7), s = off_with(&grid, N, 7, R);
  double x[SAL_MAX_QUANTITY] = {0}, y[SAL_MAX_QUANTITY] = {0}, square[4] = {0}, product = 0;

  CU_ASSERT_EQUAL_FATAL(s.n_cell, N * R * OPTIONS);
  CU_ASSERT_EQUAL(sal_offgrid_replicates(&grid, &s), R);
  CU_ASSERT_EQUAL(sal_offgrid_replicates(&grid, &alone), 1);
  for (int64_t i = 0; i < N * R * OPTIONS; ++i) {
    const int64_t point = i / OPTIONS / R, r = i / OPTIONS % R;
    value_of(&s, i, y);
    value_of(&alone, point * OPTIONS + i % OPTIONS, x);
    if (r == 0) CU_ASSERT_EQUAL(memcmp(x, y, sizeof x), 0);
    CU_ASSERT(y[ADHESION] == x[ADHESION] && y[K] == x[K]);
    const double off[] = {log(y[B] / x[B]) / log(100), (y[V2] - x[V2]) / 4, (y[M1] - x[M1]) / 19,
                          (y[Y1] - x[Y1]) / 0.25};
    for (int k = 0; k < 4; ++k) {
      CU_ASSERT(fabs(off[k]) <= 1e-4 * (1 + 1e-9) && (off[k] != 0) == (r > 0));
      square[k] += off[k] * off[k] * 1e8 / (N * (R - 1) * OPTIONS);
    }
    product += off[0] * off[1] * 1e8 / (N * (R - 1) * OPTIONS);
  }
  for (int k = 0; k < 4; ++k) /* uniform, each by itself, to 4 standard deviations */
    CU_ASSERT_DOUBLE_EQUAL(square[k], 1 / 3., 4 * sqrt(4 / 45. / (N * (R - 1))));
  CU_ASSERT_DOUBLE_EQUAL(product, 0, 4 / 3. / sqrt(N * (R - 1)));
  sal_sweep_free(&s);
  sal_sweep_free(&alone);
  sal_sweep_free(&grid);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* Many, so that some points lie at the end of a range, and some where a replicate might not make
 * sense. */
static void a_replicate_stays_in_the_range_and_makes_sense(void)
{
  enum { MANY = 12000, SEED = 1, STREAM = 52, TRIES = SAL_MAX_OFFGRID };
  sal_sweep grid, s;
  double x[SAL_MAX_QUANTITY], y[SAL_MAX_QUANTITY];
  int at_end = 0, on_edge = 0;

  CU_ASSERT_EQUAL_FATAL(
      sal_sweep_parse("s.yaml",
                      PLATE "cells:\n  axes:\n"
                            "    - {name: n, log: [2, 64], points: 6}\n"
                            "    - {columns: [length, width], rows: [[1, 1], [3, 3]]}\n",
                      0, NULL, &grid),
      SAL_OK);
  s = off_with(&grid, MANY, SEED, 2);
  const int n = s.axis[0].column[0], length = s.axis[0].column[1], width = s.axis[0].column[2];
  CU_ASSERT_EQUAL(sal_offgrid_replicates(&grid, &s), 2);
  for (int64_t i = 0; i < MANY; ++i) {
    value_of(&s, 2 * i, x);
    value_of(&s, 2 * i + 1, y);
    CU_ASSERT(y[n] == x[n] && y[length] >= y[width]);
    CU_ASSERT(y[length] >= 1 && y[length] <= 3 && y[width] >= 1 && y[width] <= 3);
    /* the first draw of steps; the streams depend on no limit of models */
    const uint64_t at = (uint64_t)TRIES + (uint64_t)i;
    const double by = (2 * sal_random(SEED, at, STREAM + 1) - 1) * 2e-4;
    const double across = (2 * sal_random(SEED, at, STREAM + 2) - 1) * 2e-4;
    const bool inside = fabs(x[length] + by - 2) <= 1 && fabs(x[width] + across - 2) <= 1;
    if (inside && x[length] + by >= x[width] + across)
      CU_ASSERT_DOUBLE_EQUAL(y[length] - x[length], by, 1e-12);
    at_end += x[length] + by > 3 || x[length] + by < 1;
    on_edge += x[length] + by < x[width] + across;
  }
  CU_ASSERT(at_end > 0 && on_edge > 0);
  sal_sweep_free(&s);
  sal_sweep_free(&grid);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void what_are_no_replicates_is_seen(void)
{
  /* b, and k on a list */
  static const struct {
    const char *rows;
    int replicates;
  } table[] = {{"[[1000, 4], [1000.46, 4], [2000, 9], [1999.08, 9]]", 2},
               {"[[1000, 4], [1000.47, 4], [2000, 9], [1999.08, 9]]", 1},
               {"[[1000, 4], [1000.46, 4], [2000, 9], [1998.1, 9]]", 1},
               {"[[1000, 4], [1000.46, 9], [2000, 9], [1999.08, 9]]", 1},
               {"[[1000, 4], [1000.46, 4], [2000, 9]]", 1},
               {"[[1000, 4], [1000, 4], [999.6, 4]]", 3}};
  const sal_offgrid_request q = {.points = 5, .replicates = 2, .seed = 1};
  sal_sweep grid = accept("cells:\n  axes:\n"
                          "    - {name: b, log: [100, 10000], points: 3}\n"
                          "    - {name: k, list: [4, 9]}\n");
  sal_sweep lists = accept("cells:\n  axes: [{name: k, list: [4, 9]}]\n");
  char *text;

  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    char text_of[512];
    snprintf(text_of, sizeof text_of, "%scells: {columns: [b, k], rows: %s}\n", SMALLEST,
             table[i].rows);
    sal_sweep s = accept_with(text_of, 0, NULL);
    CU_ASSERT_EQUAL(sal_offgrid_replicates(&grid, &s), table[i].replicates);
    CU_ASSERT_EQUAL(sal_offgrid_replicates(&lists, &s), 1);
    sal_sweep_free(&s);
  }
  CU_ASSERT_EQUAL(sal_offgrid_text(&lists, &q, &text), SAL_ERR_INPUT);
  CU_ASSERT(strstr(sal_err_message(), "no replicates") != NULL);
  CU_ASSERT_PTR_NULL(text);
  sal_sweep_free(&lists);
  sal_sweep_free(&grid);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* Quarters of decades between those of the sweep, which stay as they are; where that is too many,
 * halves, or none. */
static void tolerances_are_a_quarter_of_a_decade_apart(void)
{
  static const struct {
    const char *own;
    int n;
    double at[3]; /* after the first */
  } table[] = {{"[1e-4, 1e-2, 1e-3]", 9, {0.0056234132519034909, 0.0031622776601683794}},
               {"[1e-2, 1e-13]", 45, {0.0056234132519034909, 0.0031622776601683794}},
               {"[1e-1, 1e-13]", 25, {0.031622776601683794, 0.01}},
               {"[1e-3, 9e-4]", 2, {9e-4}},
               {"[1e-5]", 1, {0}}};
  sal_sweep grid, s;

  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    char text[512];
    snprintf(text, sizeof text,
             "model: monopod\nt_end: 5\nsolvers: [ode45]\nstrategies: [event]\nrtol: %s\n"
             "cells: {columns: [b], rows: [[100], [300]]}\n",
             table[i].own);
    CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", text, 0, NULL, &grid), SAL_OK);
    s = off(&grid, 2, 1);
    CU_ASSERT_EQUAL_FATAL(s.n_tolerance, table[i].n);
    for (int t = 0; t + 1 < s.n_tolerance; ++t) CU_ASSERT(s.tolerance[t] > s.tolerance[t + 1]);
    for (int t = 1; t < 3 && t < s.n_tolerance; ++t)
      CU_ASSERT_DOUBLE_EQUAL(s.tolerance[t] / table[i].at[t - 1], 1, 1e-15);
    for (int t = 0; t < grid.n_tolerance; ++t) {
      int same = 0;
      for (int k = 0; k < s.n_tolerance; ++k) same += s.tolerance[k] == grid.tolerance[t];
      CU_ASSERT_EQUAL(same, 1);
    }
    sal_sweep_free(&grid);
    sal_sweep_free(&s);
  }
}

static void fewer_configs_may_run_and_none_is_stopped(void)
{
  static const bool method[] = {false, true}, strategy[] = {true, false};
  const sal_offgrid_request q = {
      .points = 2, .replicates = 1, .seed = 1, .method = method, .strategy = strategy};
  sal_sweep grid, s;
  char *text;

  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml",
                                        "model: monopod\nt_end: 5\nsolvers: [dop853, ode45]\n"
                                        "strategies: [event, switch]\nrtol: [1e-3]\n"
                                        "cutoff: {baselines: [dop853], error: 1e-6}\n"
                                        "cells: {columns: [b], rows: [[100], [300]]}\n",
                                        0, NULL, &grid),
                        SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_offgrid_text(&grid, &q, &text), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("points", text, 0, NULL, &s), SAL_OK);
  CU_ASSERT(s.n_method == 1 && s.method[0] == grid.method[1]);
  CU_ASSERT(s.n_strategy == 1 && s.strategy[0] == grid.strategy[0]);
  CU_ASSERT(grid.cutoff.role[0] == SAL_CUTOFF_BASELINES);
  CU_ASSERT(s.cutoff.role[0] == SAL_CUTOFF_OTHERS && s.cutoff.reference == 0);
  sal_free(text);
  sal_sweep_free(&s);
  sal_sweep_free(&grid);
}

static void nothing_but_the_cells_changes(void)
{
  sal_sweep grid = accept("cells: {columns: [b, k], rows: [[100, 4], [300, 9]]}\n"
                          "parameters: {f: 0.2}\noptions: {adhesion: clamp}\nmesh: 0.05\n"
                          "timing: {repeats: 3}\nreference_tolerance: 1e-12\n");
  sal_sweep s = off(&grid, 5, 1);
  double v[SAL_MAX_QUANTITY];

  CU_ASSERT(s.n_cell == 5 && s.n_axis == 1 && s.repeats == 0 && grid.repeats == 3);
  CU_ASSERT(s.model == grid.model && s.method[0] == grid.method[0] && s.tolerance[0] == 1e-3);
  CU_ASSERT(s.n_mesh == grid.n_mesh && s.t_end == 5 && s.reference_tolerance == 1e-12);
  value_of(&s, 4, v);
  CU_ASSERT(v[3] == 0.2 && v[ADHESION] == 1);
  CU_ASSERT(v[K] >= 4 && v[K] <= 9);
  sal_sweep_free(&s);
  sal_sweep_free(&grid);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void a_sweep_that_varies_no_number_has_no_points_off_it(void)
{
  static const char *const tail[] = {"", "cells:\n  axes: [{name: adhesion, list: [clamp]}]\n"};

  for (int i = 0; i < 2; ++i) {
    const sal_offgrid_request q = {.points = 5, .replicates = 1, .seed = 1};
    char text[512], *points = NULL;
    snprintf(text, sizeof text, "%s%s", SMALLEST, tail[i]);
    sal_sweep grid = accept_with(text, 0, NULL);
    CU_ASSERT_EQUAL(sal_offgrid_text(&grid, &q, &points), SAL_ERR_INPUT);
    CU_ASSERT(strstr(sal_err_message(), "no axis varies a number") != NULL);
    CU_ASSERT_PTR_NULL(points);
    sal_sweep_free(&grid);
  }
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("off the grid", NULL,
              {"draws are uniform on each axis in its own scale",
               draws_are_uniform_on_each_axis_in_its_own_scale},
              {"more points leave the first, and another seed none",
               more_points_leave_the_first_and_another_seed_none},
              {"lists give their values, and options keep their axis",
               lists_give_their_values_and_options_keep_their_axis},
              {"whole numbers stay whole, and nonsense is drawn again",
               whole_numbers_stay_whole_and_nonsense_is_drawn_again},
              {"replicates are within a ten thousandth of each axis",
               replicates_are_within_a_ten_thousandth_of_each_axis},
              {"a replicate stays in the range and makes sense",
               a_replicate_stays_in_the_range_and_makes_sense},
              {"invalid replicates are detected", what_are_no_replicates_is_seen},
              {"tolerances are a quarter of a decade apart",
               tolerances_are_a_quarter_of_a_decade_apart},
              {"fewer configurations may run, and none is stopped",
               fewer_configs_may_run_and_none_is_stopped},
              {"nothing but the cells changes", nothing_but_the_cells_changes},
              {"a sweep that varies no number has no points off it",
               a_sweep_that_varies_no_number_has_no_points_off_it})
