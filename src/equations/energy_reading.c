/** The keys of a text of energies: coordinates, kinetic and potential energy, forces. */
#include "base.h"
#include "energy.h"
#include "value.h"

static const char *const coordinate_keys[] = {"unit", "what",   "preset", "range", "allowed",
                                              "rate", "drifts", "scale",  NULL};
static const char *const rate_keys[] = {"name",  "unit",    "what",  "preset",
                                        "range", "allowed", "scale", NULL};

/* Unit of the rate of a quantity: m and s give m/s. */
static const char *rate_unit(sal_equation_reading *r, const char *unit)
{
  const char *time = r->model->time;
  char text[SAL_MAX_NAME];

  if (strcmp(time, "1") == 0) return unit;
  snprintf(text, sizeof text, "%.40s/%.20s", unit, time);
  return sal_equation_keep(r, text);
}

/* rate: NAME, or {name: NAME, preset, ..}. */
static sal_err read_rate(sal_equation_reading *r, const yaml_node_pair_t *pair, int i)
{
  sal_field *f = &r->model->state[r->energy->n + i];
  const sal_field *of = &r->model->state[i];
  int rate, name;

  SAL_TRY(sal_value_need(&r->document, pair->value, of->name, "rate", &rate));
  name = rate;
  if (!sal_document_text(&r->document, rate))
    SAL_TRY(sal_value_need(&r->document, rate, "rate", "name", &name));
  if (name == rate)
    *f = (sal_field){.name = sal_document_text(&r->document, name), .least = -1e30, .most = 1e30};
  else
    SAL_TRY(sal_equation_field_read(r, name, rate, "rate", rate_keys, f));
  if (!f->name || !f->name[0])
    return sal_value_wrong_kind(&r->document, name, "rate", "the name of the rate");
  char what[SAL_MAX_NAME];
  snprintf(what, sizeof what, "rate of %.40s", of->name);
  if (name == rate || !sal_document_child(&r->document, rate, "what"))
    f->what = sal_equation_keep(r, what);
  if (name == rate || !sal_document_child(&r->document, rate, "unit"))
    f->unit = rate_unit(r, of->unit);
  r->model->velocity[i] = (uint16_t)(1 + r->energy->n + i);
  return sal_equation_field_add(r, f, name, "rate", SAL_GRAPH_STATE, r->energy->n + i);
}

/* How many guards its contacts have: friction counts, too. */
static int count_guards(const sal_equation_reading *r)
{
  const int mapping = sal_document_find(&r->document, "contacts");
  int n, guards = 0;

  if (sal_value_pairs(&r->document, mapping, "contacts", &n) != SAL_OK) return 0;
  for (int i = 0; i < n; ++i)
    guards +=
        1 + (sal_document_child(&r->document, sal_document_pair(&r->document, mapping, i)->value,
                                "friction") > 0);
  return guards;
}

sal_err sal_energy_coordinates(sal_equation_reading *r)
{
  const int mapping = sal_document_find(&r->document, "coordinates");
  int n;

  SAL_TRY(sal_value_pairs(&r->document, mapping, "coordinates", &n));
  if (!mapping) return SAL_OK;
  if (n < 1 || n > SAL_ENERGY_MOST)
    return sal_document_fail(&r->document, mapping, "coordinates: %d of them; allowed: 1 to %d", n,
                             SAL_ENERGY_MOST);
  r->energy = sal_alloc(1, sizeof *r->energy);
  if (!r->energy) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document.path);
  r->energy->n = n;
  r->energy->at_run = n > SAL_ALGEBRA_MOST || count_guards(r) > SAL_PROGRAM_CONTACTS;
  r->model->n_state = r->n_energetic = 2 * n;
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, i);
    sal_field *f = &r->model->state[i];
    SAL_TRY(sal_equation_field_read(r, pair->key, pair->value, "coordinate", coordinate_keys, f));
    SAL_TRY(sal_equation_field_add(r, f, pair->key, "coordinate", SAL_GRAPH_STATE, i));
  }
  for (int i = 0; i < n; ++i) {
    SAL_TRY(read_rate(r, sal_document_pair(&r->document, mapping, i), i));
    r->energy->q[i] = sal_graph_quantity(&r->graph, SAL_GRAPH_STATE, i);
    r->energy->v[i] = sal_graph_quantity(&r->graph, SAL_GRAPH_STATE, n + i);
    if (r->energy->at_run) continue;
    r->energy->terms.q[i] = r->energy->q[i];
    r->energy->terms.v[i] = r->energy->v[i];
  }
  return SAL_OK;
}

