/** Reading a sweep file. */
#include "sweep_read.h"
#include "base.h"
#include "document_edit.h"
#include "keys.h"
#include "model_check.h"
#include "model_source.h"
#include "plain_file.h"
#include "registry.h"
#include "validate.h"

/* That of its own file, or of the registry; NULL where there is none of that name. */
static const sal_model *model_of(const sal_document *document, const sal_sweep *sweep)
{
  const char *name = sal_document_text(document, sal_document_find(document, "model"));
  if (sweep->source) return sweep->source->model;
  return name ? sal_registry_model(name) : NULL;
}

/* Fills in values that a file may leave to the program: many methods, `all` strategies, and the end of the runs.  The text
 * is written out, so that a program with others reads the same sweep from a cube. */
static sal_err settle_document(sal_document *document, const sal_model *model, bool *changed)
{
  const char *names[SAL_MAX_WORD + 1];
  const char *text = sal_document_text(document, sal_document_find(document, "strategies"));
  SAL_TRY(sal_validate_settle_methods(document, changed));
  if (text && strcmp(text, "all") == 0) {
    int n = 0;
    sal_enum_words_gather(SAL_ENUM_STRATEGIES, NULL, names);
    for (int i = 0; names[i]; ++i)
      if (!sal_registry_strategy(names[i])->captures) names[n++] = names[i];
    names[n] = NULL;
    SAL_TRY(sal_document_put_words(document, "strategies", names));
    *changed = true;
  }
  if (!model || sal_document_find(document, "t_end")) return SAL_OK;
  char span[32];
  snprintf(span, sizeof span, "%.17g", model->span);
  *changed = true;
  return sal_document_preset(document, "t_end", span);
}

/* The text as run begins with the overrides as comments; control characters, which might end the
 * line, become '?'. */
static void add_set_comment(sal_text *text, const char *set)
{
  sal_text_add(text, "# with --set ");
  for (; *set; ++set) sal_text_append(text, *set >= ' ' && *set <= '~' ? set : "?", 1);
  sal_text_add(text, "\n");
}

static char *make_text_as_run(const sal_document *document, const char *file, bool changed,
                              int n_set, const char *const set[])
{
  sal_text text = {0};
  if (n_set == 0 && !changed) return sal_text_copy(file);
  SAL_OWN char *body = sal_document_emit(document);
  for (int i = 0; i < n_set; ++i) add_set_comment(&text, set[i]);
  if (body) sal_text_append(&text, body, strlen(body));
  text.lost |= !body;
  return sal_text_take(&text);
}

/* Does the key lie in a mapping that the file does without? */
static bool is_in_absent_group(const sal_document *document, const sal_key *key)
{
  char group[64];
  const char *dot = strrchr(key->name, '.');

  if (!dot) return false;
  snprintf(group, sizeof group, "%.*s", (int)(dot - key->name), key->name);
  return sal_key_described(sal_key_named(group)) && !sal_document_find(document, group);
}

sal_err sal_sweep_presets(sal_document *document)
{
  for (const sal_key *key = sal_keys; key->name; ++key)
    if (!sal_key_described(key) && !is_in_absent_group(document, key))
      SAL_TRY(sal_document_preset(document, key->name, key->preset));
  return SAL_OK;
}

static sal_err build_sweep(sal_document *document, sal_sweep *sweep)
{
  const sal_model *model = model_of(document, sweep);
  char text[SAL_MODEL_CHECK_TEXT];
  const char *flaw = model ? sal_model_check(model, text) : NULL;
  if (flaw)
    return sal_document_fail(document, sal_document_find(document, "model"),
                             "model %s cannot be run: %s", model->name, flaw);
  SAL_TRY(sal_validate_methods(document, sweep));
  SAL_TRY(sal_keys_read(document, model, sweep));
  return sal_validate(document, model, sweep);
}

/* A node of a text and its copy, as measured [B]. */
static const double node_bytes = 430;

static sal_err parse_document(sal_document *document, const char *text, int n_set,
                              const char *const set[], sal_sweep *sweep)
{
  bool changed = false;
  SAL_TRY(sal_document_override(document, n_set, set));
  SAL_TRY(
      sal_model_source_load(document, !sweep->results && !sweep->trust, &sweep->source, &changed));
  SAL_TRY(sal_solver_source_load(document, !sweep->results && !sweep->trust, sweep, &changed));
  if (sweep->source && sweep->source->model->n_count > 0)
    SAL_TRY(sal_variants_count(document, !sweep->results && !sweep->trust, &sweep->source));
  SAL_TRY(sal_design_load(document, !sweep->results && !sweep->trust, model_of(document, sweep),
                          &sweep->design, &changed));
  SAL_TRY(settle_document(document, model_of(document, sweep), &changed));
  sweep->path = sal_text_copy(document->path);
  sweep->text = make_text_as_run(document, text, changed, n_set, set);
  if (!sweep->path || !sweep->text)
    return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
  if (sweep->source) /* from here on it has its name, wherever the file lies */
    SAL_TRY(sal_document_put_text(document, "model", model_of(document, sweep)->name));
  SAL_TRY(sal_sweep_presets(document));
  SAL_TRY(build_sweep(document, sweep));
  sweep->read_bytes = node_bytes * (double)(document->yaml.nodes.top - document->yaml.nodes.start);
  return sal_identity_settle(document, sweep);
}

/* The caller sets sweep->results or sweep->trust. */
static sal_err parse_text(const char *path, const char *text, int n_set, const char *const set[],
                          sal_sweep *sweep)
{
  sal_document document;
  SAL_TRY(sal_document_parse(path, text, &document));
  const sal_err err = parse_document(&document, text, n_set, set, sweep);
  sweep->trust = NULL;
  sal_document_free(&document);
  if (err != SAL_OK) sal_sweep_free(sweep);
  return err;
}

sal_err sal_sweep_parse(const char *path, const char *text, int n_set, const char *const set[],
                        sal_sweep *sweep)
{
  *sweep = (sal_sweep){.results = false};
  return parse_text(path, text, n_set, set, sweep);
}

sal_err sal_sweep_parse_stored(const char *path, const char *text, int n_set,
                               const char *const set[], const sal_sweep_trust *trust,
                               sal_sweep *sweep)
{
  *sweep = (sal_sweep){.trust = trust};
  return parse_text(path, text, n_set, set, sweep);
}

sal_err sal_sweep_parse_results(const char *path, const char *text, sal_sweep *sweep)
{
  *sweep = (sal_sweep){.results = true};
  return parse_text(path, text, 0, NULL, sweep);
}

sal_err sal_sweep_read(const char *path, int n_set, const char *const set[], sal_sweep *sweep)
{
  SAL_OWN char *text = NULL;
  *sweep = (sal_sweep){0};
  SAL_TRY(sal_text_file_read(path, "a sweep file", &text));
  return sal_sweep_parse(path, text, n_set, set, sweep);
}
