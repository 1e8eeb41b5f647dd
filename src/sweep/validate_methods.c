/** The keys `libraries` and `solvers`. */
#include "base.h"
#include "document_edit.h"
#include "registry.h"
#include "validate.h"
#include "value.h"

#define BROUGHT "libraries"
#define LIST "solvers"

enum { PLACE = SAL_PLACE + 64 };
_Static_assert((int)SAL_N_METHOD < (int)SAL_MAX_LIST, "a sweep has room for all");

/* "FILE:LINE: entry 2 of solvers" */
static const char *describe_entry(const sal_document *document, const char *list, int item, int i,
                                  char where[PLACE])
{
  char place[SAL_PLACE];

  snprintf(where, PLACE, "%s: entry %d of %s", sal_document_place(document, item, place), i + 1,
           list);
  return where;
}

/* Does it stand for several methods? */
static bool is_word_for_many(const char *word)
{
  return word &&
         (strcmp(word, SAL_METHOD_NAMES_OURS) == 0 || strcmp(word, SAL_METHOD_NAMES_OTHERS) == 0);
}

/* Values of an entry. */
typedef struct {
  const char *name, *library, *options;
  int name_node, library_node;
} entry;

/* One word of an entry, by its key; the type is text. */
static sal_err read_text(const sal_document *document, int item, const char *key, const char **text,
                         int *node)
{
  char name[64];

  snprintf(name, sizeof name, BROUGHT ".%s", key);
  *node = sal_document_child(document, item, key);
  if (!*node) return sal_key_missing(document, item, name);
  *text = sal_document_text(document, *node);
  return *text ? SAL_OK : sal_value_wrong_kind(document, *node, name, "text");
}

static sal_err read_entry(const sal_document *document, int item, const char *where, entry *e)
{
  static const char *const keys[] = {"name", "library", "options", NULL};
  int node;

  SAL_TRY(sal_value_keys(document, item, strstr(where, "entry"), keys));
  SAL_TRY(read_text(document, item, "name", &e->name, &e->name_node));
  SAL_TRY(read_text(document, item, "library", &e->library, &e->library_node));
  return read_text(document, item, "options", &e->options, &node);
}

/* The method of that name that the sweep owns, so far; NULL: there is none. */
static const sal_method *brought(const sal_sweep *sweep, const char *name)
{
  for (int i = 0; i < sweep->n_solver; ++i) {
    const sal_method *method = sweep->solver[i]->method;
    if (strcmp(method->name, name) == 0) return method;
  }
  for (int i = 0; i < sweep->n_choice; ++i)
    if (strcmp(sweep->choice[i].method->name, name) == 0) return sweep->choice[i].method;
  return NULL;
}

/* Names are new ones. */
static sal_err check_name(const sal_document *document, sal_sweep *sweep, const entry *e)
{
  const char *name;

  SAL_TRY(sal_value_solver_name(document, e->name_node, BROUGHT ".name", &name));
  if (sal_method_names_find(e->name) || is_word_for_many(e->name))
    return sal_document_fail(
        document, e->name_node,
        BROUGHT ".name: '%s' is taken, see `saltus list solvers`; choose another one", e->name);
  if (brought(sweep, e->name))
    return sal_document_fail(document, e->name_node, "duplicate '%s' in " BROUGHT, e->name);
  return SAL_OK;
}

static sal_err find_library(const sal_document *document, const entry *e, const sal_provider **out)
{
  const char *names[SAL_MAX_LIST + 1];
  int n = 0;

  *out = sal_providers_named(e->library);
  if (*out) return SAL_OK;
  for (const sal_provider *l; (l = sal_providers_library(n)) != NULL; ++n) names[n] = l->name;
  names[n] = NULL;
  return sal_value_unknown(document, e->library_node, BROUGHT ".library", "library", e->library,
                           names);
}

/* The file that the user has named for a configuration. */
static const char *named_file(const sal_sweep_trust *trust, const char *name)
{
  const size_t n = strlen(name);

  for (int i = 0; i < trust->n; ++i)
    if (strncmp(trust->recorded[i], name, n) == 0 && trust->recorded[i][n] == '=')
      return trust->recorded[i] + n + 1;
  return NULL;
}

