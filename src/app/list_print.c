/** @file src/app/list_print.c
 *  Models, methods, strategies and metrics as their descriptors have them.
 */
#include "list_print.h"
#include "metric.h"
#include "model_point.h"
#include "registry.h"
#include "units.h"
#include <math.h>
#include <string.h>

/* ---- models ---- */

static int count_models(void)
{
  int n = 0;

  while (sal_registry_models[n]) ++n;
  return n;
}

static const char *name_model(int i) { return sal_registry_models[i]->name; }

/* A unit between two texts, or nothing where there is none. */
enum { UNIT = 96 };
static const char *unit_text(const char *unit, const char *before, const char *after,
                             char text[UNIT])
{
  text[0] = '\0';
  if (strcmp(unit, "1") != 0) snprintf(text, UNIT, "%s%s%s", before, unit, after);
  return text;
}

static void print_option(FILE *out, const sal_option *o)
{
  fprintf(out, "    %-6s = %s", o->name, o->choice[0]);
  for (int k = 1; k < SAL_MAX_CHOICE && o->choice[k]; ++k) fprintf(out, " | %s", o->choice[k]);
  fprintf(out, "  %s\n", o->what);
}

static void print_physical(FILE *out, const sal_physical *physical)
{
  fprintf(out, "    from physical quantities: %s\n", physical->source);
  for (int k = 0; k < physical->n_quantity; ++k) {
    const sal_quantity *q = &physical->quantity[k];
    fprintf(out, "      %-4s %s [%s", q->name, q->what, q->unit[0].name);
    for (int u = 1; q->unit[u].name; ++u) fprintf(out, ", %s", q->unit[u].name);
    fprintf(out, isnan(q->preset) ? "]\n" : "] = %g\n", q->preset);
  }
}

/* "contacts: 2 (touchdown, liftoff; fall, rise, which ends the run)" */
static void print_contacts(FILE *out, const sal_model *m)
{
  char unit[UNIT];

  if (m->counted_by)
    fprintf(out, "    contacts: %s", m->param[m->counted_by - 1].name);
  else
    fprintf(out, "    contacts: %d", m->n_guard);
  for (int k = 0; k < SAL_MAX_CONTACT && m->contact[k].closes; ++k)
    fprintf(out, "%s%s, %s%s", k ? "; " : " (", m->contact[k].closes, m->contact[k].opens,
            m->contact[k].ends ? ", which ends the run" : "");
  fprintf(out, "%s%s; error is scored on %s%s\n", m->contact[0].closes ? ")" : "",
          m->resets ? ", reset the state" : "", m->state[m->watch].name,
          unit_text(m->state[m->watch].unit, ", in ", "", unit));
}

/* How it is run where nothing else is said, and what else is known of it. */
static void print_traits(FILE *out, const sal_model *m)
{
  const sal_method *reference = sal_registry_reference(m);
  char unit[UNIT];

  fprintf(out, "    runs to t = %g%s; reference %s; Jacobian %s%s%s\n", m->span,
          unit_text(sal_units_of_time(m), " ", "", unit),
          reference ? reference->name : m->reference,
          sal_model_has_jacobian(m) ? "of its own" : "by differences",
          sal_model_has_mass(m) ? "; mass matrix" : "", m->energy ? "; has an invariant" : "");
}

static void print_section(FILE *out, const sal_model *m)
{
  const sal_section *s = &m->section;

  if (s->name && s->period)
    fprintf(out, "    orbits begin with each %s of the drive\n", s->name);
  else if (s->name)
    fprintf(out, "    orbits begin behind each %s of contact %d\n", s->name, s->contact + 1);
}

static void print_state(FILE *out, const sal_model *m, int k)
{
  char unit[UNIT];

  fprintf(out, "    %s(0) = %-8g %s%s%s\n", m->state[k].name, m->state[k].preset,
          unit_text(m->state[k].unit, "", "  ", unit), m->state[k].what,
          k < sal_model_continuous(m) ? "" : " (discrete: only jumps change it)");
}

