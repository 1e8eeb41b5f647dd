/** Parameters, options, states and discrete states. */
#include "algebra.h"
#include "base.h"
#include "count_field.h"
#include "equation_reading.h"
#include "value.h"

static const char *const param_keys[] = {"unit",    "what",  "preset", "range",
                                         "allowed", "whole", NULL};
static const char *const state_keys[] = {"unit",  "what",    "preset", "range", "allowed",
                                         "whole", "rate_of", "drifts", "scale", NULL};
static const char *const discrete_keys[] = {"unit",  "what",   "preset", "range", "allowed",
                                            "whole", "values", "drifts", "start", NULL};
static const char *const option_keys[] = {"what", "words", NULL};

static sal_err read_pair(const sal_equation_reading *r, int mapping, const char *what,
                         const char *key, double *lo, double *hi)
{
  const int node = sal_document_child(&r->document, mapping, key);
  char name[SAL_MAX_NAME];

  if (!node) return SAL_OK;
  snprintf(name, sizeof name, "%.60s: %s", what, key);
  SAL_TRY(sal_value_list(&r->document, node, name, 2, 2));
  SAL_TRY(sal_value_number(&r->document, sal_document_item(&r->document, node, 0), name, lo));
  return sal_value_number(&r->document, sal_document_item(&r->document, node, 1), name, hi);
}

static sal_err read_scale(const sal_equation_reading *r, int mapping, const char *what,
                          sal_field *f)
{
  const int node = sal_document_child(&r->document, mapping, "scale");

  if (!node) return SAL_OK;
  SAL_TRY(sal_value_number(&r->document, node, what, &f->scale));
  if (f->scale > 0 && f->scale <= 1e30) return SAL_OK;
  return sal_document_fail(&r->document, node, "%s: scale %g; allowed: above 0 to 1e30", what,
                           f->scale);
}

/* values: [..] are what is allowed, and the range unless that is given. */
static sal_err read_values(sal_equation_reading *r, int mapping, sal_field *f)
{
  const int list = sal_document_child(&r->document, mapping, "values");
  bool met = false, whole = true;

  if (!list) return SAL_OK;
  SAL_TRY(sal_value_list(&r->document, list, "values", 1, 64));
  f->least = INFINITY;
  f->most = -INFINITY;
  double *listed = sal_equation_numbers(r, sal_document_count(&r->document, list));
  if (!listed) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document.path);
  f->listed = listed;
  for (int i = 0; i < sal_document_count(&r->document, list); ++i) {
    double value;
    SAL_TRY(
        sal_value_number(&r->document, sal_document_item(&r->document, list, i), "values", &value));
    listed[f->n_listed++] = value;
    f->least = fmin(f->least, value);
    f->most = fmax(f->most, value);
    met |= value == f->preset;
    whole &= value == floor(value);
  }
  f->whole = whole;
  if (met) return SAL_OK;
  return sal_document_fail(&r->document, list, "discrete %s: preset %g is none of its values",
                           f->name, f->preset);
}

static sal_err check_order(const sal_equation_reading *r, int mapping, const char *noun,
                           const sal_field *f)
{
  if (f->least <= f->lo && f->lo <= f->preset && f->preset <= f->hi && f->hi <= f->most &&
      (!f->whole || f->preset == floor(f->preset)))
    return SAL_OK;
  return sal_document_fail(&r->document, mapping,
                           "%s %s: preset %g must lie in its range [%g, %g], and that in what is "
                           "allowed, [%g, %g]%s",
                           noun, f->name, f->preset, f->lo, f->hi, f->least, f->most,
                           f->whole ? ", and be whole" : "");
}

sal_err sal_equation_field_read(sal_equation_reading *r, int named, int mapping, const char *noun,
                                const char *const keys[], sal_field *f)
{
  char name[SAL_MAX_NAME];
  int preset;

  *f = (sal_field){.name = sal_document_text(&r->document, named)};
  snprintf(name, sizeof name, "%s %.40s", noun, f->name);
  SAL_TRY(sal_value_keys(&r->document, mapping, name, keys));
  SAL_TRY(sal_value_need(&r->document, mapping, name, "preset", &preset));
  SAL_TRY(sal_value_number(&r->document, preset, name, &f->preset));
  f->unit = sal_value_line(&r->document, mapping, "unit", "1");
  f->what = sal_value_line(&r->document, mapping, "what", noun);
  f->least = -1e30;
  f->most = 1e30;
  SAL_TRY(read_values(r, mapping, f));
  SAL_TRY(read_pair(r, mapping, name, "allowed", &f->least, &f->most));
  f->lo = f->hi = f->preset;
  SAL_TRY(read_pair(r, mapping, name, "range", &f->lo, &f->hi));
  SAL_TRY(sal_value_flag(&r->document, mapping, "whole", &f->whole));
  SAL_TRY(sal_value_flag(&r->document, mapping, "drifts", &f->drifts));
  SAL_TRY(read_scale(r, mapping, name, f));
  return check_order(r, mapping, noun, f);
}

sal_err sal_equation_field_add(sal_equation_reading *r, const sal_field *f, int name,
                               const char *noun, sal_graph_kind kind, int number)
{
  return sal_scope_add(&r->scope,
                       (sal_scope_name){.name = f->name,
                                        .what = noun,
                                        .text = name,
                                        .known = true,
                                        .value = sal_graph_quantity(&r->graph, kind, number)});
}

