/** Definition of the work of a map, as attributes of its group. */
#include "map_frame.h"
#include "step_cost.h"

static sal_err put_time(const sal_h5 *g, const sal_step_cost *time)
{
  const int64_t lanes = time->lanes;

  SAL_TRY(sal_h5_put(g, g->id, "f_costs", H5T_NATIVE_DOUBLE, 0, &time->field));
  SAL_TRY(sal_h5_put(g, g->id, "lanes", H5T_NATIVE_INT64, 0, &lanes));
  return sal_h5_text_put(g, g->id, "steps_of", time->machine);
}

sal_err sal_map_frame_put_work(const sal_h5 *g, const sal_work_weights *work)
{
  const double w[4] = {work->rhs, work->jacobian, work->factorisation, work->solve};

  if (work->time) SAL_TRY(put_time(g, work->time));
  SAL_TRY(sal_h5_text_put(g, g->id, "work_terms", "rhs jacobian factorisation solve"));
  return sal_h5_put(g, g->id, "work_weights", H5T_NATIVE_DOUBLE, 4, w);
}
