/** One run with samples. */
#include "memory.h"
#include "stop.h"
#include "trace.h"

sal_err sal_orbit_path_sample(const sal_return_map *map, const sal_cycle *c, double period,
                              int64_t n_mesh, double state[], uint8_t mode[])
{
  const sal_setup setup = {.model = sal_return_map_runs(map),
                           .method = map->setup.method,
                           .strategy = map->setup.strategy,
                           .rtol = map->setup.rtol,
                           .atol = map->setup.atol,
                           .t_end = period,
                           .max_step = map->setup.max_step,
                           .n_guard = map->n_guard,
                           .every_contact = true,
                           .halt = sal_stop_halt()};
  SAL_OWN void *work = sal_alloc(sal_integrate_bytes(&setup, 1), 1);
  sal_samples samples = {.n_mesh = n_mesh, .state = state, .closed = mode};
  const sal_job job = {.param = c->param,
                       .initial = c->y,
                       .closed = c->closed,
                       .changed = map->setup.changed,
                       .samples = &samples};
  sal_record record;

  if (!work) return sal_fail(SAL_ERR_MEMORY, "no memory for the trajectory of an orbit");
  sal_integrate(&setup, 1, 1, &job, &record, work);
  return SAL_OK;
}

sal_err sal_orbit_path_most(const sal_return_map *map, const sal_cycle *c, double period,
                            const sal_events *log, double most[])
{
  enum { MESH = 512 };
  const int ns = map->model.n_state;
  SAL_OWN double *state = sal_alloc((MESH + 1) * (size_t)ns, sizeof *state);
  const sal_path path = {.n_state = ns,
                         .n_mesh = MESH,
                         .n_event = log->n < log->capacity ? log->n : log->capacity,
                         .end = period,
                         .state = state,
                         .event = log->event};

  if (!state) return sal_fail(SAL_ERR_MEMORY, "no memory for the trajectory of an orbit");
  SAL_TRY(sal_orbit_path_sample(map, c, period, MESH, state, NULL));
  for (int i = 0; i < ns; ++i) most[i] = sal_extreme_of_path(&path, i, 1);
  return SAL_OK;
}
