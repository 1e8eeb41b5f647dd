/** @file src/study/model_verdicts.c
 *  The questions, each of them a function in one table; and those that are asked by runs.
 */
#include "model_verdicts.h"
#include "compatibility.h"
#include "memory.h"
#include "model_along.h"
#include "model_point.h"
#include "registry.h"
#include "trajectory.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sal_model_inquiry_put(sal_model_inquiry *q, sal_model_verdict_kind kind, const char *format,
                           ...)
{
  const size_t at = strlen(q->v->text);
  va_list values;

  if (kind > q->v->kind) q->v->kind = kind;
  va_start(values, format);
  vsnprintf(q->v->text + at, sizeof q->v->text - at, format, values);
  va_end(values);
}

static sal_err ask_start(sal_model_inquiry *q)
{
  const sal_model *m = q->like.model;
  double gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD], f[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];
  double beyond;
  const int k = sal_model_beyond(m, q->param, q->initial, &beyond);

  if (k >= 0)
    sal_model_inquiry_put(q, SAL_MODEL_WRONG,
                          "begins beyond the surface of contact %s: its gap is %.6g",
                          sal_model_contact(m, k)->closes, beyond);
  sal_model_mode(m, q->param, 0, q->initial, closed);
  sal_model_field(m, q->param, closed, 0, q->initial, f);
  sal_model_rates(m, q->param, closed, 0, q->initial, f, gap, rate);
  for (int i = 0; k < 0 && i < q->like.n_guard && i < SAL_MAX_CONTACT; ++i)
    sal_model_inquiry_put(q, SAL_MODEL_FINE, "%s%s: %s, gap %.4g, rate %.4g", i ? "; " : "",
                          sal_model_contact(m, i)->closes, closed[i] ? "closed" : "open",
                          gap[i] + 0.0, rate[i] + 0.0); /* no -0 */
  if (q->like.n_guard == 0) sal_model_inquiry_put(q, SAL_MODEL_NOTE, "there are no contacts");
  return SAL_OK;
}

/* By the reference solver, at a hundred points of time. */
static sal_err run_reference(const sal_model_inquiry *q, sal_trajectory *tr)
{
  const sal_model *m = q->like.model;
  sal_setup setup = q->like;

  setup.method = sal_registry_method(m->reference ? m->reference : "dop853");
  setup.strategy = sal_registry_strategy("event");
  setup.rtol = setup.atol = 1e-9;
  setup.max_attempts = 1000000;
  return sal_trajectory_run(&setup, q->param, q->initial, setup.t_end / 100, tr);
}

static sal_err ask_run(sal_model_inquiry *q)
{
  const sal_model *m = q->like.model;
  const sal_trajectory *tr = q->run;
  char text[SAL_TRAJECTORY_FAULT];
  int64_t changes[SAL_MAX_CONTACT] = {0};
  const double *v = tr->record.value;
  const int end = (int)v[SAL_METRIC_OUTCOME];
  sal_model_inquiry_put(q, sal_metric_finished(end) ? SAL_MODEL_FINE : SAL_MODEL_WRONG,
                        "%s at t = %.6g, %lld event%s", sal_metric_outcomes[end].label,
                        v[SAL_METRIC_T_REACHED], (long long)tr->n_event,
                        tr->n_event == 1 ? "" : "s");
  const char *fault = sal_trajectory_fault(tr, m, q->param, text);
  if (fault[0]) sal_model_inquiry_put(q, SAL_MODEL_WRONG, "; %s", fault);
  for (int64_t e = 0; e < tr->n_event; ++e)
    if (tr->event[e].guard < SAL_MAX_CONTACT) ++changes[tr->event[e].guard];
  for (int k = 0; k < q->like.n_guard && k < SAL_MAX_CONTACT; ++k)
    if (changes[k] == 0)
      sal_model_inquiry_put(q, SAL_MODEL_NOTE, "; contact %s never changes",
                            sal_model_contact(m, k)->closes);
  sal_model_along_events(q, tr);
  if (isfinite(v[SAL_METRIC_ENERGY_DRIFT]))
    sal_model_inquiry_put(q, v[SAL_METRIC_ENERGY_DRIFT] < 1e-4 ? SAL_MODEL_FINE : SAL_MODEL_NOTE,
                          "; the invariant drifts by %.2g", v[SAL_METRIC_ENERGY_DRIFT]);
  return SAL_OK;
}

static sal_err ask_solvers(sal_model_inquiry *q)
{
  char text[SAL_COMPATIBILITY_TEXT];
  int n = 0, done = 0, named = 0;

  for (const sal_method *const *method = sal_registry_methods; *method; ++method)
    for (const sal_strategy *const *strategy = sal_registry_strategies; *strategy; ++strategy) {
      SAL_OWN_BY(sal_trajectory_free) sal_trajectory tr = {0};
      sal_setup setup = q->like;
      setup.method = *method;
      setup.strategy = *strategy;
      setup.rtol = setup.atol = 1e-6;
      setup.max_attempts = 200000;
      if ((*method)->engine || (*strategy)->zoned || (*strategy)->fixed) continue;
      if (sal_compatibility_flaw(&setup, text)) continue;
      SAL_TRY(sal_trajectory_run(&setup, q->param, q->initial, setup.t_end, &tr));
      const int end = (int)tr.record.value[SAL_METRIC_OUTCOME];
      ++n;
      done += sal_metric_finished(end);
      if (!sal_metric_finished(end) && named++ < 4)
        sal_model_inquiry_put(q, SAL_MODEL_NOTE, "%s with %s: %s at t = %.4g; ", (*method)->name,
                              (*strategy)->name, sal_metric_outcomes[end].label,
                              tr.record.value[SAL_METRIC_T_REACHED]);
    }
  sal_model_inquiry_put(q, SAL_MODEL_FINE,
                        "%d of %d pairs of solver and strategy come to the end at rtol 1e-6", done,
                        n);
  return SAL_OK;
}

static const struct {
  const char *question;
  sal_err (*ask)(sal_model_inquiry *q);
} questions[] = {{"start", ask_start},
                 {"slopes", sal_model_drawn_slope},
                 {"Jacobian", sal_model_drawn_jacobian},
                 {"rates", sal_model_drawn_rates},
                 {"jumps", sal_model_drawn_jumps},
                 {"parameters", sal_model_drawn_parameters},
                 {"run", ask_run},
                 {"solvers", ask_solvers}};

sal_err sal_model_verdicts(const sal_setup *like, const double param[], const double initial[],
                           sal_model_verdict_take *take, void *with, int *wrong)
{
  sal_model_verdict v;
  sal_model_inquiry q = {.like = *like, .param = param, .initial = initial, .v = &v};

  SAL_OWN_BY(sal_trajectory_free) sal_trajectory tr = {0};

  *wrong = 0;
  q.like.n_guard = sal_model_guards(like->model, param);
  SAL_TRY(run_reference(&q, &tr));
  q.run = &tr;
  for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i) {
    v = (sal_model_verdict){.question = questions[i].question};
    SAL_TRY(questions[i].ask(&q));
    *wrong += v.kind == SAL_MODEL_WRONG;
    take(with, &v);
  }
  return SAL_OK;
}
