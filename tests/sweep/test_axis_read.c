/** Axes in a sweep file: the cells they make, and what is refused. */
#include "random.h"
#include "refuse.h"
#include "registry.h"
#include "validate.h"
#include <math.h>
#include <stdlib.h>

/* Axes begin in line 8 of the text. */
#define AXES(lines) "cells:\n  axes:\n" lines
#define AXIS(inside) AXES("    - {" inside "}\n")
#define PLATE "model: plate\nt_end: 2\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-3]\n"

/* Parameters and options, then the initial state. */
typedef struct {
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
} cell;

static cell cell_of(const sal_sweep *sweep, int64_t i)
{
  cell c = {{0}, {0}};
  sal_sweep_cell(sweep, i, c.param, c.initial);
  return c;
}

static void cells_are_all_combinations_the_last_axis_fastest(void)
{
  sal_sweep s =
      accept(AXES("    - {name: b, list: [1, 5, 20]}\n"
                  "    - {name: adhesion, list: [clamp, literal]}\n"
                  "    - {name: v2, linear: [-1, 1], points: 5}\n") "parameters: {k: 30}\ninitial: "
                                                                    "{y1: 0.25}\n");
  static const double b[] = {1, 5, 20};
  CU_ASSERT_EQUAL_FATAL(s.n_cell, 30);
  CU_ASSERT_EQUAL(s.n_axis, 3);
  for (int64_t i = 0; i < 30; ++i) {
    const cell c = cell_of(&s, i);
    CU_ASSERT_EQUAL(c.param[0], b[i / 10]);
    CU_ASSERT_EQUAL(c.param[1], 1.88); /* the preset */
    CU_ASSERT_EQUAL(c.param[2], 30);
    CU_ASSERT_EQUAL(c.param[6], i / 5 % 2 == 0); /* clamp is choice 1 */
    CU_ASSERT_EQUAL(c.initial[0], 0.25);
    CU_ASSERT_EQUAL(c.initial[3], -1 + 0.5 * (double)(i % 5));
  }
  sal_sweep_free(&s);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void several_quantities_go_together(void)
{
  sal_sweep s =
      accept(AXES("    - {columns: [b, y2], rows: [[1, 1.25], [2, 1.75]]}\n"
                  "    - {columns: [m1, f], random: [[1, 2], [0, 0.5]], points: 3, seed: 9}\n"
                  "    - {columns: [k, v1], sobol: [[10, 30], [-1, 1]], points: 4}\n"));
  CU_ASSERT_EQUAL_FATAL(s.n_cell, 24);
  for (int64_t i = 0; i < 24; ++i) {
    const cell c = cell_of(&s, i);
    const uint64_t draw = (uint64_t)i / 4 % 3;
    CU_ASSERT(c.param[0] == (i < 12 ? 1 : 2) && c.initial[2] == (i < 12 ? 1.25 : 1.75));
    CU_ASSERT_EQUAL(c.param[1], 1 + sal_random(9, draw, 0));
    CU_ASSERT_EQUAL(c.param[3], 0.5 * sal_random(9, draw, 1));
  }
  /* GSL's sequence in two dimensions, from the middle: 1/2 1/2, 3/4 1/4, 1/4 3/4, 3/8 3/8 */
  static const double k[] = {20, 25, 15, 17.5}, v1[] = {0, -0.5, 0.5, -0.25};
  for (int64_t i = 0; i < 4; ++i)
    CU_ASSERT(cell_of(&s, i).param[2] == k[i] && cell_of(&s, i).initial[1] == v1[i]);
  sal_sweep_free(&s);
}

static void more_points_leave_the_first_ones_as_they_were(void)
{
#define DRAWS(n) AXIS("columns: [b, y2], random: [[1, 2], [1, 2]], points: " n ", seed: 3")
  sal_sweep few = accept(DRAWS("5")), many = accept(DRAWS("500"));
  sal_sweep other = accept(AXIS("columns: [b, y2], random: [[1, 2], [1, 2]], points: 5, seed: 4"));
  for (int64_t i = 0; i < 5; ++i) {
    CU_ASSERT_EQUAL(cell_of(&few, i).param[0], cell_of(&many, i).param[0]);
    CU_ASSERT_EQUAL(cell_of(&few, i).initial[2], cell_of(&many, i).initial[2]);
    CU_ASSERT_NOT_EQUAL(cell_of(&few, i).param[0], cell_of(&other, i).param[0]);
    CU_ASSERT_NOT_EQUAL(cell_of(&few, i).param[0], cell_of(&few, i).initial[2]);
  }
  sal_sweep_free(&few);
  sal_sweep_free(&many);
  sal_sweep_free(&other);
}

static void a_table_is_one_axis_of_rows(void)
{
  sal_sweep table = accept("cells: {columns: [b, y2], rows: [[1, 1.5], [2, 1.25]]}\n");
  sal_sweep axis = accept(AXIS("columns: [b, y2], rows: [[1, 1.5], [2, 1.25]]"));
  CU_ASSERT(table.n_axis == 1 && axis.n_axis == 1 && table.n_cell == 2 && axis.n_cell == 2);
  for (int64_t i = 0; i < 2; ++i) {
    CU_ASSERT_EQUAL(cell_of(&table, i).param[0], cell_of(&axis, i).param[0]);
    CU_ASSERT_EQUAL(cell_of(&table, i).initial[2], 1.5 - 0.25 * (double)i);
    CU_ASSERT_EQUAL(cell_of(&axis, i).initial[2], 1.5 - 0.25 * (double)i);
  }
  sal_sweep_free(&table);
  sal_sweep_free(&axis);
}

static void contacts_may_be_an_axis(void)
{
  sal_sweep s = accept_with(PLATE AXES("    - {name: n, log: [2, 1024], points: 10}\n"
                                       "    - {name: z, list: [2, 3]}\n"),
                            0, NULL);
  CU_ASSERT_EQUAL(s.n_guard, 1024);
  for (int64_t i = 0; i < 20; ++i) CU_ASSERT_EQUAL(cell_of(&s, i).param[0], ldexp(2, (int)(i / 2)));
  sal_sweep_free(&s);
  s = accept_with(PLATE AXIS("columns: [n], random: [[3, 9]], points: 50"), 0, NULL);
  int most = 0;
  for (int64_t i = 0; i < 50; ++i) most = (int)fmax(most, cell_of(&s, i).param[0]);
  CU_ASSERT(most <= 9 && most > 3 && s.n_guard == most);
  sal_sweep_free(&s);
}

/* Only an axis of rows, of a list or of Sobol's points needs memory, and no table of cells does. */
static void a_million_cells_need_no_table(void)
{
  sal_sweep s =
      accept(AXES("    - {name: b, linear: [100, 40000], points: 32}\n"
                  "    - {name: m1, log: [0.1, 39], points: 32}\n"
                  "    - {columns: [k, f], random: [[1, 500], [0, 0.3]], points: 1024}\n"));
  CU_ASSERT_EQUAL(s.n_cell, 1 << 20);
  CU_ASSERT_PTR_NULL(s.axis[2].value);
  CU_ASSERT_EQUAL(sal_memory_live(), 8); /* four strings, the axes, the values of two */
  const cell last = cell_of(&s, s.n_cell - 1);
  CU_ASSERT(last.param[0] == 40000 && last.param[1] == 39);
  CU_ASSERT(last.param[2] == 1 + 499 * sal_random(0, 1023, 0));
  sal_sweep_free(&s);
}

static void ends_that_make_no_axis_are_refused(void)
{
  refuse(AXIS("name: k, linear: [10, 10], points: 3"), "s.yaml:8", "linear of k", "lo < hi");
  refuse(AXIS("name: y1, log: [-1, 10], points: 3"), "s.yaml:8", "log of y1 = [-1, 10]",
         "comes to 0", "greater than 0");
  refuse(AXIS("name: k, log: [0, 10], points: 3"), "s.yaml:8", "log of k = [0, 10] comes to 0");
  refuse(AXIS("name: k, linear: [-1, 10], points: 3"), "s.yaml:8", "k = -1 is out of range",
         "from 0");
  refuse(AXIS("name: k, linear: [1, nan], points: 3"), "s.yaml:8", "k: 'nan' is not a number");
  refuse(AXIS("name: k, linear: [1, 2, 3], points: 3"), "s.yaml:8",
         "linear of entry 1 of cells.axes: a list of 3", "2, as in [lo, hi]");
  refuse(AXIS("name: k, linear: 5, points: 3"), "s.yaml:8", "linear of entry 1 of cells.axes",
         "a list of numbers");
  refuse(AXIS("columns: [k, f], random: [[1, 2], [1, 0]], points: 3"), "s.yaml:8",
         "random of f = [1, 0]");
  refuse(AXIS("columns: [k, f], sobol: [[1, 2]], points: 3"), "s.yaml:8", "a list of 1",
         "2, one [lo, hi] for each column");
}

/* `log: true` is for all columns, a list for those it names; no word is as false. */
static void boxes_may_be_drawn_by_the_logarithm(void)
{
#define BOX(log) AXIS("columns: [k, f, b], sobol: [[1, 100], [0.1, 0.3], [1, 100]], points: 2" log)
  sal_sweep all = accept(BOX(", log: true")), some = accept(BOX(", log: [b]"));
  sal_sweep none = accept(BOX("")), no = accept(BOX(", log: false"));
  const double by_log = 10, plain = 50.5;
  CU_ASSERT_DOUBLE_EQUAL(cell_of(&all, 0).param[2], by_log, 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(cell_of(&all, 0).param[3], sqrt(0.03), 1e-15);
  CU_ASSERT_DOUBLE_EQUAL(cell_of(&some, 0).param[0], by_log, 1e-13);
  CU_ASSERT_EQUAL(cell_of(&some, 0).param[2], plain);
  CU_ASSERT(cell_of(&none, 0).param[2] == plain && cell_of(&no, 0).param[0] == plain);
  sal_sweep_free(&all);
  sal_sweep_free(&some);
  sal_sweep_free(&none);
  sal_sweep_free(&no);
}

static void logarithms_that_make_no_axis_are_refused(void)
{
#define DRAWN(inside) AXIS("columns: [k, f], random: [[1, 2], [0, 1]], points: 3, " inside)
  refuse(DRAWN("log: true"), "s.yaml:8", "log of f = [0, 1] comes to 0", "greater than 0");
  refuse(DRAWN("log: [k, f]"), "s.yaml:8", "log of f = [0, 1] comes to 0");
  refuse(DRAWN("log: [b]"), "s.yaml:8", "log of entry 1 of cells.axes: unknown column 'b'",
         "allowed: k, f");
  refuse(DRAWN("log: [kk]"), "s.yaml:8", "unknown column 'kk'", "did you mean 'k'?");
  refuse(DRAWN("log: yes"), "s.yaml:8", "log = yes", "random: true, false, or a list of columns");
  refuse(DRAWN("log: {k: 1}"), "s.yaml:8", "log of entry 1 of cells.axes: a mapping");
  refuse(AXIS("name: k, log: [1, 2, 3], points: 3"), "s.yaml:8",
         "log of entry 1 of cells.axes: a list of 3", "2, as in [lo, hi]");
  refuse(AXIS("name: k, log: true, points: 3"), "s.yaml:8", "log of entry 1 of cells.axes",
         "a list of numbers");
  refuse(AXIS("columns: [k], rows: [[1]], log: true"), "s.yaml:8", "has both log and rows");
}

/* The points of a line rise, whichever end is named first; a single point is the first end. */
static void ends_may_be_in_any_order(void)
{
  sal_sweep rising = accept(AXIS("name: k, linear: [10, 30], points: 3"));
  sal_sweep falling = accept(AXIS("name: k, linear: [30, 10], points: 3"));
  sal_sweep by_ratio = accept(AXIS("name: k, log: [100, 1], points: 3"));
  sal_sweep one = accept(AXIS("name: k, linear: [30, 10], points: 1"));
  sal_sweep same = accept(AXIS("name: k, log: [20, 20], points: 1"));

  CU_ASSERT_EQUAL(memcmp(rising.axis->value, falling.axis->value, 3 * sizeof(double)), 0);
  CU_ASSERT(by_ratio.axis->value[0] == 1 && by_ratio.axis->value[1] == 10);
  CU_ASSERT(one.n_cell == 1 && one.axis->value[0] == 30);
  CU_ASSERT(same.n_cell == 1 && same.axis->value[0] == 20);
  sal_sweep_free(&rising);
  sal_sweep_free(&falling);
  sal_sweep_free(&by_ratio);
  sal_sweep_free(&one);
  sal_sweep_free(&same);
}

static void points_that_make_no_axis_are_refused(void)
{
  refuse(AXIS("name: k, linear: [1, 2], points: 0"), "s.yaml:8", "points = 0 is out of range",
         "from 1");
  refuse(AXIS("columns: [k], random: [[2, 1]], points: 1"), "s.yaml:8", "[2, 1]", "lo < hi");
  refuse(AXIS("name: k, linear: [1, 2], points: 2.0000000000000004"), "s.yaml:8",
         "points = 2.0000000000000004 is not a whole number");
  refuse(AXIS("name: k, log: [1, 2], points: 2.5"), "s.yaml:8", "2.5 is not a whole number");
  refuse(AXIS("columns: [k], sobol: [[1, 2]], points: -3"), "s.yaml:8", "points = -3");
  refuse(AXES("    - name: k\n      linear: [1, 2]\n"), "s.yaml:9", "entry 1 of cells.axes",
         "linear needs the key 'points', which is missing");
  refuse(AXIS("name: k, list: [1, 2], points: 2"), "s.yaml:8",
         "'points' is nothing that list needs");
  refuse(AXIS("columns: [k], random: [[1, 2]], points: 2, seed: -1"), "s.yaml:8",
         "seed = -1 is out of range", "from 0");
  refuse(AXIS("columns: [k], sobol: [[1, 2]], points: 2, seed: 1"), "s.yaml:8",
         "'seed' is nothing that sobol needs");
  refuse(AXIS("name: k, list: []"), "s.yaml:8", "list of entry 1 of cells.axes: a list of 0");
  refuse(AXIS("columns: [k], rows: []"), "s.yaml:8", "rows of entry 1 of cells.axes: a list of 0");
  refuse(AXIS("columns: [k, f], rows: [[1]]"), "s.yaml:8", "entry 1 of rows of entry 1",
         "a list of 1", "2, one for each column");
  refuse("cells: {axes: []}\n", "s.yaml:6", "cells.axes: a list of 0", "1 to 16");
}

static void points_that_are_the_same_are_refused(void)
{
  refuse_text(PLATE AXIS("name: n, linear: [2, 5], points: 8"), "s.yaml:8", "points 1 and 2 of 8",
              "n = 2 and 5", "both 2, a whole number", "fewer points");
  refuse_text(PLATE AXIS("name: n, log: [2, 1024], points: 40"), "s.yaml:8", "a whole number");
  refuse(AXIS("name: k, list: [1, 5, 1.0]"), "s.yaml:8", "duplicate '1.0' in list of entry 1");
  refuse(AXIS("name: adhesion, list: [clamp, clamp]"), "s.yaml:8", "duplicate 'clamp'");
  refuse(AXIS("name: k, linear: [1, 1.0000000000000002], points: 3"), "s.yaml:8", "are both");
}

static void too_many_cells_are_refused_by_their_product(void)
{
  refuse(AXES("    - {name: b, linear: [1, 2], points: 100000}\n"
              "    - {name: k, linear: [1, 2], points: 100000}\n"
              "    - {name: f, linear: [0, 1], points: 100000}\n"),
         "s.yaml:7", "100000 x 100000 x 100000 = 1e+15 cells", "to 1e+08");
}

static void names_are_refused_that_mean_nothing_or_two_things(void)
{
  refuse(AXIS("name: m2, list: [1]"), "s.yaml:8", "name of entry 1 of cells.axes",
         "unknown word 'm2'", "allowed: b, m1, k, f, zeta_F, zeta_G, adhesion, y1",
         "did you mean 'm1'?");
  refuse(AXIS("columns: [b, adhesion], rows: [[1, 0]]"), "s.yaml:8",
         "entry 2 of columns of entry 1 of cells.axes", "unknown word 'adhesion'");
  refuse(AXES("    - {name: b, list: [1]}\n    - {columns: [k, b], rows: [[1, 2]]}\n"), "s.yaml:9",
         "entry 2 of cells.axes: b is varied by entry 1 of cells.axes already");
  refuse(AXIS("columns: [b, b], rows: [[1, 2]]"), "s.yaml:8",
         "duplicate 'b' in columns of entry 1");
  refuse(AXIS("name: b, list: [1]") "parameters: {b: 3}\n", "s.yaml:9",
         "b is a column of the cells", "parameters");
  refuse(AXIS("name: y1, list: [1]") "initial: {y1: 3}\n", "s.yaml:9", "y1 is a column", "initial");
  refuse(AXIS("name: adhesion, list: [clamp]") "options: {adhesion: clamp}\n", "s.yaml:9",
         "adhesion is a column", "options");
  refuse(AXIS("name: n, list: [2, 4]"), "s.yaml:8", "'n' is the number of contacts of model plate",
         "the contacts of monopod: 1, always");
  refuse_text("model: decay\nt_end: 2\nsolvers: [ode45]\nstrategies: [switch]\nrtol: [1e-3]\n"
              "cells: {columns: [n], rows: [[2]]}\n",
              "s.yaml:6", "'n' is the number of contacts of model plate", "of decay: none");
}

static void kinds_that_do_not_fit_are_refused(void)
{
  refuse(AXIS("name: k, linear: [1, 2], log: [1, 2], points: 2"), "s.yaml:8",
         "entry 1 of cells.axes has both linear and log", "one of them");
  refuse(AXIS("name: k, points: 2"), "s.yaml:8", "has no values", "linear, log, list");
  refuse(AXIS("linear: [1, 2], points: 2"), "s.yaml:8", "linear needs the key 'name'");
  refuse(AXIS("name: k, random: [[1, 2]], points: 2"), "s.yaml:8",
         "random needs the key 'columns'");
  refuse(AXIS("name: k, columns: [b], rows: [[1]]"), "s.yaml:8",
         "'name' is nothing that rows needs");
  refuse(AXIS("name: k, linaer: [1, 2], points: 2"), "s.yaml:8",
         "unknown key of entry 1 of cells.axes 'linaer'", "did you mean 'linear'?");
  refuse(AXIS("name: adhesion, linear: [0, 1], points: 2"), "s.yaml:8", "an option is not a number",
         "list");
  refuse(AXIS("name: adhesion, list: [glue]"), "s.yaml:8", "adhesion: unknown word 'glue'",
         "allowed: literal, clamp");
  refuse(AXIS("name: adhesion, list: [clam]"), "s.yaml:8", "did you mean 'clamp'?");
  refuse(AXIS("name: k, list: [[1]]"), "s.yaml:8", "k: a list; expected: a number");
  refuse(AXIS("name: k, list: 3"), "s.yaml:8", "a single value; expected: a list");
  refuse(AXIS("name: k, list: [1x]"), "s.yaml:8", "k: '1x' is not a number");
  refuse("cells:\n  axes: [{name: b, list: [1]}]\n  columns: [k]\n  rows: [[1]]\n", "s.yaml:8",
         "cells has both axes and columns", "axes, or columns and rows");
  refuse("cells: {rows: [[1]]}\n", "s.yaml:6", "'cells.columns' is missing");
  refuse("cells: {axes: {name: b}}\n", "s.yaml:6", "cells.axes: a mapping", "expected: a list");
  refuse("cells: {axes: [b]}\n", "s.yaml:6", "entry 1 of cells.axes", "a mapping");
}

static void cells_that_make_no_sense_are_named(void)
{
  refuse(AXES("    - {name: b, list: [1, 2, 3]}\n    - {name: m1, linear: [39, 40], points: 5}\n"),
         "s.yaml:8", "cell 3 with b = 1, m1 = 39.5", "no body mass");
}

/* No model of ours has so many quantities. */
static void sobol_has_no_more_columns_than_the_library(void)
{
  static sal_model model = {.name = "wide", .n_param = 16, .n_state = 32, .watch = 0};
  static char names[48][8], text[4000];
  sal_document document;
  sal_sweep sweep = {0};
  model.w1 = sal_registry_model("decay")->w1;
  for (int i = 0; i < 48; ++i) {
    sprintf(names[i], "q%d", i);
    *(i < 16 ? &model.param[i] : &model.state[i - 16]) =
        (sal_field){.name = names[i], .least = -1, .most = 1};
  }
  for (int n = 40; n <= 41; ++n) {
    strcpy(text, SMALLEST AXES("    - points: 3\n      columns: ["));
    for (int i = 0; i < n; ++i) sprintf(text + strlen(text), "%s%s", i ? ", " : "", names[i]);
    strcat(text, "]\n      sobol: [");
    for (int i = 0; i < n; ++i) sprintf(text + strlen(text), "%s[0, 1]", i ? ", " : "");
    strcat(text, "]\nmesh: 1\nmax_step: 0\nmax_attempts: 0\n");
    sal_err_clear();
    CU_ASSERT_EQUAL_FATAL(sal_document_parse("s.yaml", text, &document), SAL_OK);
    CU_ASSERT_EQUAL_FATAL(sal_keys_read(&document, &model, &sweep), SAL_OK);
    CU_ASSERT_EQUAL(sal_validate(&document, &model, &sweep), n == 40 ? SAL_OK : SAL_ERR_INPUT);
    if (n == 41)
      CU_ASSERT_STRING_EQUAL(
          sal_err_message(),
          "s.yaml:10: sobol of entry 1 of cells.axes: 41 columns; allowed: to 40");
    sal_sweep_free(&sweep);
    sal_document_free(&document);
  }
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN(
    "axes", NULL,
    {"cells are all combinations, the last axis fastest",
     cells_are_all_combinations_the_last_axis_fastest},
    {"several quantities go together", several_quantities_go_together},
    {"more points leave the first ones as they were",
     more_points_leave_the_first_ones_as_they_were},
    {"a table is one axis of rows", a_table_is_one_axis_of_rows},
    {"contacts may be an axis", contacts_may_be_an_axis},
    {"a million cells need no table", a_million_cells_need_no_table},
    {"ends that make no axis are refused", ends_that_make_no_axis_are_refused},
    {"boxes may be drawn by the logarithm", boxes_may_be_drawn_by_the_logarithm},
    {"logarithms that make no axis are refused", logarithms_that_make_no_axis_are_refused},
    {"ends may be in any order", ends_may_be_in_any_order},
    {"points that make no axis are refused", points_that_make_no_axis_are_refused},
    {"points that are the same are refused", points_that_are_the_same_are_refused},
    {"too many cells are refused by their product", too_many_cells_are_refused_by_their_product},
    {"names are refused that mean nothing or two things",
     names_are_refused_that_mean_nothing_or_two_things},
    {"kinds that do not fit are refused", kinds_that_do_not_fit_are_refused},
    {"cells that make no sense are named", cells_that_make_no_sense_are_named},
    {"sobol has no more columns than the library", sobol_has_no_more_columns_than_the_library})
