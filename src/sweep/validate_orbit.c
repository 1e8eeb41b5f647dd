/** The keys under `orbit`. */
#include "base.h"
#include "enum_words.h"
#include "tangent_model.h"
#include "validate.h"
#include "value.h"

#define ANCHOR "orbit.anchor"

/* An anchor's gap may be this far from 0, in the size of its terms. */
static const double loose = 1e-3;

static int node_of(const sal_validation *context, const char *key)
{
  return sal_document_find(context->document, key);
}

/* Fails at the line of a key, or of its mapping. */
#define FAIL_AT(context, key, ...)                                                                 \
  sal_document_fail((context)->document,                                                           \
                    node_of(context, key) ? node_of(context, key) : node_of(context, "orbit"),     \
                    __VA_ARGS__)

static const char *side_word(bool closed) { return closed ? "closed" : "open"; }

static sal_err check_model(const sal_validation *context)
{
  const sal_model *m = context->model;
  const sal_long_run *o = &context->sweep->orbit;

  if (!m->section.name)
    return FAIL_AT(
        context, "orbit.find",
        "orbit: model %s has no section at which orbits begin and end; see `saltus list models`",
        m->name);
  if ((o->cycles || o->exponents || o->transient) && sal_tangent_model_most(m) < 1)
    return FAIL_AT(context, "orbit.find",
                   "orbit: model %s carries no tangent vectors: it has %d states, or a mass "
                   "matrix; allowed: section, basin",
                   m->name, m->n_state);
  return SAL_OK;
}

/* Numbers of named fields: value [n] keeps what is not given.  NULL options: there are none. */
static sal_err read_fields(const sal_validation *context, const char *key, int n,
                           const sal_field field[], double value[])
{
  const sal_document *document = context->document;
  const int mapping = node_of(context, key);
  const char *name[SAL_MAX_STATE + SAL_MAX_PARAM + 1] = {NULL};
  int n_pair, k;

  for (int i = 0; i < n; ++i) name[i] = field[i].name;
  SAL_TRY(sal_value_pairs(document, mapping, key, &n_pair));
  for (int i = 0; i < n_pair; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(document, mapping, i);
    SAL_TRY(sal_value_rank(document, pair->key, key, "name", name, &k));
    SAL_TRY(sal_value_check(document, pair->value, name[k], field[k].least, field[k].most,
                            field[k].whole, &value[k]));
  }
  return SAL_OK;
}

/* The mode after the section, where it is given: the section's contact is on its side. */
static sal_err read_mode(const sal_validation *context, sal_long_run_anchor *a)
{
  const sal_model *m = context->model;
  const sal_section *at = &m->section;
  const sal_document *d = context->document;
  const int list = node_of(context, ANCHOR ".closed"), n = sal_model_guards(m, a->param);
  const yaml_node_t *node = sal_document_node(d, list);

  if (!node) return SAL_OK;
  if (node->type != YAML_SEQUENCE_NODE)
    return sal_value_wrong_kind(d, list, ANCHOR ".closed", "a list of contacts, [1, 2], or []");
  a->has_mode = true;
  for (int i = 0; i < sal_document_count(d, list); ++i) {
    double number;
    SAL_TRY(
        sal_value_check(d, sal_document_item(d, list, i), ANCHOR ".closed", 1, n, true, &number));
    a->closed[(int)number - 1] = true;
  }
  if (at->period || a->closed[at->contact] == at->closes) return SAL_OK;
  return sal_document_fail(
      d, list, ANCHOR ".closed: contact %d is %s; after the section of model %s, %s, it is %s",
      at->contact + 1, side_word(!at->closes), m->name, at->name, side_word(at->closes));
}

/* Is the state of the anchor on the section at all? */
static sal_err check_on_section(const sal_validation *context, const sal_long_run_anchor *a)
{
  const sal_model *m = context->model;
  double gap[SAL_MAX_GUARD], size = 0;

  if (m->section.period) return SAL_OK;
  sal_model_gaps(m, a->param, 0, a->state, gap);
  for (int i = 0; i < m->n_state; ++i) size = fmax(size, fabs(a->state[i]));
  const double found = gap[m->section.contact];
  if (fabs(found) <= loose * fmax(size, 1e-9)) return SAL_OK;
  return FAIL_AT(
      context, ANCHOR ".state",
      ANCHOR ".state: the gap of contact %d is %.3g there; at the section of model %s, %s, it is 0",
      m->section.contact + 1, found, m->name, m->section.name);
}

