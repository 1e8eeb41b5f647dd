/** More cells: old ones keep their numbers, new ones are those of the sequence, none is there twice.
 */
#include "extension.h"
#include "refuse.h"
#include <math.h>

#define GRID                                                                                       \
  "cells:\n  axes:\n    - {name: b, log: [100, 10000], points: 3}\n"                               \
  "    - {name: adhesion, list: [clamp, literal]}\n"                                               \
  "    - {name: k, linear: [10, 40], points: 4}\n"
enum { B = 0, K = 2, ADHESION = 6, N_GRID = 24 };

static sal_sweep extended(const sal_sweep *s, int64_t wanted, int64_t expected)
{
  sal_sweep more = {0};
  char *text = NULL;
  int64_t added;

  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_extension_text(s, wanted, &text, &added), SAL_OK);
  CU_ASSERT_EQUAL(added, expected);
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("more", text, 0, NULL, &more), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(more.n_cell, s->n_cell + expected);
  sal_free(text);
  return more;
}

static sal_sweep accept_set(const char *set) { return accept_with(SMALLEST, 1, &set); }

static void values_of(const sal_sweep *s, int64_t cell, double value[])
{
  sal_sweep_cell(s, cell, value, value + s->model->n_param + s->model->n_option);
}

static bool is_same_cell(const sal_sweep *a, int64_t i, const sal_sweep *b, int64_t j)
{
  double x[SAL_MAX_QUANTITY], y[SAL_MAX_QUANTITY];

  values_of(a, i, x);
  values_of(b, j, y);
  return x[B] == y[B] && x[K] == y[K] && x[ADHESION] == y[ADHESION];
}

static void cells_keep_their_numbers(const sal_sweep *s, const sal_sweep *more)
{
  for (int64_t i = 0; i < s->n_cell; ++i) CU_ASSERT(is_same_cell(s, i, more, i));
  for (int64_t i = s->n_cell; i < more->n_cell; ++i)
    for (int64_t j = 0; j < i; ++j) CU_ASSERT(!is_same_cell(more, i, more, j));
}

