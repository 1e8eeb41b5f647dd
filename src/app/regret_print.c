/** Recommendations of a map at points, a line of JSON each. */
#include "answer_json.h"
#include "map_print.h"

static void put_list(sal_json *j, const char *name, int n, const double value[])
{
  sal_json_array(j, name);
  for (int i = 0; i < n; ++i) sal_json_number(j, NULL, value[i]);
  sal_json_end(j);
}

static void put_work(sal_json *j, const sal_performance_table *t)
{
  sal_json_object(j, "work");
  for (int i = 0; i < SAL_N_WORK; ++i) {
    const double weight = sal_work_weight(&t->weights, i);
    if (weight > 0 && t->by->count[i] >= 0)
      sal_json_number(j, sal_metrics[t->by->count[i]].name, weight);
  }
  sal_json_end(j);
}

/* Times that make up the work where it is a time, in s: "step_costs": {"switch": {"ode45": 1e-07, ..}, ..} */
static void put_steps(sal_json *j, const sal_sweep *s, const sal_step_cost *time)
{
  sal_json_members(j, "f_costs %g, lanes %d, steps_of %s", time->field, time->lanes, time->machine);
  sal_json_object(j, "step_costs");
  for (int k = 0; k < s->n_strategy; ++k) {
    sal_json_object(j, s->strategy[k]->name);
    for (int m = 0; m < s->n_method; ++m)
      sal_json_number(j, s->method[m]->name, sal_step_cost_of(time, k, m));
    sal_json_end(j);
  }
  sal_json_end(j);
}

static void put_configs(sal_json *j, const sal_regret_question *q)
{
  const sal_sweep *s = &q->map->sweep;

  sal_json_array(j, "solvers");
  for (int m = 0; m < s->n_method; ++m)
    if (q->method[m]) sal_json_text(j, NULL, s->method[m]->name);
  sal_json_end(j);
  sal_json_array(j, "strategies");
  for (int k = 0; k < s->n_strategy; ++k)
    if (q->strategy[k]) sal_json_text(j, NULL, s->strategy[k]->name);
  sal_json_end(j);
}

void sal_regret_print_question(FILE *out, const sal_regret_question *q)
{
  const sal_performance_table *t = &q->map->table;
  sal_json j;

  sal_json_begin(&j, out);
  put_configs(&j, q);
  put_list(&j, "errors", q->n_error, q->error);
  put_list(&j, "probabilities", SAL_REGRET_PROBABILITIES, sal_regret_probabilities);
  sal_json_members(&j, "by %s, reference %s", sal_error_metric_name(t->by),
                   sal_metrics_of_cell[t->by->truth_error].name);
  if (t->by->truth_least)
    sal_json_number(&j, "reference_least", t->by->truth_least(&q->map->sweep.orbit));
  put_work(&j, t);
  if (t->weights.time) put_steps(&j, t->sweep, t->weights.time);
  sal_json_whole(&j, "replicates", q->replicates);
  sal_json_end(&j);
}

static void put_choice(sal_json *j, const char *name, const sal_sweep *s,
                       const sal_surrogate_choice *c)
{
  if (c->pair < 0) {
    sal_json_text(j, name, NULL);
    return;
  }
  sal_json_object(j, name);
  sal_answer_json_choice(j, s, c);
  sal_json_end(j);
}

static void put_answer(sal_json *j, const sal_sweep *s, const sal_regret_answer *a)
{
  sal_json_object(j, NULL);
  sal_json_members(j, "error %g, reason %s", a->error, sal_map_reasons[a->reason].label);
  put_choice(j, "total", s, &a->total);
  put_choice(j, "likely", s, &a->likely);
  sal_answer_json_schedule(j, s, a->schedule);
  sal_json_array(j, "confident");
  for (int i = 0; i < SAL_REGRET_PROBABILITIES; ++i) put_choice(j, NULL, s, &a->confident[i]);
  sal_json_end(j);
  sal_json_end(j);
}

void sal_regret_print_point(FILE *out, const sal_regret_question *q, const sal_regret_point *p)
{
  const sal_sweep *s = &q->map->sweep;
  sal_json j;

  sal_json_begin(&j, out);
  sal_answer_json_at(&j, s, p->value);
  sal_json_array(&j, "cells");
  for (int64_t r = 0; r < q->replicates; ++r) sal_json_whole(&j, NULL, p->first + r * p->stride);
  sal_json_end(&j);
  sal_answer_json_outside(&j, s->model, p->answer->schedule);
  sal_json_array(&j, "answers");
  for (int i = 0; i < q->n_error; ++i) put_answer(&j, s, &p->answer[i]);
  sal_json_end(&j);
  sal_json_end(&j);
}
