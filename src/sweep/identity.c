/** Writing what results depend on, key by key. */
#include "base.h"
#include "keys.h"
#include "model_source.h"
#include "parameter_column.h"
#include "value.h"

enum { MAX_PATH = 512 };

typedef struct {
  const sal_document *document;
  bool sweep; /* else a text of a model or a solver, whose order may count */
  sal_text out, line;
} writer;

/* A key: where its line is named, and where its node lies below the root. */
typedef struct {
  const char *name;
  int depth, node;
} place;

/* Its line in the file; 0: none, -1: an override. */
static int line_of(const writer *w, int node)
{
  if (!w->document || !sal_document_given(w->document, node)) return 0;
  if (sal_document_overridden(w->document, node)) return -1;
  return (int)sal_document_node(w->document, node)->start_mark.line + 1;
}

static void put_line(writer *w, const char *name, const char *value, int line)
{
  sal_text_add(&w->out, "%s: %s\n", name, value);
  sal_text_append(&w->line, (const char *)&line, sizeof line);
}

static void put_number(writer *w, const char *name, double value, int node)
{
  char text[SAL_TEXT_NUMBER];

  put_line(w, name, sal_text_number(value, text), line_of(w, node));
}

static bool is_of_word(char c)
{
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A word in one line; in formulas blanks part words, and are nothing elsewhere. */
static void add_word(const writer *w, const char *text, sal_text *out)
{
  for (const char *at = text; *at;) {
    const size_t n = strspn(at, " \t\r\n");
    const bool parts = n > 0 && at > text && at[n] && is_of_word(at[-1]) && is_of_word(at[n]);
    if (n == 0)
      sal_text_append(out, at, 1);
    else if (w->sweep)
      for (size_t i = 0; i < n; ++i) sal_text_add(out, at[i] == '\n' ? "\\n" : "%c", at[i]);
    else if (parts)
      sal_text_add(out, " ");
    at += n ? n : 1;
  }
}

static void add_scalar(const writer *w, int node, bool in_list, sal_text *out)
{
  const char *text = sal_document_text(w->document, node);
  char number[SAL_TEXT_NUMBER];
  double value;

  if (sal_value_read(text, &value))
    sal_text_add(out, "%s", sal_text_number(value, number));
  else if (in_list && strpbrk(text, ",[]\""))
    sal_text_add(out, "\"%s\"", text);
  else
    add_word(w, text, out);
}

static bool is_list_of_words(const sal_document *document, int node)
{
  for (int i = 0; i < sal_document_count(document, node); ++i)
    if (!sal_document_text(document, sal_document_item(document, node, i))) return false;
  return sal_document_node(document, node)->type == YAML_SEQUENCE_NODE;
}

/* A value of one line: a word, a number, or a list of them. */
static void add_value(const writer *w, int node, sal_text *out)
{
  const int n = sal_document_count(w->document, node);

  if (sal_document_text(w->document, node)) {
    add_scalar(w, node, false, out);
    return;
  }
  sal_text_add(out, "[");
  for (int i = 0; i < n; ++i) {
    if (i) sal_text_add(out, ", ");
    add_scalar(w, sal_document_item(w->document, node, i), true, out);
  }
  sal_text_add(out, "]");
}

/* The key as the table names it: "cells.axes.seed" of "cells.axes[2].seed". */
static const sal_key *key_of(const char *name)
{
  char bare[MAX_PATH];
  size_t n = 0;

  for (; *name && n + 1 < sizeof bare; ++name) {
    if (*name == '[')
      name = strchr(name, ']');
    else
      bare[n++] = *name;
  }
  bare[n] = '\0';
  return sal_key_named(bare);
}

/* Is this what the key is without being given?  Its preset may stand in brackets, as that of a seed. */
static bool is_preset(writer *w, const place *at, const char *value)
{
  const sal_key *key = w->sweep ? key_of(at->name) : NULL;
  const bool described = key && sal_key_described(key);
  SAL_OWN char *preset = key ? sal_text_copy(key->preset + described) : NULL;
  char number[SAL_TEXT_NUMBER];
  double x;

  w->out.lost |= key && !preset;
  if (!preset) return false;
  if (!described && !sal_document_given(w->document, at->node)) return true;
  if (described) preset[strlen(preset) - 1] = '\0';
  return strcmp(value, sal_value_read(preset, &x) ? sal_text_number(x, number) : preset) == 0;
}

/* Keys of a sweep that no result depends on, or that are written by their values. */
static bool is_left_out_of_sweep(const place *at)
{
  static const char *const keys[] = {"title",
                                     "map",
                                     "store",
                                     "width",
                                     "model",
                                     "options",
                                     "model_text",
                                     "solver_texts",
                                     "parameters",
                                     "initial",
                                     "reference_tolerance",
                                     NULL};

  return (at->depth == 1 && sal_text_rank(at->name, keys) >= 0) ||
         strcmp(at->name, "divergence.epsilon") == 0 ||
         strcmp(at->name, "cells.file") == 0; /* its sum stands for its contents */
}

/* Words of a text about it, and about the quantities that it declares. */
static bool is_left_out_of_text(const place *at, const char *key)
{
  static const char *const words[] = {"title", "source", NULL};
  static const char *const declared[] = {"parameters.",  "states.", "discrete.",
                                         "options.",     "tables.", "contacts.",
                                         "coordinates.", "counts.", NULL};
  const char *in = strchr(at->name, '.') + 1;
  int i = 0;

  if (at->depth == 1) return sal_text_rank(key, words) >= 0;
  while (declared[i] && strncmp(in, declared[i], strlen(declared[i])) != 0) ++i;
  return at->depth == 3 && declared[i] && strcmp(key, "what") == 0;
}

static bool is_left_out(const writer *w, const place *at, const char *key)
{
  return w->sweep ? is_left_out_of_sweep(at) : is_left_out_of_text(at, key);
}

typedef struct {
  const char *key;
  int node;
} child;

static int compare_children(const void *a, const void *b)
{
  return strcmp(((const child *)a)->key, ((const child *)b)->key);
}

static void put_node(writer *w, const place *at);

static void put_mapping(writer *w, const place *at)
{
  const yaml_node_t *n = sal_document_node(w->document, at->node);
  const yaml_node_pair_t *pair = n->data.mapping.pairs.start;
  const size_t all = (size_t)(n->data.mapping.pairs.top - pair);
  SAL_OWN child *list = sal_alloc(all + 1, sizeof *list);
  char name[MAX_PATH];

  w->out.lost |= !list;
  for (size_t i = 0; list && i < all; ++i)
    list[i] = (child){sal_document_text(w->document, pair[i].key), pair[i].value};
  if (list && w->sweep) qsort(list, all, sizeof *list, compare_children);
  for (size_t i = 0; list && i < all; ++i) {
    snprintf(name, sizeof name, "%s%s%s", at->name, at->name[0] ? "." : "", list[i].key);
    const place below = {name, at->depth + 1, list[i].node};
    if (!is_left_out(w, &below, list[i].key)) put_node(w, &below);
  }
}

static void put_node(writer *w, const place *at)
{
  const sal_document *document = w->document;
  char name[MAX_PATH];

  if (sal_document_node(document, at->node)->type == YAML_MAPPING_NODE) {
    put_mapping(w, at);
  } else if (sal_document_text(document, at->node) || is_list_of_words(document, at->node)) {
    sal_text value = {0};
    add_value(w, at->node, &value);
    const char *text = value.string ? value.string : "";
    w->out.lost |= value.lost;
    if (!is_preset(w, at, text)) put_line(w, at->name, text, line_of(w, at->node));
    sal_text_free(&value);
  } else {
    for (int i = 0; i < sal_document_count(document, at->node); ++i) {
      snprintf(name, sizeof name, "%s[%d]", at->name, i + 1);
      put_node(w, &(place){name, at->depth + 1, sal_document_item(document, at->node, i)});
    }
  }
}

/* A model in C is not YAML: it is written line by line. */
static void put_program(writer *w, const char *name, const char *text)
{
  for (int line = 1; *text; ++line) {
    const size_t n = strcspn(text, "\n");
    SAL_OWN char *copy = sal_text_copy(text);
    if (copy) copy[n > 0 && text[n - 1] == '\r' ? n - 1 : n] = '\0';
    put_line(w, name, copy ? copy : "", line);
    w->out.lost |= !copy;
    text += n + (text[n] != '\0');
  }
}

/* The text has been read before, so that it can be parsed. */
static void put_text(writer *w, const char *name, const char *text)
{
  sal_document document;

  if (sal_document_parse(name, text, &document) != SAL_OK) {
    sal_err_clear();
    w->out.lost = true;
    return;
  }
  writer inner = {.document = &document, .out = w->out, .line = w->line};
  put_mapping(&inner, &(place){name, 0, 1});
  w->out = inner.out;
  w->line = inner.line;
  sal_document_free(&document);
}

static void put_model(writer *w, const sal_provided *model)
{
  if (model->provider)
    put_text(w, "model", model->text);
  else
    put_program(w, "model", model->text);
}

static char *take(writer *w)
{
  sal_text_free(&w->line);
  if (!w->out.string && !w->out.lost) return sal_text_copy("");
  return sal_text_take(&w->out);
}

char *sal_identity_of_model(const sal_provided *model)
{
  writer w = {.sweep = false};

  put_model(&w, model);
  return take(&w);
}

char *sal_identity_of_solver(const sal_provided *solver)
{
  writer w = {.sweep = false};

  put_text(&w, "solver", solver->text);
  return take(&w);
}

/* The quantities of the model that the sweep fixes at other values than presets (NaN: at any). */
static void put_fixed(writer *w, const char *group, const sal_sweep *s, int column, double value,
                      double preset)
{
  char name[MAX_PATH];
  const sal_model *m = s->model;

  if (value == preset) return;
  snprintf(name, sizeof name, "%s.%s", group, sal_parameter_column_name(m, column));
  const int node = sal_document_find(w->document, name);
  if (sal_parameter_column_is_option(m, column))
    put_line(w, name, m->option[column - m->n_param].choice[(int)value], line_of(w, node));
  else
    put_number(w, name, value, node);
}

static void put_all_fixed(writer *w, const sal_sweep *s)
{
  const sal_model *m = s->model;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION] = {0}, initial[SAL_MAX_STATE];
  const int n = m->n_param, all = n + m->n_option;

  sal_parameter_presets(m, param, initial);
  for (int i = 0; i < all; ++i) {
    const bool counts = i < m->n_count && !sal_parameter_column_varies(s, i);
    const double preset = i < n ? param[i] : 0; /* of a count: the sweep's own */
    put_fixed(w, i < n ? "parameters" : "options", s, i, s->param[i], counts ? NAN : preset);
  }
  for (int i = 0; i < m->n_state; ++i)
    put_fixed(w, "initial", s, all + i, s->initial[i], initial[i]);
}