static sal_err validate_anchor(const sal_validation *context)
{
  const sal_model *m = context->model;
  sal_sweep *sweep = context->sweep;
  sal_long_run_anchor *a = &sweep->orbit.anchor;

  if (!node_of(context, ANCHOR))
    return FAIL_AT(context, "orbit.seed",
                   "orbit.seed: anchor needs the key '" ANCHOR "', which is missing");
  if (!node_of(context, ANCHOR ".state"))
    return FAIL_AT(context, ANCHOR, ANCHOR ": the key '" ANCHOR ".state' is missing");
  memcpy(a->param, sweep->param, sizeof a->param);
  memcpy(a->state, sweep->initial, sizeof a->state);
  SAL_TRY(read_fields(context, ANCHOR ".parameters", m->n_param, m->param, a->param));
  SAL_TRY(read_fields(context, ANCHOR ".state", m->n_state, m->state, a->state));
  const char *flaw = sal_model_flaw(m, a->param);
  if (flaw) return FAIL_AT(context, ANCHOR ".parameters", ANCHOR ".parameters: %s", flaw);
  if (a->returns > sweep->orbit.period)
    return FAIL_AT(context, ANCHOR ".returns",
                   ANCHOR ".returns = %d; allowed: to %d (orbit.period)", a->returns,
                   sweep->orbit.period);
  SAL_TRY(read_mode(context, a));
  return check_on_section(context, a);
}

/* States that `section` stores, and how many exponents there are at most. */
static sal_err take_visits(const sal_validation *context)
{
  const sal_document *d = context->document;
  const sal_model *m = context->model;
  const int list = node_of(context, "orbit.states");
  const char *name[SAL_MAX_STATE + 1] = {NULL};
  sal_long_run *o = &context->sweep->orbit;
  int moving = 0;

  for (int i = 0; i < m->n_state; ++i) {
    name[i] = m->state[i].name;
    moving += !m->state[i].drifts;
    if (!list && o->basin && !m->state[i].drifts) o->state[o->n_state++] = i;
  }
  if (o->n_exponent == 0 || o->n_exponent > moving) o->n_exponent = moving;
  if (!list && !o->basin) o->state[o->n_state++] = m->watch;
  for (int i = 0; i < sal_document_count(d, list); ++i, ++o->n_state) {
    const int node = sal_document_item(d, list, i);
    SAL_TRY(sal_value_rank(d, node, "orbit.states", "state", name, &o->state[i]));
    for (int k = 0; k < i; ++k)
      if (o->state[k] == o->state[i])
        return sal_document_fail(d, node, "duplicate '%s' in orbit.states", name[o->state[i]]);
  }
  return SAL_OK;
}

static sal_err take_words(const sal_validation *context)
{
  const sal_document *d = context->document;
  const int find = node_of(context, "orbit.find"), seeds = node_of(context, "orbit.seed");
  sal_long_run *o = &context->sweep->orbit;

  bool *const wanted[] = {&o->cycles, &o->transient, &o->exponents, &o->section, &o->basin};
  const char *finds[SAL_MAX_WORD + 1];

  sal_enum_words_gather(SAL_ENUM_FINDS, context->model, finds);
  for (int i = 0, k; i < sal_document_count(d, find); ++i) {
    SAL_TRY(sal_value_rank(d, sal_document_item(d, find, i), "orbit.find", "word", finds, &k));
    *wanted[k] = true;
  }
  o->section |= o->basin;
  for (int i = 0; i < sal_document_count(d, seeds); ++i) {
    const char *word = sal_document_text(d, sal_document_item(d, seeds, i));
    const sal_long_run_seed seed =
        strcmp(word, "anchor") == 0 ? SAL_LONG_RUN_ANCHOR : SAL_LONG_RUN_SIMULATION;
    for (int k = 0; k < o->n_seed; ++k)
      if (o->seed[k] == seed)
        return FAIL_AT(context, "orbit.seed", "duplicate '%s' in orbit.seed", word);
    o->seed[o->n_seed++] = seed;
  }
  return SAL_OK;
}

/* Cells that follow each other stand on an axis of values, and begin long runs. */
static sal_err check_follow(const sal_validation *context)
{
  const sal_sweep *s = context->sweep;
  const sal_axis *last = s->n_axis > 0 ? &s->axis[s->n_axis - 1] : NULL;

  if (s->orbit.follow == SAL_FOLLOW_NONE) return SAL_OK;
  if (!s->orbit.exponents && !s->orbit.section)
    return FAIL_AT(context, "orbit.continue",
                   "orbit.continue: it goes with exponents, section or basin, and orbit.find has "
                   "none of them");
  if (last && !sal_axis_joint(last) && s->n_cell == s->n_grid) return SAL_OK;
  return FAIL_AT(
      context, "orbit.continue",
      "orbit.continue: cells have no last axis of values to go along; allowed: cells.axes "
      "whose last one is linear, log or list, and no cells beside them");
}

sal_err sal_validate_orbit(const sal_validation *context)
{
  sal_long_run *o = &context->sweep->orbit;

  if (!node_of(context, "orbit")) return SAL_OK;
  SAL_TRY(take_words(context));
  SAL_TRY(take_visits(context));
  SAL_TRY(check_follow(context));
  if (o->basin && o->kept < SAL_BASIN_VISITS)
    return FAIL_AT(context, "orbit.kept", "orbit.kept: %d; allowed with basin: from %d on", o->kept,
                   SAL_BASIN_VISITS);
  if (o->longest == 0) o->longest = context->sweep->t_end;
  SAL_TRY(check_model(context));
  for (int i = 0; i < o->n_seed; ++i)
    if (o->seed[i] == SAL_LONG_RUN_ANCHOR) return validate_anchor(context);
  o->anchor.returns = 0; /* there is none */
  return SAL_OK;
}