/* A cube names a file: the user has to, too, and the user's is read. */
static sal_err make_elsewhere(const sal_sweep_trust *trust, const char *where,
                              const sal_provider *library, const entry *e, sal_library_choice *own)
{
  const char *file = named_file(trust, e->name);

  if (!file)
    return sal_fail(SAL_ERR_INPUT,
                    "%s: '%s' is recorded in a file, which is not read because a cube or a journal "
                    "names it; --recorded %s=FILE does, and it said '%.200s'",
                    where, e->name, e->name, e->options);
  SAL_OWN char *options = library->elsewhere(e->options, file);
  if (!options) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", where);
  return sal_library_choice_make(where, library, e->name, options, own);
}

static sal_err make_choice(const sal_document *document, sal_sweep *sweep, const char *where,
                           const entry *e)
{
  sal_library_choice *own = &sweep->choice[sweep->n_choice];
  const sal_provider *library;
  char text[SAL_METHOD_NAMES_TEXT];

  SAL_TRY(check_name(document, sweep, e));
  SAL_TRY(find_library(document, e, &library));
  if (sweep->results) {
    SAL_TRY(sal_library_choice_know(library, e->name, e->options, own));
  } else {
    if (!library->methods)
      return sal_fail(SAL_ERR_INPUT, "%s: %s", where,
                      sal_method_names_lacks(e->name, library, text));
    if (!library->make)
      return sal_fail(SAL_ERR_INPUT, "%s: %s has no solvers that options select", where,
                      library->name);
    SAL_TRY(sweep->trust && library->elsewhere
                ? make_elsewhere(sweep->trust, where, library, e, own)
                : sal_library_choice_make(where, library, e->name, e->options, own));
  }
  ++sweep->n_choice;
  return SAL_OK;
}

static sal_err take_brought(const sal_document *document, sal_sweep *sweep, int list)
{
  char where[PLACE];

  for (int i = 0; i < sal_document_count(document, list); ++i) {
    const int item = sal_document_item(document, list, i);
    entry e = {.name = NULL};
    describe_entry(document, BROUGHT, item, i, where);
    SAL_TRY(read_entry(document, item, where, &e));
    SAL_TRY(make_choice(document, sweep, where, &e));
  }
  return SAL_OK;
}

/* A file that the user names has a configuration. */
static sal_err check_named(const sal_sweep *sweep)
{
  for (int i = 0; sweep->trust && i < sweep->trust->n; ++i) {
    const char *pair = sweep->trust->recorded[i];
    bool used = false;
    for (int k = 0; k < sweep->n_choice; ++k) {
      const sal_method *m = sweep->choice[k].method;
      used = used || (m->engine->replays && strncmp(pair, m->name, strlen(m->name)) == 0 &&
                      pair[strlen(m->name)] == '=');
    }
    if (!used)
      return sal_fail(SAL_ERR_USAGE,
                      "recorded: '%.200s': the sweep has no recorded configuration of that name",
                      pair);
  }
  return SAL_OK;
}

/* A method of a library that is not in this build is known by its name, once. */
static sal_err know_method(sal_sweep *sweep, const char *name, const sal_method **out)
{
  sal_library_choice *own = &sweep->choice[sweep->n_choice];

  SAL_TRY(sal_library_choice_know(sal_providers_of(name), name, NULL, own));
  ++sweep->n_choice;
  *out = own->method;
  return SAL_OK;
}

static sal_err find_method(sal_sweep *sweep, const char *where, const char *name,
                           const sal_method **out)
{
  const char *names[SAL_METHOD_NAMES_MOST + 2 * SAL_MAX_LIST + 1];
  char text[SAL_METHOD_NAMES_TEXT];

  *out = brought(sweep, name);
  if (!*out) *out = sal_method_names_find(name);
  if (*out) return SAL_OK;
  const char *missing = sal_method_names_missing(name, text);
  if (missing && sweep->results) return know_method(sweep, name, out);
  if (missing) return sal_fail(SAL_ERR_INPUT, "%s: %s", where, missing);
  int n = sal_method_names_gather(names);
  for (int i = 0; i < sweep->n_choice; ++i) names[n++] = sweep->choice[i].method->name;
  for (int i = 0; i < sweep->n_solver; ++i) names[n++] = sweep->solver[i]->method->name;
  names[n] = NULL;
  return sal_text_unknown(SAL_ERR_INPUT, where, "word", name, names);
}

