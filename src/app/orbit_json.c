/** @file src/app/orbit_json.c
 *  Orbits as JSON.
 */
#include "json.h"
#include "orbit_print.h"

static void put_states(sal_json *j, const char *name, const sal_model *m, const double y[])
{
  sal_json_object(j, name);
  for (int i = 0; i < m->n_state; ++i) sal_json_number(j, m->state[i].name, y[i]);
  sal_json_end(j);
}

static void put_multipliers(sal_json *j, const char *name, const sal_multipliers *f)
{
  sal_json_array(j, name);
  for (int i = 0; i < f->n; ++i) {
    sal_json_object(j, NULL);
    sal_json_number(j, "re", f->re[i]);
    sal_json_number(j, "im", f->im[i]);
    sal_json_end(j);
  }
  sal_json_end(j);
}

static void put_matrix(sal_json *j, const char *name, const sal_model *m, int n, const int state[],
                       const double A[])
{
  sal_json_object(j, name);
  sal_json_array(j, "states");
  for (int i = 0; i < n; ++i) sal_json_text(j, NULL, m->state[state[i]].name);
  sal_json_end(j);
  sal_json_array(j, "rows");
  for (int i = 0; i < n; ++i) {
    sal_json_array(j, NULL);
    for (int k = 0; k < n; ++k) sal_json_number(j, NULL, A[i * n + k]);
    sal_json_end(j);
  }
  sal_json_end(j);
  sal_json_end(j);
}

static void put_phases(sal_json *j, const sal_orbit_search *s)
{
  const sal_model *m = &s->map.model;
  const int g = sal_model_guards(m, s->cycle.param);

  sal_json_array(j, "phases");
  for (int64_t i = 0; i < s->trace.n; ++i) {
    const sal_trace_phase *p = &s->trace.phase[i];
    sal_json_object(j, NULL);
    sal_json_number(j, "begin", p->begin);
    sal_json_number(j, "end", p->end);
    sal_json_array(j, "closed");
    for (int k = 0; k < g; ++k) sal_json_bool(j, NULL, p->closed[k]);
    sal_json_end(j);
    if (p->contact >= 0) {
      const sal_contact *c = sal_model_contact(m, p->contact);
      sal_json_text(j, "event", p->closes ? c->closes : c->opens);
      sal_json_whole(j, "contact", p->contact);
      sal_json_number(j, "gap", p->gap);
      sal_json_number(j, "rate", p->rate);
      sal_json_number(j, "crossing", p->steep);
    }
    put_states(j, "first", m, p->first);
    put_states(j, "last", m, p->last);
    sal_json_end(j);
  }
  sal_json_end(j);
}

static void put_orbit(sal_json *j, const sal_orbit_search *s)
{
  const sal_model *m = &s->map.model;
  const sal_cycle *c = &s->cycle;

  sal_json_whole(j, "returns", s->map.setup.returns);
  sal_json_whole(j, "least_returns", c->least);
  put_states(j, "start", m, s->y);
  sal_json_number(j, "period", c->period);
  put_phases(j, s);
  put_multipliers(j, "multipliers", &c->multipliers);
  put_multipliers(j, "multipliers_by_differences", &s->differences);
  put_matrix(j, "return_map", m, s->map.n_unknown, s->map.unknown, s->dp);
  put_matrix(j, "monodromy", m, s->trace.n_full, s->trace.full, s->trace.monodromy);
  put_states(j, "least", m, s->trace.least);
  put_states(j, "most", m, s->trace.most);
  sal_json_object(j, "checks");
  sal_json_number(j, "closure", c->closure);
  sal_json_number(j, "gap", c->gap);
  sal_json_number(j, "crossing", c->crossing);
  sal_json_number(j, "flow", c->flow);
  sal_json_whole(j, "chatter", c->n_zeno);
  if (c->missed >= 0) {
    sal_json_number(j, "clearance", c->clearance);
    sal_json_whole(j, "clearance_contact", c->missed);
    sal_json_number(j, "clearance_time", c->clearance_time);
  }
  sal_json_end(j);
}

void sal_orbit_print_json(const sal_orbit_search *s)
{
  sal_text why = {0};
  sal_json j;

  sal_json_begin(&j, stdout);
  sal_json_text(&j, "model", s->map.model.name);
  sal_json_text(&j, "section", s->map.model.section.name);
  sal_json_text(&j, "outcome", sal_cycle_texts[s->cycle.why].label);
  sal_json_text(&j, "verdict", sal_orbit_print_verdict(&s->cycle));
  sal_json_whole(&j, "iterations", s->cycle.iterations);
  if (s->simulated) sal_json_whole(&j, "visits", s->seed.n_visit);
  if (s->shot) sal_json_whole(&j, "pieces", s->report.pieces);
  if (s->scanned) {
    sal_json_object(&j, "scan");
    sal_json_text(&j, "from_the_guess", sal_cycle_texts[s->missed].label);
    sal_json_whole(&j, "points", s->scan.points);
    sal_json_number(&j, "reach", s->scan.reach);
    sal_json_whole(&j, "found", s->scan.found);
    sal_json_end(&j);
  }
  if (s->cycle.why == SAL_CYCLE_FOUND) {
    put_orbit(&j, s);
  } else {
    sal_orbit_search_explain(s, &why);
    sal_json_text(&j, "why", why.string);
    sal_text_free(&why);
  }
  sal_json_end(&j);
}
