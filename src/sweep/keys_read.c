/** One reader for each kind of value, and the walk through a document that calls them.
 *
 *  Keys are read in the order of the document, so that the first mistake is the one that is named.
 */
#include "base.h"
#include "keys.h"
#include "parameter_column.h"
#include "registry.h"
#include "validate.h"
#include "value.h"

enum { MAX_NAME = 128 };

#define A_LIST "a list, [.., ..]"

typedef struct {
  const sal_document *document;
  const sal_model *model; /* NULL: not known; nothing is said of what depends on it */
  sal_sweep *sweep;
  bool in_axis; /* the ranges of an axis' numbers depend on its columns: axis_read.c */
} reader;

/* A value: its key, its node, what messages call it, and which one of a list it is. */
typedef struct {
  int key, node;
  const char *name;
  int item;
} place;

typedef sal_err read_kind(const reader *r, const place *at);

static sal_err read_group(const reader *r, int node, const char *group, const char *name);

static sal_err no_memory(const reader *r)
{
  return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", r->document->path);
}

/* A number, or a word by its rank, becomes the member of the sweep that its key fills. */
static void store(const reader *r, const place *at, double value)
{
  const sal_key_slot *slot = &sal_key_slots[at->key];
  void *to = (char *)r->sweep + slot->offset;

  switch (slot->store) {
  case SAL_KEY_STORE_DOUBLE:
    ((double *)to)[at->item] = value;
    break;
  case SAL_KEY_STORE_INT:
    *(int *)to = (int)value;
    break;
  case SAL_KEY_STORE_INT64:
    *(int64_t *)to = (int64_t)value;
    break;
  case SAL_KEY_STORE_BOOL:
    *(bool *)to = value == 1;
    break;
  case SAL_KEY_STORE_STRATEGY:
    ((const sal_strategy **)to)[at->item] = sal_registry_strategies[(int)value];
    break;
  case SAL_KEY_STORE_ERROR:
    *(const sal_error_metric **)to = &sal_error_metrics[(int)value];
    break;
  default:
    break;
  }
}

/* "entry 2 of solvers" */
static const char *name_entry(const char *list, int i, char name[MAX_NAME])
{
  snprintf(name, MAX_NAME, "entry %d of %.100s", i + 1, list);
  return name;
}

/* "divergence.floor", "name of entry 1 of cells.axes" */
static const char *name_key(const char *outer, const char *key, char name[MAX_NAME])
{
  if (strncmp(outer, "entry ", 6) == 0)
    snprintf(name, MAX_NAME, "%.30s of %.90s", key, outer);
  else
    snprintf(name, MAX_NAME, "%.60s%s%.60s", outer, outer[0] ? "." : "", key);
  return name;
}

static sal_err read_text(const reader *r, const place *at)
{
  const sal_key_slot *slot = &sal_key_slots[at->key];
  const char *text = sal_document_text(r->document, at->node);
  char **to = (char **)(void *)((char *)r->sweep + slot->offset);

  if (!text) return sal_value_wrong_kind(r->document, at->node, at->name, "text");
  if (slot->store == SAL_KEY_STORE_NONE) return SAL_OK;
  if (!(*to = sal_text_copy(text))) return no_memory(r);
  sal_text_plain(*to); /* as one line: it is printed by many */
  return SAL_OK;
}

static sal_err read_number(const reader *r, const place *at)
{
  const sal_key *key = &sal_keys[at->key];
  const bool whole = sal_key_slots[at->key].kind == SAL_KEY_WHOLE;
  double value;

  SAL_TRY(sal_value_number(r->document, at->node, at->name, &value));
  if (r->in_axis) return SAL_OK;
  SAL_TRY(sal_value_check(r->document, at->node, key->name, key->least, key->most, whole, NULL));
  store(r, at, value);
  return SAL_OK;
}

/* The model whose number of contacts has this name, or NULL. */
static const sal_model *model_counting(const char *name)
{
  for (const sal_model *const *m = sal_registry_models; *m; ++m)
    if ((*m)->counted_by && strcmp((*m)->param[(*m)->counted_by - 1].name, name) == 0) return *m;
  return NULL;
}

/* The name of another model's number of contacts is more than a misspelt word. */
static sal_err refuse_count(const reader *r, const place *at, const sal_model *counts)
{
  char has[32] = "none";

  if (r->model->n_guard) snprintf(has, sizeof has, "%d, always", r->model->n_guard);
  return sal_document_fail(r->document, at->node,
                           "%s: '%s' is the number of contacts of model %s; the contacts of %s: %s",
                           at->name, counts->param[counts->counted_by - 1].name, counts->name,
                           r->model->name, has);
}

/* The rank of a word among names. */
static sal_err read_rank(const reader *r, const place *at, const char *const names[], int *rank)
{
  const char *text = sal_document_text(r->document, at->node);
  const sal_model *counts = text ? model_counting(text) : NULL;

  if (counts && sal_text_rank(text, names) < 0 && strstr(at->name, "cells.") && r->model &&
      sal_registry_model(r->model->name))
    return refuse_count(r, at, counts);
  return sal_value_word(r->document, at->node, at->name, names, rank);
}

