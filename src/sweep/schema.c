/** @file src/sweep/schema.c
 *  The schema made from the table of keys.
 */
#include "schema.h"
#include <assert.h>
#include <stddef.h>
#include <string.h>

static const cyaml_schema_value_t ignored = {.type = CYAML_IGNORE};

static cyaml_schema_value_t number_schema(void)
{
  return (cyaml_schema_value_t){CYAML_VALUE_FLOAT(CYAML_FLAG_STRICT, double)};
}

/* A word by its rank in names. */
static cyaml_schema_value_t word_schema(sal_schema *schema, int n, const char *const names[])
{
  cyaml_strval_t *strings = schema->word + schema->n_word;
  assert(schema->n_word + n <= SAL_MAX_STRVAL);
  for (int i = 0; i < n; ++i) strings[i] = (cyaml_strval_t){names[i], i};
  schema->n_word += n;
  return (cyaml_schema_value_t){CYAML_VALUE_ENUM(CYAML_FLAG_STRICT, int32_t, strings, (uint32_t)n)};
}

static cyaml_schema_value_t *keep_entry(sal_schema *schema, cyaml_schema_value_t value)
{
  assert(schema->n_entry < SAL_MAX_ENTRY);
  schema->entry[schema->n_entry] = value;
  return &schema->entry[schema->n_entry++];
}

/* A list of 1 .. most; the values lie behind a pointer. */
static cyaml_schema_value_t list_schema(sal_schema *schema, cyaml_schema_value_t value,
                                        uint32_t size, uint32_t most)
{
  return (cyaml_schema_value_t){
      .type = CYAML_SEQUENCE,
      .flags = CYAML_FLAG_POINTER,
      .data_size = size,
      .sequence = {.entry = keep_entry(schema, value), .min = 1, .max = most},
  };
}

/* [lo, hi] */
static cyaml_schema_value_t range_schema(sal_schema *schema)
{
  return (cyaml_schema_value_t){CYAML_VALUE_SEQUENCE_FIXED(CYAML_FLAG_DEFAULT, double,
                                                           keep_entry(schema, number_schema()), 2)};
}

static cyaml_schema_field_t *add_field(sal_schema *schema, const char *key, size_t offset,
                                       cyaml_schema_value_t value)
{
  assert(schema->n_field < SAL_MAX_FIELD);
  cyaml_schema_field_t *f = &schema->field[schema->n_field++];
  *f = (cyaml_schema_field_t){.key = key, .data_offset = (uint32_t)offset, .value = value};
  return f;
}

/* Makes it legal for a field to be absent. */
static void make_optional(cyaml_schema_field_t *f)
{
  f->value.flags = (cyaml_flag_e)(f->value.flags | CYAML_FLAG_OPTIONAL);
}

static void add_option_fields(sal_schema *schema, const sal_model *model)
{
  for (int i = 0; i < model->n_option; ++i) {
    const char *names[SAL_MAX_WORD + 1];
    const int n = sal_enum_words_choices(&model->option[i], names);
    make_optional(add_field(schema, model->option[i].name,
                            offsetof(sal_raw, option) + (size_t)i * sizeof(int32_t),
                            word_schema(schema, n, names)));
  }
}

static void add_number_fields(sal_schema *schema, int n, const sal_field from[], size_t offset)
{
  for (int i = 0; i < n; ++i)
    make_optional(
        add_field(schema, from[i].name, offset + (size_t)i * sizeof(double), number_schema()));
}

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

/* Ends the fields from `first` on: they are a mapping.  All offsets count from the start of the
 * sal_raw, or the sal_raw_axis, however deep the key. */
static cyaml_schema_value_t mapping_schema(sal_schema *schema, const cyaml_schema_field_t *first,
                                           size_t size)
{
  add_field(schema, NULL, 0, ignored);
  return (cyaml_schema_value_t){
      .type = CYAML_MAPPING, .data_size = (uint32_t)size, .mapping = {.fields = first}};
}

/* The mapping whose keys the model decides. */
static cyaml_schema_value_t model_mapping_schema(sal_schema *schema, const sal_model *model,
                                                 sal_key_kind kind)
{
  const cyaml_schema_field_t *first = schema->field + schema->n_field;
  if (kind == SAL_KEY_OPTIONS) add_option_fields(schema, model);
  if (kind == SAL_KEY_PARAMETERS)
    add_number_fields(schema, model->n_param, model->param, offsetof(sal_raw, param));
  if (kind == SAL_KEY_INITIAL)
    add_number_fields(schema, model->n_state, model->state, offsetof(sal_raw, initial));
  return mapping_schema(schema, first, sizeof(sal_raw));
}

