/** Times of steps of a sweep's pairs, and of runs. */
#include "step_cost.h"
#include "base.h"

sal_err sal_step_cost_make(const sal_step_table *table, const sal_sweep *s, int lanes, double field,
                           sal_step_cost **out)
{
  const size_t n = (size_t)s->n_strategy * (size_t)s->n_method;
  sal_step_cost *c = *out = sal_alloc(1, sizeof *c + n * sizeof c->step[0]);

  if (!c) return sal_fail(SAL_ERR_MEMORY, "no memory for times of steps");
  c->field = field;
  c->lanes = lanes;
  c->n_method = s->n_method;
  snprintf(c->machine, sizeof c->machine, "%s", table->machine);
  for (int k = 0; k < s->n_strategy; ++k)
    for (int m = 0; m < s->n_method; ++m)
      c->step[k * s->n_method + m] = sal_step_table_at(table, s->method[m]->name, s->strategy[k],
                                                       lanes, sal_model_continuous(s->model));
  return SAL_OK;
}

double sal_step_cost_work(const sal_work_weights *weights, const sal_error_metric *by,
                          sal_config config, const sal_record *r)
{
  const double work = sal_work_of(weights, by, r);
  const sal_step_cost *time = weights->time;

  return time ? time->field * work + sal_step_cost_of(time, config.strategy, config.method) *
                                         (r->value[SAL_METRIC_STEPS] + r->value[SAL_METRIC_FAILED])
              : work;
}

const char *sal_step_cost_lanes(const sal_step_cost *cost, char text[SAL_STEP_COST_LANES])
{
  text[0] = '\0';
  if (cost->lanes > 1) snprintf(text, SAL_STEP_COST_LANES, ", %d lanes", cost->lanes);
  return text;
}
