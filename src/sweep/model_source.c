/** Finding a model's file, and keeping its text in the sweep. */
#include "model_source.h"
#include "base.h"
#include "document_edit.h"
#include "plain_file.h"
#include "table_source.h"

/* The model in C of this call; another thread's is none. */
static _Thread_local struct {
  const char *name, *text;
  const sal_model *model;
} given;

void sal_model_source_give(const char *name, const char *text, const sal_model *model)
{
  given.name = name;
  given.text = text;
  given.model = model;
}

static bool is_given(const char *name) { return given.name && strcmp(name, given.name) == 0; }

static bool ends_with(const char *name, const char *const endings[])
{
  const char *dot = strrchr(name, '.');

  for (; dot && *endings; ++endings)
    if (strcmp(dot, *endings) == 0) return true;
  return false;
}

bool sal_model_source_is_file(const char *name)
{
  static const char *const texts[] = {".yaml", ".yml", NULL};

  return ends_with(name, texts) || is_given(name);
}

const char *sal_model_source_flaw(const char *name)
{
  static const char *const programs[] = {".c", ".h", ".o", ".so", NULL};

  if (!ends_with(name, programs) || is_given(name)) return NULL;
  return "this is a program, and none is compiled or loaded because it is named here; allowed: a "
         "model of saltus, "
         "a text of equations or bodies (.yaml); a model in C is given on the command line of "
         "`saltus run` or "
         "`saltus trajectory`";
}

/* The text of a file, with what it needs of others. */
static sal_err read_whole(const char *path, char **whole)
{
  SAL_OWN char *text = NULL;

  *whole = NULL;
  SAL_TRY(sal_text_file_read(path, "a model's file", &text));
  return sal_provided_keep(path, text, whole);
}

sal_err sal_model_source_read(const char *path, sal_provided **source)
{
  SAL_OWN char *text = NULL;
  *source = NULL;
  if (is_given(path)) return sal_provided_of(given.model, given.text, source);
  SAL_TRY(read_whole(path, &text));
  return sal_provided_parse(SAL_PROVIDES_MODELS, path, text, source);
}

/* The model in C is none of a sweep's: its text is kept to be read, and to know the model again. */
static sal_err take_given(sal_document *document, sal_provided **source)
{
  SAL_TRY(sal_provided_of(given.model, given.text, source));
  return sal_document_put_text(document, "model_text", given.text);
}

static sal_err read_beside(sal_document *document, const char *name, sal_provided **source)
{
  SAL_OWN char *path = sal_table_source_beside(document->path, name);
  SAL_OWN char *text = NULL;
  if (!path) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
  SAL_TRY(read_whole(path, &text));
  SAL_TRY(sal_provided_parse(SAL_PROVIDES_MODELS, path, text, source));
  return sal_document_put_text(document, "model_text", text);
}

sal_err sal_model_source_load(sal_document *document, bool named, sal_provided **source,
                              bool *changed)
{
  const char *name = sal_document_text(document, sal_document_find(document, "model"));
  const int node = sal_document_find(document, "model_text");
  const char *text = sal_document_text(document, node);
  *source = NULL;
  if (name && is_given(name) && (named || (text && strcmp(text, given.text) == 0))) {
    *changed = named;
    return take_given(document, source);
  }
  if (name && sal_model_source_flaw(name))
    return sal_document_fail(document, sal_document_find(document, "model"), "model: '%.80s': %s",
                             name, sal_model_source_flaw(name));
  if (!name || !sal_model_source_is_file(name))
    return node ? sal_document_fail(document, node,
                                    "model_text: the text of a file goes with 'model: FILE.yaml'")
                : SAL_OK;
  if (text) return sal_provided_parse(SAL_PROVIDES_MODELS, name, text, source);
  if (!named)
    return sal_document_fail(document, sal_document_find(document, "model"),
                             "model: the text of '%.80s' is missing (model_text); that file is not "
                             "read because a cube or a journal names it",
                             name);
  *changed = true;
  return read_beside(document, name, source);
}

bool sal_model_source_same(const sal_sweep *a, const sal_sweep *b)
{
  if (!a->source || !b->source) return a->model == b->model;
  SAL_OWN char *lines = sal_identity_of_model(a->source), *other = sal_identity_of_model(b->source);
  return lines && other && strcmp(lines, other) == 0;
}
