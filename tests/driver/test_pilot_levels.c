/** The tolerances that an error needs, by the first cells of a sample. */
#include "config.h"
#include "memory.h"
#include "performance_runs.h"
#include "sal_test.h"
#include "sweep_read.h"
#include "tile_rows.h"

enum { CELLS = 4 };

static const char text[] =
    "title: t\nmodel: decay\ncells: {axes: [{name: lambda, list: [1, 2, 3, 4]}]}\n"
    "solvers: [ode45]\nstrategies: [switch]\nrtol: [1e-2, 1e-3, 1e-4]\n"
    "reference_tolerance: 1e-10\npoints: global\n";

/* Errors of the runs are rtol; those of the references 1e-4, but 1 in the first `poor` cells. */
static sal_pilot_levels levels_of(int poor, double error)
{
  SAL_OWN_BY(sal_sweep_free) sal_sweep sweep = {0};
  SAL_OWN_BY(sal_tile_result_free) sal_tile_result result = {0};

  CU_ASSERT_FATAL(sal_sweep_parse("test", text, 0, NULL, &sweep) == SAL_OK);
  CU_ASSERT_FATAL(sweep.n_cell == CELLS && sal_tile_rows_alloc(&sweep, CELLS, &result));
  const int n = sal_config_count(&sweep);
  for (int i = 0; i < CELLS; ++i) {
    result.cell[i].value[SAL_CELL_REFERENCE_ERROR_WATCHED] = i < poor ? 1 : 1e-4;
    for (int k = 0; k < n; ++k) {
      double *v = result.record[i * n + k].value;
      v[SAL_METRIC_OUTCOME] = SAL_OUT_DONE;
      v[SAL_METRIC_MAX_ERROR] = sal_config_tolerance(&sweep, k);
      v[SAL_METRIC_RHS] = 1 / sal_config_tolerance(&sweep, k);
    }
  }
  return sal_pilot_levels_find(&sweep, &result, CELLS, error);
}

static void most_references_reach_the_error(void)
{
  for (int poor = 0; poor <= CELLS; ++poor)
    CU_ASSERT(levels_of(poor, 3e-3).referenced == (4 * poor <= CELLS));
}

static void the_answer_is_the_loosest_that_hits_in_most_cells(void)
{
  const sal_pilot_levels found = levels_of(1, 3e-3), none = levels_of(2, 3e-3),
                         loose = levels_of(0, 3e-2);

  CU_ASSERT(found.answer == 1e-3 && none.answer == 0); /* in 3, and 2 of 4 cells */
  CU_ASSERT_DOUBLE_EQUAL(found.amplification, 1e5, 1e-6);
  CU_ASSERT(loose.answer == 1e-2 && loose.amplification == 0); /* it is not at the tight end */
}

SAL_TEST_MAIN("pilot levels", NULL,
              {"most references reach the error", most_references_reach_the_error},
              {"the answer is the loosest that hits in most cells",
               the_answer_is_the_loosest_that_hits_in_most_cells})
