/** How runs of a sweep are set up. */
#include "run_setup.h"
#include "stop.h"
#include "work.h"

sal_setup sal_run_setup(const sal_sweep *sweep, const sal_method *method,
                        const sal_strategy *strategy, double tolerance)
{
  return (sal_setup){.model = sweep->model,
                     .method = method,
                     .strategy = strategy,
                     .rtol = tolerance,
                     .atol = tolerance,
                     .scale = sal_sweep_scale(sweep),
                     .t_end = sweep->t_end,
                     .n_guard = sweep->n_guard,
                     .max_step = sweep->max_step,
                     .jacobian = sweep->jacobian,
                     .max_attempts = sweep->max_attempts,
                     .work = sal_work_presets(sweep),
                     .halt = sal_stop_halt()};
}
