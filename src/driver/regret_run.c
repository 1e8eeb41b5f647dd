/** Points off the grid of a map, run. */
#include "regret_run.h"
#include "atomic_file.h"
#include "base.h"
#include "collective_error.h"
#include "plain_file.h"
#include "regret_points.h"
#include "sweep_read.h"

sal_err sal_regret_open(sal_regret *r)
{
  const sal_regret_request *q = &r->request;

  SAL_TRY(sal_file_role_read_at(q->path));
  SAL_TRY(sal_performance_cube_open(q->path, &q->map_as, SAL_PERFORMANCE_ERRORS, &r->map));
  return sal_regret_answers_check(&r->map);
}

sal_err sal_regret_draw(sal_regret *r)
{
  const sal_regret_request *q = &r->request;
  sal_offgrid_request points = q->points;

  SAL_TRY(sal_atomic_file_claim(q->run.out, "the output", q->run.force));
  if (q->some_methods) points.method = r->map.method;
  if (q->some_strategies) points.strategy = r->map.strategy;
  return sal_offgrid_text(&r->map.sweep, &points, &r->text);
}

sal_err sal_regret_run(MPI_Comm comm, double began, sal_regret *r)
{
  const sal_regret_request *q = &r->request;
  SAL_OWN_BY(sal_sweep_free) sal_sweep sweep = {0};

  SAL_TRY(
      sal_collective_share_text(comm, &r->text)); /* of the first rank, which has read the map */
  SAL_TRY(sal_collective_error(
      comm, sal_sweep_parse_stored(q->path, r->text, 0, NULL, &q->trust, &sweep)));
  return sal_run_sweep(comm, began, &q->run, &sweep);
}

sal_err sal_regret_open_points(sal_regret *r)
{
  const sal_regret_request *q = &r->request;
  const char *path = q->from ? q->from : q->run.out;

  SAL_TRY(sal_performance_cube_open(path, &q->points_as, SAL_PERFORMANCE_ERRORS, &r->points));
  return sal_regret_points_check(q->path, &r->map.sweep, path, &r->points.sweep);
}

void sal_regret_free(sal_regret *r)
{
  sal_free(r->text);
  sal_performance_cube_free(&r->map);
  sal_performance_cube_free(&r->points);
}