/* The fields that stand below a key: adds them to the list and their names to the scope. */
static sal_err read_fields(sal_equation_reading *r, const char *section, const char *noun,
                           const char *const keys[], sal_graph_kind kind, int most, int *n_field,
                           sal_field field[])
{
  const int mapping = sal_document_find(&r->document, section);
  int n;

  SAL_TRY(sal_value_pairs(&r->document, mapping, section, &n));
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, i);
    if (*n_field == most)
      return sal_document_fail(&r->document, pair->key, "more than %d %ss", most, noun);
    sal_field *f = &field[*n_field];
    const int number = kind == SAL_GRAPH_DISCRETE ? *n_field - r->n_continuous : *n_field;
    SAL_TRY(sal_equation_field_read(r, pair->key, pair->value, noun, keys, f));
    SAL_TRY(sal_equation_field_add(r, f, pair->key, noun, kind, number));
    ++*n_field;
  }
  return SAL_OK;
}

static sal_err read_words(sal_equation_reading *r, int o, int list, const char *name)
{
  SAL_TRY(sal_value_list(&r->document, list, name, 2, SAL_MAX_CHOICE));
  for (int w = 0; w < sal_document_count(&r->document, list); ++w) {
    const int node = sal_document_item(&r->document, list, w);
    const char *word;
    SAL_TRY(sal_value_name(&r->document, node, name, SAL_MAX_NAME - 1, &word));
    r->word[o][w] = r->model->option[o].choice[w] = word;
  }
  return SAL_OK;
}

static sal_err read_options(sal_equation_reading *r)
{
  const int mapping = sal_document_find(&r->document, "options");
  sal_model *m = r->model;
  int n;

  SAL_TRY(sal_value_pairs(&r->document, mapping, "options", &n));
  for (int o = 0; o < n; ++o) {
    const yaml_node_pair_t *pair = sal_document_pair(&r->document, mapping, o);
    const char *name = sal_document_text(&r->document, pair->key);
    char key[SAL_MAX_NAME];
    int words;
    if (o == SAL_MAX_OPTION)
      return sal_document_fail(&r->document, pair->key, "more than %d options", SAL_MAX_OPTION);
    snprintf(key, sizeof key, "option %.40s", name);
    SAL_TRY(sal_value_keys(&r->document, pair->value, key, option_keys));
    SAL_TRY(sal_value_need(&r->document, pair->value, key, "words", &words));
    m->option[o] = (sal_option){
        name, sal_value_line(&r->document, pair->value, "what", "option of the model"), {0}};
    SAL_TRY(read_words(r, o, words, key));
    SAL_TRY(sal_scope_add(&r->scope, (sal_scope_name){.name = name,
                                                      .kind = SAL_SCOPE_OPTION,
                                                      .what = "option",
                                                      .number = m->n_param + o,
                                                      .text = pair->key,
                                                      .known = true,
                                                      .word = r->word[o]}));
    m->n_option = o + 1;
  }
  return SAL_OK;
}

sal_err sal_equation_parameters(sal_equation_reading *r)
{
  sal_model *m = r->model;

  SAL_TRY(read_fields(r, "counts", "count", param_keys, SAL_GRAPH_WORD, SAL_MAX_PARAM, &m->n_param,
                      m->param));
  m->n_count = m->n_param;
  for (int i = 0; i < m->n_count; ++i) {
    sal_field *f = &m->param[i];
    sal_count_field(f, r->count ? &r->count[i] : NULL);
    SAL_TRY(
        sal_value_range(SAL_ERR_INPUT, r->document.path, f->name, f->preset, f->least, f->most));
  }
  SAL_TRY(read_fields(r, "parameters", "parameter", param_keys, SAL_GRAPH_WORD, SAL_MAX_PARAM,
                      &m->n_param, m->param));
  return read_options(r);
}

sal_err sal_equation_states(sal_equation_reading *r)
{
  sal_model *m = r->model;

  SAL_TRY(read_fields(r, "states", "state", state_keys, SAL_GRAPH_STATE, SAL_MAX_STATE, &m->n_state,
                      m->state));
  if (m->n_state == 0)
    return sal_document_fail(&r->document, 1, "states: a model has at least one, or coordinates");
  r->n_continuous = m->n_state;
  return read_fields(r, "discrete", "discrete state", discrete_keys, SAL_GRAPH_DISCRETE,
                     SAL_MAX_STATE, &m->n_state, m->state);
}

sal_err sal_equation_rates(sal_equation_reading *r)
{
  const int mapping = sal_document_find(&r->document, "states");
  const int first = r->n_energetic;

  for (int v = first; v < r->n_continuous; ++v) {
    const int of = sal_document_child(
        &r->document, sal_document_pair(&r->document, mapping, v - first)->value, "rate_of");
    int x;
    if (!of) continue;
    SAL_TRY(sal_equation_known_state(r, of, "rate_of", false, &x));
    if (x == v || r->model->velocity[x])
      return sal_document_fail(&r->document, of, "rate_of: %s %s", r->model->state[x].name,
                               x == v ? "is not a rate of itself" : "has another rate already");
    r->model->velocity[x] = (uint16_t)(1 + v);
  }
  return SAL_OK;
}

sal_err sal_equation_field_refuse(sal_equation_reading *r, int node, const char *sentence,
                                  int condition)
{
  int i = 0;

  while (i < r->n_flaw && !(r->sentence[i] == sentence &&
                            (r->flaw[i] == condition || r->n_flaw == SAL_EQUATION_FLAWS)))
    ++i;
  if (i < r->n_flaw) {
    r->flaw[i] = sal_algebra_or(&r->graph, r->flaw[i], condition);
    return SAL_OK;
  }
  if (r->n_flaw == SAL_EQUATION_FLAWS)
    return sal_document_fail(&r->document, node, "flaws: more than %d, those of laws included",
                             SAL_EQUATION_FLAWS);
  r->sentence[r->n_flaw] = sentence;
  r->flaw_node[r->n_flaw] = node;
  r->flaw[r->n_flaw++] = condition;
  return SAL_OK;
}