static sal_err read_word(const reader *r, const place *at)
{
  const char *names[SAL_MAX_WORD + 1];
  int rank = 0;

  sal_enum_words_gather(sal_key_slots[at->key].words, r->model, names);
  SAL_TRY(read_rank(r, at, names, &rank));
  store(r, at, rank);
  return SAL_OK;
}

/* A list of 1 to `most` values. */
static sal_err read_each(const reader *r, const place *at, int most, read_kind *read)
{
  char name[MAX_NAME];

  SAL_TRY(sal_value_list(r->document, at->node, at->name, 1, most));
  for (int i = 0; i < sal_document_count(r->document, at->node); ++i) {
    const int item = sal_document_item(r->document, at->node, i);
    const place entry = {at->key, item, name_entry(at->name, i, name), i};
    SAL_TRY(read(r, &entry));
  }
  return SAL_OK;
}

static sal_err read_words(const reader *r, const place *at)
{
  const sal_enum_words words = sal_key_slots[at->key].words;
  const bool columns = words == SAL_ENUM_COLUMNS || words == SAL_ENUM_NAMES;

  return read_each(r, at, columns ? SAL_MAX_COLUMN : SAL_MAX_LIST, read_word);
}

static sal_err read_numbers(const reader *r, const place *at)
{
  return read_each(r, at, SAL_MAX_LIST, read_number);
}

/* [lo, hi]; axis_read.c takes the numbers, by the names of their columns. */
static sal_err read_range(const reader *r, const place *at)
{
  const int n = sal_document_count(r->document, at->node);

  if (sal_document_node(r->document, at->node)->type != YAML_SEQUENCE_NODE)
    return sal_value_wrong_kind(r->document, at->node, at->name, "a list of numbers");
  if (n == 2) return SAL_OK;
  return sal_document_fail(r->document, at->node, "%s: a list of %d; allowed: 2, as in [lo, hi]",
                           at->name, n);
}

static sal_err read_ranges(const reader *r, const place *at)
{
  return read_each(r, at, SAL_MAX_COLUMN, read_range);
}

static sal_err read_subgroup(const reader *r, const place *at)
{
  return read_group(r, at->node, sal_keys[at->key].name, at->name);
}

static sal_err read_axes(const reader *r, const place *at)
{
  reader inner = *r;

  inner.in_axis = true;
  return read_each(&inner, at, SAL_MAX_AXIS, read_subgroup);
}

/* Calls `read` with the rank of each key of a mapping among `names`. */
static sal_err read_named(const reader *r, const place *at, const char *const names[],
                          sal_err (*read)(const reader *r, const place *value, int rank))
{
  char name[MAX_NAME];
  int n, rank;

  SAL_TRY(sal_value_keys(r->document, at->node, at->name, names));
  SAL_TRY(sal_value_pairs(r->document, at->node, at->name, &n));
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *p = sal_document_pair(r->document, at->node, i);
    const char *key = sal_document_text(r->document, p->key);
    const place value = {at->key, p->value, name_key(at->name, key, name), 0};
    SAL_TRY(sal_value_rank(r->document, p->key, "", "key", names, &rank));
    SAL_TRY(read(r, &value, rank));
  }
  return SAL_OK;
}

static sal_err read_option(const reader *r, const place *at, int option)
{
  const char *names[SAL_MAX_WORD + 1];
  int rank = 0;

  sal_enum_words_choices(&r->model->option[option], names);
  SAL_TRY(read_rank(r, at, names, &rank));
  r->sweep->param[r->model->n_param + option] = rank;
  return SAL_OK;
}

static sal_err read_options(const reader *r, const place *at)
{
  const char *names[SAL_MAX_OPTION + 1] = {NULL};

  for (int i = 0; i < r->model->n_option; ++i) names[i] = r->model->option[i].name;
  return read_named(r, at, names, read_option);
}

static sal_err read_field(const reader *r, const place *at, const sal_field *field, double *value)
{
  SAL_TRY(sal_value_number(r->document, at->node, at->name, value));
  return sal_value_check(r->document, at->node, field->name, field->least, field->most,
                         field->whole, NULL);
}

static sal_err read_parameter(const reader *r, const place *at, int rank)
{
  return read_field(r, at, &r->model->param[rank], &r->sweep->param[rank]);
}

static sal_err read_state(const reader *r, const place *at, int rank)
{
  const sal_field *f = &r->model->state[rank];

  return f->follows
             ? sal_document_fail(r->document, at->node,
                                 "initial: %s follows from the other initial states", f->name)
             : read_field(r, at, f, &r->sweep->initial[rank]);
}

static sal_err read_parameters(const reader *r, const place *at)
{
  const char *names[SAL_MAX_PARAM + 1] = {NULL};

  for (int i = 0; i < r->model->n_param; ++i) names[i] = r->model->param[i].name;
  return read_named(r, at, names, read_parameter);
}

