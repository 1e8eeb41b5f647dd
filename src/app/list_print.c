/** Models, methods, strategies and metrics as their descriptors have them. */
#include "list_print.h"
#include "base.h"
#include "measure_print.h"
#include "model_point.h"
#include "physical.h"
#include "providers.h"
#include "registry.h"
#include "units.h"
#include "watched.h"

/* A unit between two texts, or nothing where there is none. */
enum { UNIT = 96 };
static const char *unit_text(const char *unit, const char *before, const char *after,
                             char text[UNIT])
{
  text[0] = '\0';
  if (strcmp(unit, "1") != 0) snprintf(text, UNIT, "%s%s%s", before, unit, after);
  return text;
}

/* How crossings of a contact within a step are found (README of kernels): "ends" where those of the step decide whether to look. */
static const char *crossings_of(const sal_model *m, const sal_contact *c)
{
  const bool affine = c->form[0] == SAL_FORM_AFFINE && c->form[1] == SAL_FORM_AFFINE;
  const bool smooth = c->form[0] == SAL_FORM_SMOOTH || c->form[1] == SAL_FORM_SMOOTH;

  if (affine) return "isolated";
  return smooth ? "ends" : sal_model_has_range(m) ? "isolated" : "sampled";
}

/* ": 2 (touchdown, liftoff, sampled; fall, rise, isolated, which ends the run)" */
static void print_contacts(sal_report *r, const sal_model *m)
{
  const sal_field *watch = &m->state[m->watch];
  char unit[UNIT];

  if (m->counted_by) {
    sal_json_text(&r->json, "contacts", m->param[m->counted_by - 1].name);
    sal_report_say(r, "    contacts: %s", m->param[m->counted_by - 1].name);
  } else {
    sal_json_whole(&r->json, "contacts", m->n_guard);
    sal_report_say(r, "    contacts: %d", m->n_guard);
  }
  sal_json_array(&r->json, "events");
  for (int k = 0; k < SAL_MAX_CONTACT && m->contact[k].closes; ++k) {
    const sal_contact *c = &m->contact[k];
    const char *crossings = crossings_of(m, c);
    sal_json_object_of(&r->json, NULL, "closes %s, opens %s, ends %i, crossings %s", c->closes,
                       c->opens, c->ends, crossings);
    sal_report_say(r, "%s%s, %s, %s%s", k ? "; " : " (", c->closes, c->opens, crossings,
                   c->ends ? ", which ends the run" : "");
  }
  sal_json_end(&r->json);
  sal_json_members(&r->json, "scored_on %s, resets %i", sal_model_watched_name(m), m->resets);
  sal_report_say(r, "%s%s; error is scored on %s%s\n", m->contact[0].closes ? ")" : "",
                 m->resets ? ", reset the state" : "", sal_model_watched_name(m),
                 unit_text(watch->unit, ", in ", "", unit));
}

/* How it is run where nothing else is said, and what else is known of it. */
static void print_traits(sal_report *r, const sal_model *m)
{
  const sal_method *found = sal_registry_reference(m);
  const char *reference = found ? found->name : m->reference, *time = sal_units_of_time(m);
  const bool jacobian = sal_model_has_jacobian(m), mass = sal_model_has_mass(m);
  char unit[UNIT];

  sal_json_members(&r->json,
                   "span %g, time_unit %s, reference %s, jacobian %i, mass %i, second_order %i, "
                   "invariant %i, discrete_states %d, section %s",
                   m->span, time, reference, jacobian, mass, sal_model_is_second_order(m),
                   m->energy != NULL, m->n_discrete, m->section.name);
  sal_report_say(r, "    runs to t = %g%s; reference %s; Jacobian %s%s%s\n", m->span,
                 unit_text(time, " ", "", unit), reference,
                 jacobian ? "of its own" : "by differences", mass ? "; mass matrix" : "",
                 m->energy ? "; has an invariant" : "");
  if (m->section.name && m->section.period)
    sal_report_say(r, "    orbits begin with each %s of the drive\n", m->section.name);
  else if (m->section.name)
    sal_report_say(r, "    orbits begin after each %s of contact %d\n", m->section.name,
                   m->section.contact + 1);
}

static void put_field(sal_json *j, const sal_field *f)
{
  sal_json_object_of(j, NULL, "name %s, what %s, unit %s, preset %g, least %g, most %g", f->name,
                     f->what, f->unit, f->preset, f->lo, f->hi);
}

static void print_parameters(sal_report *r, const sal_model *m)
{
  char unit[UNIT];

  sal_json_array(&r->json, "parameters");
  for (int k = 0; k < m->n_param; ++k) {
    const sal_field *f = &m->param[k];
    put_field(&r->json, f);
    sal_report_say(r, "    %-6s = %-8g %s%s [%g, %g]\n", f->name, f->preset,
                   unit_text(f->unit, "", "  ", unit), f->what, f->lo, f->hi);
  }
  sal_json_end(&r->json);
}

