/** The parts of a text, in their order. */
#include "base.h"
#include "energy.h"
#include "members.h"
#include "registry.h"
#include "value.h"
#include "watched.h"

static const char *const keys[] = {"equations",  "name",         "title",
                                   "source",     "span",         "time",
                                   "watch",      "reference",    "parameters",
                                   "options",    "states",       "discrete",
                                   "let",        "contacts",     "flow",
                                   "section",    "equilibrium",  "equilibrium_published",
                                   "energy",     "mechanical",   "kinetic",
                                   "adhesion",   "admissible",   "longest_step",
                                   "flaws",      "physical",     "coordinates",
                                   "potential",  "forces",       "tables",
                                   "table_rows", "capture_unit", "counts",
                                   "impacts",    "measure",      NULL};

void sal_equation_reading_drop(sal_equation_reading **reading)
{
  sal_equation_reading *r = *reading;

  if (!r) return;
  sal_graph_free(&r->graph);
  sal_graph_free(&r->quantities);
  sal_document_free(&r->document);
  for (int i = 0; i < r->n_made; ++i) sal_free(r->made[i]);
  sal_free(r->made);
  sal_equation_tables_free(r->n_table, r->table);
  sal_energy_free(r->energy);
  sal_free_all(r->energy, r);
}

static sal_err read_version(const sal_equation_reading *r)
{
  const int node = sal_document_find(&r->document, "equations");
  const char *text = node ? sal_document_text(&r->document, node) : NULL;

  if (text && strcmp(text, "1") == 0) return SAL_OK;
  return sal_document_fail(&r->document, node ? node : 1,
                           "equations: %s; this program reads 'equations: 1'",
                           text ? text : "none");
}

/* The name is part of paths of axes and data sets; one of the program would be mistaken for it. */
static sal_err read_name(const sal_equation_reading *r)
{
  const char *name;
  int node;

  SAL_TRY(sal_value_need(&r->document, 1, "the model", "name", &node));
  SAL_TRY(sal_value_name(&r->document, node, "name", 40, &name));
  if (sal_registry_model(name))
    return sal_document_fail(&r->document, node,
                             "name '%s' is that of a model of the program; choose another one",
                             name);
  r->model->name = name;
  return SAL_OK;
}

static sal_err read_head(sal_equation_reading *r)
{
  sal_model *m = r->model;

  SAL_TRY(read_version(r));
  SAL_TRY(sal_value_keys(&r->document, 1, "the model", keys));
  SAL_TRY(read_name(r));
  m->title = sal_value_line(&r->document, 1, "title", m->name);
  m->source = sal_value_line(&r->document, 1, "source", "a text of equations");
  m->reference = sal_value_line(&r->document, 1, "reference", NULL);
  m->time = sal_value_line(&r->document, 1, "time", "1");
  m->span = 10;
  SAL_TRY(sal_value_above_0(&r->document, "span", &m->span));
  return sal_value_above_0(&r->document, "capture_unit", &m->capture_unit);
}

static sal_err read_lets(sal_equation_reading *r)
{
  const int mapping = sal_document_find(&r->document, "let");
  int n;

  SAL_TRY(sal_value_pairs(&r->document, mapping, "let", &n));
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, i);
    SAL_TRY(sal_scope_add(&r->scope,
                          (sal_scope_name){.name = sal_document_text(&r->document, pair->key),
                                           .kind = SAL_SCOPE_LET,
                                           .what = "let",
                                           .text = pair->value}));
  }
  return SAL_OK;
}

/* Also what nothing needs has to be right; it stays unused. */
static sal_err check_lets(sal_equation_reading *r)
{
  for (int i = 0; i < r->scope.n; ++i) {
    sal_scope_name *name = &r->scope.name[i];
    const bool used = name->used;
    int value;
    if (name->kind != SAL_SCOPE_LET) continue;
    SAL_TRY(sal_scope_value(&r->scope, name->text, "let", name->name, &value));
    name->used = used;
  }
  return SAL_OK;
}

