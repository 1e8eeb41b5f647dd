/** Sweeps around a point: the first cells of a longer one, and what haste leaves out. */
#include "config.h"
#include "extension.h"
#include "memory.h"
#include "parameter_column.h"
#include "registry.h"
#include "sal_test.h"
#include "sweep_read.h"
#include <string.h>

static double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

static sal_around around(int haste, int64_t points)
{
  const sal_model *m = sal_registry_model("monopod");

  sal_parameter_presets(m, param, initial);
  return (sal_around){.name = "monopod",
                      .model = m,
                      .param = param,
                      .initial = initial,
                      .share = 0.05,
                      .points = points,
                      .t_end = 5,
                      .home = -1,
                      .error = 1e-3,
                      .haste = haste};
}

static sal_sweep sweep_of(const sal_around *a)
{
  sal_sweep sweep = {0};
  char *text;

  CU_ASSERT_FATAL(sal_around_text(a, &text) == SAL_OK);
  CU_ASSERT_FATAL(sal_sweep_parse("around", text, 0, NULL, &sweep) == SAL_OK);
  sal_free(text);
  return sweep;
}

/* So that what was run of a longer sweep is a sweep of its own. */
static void the_first_cells_are_those_of_a_shorter_sweep(void)
{
  for (int haste = 0; haste < SAL_AROUND_HASTES; ++haste) {
    const sal_around few = around(haste, 21), many = around(haste, 512);
    sal_sweep one = sweep_of(&few), two = sweep_of(&many);
    double p[2][SAL_MAX_PARAM + SAL_MAX_OPTION], y[2][SAL_MAX_STATE];
    int moved = 0;
    CU_ASSERT(one.n_cell == 21 && two.n_cell == 512);
    CU_ASSERT(sal_config_count(&one) == sal_config_count(&two));
    for (int64_t i = 0; i < one.n_cell; ++i) {
      sal_sweep_cell(&one, i, p[0], y[0]);
      sal_sweep_cell(&two, i, p[1], y[1]);
      CU_ASSERT(memcmp(p[0], p[1], (size_t)few.model->n_param * sizeof(double)) == 0);
      CU_ASSERT(memcmp(y[0], y[1], (size_t)few.model->n_state * sizeof(double)) == 0);
      moved += p[0][0] != param[0]; /* the first quantity varies in any case */
    }
    CU_ASSERT(moved >= one.n_cell - 1);
    sal_sweep_free(&one);
    sal_sweep_free(&two);
  }
}

static void haste_runs_less(void)
{
  int before = 0, quantities = 0;

  for (int haste = 0; haste < SAL_AROUND_HASTES; ++haste) {
    const sal_around a = around(haste, 64);
    sal_sweep sweep = sweep_of(&a);
    const int n = sal_config_count(&sweep), varies = sal_around_varies(&a);
    CU_ASSERT(sweep.axis[0].n_column == varies && sal_around_fewest(&a) >= 3 * (varies + 1));
    CU_ASSERT(haste == 0 || n < before || varies < quantities);
    CU_ASSERT(haste == 0 || sal_around_share(haste) < sal_around_share(haste - 1));
    CU_ASSERT((haste < 2) == (sweep.reference_tolerance == 1e-13));
    CU_ASSERT(haste < 2 ? sweep.n_strategy == 3 : sweep.n_strategy == 1 && varies <= 3);
    before = n;
    quantities = varies;
    sal_sweep_free(&sweep);
  }
  CU_ASSERT(quantities == 1 && before == 4 * 4);
}

/* By the error alone, by how errors grow, and around an answer, at the end of a pilot's range or not. */
static void tolerances_follow_a_pilot(void)
{
  static const struct {
    double amplification, answer;
    int n;
    double tightest;
  } pilot[] = {{0, 0, 6, 1e-7},        {1, 0, 5, 1e-6},          {1e5, 0, 10, 1e-11},
               {0, 1e-4, 5 + 6, 1e-6}, {1e9, 1e-4, 6 + 9, 1e-7}, {0, 1e-11, 11 + 6, 1e-12}};

  for (size_t i = 0; i < sizeof pilot / sizeof *pilot; ++i) {
    sal_around a = around(0, 64);
    a.amplification = pilot[i].amplification;
    a.answer = pilot[i].answer;
    sal_sweep sweep = sweep_of(&a);
    const int n = sweep.n_tolerance;
    CU_ASSERT(n == pilot[i].n && sweep.tolerance[0] == 1e-2);
    CU_ASSERT(sweep.tolerance[n - 1] == pilot[i].tightest);
    for (int k = 1; k < n; ++k) CU_ASSERT(sweep.tolerance[k] < 0.57 * sweep.tolerance[k - 1]);
    sal_sweep_free(&sweep);
  }
}

