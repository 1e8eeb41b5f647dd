/** @file src/sweep/schema_load.c
 *  Reading of a document by libcyaml, and one sentence on the first thing that is wrong with it.
 *
 *  libcyaml reports an error as a line about it and a backtrace of where in the text it was met.
 *  That text is not the user's file, since presets and overrides are in it, so only the path is
 *  taken from the backtrace; line and found value come from the document, allowed ones from the
 *  schema.
 */
#include "schema_load.h"
#include "document_edit.h"
#include "keys.h"
#include "memory.h"
#include "registry.h"
#include "schema.h"
#include "text.h"
#include "value.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_FRAME = 16, MAX_LINE = 256, MAX_NAME = 128 };

/* One line of the backtrace: the key of a mapping, or the n-th entry of a list. */
typedef struct {
  char key[MAX_NAME];
  unsigned entry;
} trace_frame;

/* What libcyaml said; the innermost frame comes first. */
typedef struct {
  char first[MAX_LINE];
  trace_frame frame[MAX_FRAME];
  int n_frame;
} cyaml_complaint;

/* The place of an error in document and schema. */
typedef struct {
  const sal_document *document;
  const cyaml_schema_value_t *schema;
  int node;
  char name[MAX_NAME]; /* "entry 2 of methods" */
  const char *said;    /* libcyaml's own words */
} trouble_spot;

static void __attribute__((format(printf, 3, 0)))
record_complaint(cyaml_log_t level, void *context, const char *format, va_list args)
{
  cyaml_complaint *c = context;
  char line[MAX_LINE];
  trace_frame f = {"", 0};
  (void)level;
  vsnprintf(line, sizeof line, format, args);
  const bool placed = sscanf(line, "  in mapping field '%127[^']'", f.key) == 1 ||
                      sscanf(line, "  in sequence entry '%u'", &f.entry) == 1 ||
                      strncmp(line, "  in mapping", 12) == 0;
  if (placed && c->n_frame < MAX_FRAME) c->frame[c->n_frame++] = f;
  if (!placed && c->first[0] == '\0') memcpy(c->first, line, sizeof line);
}

static const cyaml_schema_field_t *field_named(const cyaml_schema_value_t *mapping, const char *key)
{
  if (mapping->type != CYAML_MAPPING) return NULL;
  for (const cyaml_schema_field_t *f = mapping->mapping.fields; f->key; ++f)
    if (strcmp(f->key, key) == 0) return f;
  return NULL;
}

/* Goes down one frame; stays where it is when the frame leads nowhere. */
static void go_down(trouble_spot *at, const trace_frame *f)
{
  char outer[MAX_NAME];
  const bool is_key = f->key[0] != '\0';
  const int node = is_key ? sal_document_child(at->document, at->node, f->key)
                          : sal_document_item(at->document, at->node, (int)f->entry - 1);
  const cyaml_schema_field_t *field = is_key ? field_named(at->schema, f->key) : NULL;
  if (!node || (is_key && !field)) return;
  at->node = node;
  at->schema = is_key ? &field->value : at->schema->sequence.entry;
  memcpy(outer, at->name, sizeof outer);
  if (is_key && strncmp(outer, "entry ", 6) == 0)
    snprintf(at->name, sizeof at->name, "%.30s of %.90s", f->key, outer);
  else if (is_key)
    snprintf(at->name, sizeof at->name, "%.60s%s%.60s", outer, outer[0] ? "." : "", f->key);
  else
    snprintf(at->name, sizeof at->name, "entry %u of %.100s", f->entry, outer);
}

static sal_err report_unknown_key(const trouble_spot *at)
{
  const yaml_node_t *n = sal_document_node(at->document, at->node);
  const char *names[SAL_MAX_FIELD + 1], *key;
  char place[SAL_PLACE], what[MAX_NAME + 16];
  int k = 0;
  for (const cyaml_schema_field_t *f = at->schema->mapping.fields; f->key; ++f) names[k++] = f->key;
  names[k] = NULL;
  snprintf(what, sizeof what, at->name[0] ? "key of %s" : "key", at->name);
  for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
       ++p) {
    key = sal_document_text(at->document, p->key);
    if (!field_named(at->schema, key))
      return sal_text_unknown(SAL_ERR_INPUT, sal_document_place(at->document, p->key, place), what,
                              key, names);
  }
  return sal_document_fail(at->document, at->node, "%s", at->said);
}

sal_err sal_schema_missing(const sal_document *document, int mapping, const char *name)
{
  const sal_key *key = sal_key_named(name);
  return sal_document_fail(document, mapping, "required key '%s' is missing%s%s%s%s", name,
                           key ? "; it is a " : "", key ? key->type : "", key ? ": " : "",
                           key ? key->what : "");
}

static sal_err report_missing_key(const trouble_spot *at)
{
  for (const cyaml_schema_field_t *f = at->schema->mapping.fields; f->key; ++f) {
    char name[2 * MAX_NAME];
    if (f->value.flags & CYAML_FLAG_OPTIONAL || sal_document_child(at->document, at->node, f->key))
      continue;
    snprintf(name, sizeof name, "%s%s%s", at->name, at->name[0] ? "." : "", f->key);
    return sal_schema_missing(at->document, at->node, name);
  }
  return sal_document_fail(at->document, at->node, "%s", at->said);
}

