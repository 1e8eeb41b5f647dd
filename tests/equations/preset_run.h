/** The preset of a text of energies, run to an end by `event`. */
#pragma once

#include "energy_text.h"
#include "integrate.h"
#include "memory.h"
#include "registry.h"

typedef struct {
  double y[SAL_MAX_STATE];
  bool closed[SAL_MAX_CONTACT];
  int outcome, n_event;
} run_end;

static run_end run_preset(const char *text, const char *method, double rtol, double atol,
                          double end, int max_attempts)
{
  sal_equation_model *e = parse(text);
  const sal_model *m = sal_equation_model_get(e);
  const sal_setup setup = {.model = m,
                           .method = sal_registry_method(method),
                           .strategy = sal_registry_strategy("event"),
                           .rtol = rtol,
                           .atol = atol,
                           .t_end = end,
                           .max_attempts = max_attempts};
  double param[SAL_MAX_PARAM], y[SAL_MAX_STATE];
  run_end out = {0};
  sal_record record;
  void *work = sal_alloc(sal_integrate_bytes(&setup, 1), 1);
  const sal_job job = {.param = param, .initial = y, .end = out.y, .end_closed = out.closed};

  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset;
  sal_integrate(&setup, 1, 1, &job, &record, work);
  sal_free(work);
  out.outcome = (int)record.value[SAL_METRIC_OUTCOME];
  out.n_event = (int)record.value[SAL_METRIC_EVENTS];
  sal_equation_model_free(e);
  return out;
}