static void print_parameter(FILE *out, const sal_field *f)
{
  char unit[UNIT];

  fprintf(out, "    %-6s = %-8g %s%s [%g, %g]\n", f->name, f->preset,
          unit_text(f->unit, "", "  ", unit), f->what, f->lo, f->hi);
}

void sal_list_print_model(FILE *out, const sal_model *m)
{
  fprintf(out, "%s  %s\n    source: %s\n", m->name, m->title, m->source);
  print_contacts(out, m);
  print_traits(out, m);
  print_section(out, m);
  for (int k = 0; k < m->n_param; ++k) print_parameter(out, &m->param[k]);
  for (int k = 0; k < m->n_option; ++k) print_option(out, &m->option[k]);
  for (int k = 0; k < m->n_state; ++k) print_state(out, m, k);
  if (m->physical) print_physical(out, m->physical);
}

static void print_model(FILE *out, int i) { sal_list_print_model(out, sal_registry_models[i]); }

static void put_fields(sal_json *j, const char *name, int n, const sal_field field[])
{
  sal_json_array(j, name);
  for (int k = 0; k < n; ++k) {
    sal_json_object(j, NULL);
    sal_json_text(j, "name", field[k].name);
    sal_json_text(j, "what", field[k].what);
    sal_json_text(j, "unit", field[k].unit);
    sal_json_number(j, "preset", field[k].preset);
    sal_json_number(j, "least", field[k].lo);
    sal_json_number(j, "most", field[k].hi);
    sal_json_end(j);
  }
  sal_json_end(j);
}

static void put_options(sal_json *j, const sal_model *m)
{
  sal_json_array(j, "options");
  for (int k = 0; k < m->n_option; ++k) {
    const sal_option *o = &m->option[k];
    sal_json_object(j, NULL);
    sal_json_text(j, "name", o->name);
    sal_json_text(j, "what", o->what);
    sal_json_array(j, "choices");
    for (int c = 0; c < SAL_MAX_CHOICE && o->choice[c]; ++c) sal_json_text(j, NULL, o->choice[c]);
    sal_json_end(j);
    sal_json_end(j);
  }
  sal_json_end(j);
}

/* The unit that stands first is that of the preset. */
static void put_physical(sal_json *j, const sal_physical *physical)
{
  sal_json_object(j, "physical");
  sal_json_text(j, "source", physical->source);
  sal_json_array(j, "quantities");
  for (int k = 0; k < physical->n_quantity; ++k) {
    const sal_quantity *q = &physical->quantity[k];
    sal_json_object(j, NULL);
    sal_json_text(j, "name", q->name);
    sal_json_text(j, "what", q->what);
    sal_json_array(j, "units");
    for (int u = 0; q->unit[u].name; ++u) sal_json_text(j, NULL, q->unit[u].name);
    sal_json_end(j);
    sal_json_number(j, "preset", q->preset);
    sal_json_end(j);
  }
  sal_json_end(j);
  sal_json_end(j);
}

/* The discrete states are the last ones of the states. */
static void put_traits(sal_json *j, const sal_model *m)
{
  const sal_method *reference = sal_registry_reference(m);

  sal_json_number(j, "span", m->span);
  sal_json_text(j, "time_unit", sal_units_of_time(m));
  sal_json_text(j, "reference", reference ? reference->name : m->reference);
  sal_json_bool(j, "jacobian", sal_model_has_jacobian(m));
  sal_json_bool(j, "mass", sal_model_has_mass(m));
  sal_json_bool(j, "second_order", sal_model_is_second_order(m));
  sal_json_bool(j, "invariant", m->energy != NULL);
  sal_json_whole(j, "discrete_states", m->n_discrete);
  sal_json_text(j, "section", m->section.name);
}