/* One of each program's, and in haste no explicit solvers. */
static void stiff_models_have_an_implicit_baseline(void)
{
  for (int home = -1; home < 5; ++home) {
    sal_around a = around(home < 0 ? SAL_AROUND_HASTES - 1 : 0, 64);
    a.home = home;
    a.stiff = true;
    sal_sweep sweep = sweep_of(&a);
    int paced = 0;
    for (int i = 0; i < sweep.n_method; ++i) {
      const bool paces = sweep.cutoff.role[i] == SAL_CUTOFF_BASELINES;
      paced += paces;
      CU_ASSERT(sweep.method[i]->implicit || (home >= 0 && !paces));
    }
    CU_ASSERT_EQUAL(paced, 1);
    sal_sweep_free(&sweep);
  }
}

/* Numbers of the quantities in which a cell differs from the point. */
static int moved(const sal_around *a, const sal_sweep *sweep, int64_t cell, int *last)
{
  double p[SAL_MAX_PARAM + SAL_MAX_OPTION], y[SAL_MAX_STATE];
  int n = 0;

  sal_sweep_cell(sweep, cell, p, y);
  for (int i = 0; i < a->model->n_param; ++i)
    if (p[i] != param[i]) ++n, *last = i;
  for (int i = 0; i < a->model->n_state; ++i)
    if (y[i] != initial[i]) ++n, *last = a->model->n_param + i;
  return n;
}

static void cells_along_axes_move_one_quantity_each(void)
{
  sal_around a = around(SAL_AROUND_HASTES - 1, 0);
  a.along_axes = true;
  sal_sweep sweep = sweep_of(&a);
  int last = -1, before = -1;

  CU_ASSERT(sal_around_varies(&a) > 6 && sweep.n_cell == 1 + sal_around_varies(&a));
  CU_ASSERT_EQUAL(moved(&a, &sweep, 0, &last), 0);
  for (int64_t i = 1; i < sweep.n_cell; ++i, before = last) {
    CU_ASSERT_EQUAL(moved(&a, &sweep, i, &last), 1);
    CU_ASSERT(last > before);
  }
  sal_sweep_free(&sweep);
}

/* The largest ones, and none below a tenth of them. */
static void those_of_large_effects_vary(void)
{
  const int most[SAL_AROUND_HASTES] = {6, 6, 3, 1};
  double effect[SAL_MAX_QUANTITY];

  for (int haste = 0; haste < SAL_AROUND_HASTES; ++haste) {
    sal_around a = around(0, 64);
    const int n = sal_around_varies(&a);
    for (int i = 0; i < n; ++i) effect[i] = 1 + i;
    effect[n - 2] = 0.09 * n;
    a.haste = haste;
    a.effect = effect;
    sal_sweep sweep = sweep_of(&a);
    CU_ASSERT_EQUAL(sweep.axis[0].n_column, most[haste]);
    a.haste = 0;
    effect[n - 1] = 0;
    effect[0] = 100;
    CU_ASSERT_EQUAL(sal_around_varies(&a), 1);
    sal_sweep_free(&sweep);
  }
}

static void memory_comes_back(void) { CU_ASSERT(sal_memory_live() == 0); }

SAL_TEST_MAIN("around", NULL,
              {"the first cells are those of a shorter sweep",
               the_first_cells_are_those_of_a_shorter_sweep},
              {"haste runs less", haste_runs_less},
              {"tolerances follow a pilot", tolerances_follow_a_pilot},
              {"stiff models have an implicit baseline", stiff_models_have_an_implicit_baseline},
              {"cells along axes move one quantity each", cells_along_axes_move_one_quantity_each},
              {"those of large effects vary", those_of_large_effects_vary},
              {"memory comes back", memory_comes_back})
