/** More cells for a cube. */
#include "extension.h"
#include "performance_cube.h"
#include "refine_cube.h"

static sal_err pass_over(void *with, int64_t first, const sal_performance_table *rows)
{
  (void)with, (void)first, (void)rows;
  return SAL_OK;
}

sal_err sal_refine_plan_make(const sal_refine_request *request, sal_refine_plan *plan)
{
  SAL_OWN_BY(sal_performance_cube_free) sal_performance_cube cube = {.rows = NULL};

  *plan = (sal_refine_plan){.text = NULL};
  SAL_TRY(sal_performance_cube_begin(request->cube, NULL, SAL_PERFORMANCE_ERRORS, &cube));
  plan->others = !cube.same_program && !request->dry && !request->any;
  if (plan->others)
    return sal_fail(
        SAL_ERR_EXISTS,
        "%s: made by another version of this program, or with other options for libraries; "
        "its cells may differ from new ones",
        request->cube);
  /* damage is reported before anything is written */
  if (!request->dry) SAL_TRY(sal_performance_rows_each(cube.rows, pass_over, NULL));
  plan->n_cell = cube.sweep.n_cell;
  return sal_extension_text(&cube.sweep, request->cells, &plan->text, &plan->added);
}
