/** Scales times what a run has counted. */
#include "physical.h"
#include "trajectory_csv.h"
#include <string.h>

void sal_si_units_run(const sal_cli_run *run, sal_setup *setup, double param[])
{
  const sal_measure *measure = &run->measure;
  const sal_model *m = measure->model;
  const double second = measure->scales.second;

  *setup = run->setup;
  memcpy(param, run->param, sizeof run->param);
  if (!measure->physical) return;
  setup->model = &measure->si;
  setup->t_end *= second;
  setup->max_step *= second;
  setup->fixed_step *= second;
  if (setup->zone_in_time) setup->zone *= second;
  for (int i = 0; i < m->n_param; ++i)
    if (!m->physical) param[i] *= sal_measure_size(measure, sal_natural_unit(m, i));
}

static void scale_events(const sal_measure *measure, int64_t n, sal_event event[])
{
  for (int64_t i = 0; i < n; ++i) {
    sal_measure_states(measure, 1, &event[i].t, event[i].y);
    sal_measure_states(measure, 1, NULL, event[i].ahead);
  }
}

void sal_si_units_trajectory(const sal_measure *measure, sal_trajectory *tr)
{
  if (!measure->physical) return;
  sal_measure_states(measure, tr->n, tr->t, tr->state);
  sal_measure_states(measure, 1, NULL, tr->end);
  scale_events(measure, tr->n_event, tr->event);
  tr->record.value[SAL_METRIC_T_REACHED] *= measure->scales.second;
}

void sal_si_units_matrix(const sal_measure *measure, int n, const int state[], double A[])
{
  const sal_field *field = measure->si.state;

  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      A[i * n + j] *= sal_measure_size(measure, field[state[i]].unit) /
                      sal_measure_size(measure, field[state[j]].unit);
}

/* Phases look at the states of events and of the start. */
void sal_si_units_trace(const sal_measure *measure, sal_trace *t)
{
  const double second = measure->scales.second;

  t->period *= second;
  for (int64_t i = 0; i < t->n; ++i) {
    t->phase[i].begin *= second;
    t->phase[i].end *= second;
  }
  sal_measure_states(measure, t->n_mesh + 1, t->t, t->state);
  sal_measure_states(measure, 1, NULL, t->most);
  sal_measure_states(measure, 1, NULL, t->least);
  sal_measure_states(measure, 1, NULL, t->start);
  scale_events(measure, t->n_event, t->event);
  sal_si_units_matrix(measure, t->n_full, t->full, t->monodromy);
}

void sal_si_units_say(sal_report *r, const sal_measure *measure)
{
  const sal_scales *s = &measure->scales;

  if (!measure->physical) return;
  sal_json_members(&r->json, "second %g, metre %g", s->second, s->metre);
  if (s->kilogram > 0) sal_json_number(&r->json, "kilogram", s->kilogram);
  sal_report_say(r, "1 unit of time is %.4g s, 1 of length %.4g m", s->second, s->metre);
  if (s->kilogram > 0) sal_report_say(r, ", 1 of mass %.4g kg", s->kilogram);
  sal_report_say(r, "\n");
}