static void print_options(sal_report *r, const sal_model *m)
{
  sal_json_array(&r->json, "options");
  for (int k = 0; k < m->n_option; ++k) {
    const sal_option *o = &m->option[k];
    sal_json_object(&r->json, NULL);
    sal_json_members(&r->json, "name %s, what %s", o->name, o->what);
    sal_json_array(&r->json, "choices");
    sal_report_say(r, "    %-6s = ", o->name);
    for (int c = 0; c < SAL_MAX_CHOICE && o->choice[c]; ++c) {
      sal_json_text(&r->json, NULL, o->choice[c]);
      sal_report_say(r, "%s%s", c ? " | " : "", o->choice[c]);
    }
    sal_json_end(&r->json);
    sal_json_end(&r->json);
    sal_report_say(r, "  %s\n", o->what);
  }
  sal_json_end(&r->json);
}

/* The discrete states are the last ones of the states. */
static void print_states(sal_report *r, const sal_model *m)
{
  char unit[UNIT];

  sal_json_array(&r->json, "states");
  for (int k = 0; k < m->n_state; ++k) {
    const sal_field *f = &m->state[k];
    put_field(&r->json, f);
    sal_report_say(r, "    %s(0) = %-8g %s%s%s\n", f->name, f->preset,
                   unit_text(f->unit, "", "  ", unit), f->what,
                   k < sal_model_continuous(m) ? "" : " (discrete: only jumps change it)");
  }
  sal_json_end(&r->json);
}

/* The unit that stands first is that of the preset. */
static void print_quantity(sal_report *r, const sal_quantity *q)
{
  sal_json_object(&r->json, NULL);
  sal_json_members(&r->json, "name %s, what %s", q->name, q->what);
  sal_json_array(&r->json, "units");
  sal_report_say(r, "      %-4s %s [", q->name, q->what);
  for (int u = 0; q->unit[u].name; ++u) {
    sal_json_text(&r->json, NULL, q->unit[u].name);
    sal_report_say(r, "%s%s", u ? ", " : "", q->unit[u].name);
  }
  sal_json_end(&r->json);
  sal_json_number(&r->json, "preset", q->preset);
  sal_json_end(&r->json);
  sal_report_say(r, isnan(q->preset) ? "]\n" : "] = %g\n", q->preset);
}

/* Natural units that a model in SI units is run in with --physical. */
static void print_natural(sal_report *r, const sal_model *m)
{
  if (m->physical || !m->natural.of[0]) return;
  sal_json_text(&r->json, "natural_units", m->natural.source);
  sal_report_say(r, "    natural units (--physical): %s\n", m->natural.source);
}

static void print_physical(sal_report *r, const sal_physical *physical)
{
  sal_json_object(&r->json, "physical");
  sal_json_text(&r->json, "source", physical->source);
  sal_json_array(&r->json, "quantities");
  sal_report_say(r, "    from physical quantities: %s\n", physical->source);
  for (int k = 0; k < physical->n_quantity; ++k) print_quantity(r, &physical->quantity[k]);
  sal_json_end(&r->json);
  sal_json_end(&r->json);
}

static void print_measures(sal_report *r, const sal_model *m, const char *text)
{
  const sal_measured_list *list = sal_measure_print_of(m, text, true);
  char line[SAL_MEASURE_PRINT];

  sal_json_array(&r->json, "measures");
  for (int i = 0; list && i < list->n_column; ++i) {
    const sal_measured_column *c = &list->column[i];
    if (!sal_measure_print_column(list, i, line)) continue;
    sal_json_object_of(&r->json, NULL, "name %s, text %s, unit %s", c->name, c->what, c->unit);
    sal_report_say(r, "%s%s", i ? "; " : "    measures: ", line);
  }
  sal_json_end(&r->json);
  sal_report_say(r, list ? "\n" : "");
  sal_providers_drop_measures(list);
}

void sal_list_print_model(sal_report *r, const sal_model *m, const char *text)
{
  sal_json_object(&r->json, NULL);
  sal_json_members(&r->json, "name %s, title %s, source %s", m->name, m->title, m->source);
  sal_report_say(r, "%s  %s\n    source: %s\n", m->name, m->title, m->source);
  print_contacts(r, m);
  print_traits(r, m);
  print_parameters(r, m);
  print_options(r, m);
  print_states(r, m);
  print_measures(r, m, text);
  if (m->physical) print_physical(r, m->physical);
  print_natural(r, m);
  sal_json_end(&r->json);
}

static void print_model(sal_report *r, int i)
{
  sal_list_print_model(r, sal_registry_models[i], NULL);
}

const sal_list_source sal_list_models = {.words = SAL_ENUM_MODELS, .print = print_model};

