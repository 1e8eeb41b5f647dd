/** A list of names. */
#include "scope.h"
#include "array.h"
#include "base.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"

static sal_err add_known(sal_scope *scope, const char *name, int value)
{
  return sal_scope_add(scope, (sal_scope_name){.name = name,
                                               .what = "word of the language",
                                               .value = value,
                                               .known = true,
                                               .used = true});
}

sal_err sal_scope_begin(sal_scope *scope, const sal_scope_language *language,
                        const sal_document *document, sal_graph *graph, bool in_time)
{
  const int zero = sal_graph_constant(graph, 0);
  const int yes = sal_graph_make(graph, SAL_PROGRAM_eq, zero, zero, 0);

  scope->language = language;
  scope->document = document;
  scope->graph = graph;
  SAL_TRY(add_known(scope, "pi", sal_graph_constant(graph, 3.14159265358979323846)));
  SAL_TRY(add_known(scope, "inf", sal_graph_constant(graph, INFINITY)));
  SAL_TRY(add_known(scope, "true", yes));
  SAL_TRY(add_known(scope, "false", sal_graph_make(graph, SAL_PROGRAM_not, yes, 0, 0)));
  if (!in_time) return SAL_OK;
  SAL_TRY(add_known(scope, "t", sal_graph_quantity(graph, SAL_GRAPH_TIME, 0)));
  SAL_TRY(add_known(scope, "rests", sal_graph_make(graph, SAL_PROGRAM_rests, 0, 0, 0)));
  return add_known(scope, "closing", sal_graph_make(graph, SAL_PROGRAM_closing, 0, 0, 0));
}

void sal_scope_remember(sal_scope *scope, int text, const char *key, int first, int value)
{
  sal_scope_trace *t = scope->trace;
  sal_scope_span *more = t ? sal_array_grow(t->span, t->n, 1, &t->room, sizeof *more) : NULL;

  if (!more) return;
  t->span = more;
  more[t->n] = (sal_scope_span){
      .text = text, .value = value, .first = first, .last = scope->graph->n, .key = ""};
  snprintf(more[t->n++].key, SAL_SCOPE_KEY, "%s", key);
}

/* The slot of a name, or the free one where it belongs (FNV-1a). */
static uint16_t *find_slot(sal_scope *scope, const char *name)
{
  uint32_t h = 2166136261U;

  for (const char *c = name; *c; ++c) h = (h ^ (unsigned char)*c) * 16777619U;
  for (;; ++h) {
    uint16_t *slot = &scope->slot[h % SAL_SCOPE_SLOTS];
    if (!*slot || strcmp(scope->name[*slot - 1].name, name) == 0) return slot;
  }
}

sal_scope_name *sal_scope_find(sal_scope *scope, const char *name)
{
  const uint16_t slot = *find_slot(scope, name);

  return slot ? &scope->name[slot - 1] : NULL;
}

/* NAME or NAME(NUMBER) */
static bool is_valid(const char *name)
{
  const size_t n = strspn(name, LETTERS "0123456789");
  const size_t digits = name[n] == '(' ? strspn(name + n + 1, "0123456789") : 0;
  const char *end = digits ? name + n + digits + 2 : name + n;

  return name[0] && strchr(LETTERS, name[0]) && (!digits || end[-1] == ')') && !*end &&
         strlen(name) <= 40;
}

sal_err sal_scope_add(sal_scope *scope, sal_scope_name name)
{
  const sal_scope_name *other = sal_scope_find(scope, name.name);

  if (!is_valid(name.name))
    return sal_document_fail(
        scope->document, name.text,
        "%s '%.60s': a name begins with a letter, goes on with letters, digits "
        "and _, and has at most 40 bytes",
        name.what, name.name);
  if (scope->language->reserves(name.name))
    return sal_document_fail(scope->document, name.text,
                             "%s '%s': that word belongs to the "
                             "language of expressions",
                             name.what, name.name);
  if (other)
    return sal_document_fail(scope->document, name.text, "%s '%s': there is a %s of that name",
                             name.what, name.name, other->what);
  if (scope->n == SAL_SCOPE_NAMES)
    return sal_document_fail(scope->document, name.text, "more than %d names", SAL_SCOPE_NAMES);
  scope->name[scope->n++] = name;
  *find_slot(scope, name.name) = (uint16_t)scope->n;
  return SAL_OK;
}

static sal_err fail_unknown(sal_scope *scope, int text, const char *key, const char *name)
{
  const char *names[SAL_SCOPE_NAMES + 1];

  for (int i = 0; i < scope->n; ++i) names[i] = scope->name[i].name;
  names[scope->n] = NULL;
  const char *nearest = sal_text_nearest(name, names);
  if (nearest)
    return sal_document_fail(scope->document, text, "%s: unknown name '%s'; did you mean '%s'?",
                             key, name, nearest);
  return sal_document_fail(scope->document, text,
                           "%s: unknown name '%s'; known are parameters, states, discrete states, "
                           "what stands under let, contacts, pi, t, rests and closing",
                           key, name);
}

/* The names that are being read, one after the other. */
static sal_err fail_cycle(const sal_scope *scope, const sal_scope_name *name)
{
  sal_text chain = {0};

  for (int i = 0; i < scope->n; ++i)
    if (scope->name[i].busy && &scope->name[i] != name)
      sal_text_add(&chain, "%s%s", chain.length ? ", " : "", scope->name[i].name);
  SAL_OWN char *others = sal_text_take(&chain);
  return sal_document_fail(scope->document, name->text, "%s '%s' depends on itself%s%.200s",
                           name->what, name->name, others ? ", by way of " : "",
                           others ? others : "");
}

static sal_err read_name(sal_scope *scope, sal_scope_name *name)
{
  const sal_scope_type type = name->kind == SAL_SCOPE_LET ? SAL_SCOPE_ANY : SAL_SCOPE_NUMBER;

  if (name->busy) return fail_cycle(scope, name);
  if (name->known) return SAL_OK;
  name->busy = true;
  SAL_TRY(scope->language->read(scope, name->text, name->name, type, &name->value));
  name->busy = false;
  name->known = true;
  return SAL_OK;
}

sal_err sal_scope_value(sal_scope *scope, int text, const char *key, const char *name, int *value)
{
  sal_scope_name *found = sal_scope_find(scope, name);

  if (!found) return fail_unknown(scope, text, key, name);
  found->used = true;
  if (found->kind == SAL_SCOPE_TABLE)
    return sal_document_fail(scope->document, text,
                             "%s: '%s' is a table, which takes a number: %s(x)", key, name, name);
  SAL_TRY(read_name(scope, found));
  *value = found->value;
  if (found->kind == SAL_SCOPE_CONTACT)
    *value = sal_graph_make(scope->graph, SAL_PROGRAM_closed, found->value, found->number, 0);
  return SAL_OK;
}