static sal_err read_initial(const reader *r, const place *at)
{
  const char *names[SAL_MAX_STATE + 1] = {NULL};

  for (int i = 0; i < r->model->n_state; ++i) names[i] = r->model->state[i].name;
  return read_named(r, at, names, read_state);
}

static sal_err read_scale(const reader *r, const place *at, int rank)
{
  return sal_value_check(r->document, at->node, at->name, SAL_LEAST_SCALE, SAL_MOST_SCALE, false,
                         &r->sweep->scale[rank]);
}

static sal_err read_scales(const reader *r, const place *at)
{
  const char *names[SAL_MAX_STATE + 1] = {NULL};

  r->sweep->scaled = true;
  for (int i = 0; i < sal_model_continuous(r->model); ++i) {
    names[i] = r->model->state[i].name;
    r->sweep->scale[i] = r->model->state[i].scale > 0 ? r->model->state[i].scale : 1;
  }
  return read_named(r, at, names, read_scale);
}

/* How each kind is read.  `modelled`: what it may be depends on the model.  Kinds that are absent are
 * read from the document by those whom keys.h names. */
static const struct {
  read_kind *read;
  bool modelled;
} kinds[] = {
    [SAL_KEY_TEXT] = {read_text, false},      [SAL_KEY_NUMBER] = {read_number, false},
    [SAL_KEY_WHOLE] = {read_number, false},   [SAL_KEY_WORD] = {read_word, false},
    [SAL_KEY_WORDS] = {read_words, false},    [SAL_KEY_NUMBERS] = {read_numbers, false},
    [SAL_KEY_RANGE] = {read_range, false},    [SAL_KEY_RANGES] = {read_ranges, false},
    [SAL_KEY_GROUP] = {read_subgroup, true},  [SAL_KEY_AXES] = {read_axes, true},
    [SAL_KEY_OPTIONS] = {read_options, true}, [SAL_KEY_PARAMETERS] = {read_parameters, true},
    [SAL_KEY_INITIAL] = {read_initial, true}, [SAL_KEY_SCALES] = {read_scales, true},
};

/* The rank of the next key that lies directly in `group` ("" is the file itself), from rank i. */
static int next_key_in(const char *group, int i)
{
  const size_t n = strlen(group);

  for (; sal_keys[i].name; ++i) {
    const char *name = sal_keys[i].name;
    if (n == 0 && !strchr(name, '.')) return i;
    if (n > 0 && strncmp(name, group, n) == 0 && name[n] == '.' && !strchr(name + n + 1, '.'))
      return i;
  }
  return -1;
}

/* A key's last part. */
static const char *last_part(const char *name)
{
  const char *dot = strrchr(name, '.');

  return dot ? dot + 1 : name;
}

static sal_err read_key(const reader *r, const place *at)
{
  const sal_key_kind kind = sal_key_slots[at->key].kind;

  if ((size_t)kind >= sizeof kinds / sizeof kinds[0] || !kinds[kind].read) return SAL_OK;
  return kinds[kind].modelled && !r->model ? SAL_OK : kinds[kind].read(r, at);
}

/* The keys that lie directly in `group`, which the mapping `name` has, into the sweep. */
static sal_err read_group(const reader *r, int node, const char *group, const char *name)
{
  const char *names[SAL_N_KEY + 1];
  int rank[SAL_N_KEY] = {0}, n_key = 0, n, k;
  char inner[MAX_NAME];

  for (int i = next_key_in(group, 0); i >= 0; i = next_key_in(group, i + 1)) {
    rank[n_key] = i;
    names[n_key++] = last_part(sal_keys[i].name);
  }
  names[n_key] = NULL;
  SAL_TRY(sal_value_keys(r->document, node, name, names));
  SAL_TRY(sal_value_pairs(r->document, node, name, &n));
  for (int i = 0; i < n; ++i) {
    const yaml_node_pair_t *p = sal_document_pair(r->document, node, i);
    SAL_TRY(sal_value_rank(r->document, p->key, "", "key", names, &k));
    const place at = {rank[k], p->value, name_key(name, names[k], inner), 0};
    SAL_TRY(read_key(r, &at));
  }
  for (k = 0; k < n_key; ++k)
    if (strcmp(sal_keys[rank[k]].preset, "(required)") == 0 &&
        !sal_document_child(r->document, node, names[k]))
      return sal_key_missing(r->document, node, name_key(name, names[k], inner));
  return SAL_OK;
}

sal_err sal_key_missing(const sal_document *document, int mapping, const char *name)
{
  const sal_key *key = sal_key_named(name);

  return sal_document_fail(document, mapping, "required key '%s' is missing%s%s%s%s", name,
                           key ? "; it is a " : "", key ? sal_key_type(key) : "", key ? ": " : "",
                           key ? key->what : "");
}

sal_err sal_keys_read(const sal_document *document, const sal_model *model, sal_sweep *sweep)
{
  const reader r = {.document = document, .model = model, .sweep = sweep};

  sweep->model = model;
  if (model) sal_parameter_presets(model, sweep->param, sweep->initial);
  SAL_TRY(read_group(&r, 1, "", ""));
  assert(model); /* `model` is required, and its words are those of the registry */
  return SAL_OK;
}
