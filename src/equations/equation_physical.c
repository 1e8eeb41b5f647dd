/** How the parameters follow from quantities with units: a scope of its own. */
#include "base.h"
#include "equation_reading.h"
#include "value.h"

static const char *const quantity_keys[] = {"unit", "what", "preset", NULL};

/* unit: NAME, or {NAME: 1, OTHER: how many of the first one it is}. */
static sal_err read_units(sal_equation_reading *r, int node, sal_quantity *q)
{
  int n;

  if (sal_document_text(&r->document, node)) {
    q->unit[0] = (sal_unit){sal_document_text(&r->document, node), 1};
    return SAL_OK;
  }
  SAL_TRY(sal_value_pairs(&r->document, node, "unit", &n));
  if (n < 1 || n > SAL_MAX_UNIT)
    return sal_document_fail(&r->document, node, "unit: %d of them; allowed: 1 to %d", n,
                             SAL_MAX_UNIT);
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, node, i);
    q->unit[i].name = sal_document_text(&r->document, pair->key);
    SAL_TRY(sal_value_number(&r->document, pair->value, "unit", &q->unit[i].factor));
  }
  if (q->unit[0].factor == 1) return SAL_OK;
  return sal_document_fail(&r->document, node, "unit: the factor of the first one is 1");
}

static sal_err read_quantity(sal_equation_reading *r, const yaml_node_pair_t *pair, int i)
{
  sal_quantity *q = &r->conversion.quantity[i];
  const char *name = sal_document_text(&r->document, pair->key);
  char key[SAL_MAX_NAME];
  int unit;

  *q = (sal_quantity){.name = name, .preset = NAN};
  snprintf(key, sizeof key, "quantity %.40s", name);
  SAL_TRY(sal_value_keys(&r->document, pair->value, key, quantity_keys));
  SAL_TRY(sal_value_need(&r->document, pair->value, key, "unit", &unit));
  SAL_TRY(read_units(r, unit, q));
  q->what = sal_value_line(&r->document, pair->value, "what", "quantity");
  const int preset = sal_document_child(&r->document, pair->value, "preset");
  if (preset) SAL_TRY(sal_value_number(&r->document, preset, key, &q->preset));
  return sal_scope_add(&r->physical, (sal_scope_name){.name = name,
                                                      .what = "quantity",
                                                      .text = pair->key,
                                                      .known = true,
                                                      .value = sal_graph_quantity(
                                                          &r->quantities, SAL_GRAPH_WORD, i)});
}

/* Which parameter, or of the two scales, a key of `physical` is; -1: none. */
static int find_target(const sal_equation_reading *r, const char *key)
{
  const int n = r->model->n_param;

  if (strcmp(key, "second") == 0) return SAL_MAX_PARAM;
  if (strcmp(key, "metre") == 0) return SAL_MAX_PARAM + 1;
  for (int p = 0; p < n; ++p)
    if (strcmp(r->model->param[p].name, key) == 0) return p;
  return -1;
}

/* units: STATE: UNIT, in metres and seconds. */
static sal_err read_state_units(sal_equation_reading *r, int mapping)
{
  int n;

  SAL_TRY(sal_value_pairs(&r->document, mapping, "units", &n));
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, i);
    const char *name = sal_document_text(&r->document, pair->key);
    const char *unit = sal_document_text(&r->document, pair->value);
    const int s = sal_equation_state(r, name);
    if (s < 0 || !unit)
      return sal_document_fail(&r->document, pair->key,
                               "units: '%s': expected STATE: UNIT, such as foot: m", name);
    r->state_unit[s] = unit;
  }
  return SAL_OK;
}

/* ground: {stiffness: QUANTITY, damping: QUANTITY} of a Hunt-Crossley force x^1.5, with a mass of a linear one. */
static sal_err read_ground(sal_equation_reading *r, int mapping)
{
  static const char *const keys[] = {"stiffness", "damping", "mass", NULL};
  sal_physical *p = &r->conversion;
  int *const of[] = {&p->ground.stiffness, &p->ground.damping, &p->ground.mass};

  SAL_TRY(sal_value_keys(&r->document, mapping, "ground", keys));
  for (int k = 0; keys[k]; ++k) {
    const int node = sal_document_child(&r->document, mapping, keys[k]);
    const char *name = node ? sal_document_text(&r->document, node) : NULL;
    for (int i = 0; name && i < p->n_quantity; ++i)
      if (strcmp(p->quantity[i].name, name) == 0) *of[k] = i + 1;
    if (node && !*of[k])
      return sal_document_fail(&r->document, node, "ground: %s: '%s' is none of the quantities",
                               keys[k], name ? name : "");
  }
  return p->ground.stiffness && p->ground.damping
             ? SAL_OK
             : sal_document_fail(&r->document, mapping,
                                 "ground: needs the quantities that are its stiffness and damping");
}

/* Keys that are not parameters: read before them, or beside them. */
static sal_err read_beside(sal_equation_reading *r, const char *key, int node, bool *beside)
{
  *beside = true;
  if (strcmp(key, "units") == 0) return read_state_units(r, node);
  if (strcmp(key, "ground") == 0) return read_ground(r, node);
  *beside = strcmp(key, "quantities") == 0 || strcmp(key, "source") == 0;
  return SAL_OK;
}

static sal_err read_targets(sal_equation_reading *r, int mapping)
{
  int n;

  SAL_TRY(sal_value_pairs(&r->document, mapping, "physical", &n));
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, i);
    const char *key = sal_document_text(&r->document, pair->key);
    const int target = find_target(r, key);
    char head[SAL_MAX_NAME];
    bool beside;
    SAL_TRY(read_beside(r, key, pair->value, &beside));
    if (beside) continue;
    if (target < 0)
      return sal_document_fail(&r->document, pair->key,
                               "physical: '%s' is not a parameter of the model; other keys are "
                               "quantities, source, units, ground, second and metre",
                               key);
    snprintf(head, sizeof head, "physical: %.40s", key);
    SAL_TRY(sal_expression_read(&r->physical, pair->value, head, SAL_SCOPE_NUMBER,
                                &r->physical_of[target]));
  }
  return SAL_OK;
}

sal_err sal_equation_physical(sal_equation_reading *r)
{
  const int mapping = sal_document_find(&r->document, "physical");
  int quantities, n;

  for (int i = 0; i < SAL_MAX_PARAM + 2; ++i) r->physical_of[i] = SAL_EQUATION_NONE;
  if (!mapping) return SAL_OK;
  SAL_TRY(
      sal_scope_begin(&r->physical, &sal_expression_language, &r->document, &r->quantities, false));
  SAL_TRY(sal_value_need(&r->document, mapping, "physical", "quantities", &quantities));
  SAL_TRY(sal_value_pairs(&r->document, quantities, "quantities", &n));
  if (n > SAL_MAX_PHYSICAL)
    return sal_document_fail(&r->document, quantities, "quantities: more than %d",
                             SAL_MAX_PHYSICAL);
  for (int i = 0; i < n; ++i)
    SAL_TRY(read_quantity(r, sal_document_pair(&r->document, quantities, i), i));
  r->conversion.n_quantity = n;
  r->conversion.source = sal_value_line(&r->document, mapping, "source", r->model->source);
  return read_targets(r, mapping);
}
