/** Optional parts of a model: a section, equilibria, energies, bounds, and flaws.
 */
#include "equation_reading.h"
#include "value.h"

static const char *const event_words[] = {"opens", "closes", NULL};

/* {contact: NAME, event: closes or opens}, in a mapping that may say more. */
static sal_err read_event(sal_equation_reading *r, int mapping, const char *key, int *contact,
                          bool *closes)
{
  const char *names[SAL_MAX_CONTACT + 1] = {NULL};
  int node, event, rank, number[SAL_MAX_CONTACT], n = 0;

  SAL_TRY(sal_value_need(&r->document, mapping, key, "contact", &node));
  SAL_TRY(sal_value_need(&r->document, mapping, key, "event", &event));
  SAL_TRY(sal_value_word(&r->document, event, key, event_words, &rank));
  *closes = rank == 1;
  for (int i = 0; i < r->scope.n; ++i)
    if (r->scope.name[i].kind == SAL_SCOPE_CONTACT) {
      number[n] = r->scope.name[i].number;
      names[n++] = r->scope.name[i].name;
    }
  SAL_TRY(sal_value_rank(&r->document, node, key, "contact", names, &rank));
  *contact = number[rank];
  return SAL_OK;
}

static sal_err read_section(sal_equation_reading *r)
{
  static const char *const keys[] = {"contact", "event", "period", "name", NULL};
  const int mapping = sal_document_find(&r->document, "section");
  sal_section *s = &r->model->section;

  if (!mapping) return SAL_OK;
  SAL_TRY(sal_value_keys(&r->document, mapping, "section", keys));
  const int period = sal_document_child(&r->document, mapping, "period");
  if (period) {
    if (sal_document_child(&r->document, mapping, "contact"))
      return sal_document_fail(&r->document, mapping,
                               "section: of a contact or of a period, not of both");
    s->name = sal_value_line(&r->document, mapping, "name", "period");
    return sal_equation_expression(r, period, "section: period", SAL_SCOPE_NUMBER, 0,
                                   &r->single[SAL_EQUATION_PERIOD]);
  }
  SAL_TRY(read_event(r, mapping, "section", &s->contact, &s->closes));
  const sal_contact *c = &r->model->contact[s->contact];
  s->name = sal_value_line(&r->document, mapping, "name", s->closes ? c->closes : c->opens);
  return SAL_OK;
}

static sal_err read_admissible(sal_equation_reading *r)
{
  static const char *const keys[] = {"contact", "event", "value", "name", NULL};
  const int mapping = sal_document_find(&r->document, "admissible");
  sal_admissible *a = &r->model->admissible;
  int value;

  if (!mapping) return SAL_OK;
  SAL_TRY(sal_value_keys(&r->document, mapping, "admissible", keys));
  SAL_TRY(read_event(r, mapping, "admissible", &a->contact, &a->closes));
  SAL_TRY(sal_value_need(&r->document, mapping, "admissible", "value", &value));
  a->name = sal_value_line(&r->document, mapping, "name", "force");
  return sal_equation_expression(r, value, "admissible: value", SAL_SCOPE_NUMBER,
                                 SAL_EQUATION_STATES, &r->single[SAL_EQUATION_ADMISSIBLE]);
}

static sal_err read_equilibrium(sal_equation_reading *r, const char *key, int node[])
{
  const int mapping = sal_document_find(&r->document, key);

  for (int i = 0; i < SAL_MAX_STATE; ++i) node[i] = SAL_EQUATION_NONE;
  SAL_TRY(sal_equation_by_state(r, mapping, key, 0, 0, r->model->n_state, NULL, node));
  for (int i = 0; i < r->model->n_state && mapping; ++i)
    if (node[i] == SAL_EQUATION_NONE)
      return sal_document_fail(&r->document, mapping, "%s: state %s is missing", key,
                               r->model->state[i].name);
  return SAL_OK;
}