static sal_err take_methods(const sal_document *document, sal_sweep *sweep, int list)
{
  char where[PLACE];

  for (int i = 0; i < sal_document_count(document, list); ++i) {
    const int item = sal_document_item(document, list, i);
    const char *name = sal_document_text(document, item);
    describe_entry(document, LIST, item, i, where);
    if (!name || !name[0])
      return sal_value_wrong_kind(document, item, strstr(where, "entry"), "a word");
    SAL_TRY(find_method(sweep, where, name, &sweep->method[i]));
    ++sweep->n_method;
  }
  return SAL_OK;
}

sal_err sal_validate_methods(const sal_document *document, sal_sweep *sweep)
{
  const int own = sal_document_find(document, BROUGHT), list = sal_document_find(document, LIST);

  if (own) SAL_TRY(sal_value_list(document, own, BROUGHT, 0, SAL_MAX_LIST));
  if (!list) return SAL_OK;
  SAL_TRY(sal_value_list(document, list, LIST, 1, SAL_MAX_LIST));
  if (own || sweep->results) {
    const int room = sal_document_count(document, own) + sal_document_count(document, list);
    sweep->choice = sal_alloc((size_t)room, sizeof *sweep->choice);
    if (!sweep->choice) return sal_fail(SAL_ERR_MEMORY, "%s: out of memory", document->path);
  }
  if (own) SAL_TRY(take_brought(document, sweep, own));
  SAL_TRY(check_named(sweep));
  return take_methods(document, sweep, list);
}

/* Adds what a word stands for to names. */
static void add_word(const sal_document *document, const char *word, int *n,
                     const char *names[SAL_METHOD_NAMES_MOST + 1])
{
  const bool ours = strcmp(word, SAL_METHOD_NAMES_OURS) == 0;
  const int own = sal_document_find(document, BROUGHT);

  if (!is_word_for_many(word)) {
    if (*n < SAL_METHOD_NAMES_MOST) names[(*n)++] = word;
    return;
  }
  for (int i = 0; sal_method_names_at(i) && *n < SAL_METHOD_NAMES_MOST; ++i)
    if (ours == (i < SAL_N_METHOD) && !sal_method_names_at(i)->captures)
      names[(*n)++] = sal_method_names_at(i)->name;
  for (int i = 0; !ours && i < sal_document_count(document, own) && *n < SAL_METHOD_NAMES_MOST;
       ++i) {
    const int name = sal_document_child(document, sal_document_item(document, own, i), "name");
    const char *text = sal_document_text(document, name);
    if (text) names[(*n)++] = text;
  }
}

/* Nothing stands after a word for many: which libraries there might be. */
static sal_err report_none(const sal_document *document, int node)
{
  char text[SAL_METHOD_NAMES_TEXT] = "";
  SAL_OWN_BY(sal_text_free) sal_text all = {0};

  const sal_provider *l;
  for (int i = 0; (l = sal_providers_library(i)) != NULL; ++i)
    if (!l->methods)
      sal_text_add(&all, "; %s", sal_method_names_lacks(SAL_METHOD_NAMES_OTHERS, l, text));
  return sal_document_fail(document, node, LIST ": this build has no solvers of other libraries%s",
                           all.string ? all.string : "");
}

sal_err sal_validate_settle_methods(sal_document *document, bool *changed)
{
  const int node = sal_document_find(document, LIST);
  const char *text = sal_document_text(document, node);
  const char *names[SAL_METHOD_NAMES_MOST + 1];
  int n = 0;
  bool many = is_word_for_many(text);

  if (many) add_word(document, text, &n, names);
  for (int i = 0; !text && i < sal_document_count(document, node); ++i) {
    const char *word = sal_document_text(document, sal_document_item(document, node, i));
    if (!word) return SAL_OK;
    many = many || is_word_for_many(word);
    add_word(document, word, &n, names);
  }
  if (!many) return SAL_OK;
  if (n == 0) return report_none(document, node);
  names[n] = NULL;
  *changed = true;
  return sal_document_put_words(document, LIST, names);
}
