/** The first cell with a flaw: by the corners of a box where these suffice, else by looking at each.
 */
#include "cells.h"
#include "refuse.h"

/* A hopping leg: dG must not exceed dF. */
#define LEG(cells)                                                                                 \
  "model: hopping-leg\nt_end: 2\nsolvers: [ode45]\nstrategies: [event]\nrtol: [1e-3]\n"            \
  "cells: {" cells "}\n"
#define DRAWN                                                                                      \
  "axes: [{columns: [dG, dF], random: [[-0.4, -0.1], [0, 0.3]], points: 200000, seed: 7}]"

static const sal_model *original;
static int64_t n_asked;

static const char *count_flaw(const void *inner, const double param[])
{
  ++n_asked;
  return original->flaw(inner, param);
}

static sal_model count_flaws(sal_sweep *s)
{
  sal_model counted = *s->model;

  original = s->model;
  counted.flaw = count_flaw;
  n_asked = 0;
  return counted;
}

/* The number of the first cell with a flaw by looking at each; -1: none. */
static int64_t look_at_each(const sal_sweep *s)
{
  double p[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE];

  for (int64_t i = 0; i < s->n_cell; ++i) {
    sal_sweep_cell(s, i, p, y);
    if (original->flaw(original->inner, p)) return i;
  }
  return -1;
}

static int64_t find_first(const sal_sweep *s)
{
  char text[SAL_CELLS_TEXT];
  int64_t cell;

  return sal_cells_flaw(s, &cell, text) ? cell : -1;
}

static void corners_speak_for_a_box(void)
{
  sal_sweep s = accept_with(LEG(DRAWN), 0, NULL);
  sal_model counted = count_flaws(&s);

  s.model = &counted;
  CU_ASSERT_EQUAL(find_first(&s), -1);
  CU_ASSERT_EQUAL(n_asked, 4);
  CU_ASSERT_EQUAL(look_at_each(&s), -1);
  s.model = original;
  sal_sweep_free(&s);
}

/* Boxes that reach over dG = dF by less and less: the first cell is found late, or there is none. */
static void the_first_cell_with_a_flaw_is_found(void)
{
  static const double reach[] = {0.2, 0.02, 0.003, 1e-9};
  sal_sweep s = accept_with(LEG(DRAWN), 0, NULL);
  sal_model counted = count_flaws(&s);
  int64_t before = -1;

  s.model = &counted;
  for (size_t i = 0; i < sizeof reach / sizeof *reach; ++i) {
    s.axis[0].hi[0] = reach[i];
    const int64_t expected = look_at_each(&s);
    CU_ASSERT_EQUAL(find_first(&s), expected);
    CU_ASSERT(i == 3 ? expected == -1 : expected > before);
    before = expected;
  }
  CU_ASSERT(n_asked > s.n_cell); /* that of the last box needs a look at each */
  s.model = original;
  sal_sweep_free(&s);
}

static void a_flaw_that_is_not_convex_needs_each_cell(void)
{
  sal_sweep s = accept_with(LEG(DRAWN), 0, NULL);
  sal_model counted = count_flaws(&s);

  counted.flaw_is_convex = false;
  s.model = &counted;
  CU_ASSERT_EQUAL(find_first(&s), -1);
  CU_ASSERT_EQUAL(n_asked, s.n_cell);
  s.model = original;
  sal_sweep_free(&s);
}

static void lists_and_scattered_cells_have_boxes_too(void)
{
  sal_sweep s =
      accept_with(LEG("axes: [{name: dG, list: [0.1, -0.3, -0.2]}, {name: dF, list: [0.2, 0.15]}], "
                      "scattered: {columns: [dG, dF], rows: [[0.05, 0.2], [-0.25, 0.15]]}"),
                  0, NULL);
  sal_model counted = count_flaws(&s);

  s.model = &counted;
  CU_ASSERT_EQUAL(find_first(&s), -1);
  CU_ASSERT_EQUAL(n_asked, 8);
  s.scattered.point.value[1] = 0.01; /* dF of the first row */
  CU_ASSERT_EQUAL(look_at_each(&s), 6);
  CU_ASSERT_EQUAL(find_first(&s), 6);
  s.model = original;
  sal_sweep_free(&s);
}

static void a_refusal_names_the_cell(void)
{
  refuse_text(
      LEG("axes: [{columns: [dG, dF], random: [[-0.4, 0.2], [0, 0.3]], points: 200000, seed: 7}]"),
      "s.yaml:6", "cell ", "dG > dF");
}

SAL_TEST_MAIN("cells", NULL, {"corners speak for a box", corners_speak_for_a_box},
              {"the first cell with a flaw is found", the_first_cell_with_a_flaw_is_found},
              {"a flaw that is not convex needs each cell",
               a_flaw_that_is_not_convex_needs_each_cell},
              {"lists and scattered cells have boxes, too",
               lists_and_scattered_cells_have_boxes_too},
              {"a refusal names the cell", a_refusal_names_the_cell})