/* Discrete states that follow from the initial state. */
static sal_err read_starts(sal_equation_reading *r)
{
  const int mapping = sal_document_find(&r->document, "discrete");

  for (int i = r->n_continuous; i < r->model->n_state; ++i) {
    sal_field *f = &r->model->state[i];
    const int state = sal_document_child(&r->document, mapping, f->name),
              node = sal_document_child(&r->document, state, "start");
    int *start = &r->start[i - r->n_continuous];
    char key[SAL_MAX_NAME];
    *start = sal_graph_quantity(&r->graph, SAL_GRAPH_DISCRETE, i - r->n_continuous);
    if (!node) continue;
    snprintf(key, sizeof key, "start of %.60s", f->name);
    SAL_TRY(sal_equation_expression(r, node, key, SAL_SCOPE_NUMBER, SAL_EQUATION_STATES, start));
    f->follows = true;
    ++r->n_start;
  }
  return SAL_OK;
}

/* Sentences, and where they are true: the parameters make no sense together. */
static sal_err read_flaws(sal_equation_reading *r)
{
  const int mapping = sal_document_find(&r->document, "flaws");
  int n;

  SAL_TRY(sal_value_pairs(&r->document, mapping, "flaws", &n));
  if (r->n_flaw + n > SAL_EQUATION_FLAWS)
    return sal_document_fail(&r->document, mapping, "flaws: more than %d", SAL_EQUATION_FLAWS);
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, i);
    r->sentence[r->n_flaw] = sal_document_line(&r->document, pair->key);
    r->flaw_node[r->n_flaw] = pair->value;
    SAL_TRY(
        sal_equation_expression(r, pair->value, "flaws", SAL_SCOPE_MASK, 0, &r->flaw[r->n_flaw]));
    ++r->n_flaw;
  }
  return SAL_OK;
}

static const struct {
  const char *key;
  sal_equation_single single;
  int parts;
} singles[] = {
    {"longest_step", SAL_EQUATION_LONGEST_STEP, SAL_EQUATION_STATES},
    {"energy", SAL_EQUATION_ENERGY, SAL_EQUATION_STATES | SAL_EQUATION_TIME | SAL_EQUATION_MODES},
    {"mechanical", SAL_EQUATION_MECHANICAL, SAL_EQUATION_STATES | SAL_EQUATION_MODES},
    {"kinetic", SAL_EQUATION_KINETIC,
     SAL_EQUATION_STATES}, /* without coordinates: energy_contacts.c has theirs */
    {"adhesion", SAL_EQUATION_ADHESION, SAL_EQUATION_STATES | SAL_EQUATION_MODES},
};

sal_err sal_equation_extras(sal_equation_reading *r)
{
  for (int i = 0; i < SAL_EQUATION_N_SINGLE; ++i) r->single[i] = SAL_EQUATION_NONE;
  SAL_TRY(read_section(r));
  SAL_TRY(read_admissible(r));
  SAL_TRY(read_equilibrium(r, "equilibrium", r->equilibrium[0]));
  SAL_TRY(read_equilibrium(r, "equilibrium_published", r->equilibrium[1]));
  if (r->equilibrium[0][0] < 0 && r->equilibrium[1][0] >= 0)
    return sal_document_fail(&r->document, sal_document_find(&r->document, "equilibrium_published"),
                             "equilibrium_published: it requires the key equilibrium");
  SAL_TRY(read_flaws(r));
  SAL_TRY(read_starts(r));
  for (size_t i = 0; i < sizeof singles / sizeof *singles; ++i) {
    const int node = sal_document_find(&r->document, singles[i].key);
    if (node && !(r->energy && singles[i].single == SAL_EQUATION_KINETIC))
      SAL_TRY(sal_equation_expression(r, node, singles[i].key, SAL_SCOPE_NUMBER, singles[i].parts,
                                      &r->single[singles[i].single]));
  }
  return SAL_OK;
}