void sal_list_put_model(sal_json *j, const sal_model *m)
{
  sal_json_object(j, NULL);
  sal_json_text(j, "name", m->name);
  sal_json_text(j, "title", m->title);
  sal_json_text(j, "source", m->source);
  if (m->counted_by)
    sal_json_text(j, "contacts", m->param[m->counted_by - 1].name);
  else
    sal_json_whole(j, "contacts", m->n_guard);
  sal_json_array(j, "events");
  for (int k = 0; k < SAL_MAX_CONTACT && m->contact[k].closes; ++k) {
    sal_json_object(j, NULL);
    sal_json_text(j, "closes", m->contact[k].closes);
    sal_json_text(j, "opens", m->contact[k].opens);
    sal_json_bool(j, "ends", m->contact[k].ends);
    sal_json_end(j);
  }
  sal_json_end(j);
  sal_json_text(j, "scored_on", m->state[m->watch].name);
  sal_json_bool(j, "resets", m->resets);
  put_traits(j, m);
  put_fields(j, "parameters", m->n_param, m->param);
  put_options(j, m);
  put_fields(j, "states", m->n_state, m->state);
  if (m->physical) put_physical(j, m->physical);
  sal_json_end(j);
}

static void put_model(sal_json *j, int i) { sal_list_put_model(j, sal_registry_models[i]); }

const sal_list_source sal_list_models = {
    .count = count_models, .name = name_model, .print = print_model, .put = put_model};

/* ---- strategies ---- */

static int count_strategies(void)
{
  int n = 0;

  while (sal_registry_strategies[n]) ++n;
  return n;
}

static const char *name_strategy(int i) { return sal_registry_strategies[i]->name; }

static void print_strategy(FILE *out, int i)
{
  const sal_strategy *s = sal_registry_strategies[i];

  fprintf(out, "%-8s %s; %s\n", s->name, s->title, s->source);
}

static void put_strategy(sal_json *j, int i)
{
  const sal_strategy *s = sal_registry_strategies[i];

  sal_json_object(j, NULL);
  sal_json_text(j, "name", s->name);
  sal_json_text(j, "title", s->title);
  sal_json_text(j, "source", s->source);
  sal_json_bool(j, "zone", s->zoned);
  sal_json_bool(j, "fixed_steps", s->fixed);
  sal_json_bool(j, "zone_in_gap", s->in_gap);
  sal_json_bool(j, "one_step", s->one_step);
  sal_json_bool(j, "held", s->held);
  sal_json_end(j);
}

const sal_list_source sal_list_strategies = {
    .count = count_strategies, .name = name_strategy, .print = print_strategy, .put = put_strategy};

/* ---- metrics: those of a trajectory, then those of a cell ---- */

static int count_metrics(void) { return SAL_N_METRIC + SAL_N_CELL_METRIC; }

static const sal_metric *metric_at(int i)
{
  return i < SAL_N_METRIC ? &sal_metrics[i] : &sal_metrics_of_cell[i - SAL_N_METRIC];
}

static const char *name_metric(int i) { return metric_at(i)->name; }

/* What a sweep has to ask for, by group. */
static const char *const asked_by[] = {[SAL_GROUP_RUN] = "",
                                       [SAL_GROUP_REST] = " (orbit.find)",
                                       [SAL_GROUP_ORBIT] = " (orbit.find: cycles)",
                                       [SAL_GROUP_TRANSIENT] = " (orbit.find: transient)",
                                       [SAL_GROUP_LIBRARY] = " (solvers: of other libraries)"};

static void print_metric(FILE *out, int i)
{
  const sal_metric *m = metric_at(i);

  if (i == 0) fprintf(out, "per trajectory:\n");
  if (i == SAL_N_METRIC) fprintf(out, "per cell:\n");
  fprintf(out, "  %-32s [%s] %s%s\n", m->name, m->unit, m->what, asked_by[m->group]);
}

static void put_metric(sal_json *j, int i)
{
  const sal_metric *m = metric_at(i);

  sal_json_object(j, NULL);
  sal_json_text(j, "name", m->name);
  sal_json_text(j, "per", i < SAL_N_METRIC ? "trajectory" : "cell");
  sal_json_text(j, "unit", m->unit);
  sal_json_text(j, "what", m->what);
  sal_json_end(j);
}

const sal_list_source sal_list_metrics = {
    .count = count_metrics, .name = name_metric, .print = print_metric, .put = put_metric};

_Static_assert(SAL_N_METRIC + SAL_N_CELL_METRIC <= SAL_LIST_MOST, "a list has room for all names");