/* Presets that depend on other keys. */
static void put_tolerances(writer *w, const sal_sweep *s)
{
  char name[MAX_PATH];
  const int list = sal_document_find(w->document, "divergence.epsilon");

  put_number(w, "reference_tolerance", s->reference_tolerance,
             sal_document_find(w->document, "reference_tolerance"));
  for (int i = 0; i < s->n_tolerance; ++i) {
    snprintf(name, sizeof name, "divergence.epsilon[%d]", i + 1);
    put_number(w, name, s->epsilon[i], list);
  }
}

sal_err sal_identity_settle(const sal_document *document, sal_sweep *sweep)
{
  writer w = {.document = document, .sweep = true};
  char name[MAX_PATH];

  put_line(&w, "model", sweep->model->name, line_of(&w, sal_document_find(document, "model")));
  if (sweep->source) put_model(&w, sweep->source);
  put_mapping(&w, &(place){"", 0, 1});
  put_all_fixed(&w, sweep);
  put_tolerances(&w, sweep);
  for (int i = 0; i < sweep->n_solver; ++i) {
    snprintf(name, sizeof name, "solver %s", sweep->solver[i]->method->name);
    put_text(&w, name, sweep->solver[i]->text);
  }
  sweep->settled_line = (int *)(void *)sal_text_take(&w.line);
  sweep->settled = sal_text_take(&w.out);
  if (sweep->settled && sweep->settled_line) return SAL_OK;
  return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
}