static void print_strategy(sal_report *r, int i)
{
  const sal_strategy *s = sal_registry_strategies[i];

  sal_json_object_of(&r->json, NULL,
                     "name %s, title %s, source %s, zone %i, fixed_steps %i, zone_in_gap %i, "
                     "one_step %i, held %i, captures %i",
                     s->name, s->title, s->source, s->zoned, s->fixed, s->in_gap, s->one_step,
                     s->held, s->captures);
  sal_report_say(r, "%-8s %s; %s\n", s->name, s->title, s->source);
}

const sal_list_source sal_list_strategies = {.words = SAL_ENUM_STRATEGIES, .print = print_strategy};

/* ---- metrics: those of a trajectory, then those of a cell ---- */

static int gather_metrics(const char *names[])
{
  for (int i = 0; i < SAL_METRICS_ALL; ++i) names[i] = sal_metric_at(i)->name;
  return SAL_METRICS_ALL;
}

/* Keys of a sweep that request the metrics of each group. */
static const char *const asked_by[] = {[SAL_GROUP_RUN] = "",
                                       [SAL_GROUP_POINTS] = "",
                                       [SAL_GROUP_EQUILIBRIUM] = " (orbit.find)",
                                       [SAL_GROUP_ORBIT] = " (orbit.find: cycles)",
                                       [SAL_GROUP_TRANSIENT] = " (orbit.find: transient)",
                                       [SAL_GROUP_VISITS] = " (orbit.find: exponents, section)",
                                       [SAL_GROUP_EXPONENTS] = " (orbit.find: exponents)",
                                       [SAL_GROUP_SECTION] = " (orbit.find: section)",
                                       [SAL_GROUP_MEASURES] = " (measure)",
                                       [SAL_GROUP_BASIN] = " (orbit.find: basin)",
                                       [SAL_GROUP_LIBRARY] = " (solvers: of other libraries)",
                                       [SAL_GROUP_CAPTURE] = " (strategies: capture)"};

static void print_metric(sal_report *r, int i)
{
  const sal_metric *m = sal_metric_at(i);

  if (i == 0) sal_report_say(r, "per trajectory:\n");
  if (i == SAL_N_METRIC) sal_report_say(r, "per cell:\n");
  sal_json_object_of(&r->json, NULL, "name %s, per %s, unit %s, what %s", m->name,
                     i < SAL_N_METRIC ? "trajectory" : "cell", m->unit, m->what);
  sal_report_say(r, "  %-32s [%s] %s%s\n", m->name, m->unit, m->what, asked_by[m->group]);
}

const sal_list_source sal_list_metrics = {.gather = gather_metrics, .print = print_metric};

static int gather_grounds(const char *names[])
{
  int n = 0;

  for (; sal_terrains[n].name; ++n) names[n] = sal_terrains[n].name;
  return n;
}

/* A line of what is published, or nothing. */
static void print_published(sal_report *r, const char *source, const char *head, double value,
                            const char *text)
{
  char number[UNIT];

  if (!source) return;
  snprintf(number, sizeof number, text, value);
  sal_report_say(r, "    %s%s: %s\n", head, number, source);
}

static void put_published(sal_json *j, const char *name, double value, const char *source)
{
  char key[UNIT];

  snprintf(key, sizeof key, "%s_source", name);
  sal_json_number(j, name, value);
  sal_json_text(j, key, source);
}

static void print_ground(sal_report *r, int i)
{
  const sal_terrain *g = &sal_terrains[i];
  char head[UNIT];

  if (i == 0)
    sal_report_say(r,
                   "of use as --physical ground=NAME,radius=2cm,.. where a model has a ground; the "
                   "toe is rigid, a sphere\non Hunt-Crossley ground, a flat punch on a linear one; "
                   "rebound=0.6,speed=1m/s in place of a loss\n");
  sal_json_object(&r->json, NULL);
  sal_json_members(&r->json, "name %s, what %s", g->name, g->what);
  put_published(&r->json, "young", g->young, g->elastic_source);
  sal_json_number(&r->json, "poisson", g->poisson);
  put_published(&r->json, "loss", g->loss, g->loss_source);
  put_published(&r->json, "restitution", g->restitution, g->restitution_source);
  sal_json_number(&r->json, "speed", g->speed);
  sal_json_end(&r->json);
  sal_report_say(r, "%s  %s\n", g->name, g->what);
  snprintf(head, sizeof head, "E = %.4g GPa, ", g->young / 1e9);
  print_published(r, g->elastic_source, head, g->poisson, "nu = %.3g");
  print_published(r, g->loss_source, "c = ", g->loss,
                  "%.3g s/m, restitution 1 - c v at a small speed v");
  snprintf(head, sizeof head, "e = %.3g at ", g->restitution);
  print_published(r, g->restitution_source, head, g->speed, "%.3g m/s");
}

const sal_list_source sal_list_grounds = {.gather = gather_grounds, .print = print_ground};

_Static_assert((int)SAL_METRICS_ALL <= (int)SAL_MAX_WORD, "a list has room for all names");