static void a_sequence_goes_on(void)
{
  static const char *const format[] = {
      "cells={axes: [{columns: [b, k], sobol: [[100, 10000], [10, 40]], log: [b], points: %d}, "
      "{name: adhesion, list: [clamp, literal]}]}",
      "cells={axes: [{columns: [b, k], random: [[100, 10000], [10, 40]], seed: 4, points: %d}, "
      "{name: adhesion, list: [clamp, literal]}]}"};

  for (int i = 0; i < 2; ++i) {
    char text[2][256];
    snprintf(text[0], sizeof text[0], format[i], 5);
    snprintf(text[1], sizeof text[1], format[i], 8);
    sal_sweep few = accept_set(text[0]), many = accept_set(text[1]), more = extended(&few, 7, 6);
    cells_keep_their_numbers(&few, &more);
    for (int64_t c = 0; c < many.n_cell; ++c) CU_ASSERT(is_same_cell(&many, c, &more, c));
    CU_ASSERT_STRING_EQUAL(more.settled, many.settled);
    sal_sweep_free(&few);
    sal_sweep_free(&many);
    sal_sweep_free(&more);
  }
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* The second point of the sequence that is left is the fourth: (1/4, 3/4) of the box is passed over, a
 * cell of this grid. */
static void a_grid_gets_sobol_s_points(void)
{
  sal_sweep s = accept(GRID), more = extended(&s, 6, 6);
  sal_sweep next = extended(&more, 3, 3), all = extended(&s, 9, 9);
  const double b[] = {0.5, 0.75, 0.25, 0.375, 0.875, 0.625};
  const double k[] = {0.5, 0.25, 0.75, 0.375, 0.875, 0.125};
  double value[SAL_MAX_QUANTITY];

  cells_keep_their_numbers(&s, &more);
  cells_keep_their_numbers(&more, &next);
  for (int i = 0; i < 6; ++i) {
    values_of(&more, N_GRID + i, value);
    CU_ASSERT_DOUBLE_EQUAL(log(value[B] / 100) / log(100), b[i], 1e-14);
    CU_ASSERT_DOUBLE_EQUAL((value[K] - 10) / 30, k[i], 1e-14);
    CU_ASSERT_EQUAL(value[ADHESION], i % 2 == 0); /* words in turn; clamp is 1 */
  }
  for (int64_t i = 0; i < next.n_cell; ++i) CU_ASSERT(is_same_cell(&next, i, &all, i));
  sal_sweep_free(&s);
  sal_sweep_free(&more);
  sal_sweep_free(&next);
  sal_sweep_free(&all);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

/* Sobol's first points on one axis are 1/2, 3/4, 1/4, 3/8. */
static void points_that_are_there_are_passed_over(void)
{
  sal_sweep s = accept("cells:\n  axes: [{name: k, linear: [0.1, 0.5], points: 5}]\n"
                       "  scattered: {columns: [k], rows: [[0.25]]}\n");
  sal_sweep more = extended(&s, 3, 3);
  const double k[] = {0.25, 0.45, 0.35, 0.15};
  double value[SAL_MAX_QUANTITY];

  for (int i = 0; i < 4; ++i) { /* 0.3, 0.4 and 0.2 are cells of the grid */
    values_of(&more, 5 + i, value);
    CU_ASSERT_DOUBLE_EQUAL(value[K], k[i], 1e-15);
  }
  sal_sweep_free(&s);
  sal_sweep_free(&more);
}

/* 2 .. 9 in a list of three leaves five whole numbers, and twice that with two words. */
static void whole_numbers_run_out(void)
{
  sal_sweep s = accept_with("model: plate\nt_end: 2\nsolvers: [ode45]\nstrategies: [event]\n"
                            "rtol: [1e-3]\ncells: {axes: [{name: n, list: [2, 5, 9]}]}\n",
                            0, NULL);
  sal_sweep more = extended(&s, 40, 5);
  int times[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  double value[SAL_MAX_QUANTITY];

  for (int64_t i = 0; i < more.n_cell; ++i) {
    values_of(&more, i, value);
    CU_ASSERT_FATAL(value[0] == floor(value[0]) && value[0] >= 2 && value[0] <= 9);
    ++times[(int)value[0]];
  }
  for (int n = 2; n <= 9; ++n) CU_ASSERT_EQUAL(times[n], 1);
  char *text;
  int64_t added;
  CU_ASSERT_EQUAL(sal_extension_text(&more, 1, &text, &added), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "all that lies between its cells is there"));
  sal_sweep_free(&s);
  sal_sweep_free(&more);
}

static void refuse_extension(const char *cells, int64_t wanted, const char *says)
{
  sal_sweep s = accept_set(cells);
  char *text;
  int64_t added;

  CU_ASSERT_EQUAL(sal_extension_text(&s, wanted, &text, &added), SAL_ERR_INPUT);
  CU_ASSERT(text == NULL && added == 0);
  if (!strstr(sal_err_message(), says)) fprintf(stderr, "\n    %s\n", sal_err_message());
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), says));
  sal_sweep_free(&s);
}

static void what_has_nothing_between_is_refused(void)
{
  refuse_extension("title=x", 1, "nothing lies between its cells");
  refuse_extension("cells={axes: [{name: adhesion, list: [clamp, literal]}]}", 1,
                   "nothing lies between its cells");
  refuse_extension("cells={columns: [b], rows: [[1], [2]]}", 1, "one of its axes is rows");
  refuse_extension(
      "cells={axes: [{name: k, list: [1, 2]}, {columns: [b], sobol: [[1, 2]], points: 2}]}", 1,
      "axis of sobol points is entry 2; allowed: the first");
  refuse_extension(
      "cells={axes: [{columns: [b], sobol: [[1, 2]], points: 2}, {name: k, list: [1, 2, 3]}]}", 2,
      "have 3 cells for each point of the first; allowed: to add 3 or more");
}

SAL_TEST_MAIN("more cells", NULL, {"a sequence goes on", a_sequence_goes_on},
              {"a grid gets Sobol's points", a_grid_gets_sobol_s_points},
              {"points that are there are passed over", points_that_are_there_are_passed_over},
              {"whole numbers run out", whole_numbers_run_out},
              {"what has nothing between is refused", what_has_nothing_between_is_refused})