/* The schema of the value of key i, which is no group.  While the model is not known nothing is
 * said about what depends on it: the missing model will be complained of. */
static cyaml_schema_value_t value_schema(sal_schema *schema, const sal_model *model, int i)
{
  const sal_key_slot *slot = &sal_key_slots[i];
  const char *names[SAL_MAX_WORD + 1];
  const int n = sal_enum_words_gather(slot->words, model, names);
  switch (slot->kind) {
  case SAL_KEY_TEXT:
    return (cyaml_schema_value_t){CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)};
  case SAL_KEY_NUMBER:
  case SAL_KEY_WHOLE:
    return number_schema();
  case SAL_KEY_WORD:
    return word_schema(schema, n, names);
  case SAL_KEY_WORDS:
    return list_schema(schema, word_schema(schema, n, names), sizeof(int32_t),
                       slot->words == SAL_ENUM_COLUMNS || slot->words == SAL_ENUM_NAMES
                           ? SAL_MAX_COLUMN
                           : SAL_MAX_LIST);
  case SAL_KEY_NUMBERS:
    return list_schema(schema, number_schema(), sizeof(double), SAL_MAX_LIST);
  case SAL_KEY_RANGE:
    return range_schema(schema);
  case SAL_KEY_RANGES:
    return list_schema(schema, range_schema(schema), 2 * sizeof(double), SAL_MAX_COLUMN);
  case SAL_KEY_LOG:
  case SAL_KEY_VALUES:
  case SAL_KEY_ROWS:
  case SAL_KEY_FIELDS:
  case SAL_KEY_CELLS:
  case SAL_KEY_NAMES:
  case SAL_KEY_METHODS:
  case SAL_KEY_LIBRARIES:
    return ignored;
  default:
    return model ? model_mapping_schema(schema, model, slot->kind) : ignored;
  }
}

static bool is_group(int i)
{
  return sal_key_slots[i].kind == SAL_KEY_GROUP || sal_key_slots[i].kind == SAL_KEY_AXES;
}

/* The mapping of the keys that lie directly in `name` ("": the file), which fill a struct of `size`
 * bytes.  inner [rank of the key]: the groups in it, done already. */
static cyaml_schema_value_t group_schema(sal_schema *schema, const sal_model *model,
                                         const char *name, const cyaml_schema_value_t inner[],
                                         size_t size)
{
  cyaml_schema_field_t own[SAL_N_KEY];
  int n = 0;
  /* Values may bring fields of their own; those of this mapping must lie side by side. */
  for (int i = next_key_in(name, 0); i >= 0; i = next_key_in(name, i + 1)) {
    const sal_key_slot *slot = &sal_key_slots[i];
    const char *dot = strrchr(sal_keys[i].name, '.');
    own[n] =
        (cyaml_schema_field_t){.key = dot ? dot + 1 : sal_keys[i].name,
                               .data_offset = slot->offset,
                               .count_offset = slot->count_offset,
                               .count_size = sizeof(uint32_t),
                               .value = is_group(i) ? inner[i] : value_schema(schema, model, i)};
    if (strcmp(sal_keys[i].preset, "(required)") != 0) make_optional(&own[n]);
    ++n;
  }
  const cyaml_schema_field_t *first = schema->field + schema->n_field;
  for (int i = 0; i < n; ++i) *add_field(schema, NULL, 0, own[i].value) = own[i];
  return mapping_schema(schema, first, size);
}

/* Group number i, or the list of them. */
static cyaml_schema_value_t group_value_schema(sal_schema *schema, const sal_model *model, int i,
                                               const cyaml_schema_value_t inner[])
{
  const char *name = sal_keys[i].name;
  if (!model) return ignored;
  if (sal_key_slots[i].kind == SAL_KEY_GROUP)
    return group_schema(schema, model, name, inner, sizeof(sal_raw));
  return list_schema(schema, group_schema(schema, model, name, inner, sizeof(sal_raw_axis)),
                     sizeof(sal_raw_axis), SAL_MAX_AXIS);
}

void sal_schema_build(const sal_model *model, sal_schema *schema)
{
  cyaml_schema_value_t inner[SAL_N_KEY] = {ignored};
  memset(schema, 0, sizeof *schema);
  /* A group comes before what lies in it, so that the inner ones are done first from the end. */
  for (int i = SAL_N_KEY - 1; i >= 0; --i)
    if (is_group(i)) inner[i] = group_value_schema(schema, model, i, inner);
  schema->top = group_schema(schema, model, "", inner, sizeof(sal_raw));
  schema->top.flags = CYAML_FLAG_POINTER;
}