/* The flow of the states; that of coordinates follows from the energies. */
static sal_err read_flow(sal_equation_reading *r)
{
  const int parts = SAL_EQUATION_STATES | SAL_EQUATION_TIME | SAL_EQUATION_MODES;
  const int first = r->n_energetic;
  sal_model *m = r->model;
  int mapping = sal_document_find(&r->document, "flow");

  if (first < r->n_continuous)
    SAL_TRY(sal_value_need(&r->document, 1, "the model", "flow", &mapping));
  SAL_TRY(sal_equation_by_state(r, mapping, "flow", parts, first, r->n_continuous,
                                "has its flow from the energies", r->flow));
  for (int i = first; i < r->n_continuous; ++i)
    if (!sal_document_child(&r->document, mapping, m->state[i].name))
      return sal_document_fail(&r->document, mapping,
                               "flow: that of state %s is missing; a state that only jumps change "
                               "stands under 'discrete'",
                               m->state[i].name);
  return SAL_OK;
}

/* The flow and the jumps, of either form. */
static sal_err read_motion(sal_equation_reading *r)
{
  if (!r->energy) {
    SAL_TRY(sal_equation_contacts(r));
    SAL_TRY(read_flow(r));
    return sal_equation_contact_laws(r);
  }
  SAL_TRY(sal_energy_contacts(r));
  SAL_TRY(sal_energy_laws(r));
  SAL_TRY(sal_energy_motion(r));
  SAL_TRY(read_flow(r));
  return sal_energy_marks(r);
}

/* Keys of energies say nothing without coordinates. */
static sal_err check_form(const sal_equation_reading *r)
{
  static const char *const only[] = {"potential", "forces", "impacts"};

  for (size_t i = 0; i < sizeof only / sizeof *only && !r->energy; ++i) {
    const int node = sal_document_find(&r->document, only[i]);
    if (node)
      return sal_document_fail(&r->document, node, "%s: it goes with coordinates, not with states",
                               only[i]);
  }
  return SAL_OK;
}

/* Parameters and options, then coordinates, states and discrete states, in the order of the state vector. */
static sal_err read_states(sal_equation_reading *r)
{
  sal_model *m = r->model;

  SAL_TRY(sal_equation_parameters(r));
  SAL_TRY(sal_energy_coordinates(r));
  SAL_TRY(sal_equation_states(r));
  SAL_TRY(sal_energy_senses(r));
  m->n_discrete = m->n_state - r->n_continuous;
  return sal_equation_rates(r);
}

static sal_err read_watched(sal_equation_reading *r)
{
  const int node = sal_document_find(&r->document, "watch");
  const char *names[SAL_MAX_STATE + 1] = {NULL};
  int state[SAL_MAX_STATE], n;

  if (!node) return SAL_OK;
  for (int i = 0; i < r->n_continuous; ++i) names[i] = r->model->state[i].name;
  SAL_TRY(sal_members_ranks(&r->document, node, "watch", "state", names, state, &n));
  sal_model_watch(r->model, sal_document_text(&r->document, node), n, state);
  return SAL_OK;
}

sal_err sal_equation_read(sal_equation_reading *r)
{
  SAL_TRY(read_head(r));
  SAL_TRY(sal_scope_begin(&r->scope, &sal_expression_language, &r->document, &r->graph, true));
  SAL_TRY(sal_equation_tables(r));
  SAL_TRY(read_states(r));
  SAL_TRY(check_form(r));
  SAL_TRY(read_lets(r));
  SAL_TRY(read_motion(r));
  SAL_TRY(sal_equation_extras(r));
  if (r->energy) SAL_TRY(sal_energy_finish(r));
  sal_equation_tables_steps(r);
  SAL_TRY(sal_equation_physical(r));
  SAL_TRY(check_lets(r));
  return read_watched(r);
}