static sal_err report_length(const trouble_spot *at)
{
  const int n = sal_document_count(at->document, at->node);
  const uint32_t least = at->schema->sequence.min, most = at->schema->sequence.max;
  char allowed[64];
  if (least == most)
    snprintf(allowed, sizeof allowed, "%u, as in [lo, hi]", least);
  else if (most == CYAML_UNLIMITED)
    snprintf(allowed, sizeof allowed, "%u or more", least);
  else
    snprintf(allowed, sizeof allowed, "%u to %u", least, most);
  return sal_document_fail(at->document, at->node, "%s: a list of %d; allowed: %s", at->name, n,
                           allowed);
}

/* The model whose number of contacts has this name, or NULL. */
static const sal_model *model_counting(const char *name)
{
  for (const sal_model *const *m = sal_registry_models; *m; ++m)
    if ((*m)->counted_by && strcmp((*m)->param[(*m)->counted_by - 1].name, name) == 0) return *m;
  return NULL;
}

static const sal_model *registered_model(const trouble_spot *at)
{
  const char *name = sal_document_text(at->document, sal_document_find(at->document, "model"));
  return name ? sal_registry_model(name) : NULL;
}

/* The name of another model's number of contacts is more than a misspelt word. */
static sal_err report_no_count(const trouble_spot *at, const sal_model *counts)
{
  const sal_model *m = registered_model(at);
  char has[32] = "none";
  if (m->n_guard) snprintf(has, sizeof has, "%d, always", m->n_guard);
  return sal_document_fail(at->document, at->node,
                           "%s: '%s' is the number of contacts of model %s; the contacts of %s: %s",
                           at->name, counts->param[counts->counted_by - 1].name, counts->name,
                           m->name, has);
}

static sal_err report_unknown_word(const trouble_spot *at, const char *text)
{
  const char *names[SAL_MAX_WORD + 1];
  char where[SAL_PLACE + MAX_NAME + 4], place[SAL_PLACE];
  int n = 0;
  if (strstr(at->name, "cells.") && model_counting(text) && registered_model(at))
    return report_no_count(at, model_counting(text));
  for (; n < (int)at->schema->enumeration.count && n < SAL_MAX_WORD; ++n)
    names[n] = at->schema->enumeration.strings[n].str;
  names[n] = NULL;
  snprintf(where, sizeof where, "%s: %s", sal_document_place(at->document, at->node, place),
           at->name);
  return sal_text_unknown(SAL_ERR_INPUT, where, "word", text, names);
}

static sal_err report_value(const trouble_spot *at)
{
  static const char *const wanted[CYAML__TYPE_COUNT] = {
      [CYAML_ENUM] = "a word",
      [CYAML_FLOAT] = "a number",
      [CYAML_STRING] = "text",
      [CYAML_MAPPING] = "a mapping, KEY: VALUE",
      [CYAML_SEQUENCE] = "a list, [.., ..]",
      [CYAML_SEQUENCE_FIXED] = "a list of numbers",
  };
  const char *text = sal_document_text(at->document, at->node);
  const char *want = wanted[at->schema->type];
  if (text && text[0] && at->schema->type == CYAML_ENUM) return report_unknown_word(at, text);
  if (text && text[0] && at->schema->type == CYAML_FLOAT)
    return sal_value_no_number(at->document, at->node, at->name);
  return sal_value_wrong_kind(at->document, at->node, at->name, want ? want : at->said);
}

/* The sentence for each of libcyaml's errors.  `inside`: it is noticed inside of what is wrong. */
static const struct {
  sal_err (*say)(const trouble_spot *at);
  bool inside;
} reports[CYAML_ERR__COUNT] = {
    [CYAML_ERR_INVALID_KEY] = {report_unknown_key, true},
    [CYAML_ERR_MAPPING_FIELD_MISSING] = {report_missing_key, true},
    [CYAML_ERR_SEQUENCE_ENTRIES_MIN] = {report_length, true},
    [CYAML_ERR_SEQUENCE_ENTRIES_MAX] = {report_length, true},
    [CYAML_ERR_INVALID_VALUE] = {report_value, false},
};

static sal_err report_failure(cyaml_err_t err, const cyaml_complaint *c, const sal_schema *schema,
                              const sal_document *document)
{
  trouble_spot at = {.document = document, .schema = &schema->top, .node = 1, .said = c->first};
  /* What libyaml has read and written before fails there for want of memory only. */
  if (err == CYAML_ERR_OOM || err >= CYAML_ERR_LIBYAML_EMITTER_INIT)
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
  if (!reports[err].say)
    return sal_document_fail(document, 1, "%s: %s", cyaml_strerror(err), c->first);
  for (int i = c->n_frame - 1; i >= (reports[err].inside ? 1 : 0); --i) go_down(&at, &c->frame[i]);
  return reports[err].say(&at);
}

static cyaml_config_t loader_config(cyaml_complaint *c)
{
  return (cyaml_config_t){
      .log_fn = record_complaint, .log_ctx = c, .mem_fn = cyaml_mem, .log_level = CYAML_LOG_ERROR};
}

sal_err sal_schema_load(const sal_schema *schema, const sal_document *document, sal_raw **raw)
{
  cyaml_complaint c = {.n_frame = 0};
  const cyaml_config_t cf = loader_config(&c);
  char *text = sal_document_emit(document);
  *raw = NULL;
  if (!text) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
  const cyaml_err_t err = cyaml_load_data((const uint8_t *)text, strlen(text), &cf, &schema->top,
                                          (cyaml_data_t **)raw, NULL);
  sal_free(text);
  return err == CYAML_OK ? SAL_OK : report_failure(err, &c, schema, document);
}

void sal_schema_free(const sal_schema *schema, sal_raw *raw)
{
  cyaml_complaint c = {.n_frame = 0};
  const cyaml_config_t cf = loader_config(&c);
  if (raw) cyaml_free(&cf, &schema->top, raw, 0);
}