bool sal_energy_has_rates(const sal_equation_reading *r, int root)
{
  const int n = r->energy->n;
  SAL_OWN bool *marked = sal_alloc((size_t)r->graph.n, sizeof *marked);

  if (!marked) return true;
  sal_graph_reach(&r->graph, 1, &root, marked);
  for (int i = 0; i < r->graph.n; ++i)
    if (marked[i] && r->graph.node[i].kind == SAL_GRAPH_STATE && r->graph.node[i].a >= n &&
        r->graph.node[i].a < 2 * n)
      return true;
  return false;
}

/* kinetic is there, potential may be. */
static sal_err read_energies(sal_equation_reading *r)
{
  sal_energy *e = r->energy;
  const int potential = sal_document_find(&r->document, "potential");
  int kinetic;

  SAL_TRY(sal_value_need(&r->document, 1, "a model with coordinates", "kinetic", &kinetic));
  SAL_TRY(sal_equation_expression(r, kinetic, "kinetic", SAL_SCOPE_NUMBER,
                                  SAL_EQUATION_STATES | SAL_EQUATION_TIME, &e->kinetic));
  e->potential = sal_graph_constant(&r->graph, 0);
  if (!potential) return SAL_OK;
  SAL_TRY(sal_equation_expression(r, potential, "potential", SAL_SCOPE_NUMBER,
                                  SAL_EQUATION_STATES | SAL_EQUATION_TIME, &e->potential));
  if (!sal_energy_has_rates(r, e->potential)) return SAL_OK;
  return sal_document_fail(&r->document, potential,
                           "potential: it must not depend on rates; what depends on them stands "
                           "under forces");
}

static sal_err read_forces(sal_equation_reading *r, int force[])
{
  const int parts = SAL_EQUATION_STATES | SAL_EQUATION_TIME | SAL_EQUATION_MODES;

  for (int i = 0; i < r->energy->n; ++i) force[i] = sal_graph_constant(&r->graph, 0);
  return sal_equation_by_state(r, sal_document_find(&r->document, "forces"), "forces", parts, 0,
                               r->energy->n, "is not a coordinate; a force acts on one of them",
                               force);
}

/* T is made of squares and products of rates where its second derivatives have none of them. */
static sal_err check_mass(sal_equation_reading *r)
{
  const sal_energy *e = r->energy;

  for (int i = 0; i < e->n; ++i)
    for (int j = 0; j <= i; ++j)
      if (r->graph.node[e->mass[i * e->n + j]].kind == SAL_GRAPH_OPERATION &&
          sal_energy_has_rates(r, e->mass[i * e->n + j]))
        return sal_document_fail(&r->document, sal_document_find(&r->document, "kinetic"),
                                 "kinetic: it has to be a quadratic function of the rates; its "
                                 "second derivative by those of %s and %s depends on rates",
                                 r->model->state[i].name, r->model->state[j].name);
  return SAL_OK;
}

/* Does a node follow from parameters and numbers alone? */
static bool is_given(const sal_equation_reading *r, int root)
{
  const sal_graph part = sal_graph_part(&r->graph, 1, &root);
  SAL_OWN bool *marked = sal_alloc((size_t)part.n, sizeof *marked);

  if (!marked) return false;
  sal_graph_reach(&part, 1, &root, marked);
  for (int i = 0; i < part.n; ++i)
    if (marked[i] && part.node[i].kind > SAL_GRAPH_WORD && part.node[i].kind < SAL_GRAPH_OPERATION)
      return false;
  return true;
}

/* Masses that follow from parameters alone are above 0; those of a state are looked at where a run ends. */
static sal_err refuse_negative_masses(sal_equation_reading *r)
{
  sal_graph *g = &r->graph;
  const int node = sal_document_find(&r->document, "kinetic"), zero = sal_graph_constant(g, 0);
  const sal_energy *e = r->energy;

  for (int i = 0, last = -1; i < e->n; ++i) {
    const int mass = e->at_run ? e->mass[i * e->n + i] : e->pivot[i];
    if (mass == last || !is_given(r, mass)) continue;
    last = mass;
    const int above = sal_graph_make(g, SAL_PROGRAM_gt, mass, zero, 0);
    SAL_TRY(sal_equation_field_refuse(r, node, "the mass that a coordinate moves is above 0",
                                      sal_algebra_not(g, above)));
  }
  return SAL_OK;
}

sal_err sal_energy_motion(sal_equation_reading *r)
{
  int force[SAL_ENERGY_MOST], nothing[1][SAL_ALGEBRA_MOST];
  sal_energy *e = r->energy;

  SAL_TRY(read_energies(r));
  SAL_TRY(read_forces(r, force));
  if (!sal_energy_lagrange(&r->graph, e, force))
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document.path);
  SAL_TRY(check_mass(r));
  if (!e->at_run) sal_algebra_solve_symmetric(&r->graph, e->n, e->terms.mass, 0, nothing, e->pivot);
  return refuse_negative_masses(r);
}
