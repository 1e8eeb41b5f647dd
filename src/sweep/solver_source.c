/** Finding a solver's file, and keeping its text in the sweep. */
#include "base.h"
#include "document_edit.h"
#include "model_source.h"
#include "plain_file.h"
#include "table_source.h"
#include "value.h"

#define TEXTS "solver_texts"
#define LIST "solvers"

static bool is_taken(const char *name)
{
  return sal_method_names_find(name) || sal_providers_of(name) || sal_model_source_is_file(name) ||
         strcmp(name, SAL_METHOD_NAMES_OURS) == 0 || strcmp(name, SAL_METHOD_NAMES_OTHERS) == 0;
}

static sal_err refuse_name(const char *path, const sal_provided *solver)
{
  SAL_OWN_BY(sal_document_free) sal_document document = {0};

  SAL_TRY(sal_document_parse(path, solver->text, &document));
  return sal_document_fail(&document, sal_document_find(&document, "name"),
                           "name: '%.60s' is taken, see `saltus list solvers`; choose another one",
                           solver->method->name);
}

sal_err sal_solver_source_parse(const char *path, const char *text, sal_provided **solver)
{
  SAL_TRY(sal_provided_parse(SAL_PROVIDES_SOLVERS, path, text, solver));
  if (!is_taken((*solver)->method->name)) return SAL_OK;
  const sal_err err = refuse_name(path, *solver);
  sal_provided_free(*solver);
  *solver = NULL;
  return err;
}

bool sal_solver_source_is_of(const char *path)
{
  SAL_OWN char *text = NULL;

  if (sal_text_file_read(path, "a solver's file", &text) != SAL_OK) {
    sal_err_clear();
    return false;
  }
  return sal_providers_keyed(SAL_PROVIDES_SOLVERS, text) != NULL;
}

sal_err sal_solver_source_read(const char *path, sal_provided **solver)
{
  SAL_OWN char *text = NULL;

  *solver = NULL;
  SAL_TRY(sal_text_file_read(path, "a solver's file", &text));
  return sal_solver_source_parse(path, text, solver);
}

/* The sweep owns one more. */
static sal_err add_text(const sal_document *document, int node, const char *path, const char *text,
                        sal_sweep *sweep)
{
  sal_provided *solver;

  if (sweep->n_solver == SAL_MAX_LIST)
    return sal_document_fail(document, node, "more than %d solvers from texts", SAL_MAX_LIST);
  SAL_TRY(sal_solver_source_parse(path, text, &solver));
  sweep->solver[sweep->n_solver++] = solver;
  const char *name = solver->method->name;
  for (int i = 0; i + 1 < sweep->n_solver; ++i)
    if (strcmp(sweep->solver[i]->method->name, name) == 0)
      return sal_document_fail(document, node, "'%s' is the name of two solvers from texts", name);
  return SAL_OK;
}

static sal_err load_texts(const sal_document *document, sal_sweep *sweep)
{
  const int list = sal_document_find(document, TEXTS);

  if (!list) return SAL_OK;
  SAL_TRY(sal_value_list(document, list, TEXTS, 0, SAL_MAX_LIST));
  for (int i = 0; i < sal_document_count(document, list); ++i) {
    const int item = sal_document_item(document, list, i);
    const char *text = sal_document_text(document, item);
    SAL_OWN_BY(sal_text_free) sal_text path = {0};
    if (!text) return sal_value_wrong_kind(document, item, TEXTS, "a text");
    sal_text_add(&path, "%s, text %d of " TEXTS, document->path, i + 1);
    if (!path.string || path.lost)
      return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
    SAL_TRY(add_text(document, item, path.string, text, sweep));
  }
  return SAL_OK;
}

/* The file that an entry of `solvers` names. */
static sal_err load_file(const sal_document *document, int item, bool named, sal_sweep *sweep)
{
  const char *name = sal_document_text(document, item);

  if (!named)
    return sal_document_fail(document, item,
                             LIST ": the text of '%.80s' is missing (" TEXTS "); that file is not "
                                  "read because a cube or a journal names it",
                             name);
  SAL_OWN char *path = sal_table_source_beside(document->path, name);
  SAL_OWN char *text = NULL;
  if (!path) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
  SAL_TRY(sal_text_file_read(path, "a solver's file", &text));
  return add_text(document, item, path, text, sweep);
}

/* Names in place of files, and the texts of all. */
static sal_err put_texts(sal_document *document, const sal_sweep *sweep, const char *const names[])
{
  const char *texts[SAL_MAX_LIST + 1];

  for (int i = 0; i < sweep->n_solver; ++i) texts[i] = sweep->solver[i]->text;
  texts[sweep->n_solver] = NULL;
  SAL_TRY(sal_document_put_words(document, LIST, names));
  return sal_document_put_words(document, TEXTS, texts);
}

/* A list that is none, too long, or of anything but words is refused when it is read. */
sal_err sal_solver_source_load(sal_document *document, bool named, sal_sweep *sweep, bool *changed)
{
  const int list = sal_document_find(document, LIST), n = sal_document_count(document, list);
  const char *names[SAL_MAX_LIST + 1] = {NULL};
  bool files = false, words = n <= SAL_MAX_LIST;

  SAL_TRY(load_texts(document, sweep));
  for (int i = 0; i < n && words; ++i) {
    const int item = sal_document_item(document, list, i);
    names[i] = sal_document_text(document, item);
    words = names[i] != NULL;
    if (!words || !sal_model_source_is_file(names[i])) continue;
    SAL_TRY(load_file(document, item, named, sweep));
    names[i] = sweep->solver[sweep->n_solver - 1]->method->name;
    files = true;
  }
  if (!files || !words) return SAL_OK;
  *changed = true;
  return put_texts(document, sweep, names);
}

/* NULL: it is from no text. */
static const sal_provided *text_of(const sal_sweep *sweep, const sal_method *method)
{
  for (int i = 0; i < sweep->n_solver; ++i)
    if (sweep->solver[i]->method == method) return sweep->solver[i];
  return NULL;
}

static const char *options_of(const sal_sweep *sweep, const sal_method *method)
{
  for (int i = 0; i < sweep->n_choice; ++i)
    if (sweep->choice[i].method == method && sweep->choice[i].options)
      return sweep->choice[i].options;
  return "";
}

bool sal_solver_source_same(const sal_sweep *a, int i, const sal_sweep *b, int k)
{
  const sal_provided *x = text_of(a, a->method[i]), *y = text_of(b, b->method[k]);

  if (strcmp(a->method[i]->name, b->method[k]->name) != 0 ||
      strcmp(options_of(a, a->method[i]), options_of(b, b->method[k])) != 0)
    return false;
  if (!x || !y) return x == y;
  SAL_OWN char *lines = sal_identity_of_solver(x), *other = sal_identity_of_solver(y);
  return lines && other && strcmp(lines, other) == 0;
}
