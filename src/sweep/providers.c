/** Questions to the table of providers. */
#include "providers.h"
#include "base.h"
#include <ctype.h>
#include <strings.h>

static const sal_provider *const none[] = {NULL};
static const sal_provider *const *table = none;

void sal_providers_set(const sal_provider *const rows[]) { table = rows; }

const sal_provider *sal_providers_library(int i)
{
  for (const sal_provider *const *p = table; *p; ++p)
    if ((*p)->gives == SAL_PROVIDES_LIBRARY && i-- == 0) return *p;
  return NULL;
}

const sal_provider *sal_providers_named(const char *name)
{
  const sal_provider *p;

  for (int i = 0; (p = sal_providers_library(i)) != NULL; ++i)
    if (strcasecmp(p->name, name) == 0) return p;
  return NULL;
}

const sal_provider *sal_providers_of(const char *method)
{
  const sal_provider *p;

  for (int i = 0; (p = sal_providers_library(i)) != NULL; ++i) {
    const size_t n = strlen(p->name);
    size_t k = 0;
    while (k < n && method[k] == tolower((unsigned char)p->name[k])) ++k;
    if (k == n && (method[n] == '-' || method[n] == '\0')) return p;
  }
  return NULL;
}

/* Before the text is parsed at all: "KEY:" at the beginning of a line. */
static bool has_key(const char *text, const char *key)
{
  const size_t n = strlen(key);

  for (const char *at = strstr(text, key); at; at = strstr(at + 1, key))
    if ((at == text || at[-1] == '\n') && at[n] == ':') return true;
  return false;
}

const sal_provider *sal_providers_keyed(sal_provides gives, const char *text)
{
  for (const sal_provider *const *p = table; *p; ++p)
    if ((*p)->gives == gives && (*p)->key && has_key(text, (*p)->key)) return *p;
  return NULL;
}

const sal_provider *sal_providers_reader(sal_provides gives, const char *text)
{
  const sal_provider *found = sal_providers_keyed(gives, text);

  if (found) return found;
  for (const sal_provider *const *p = table; *p; ++p)
    if ((*p)->gives == gives && (!found || found->key)) found = *p;
  return found;
}

const char *sal_providers_note(void)
{
  const char *note = "";

  for (const sal_provider *const *p = table; *p && !*note; ++p)
    if ((*p)->kept_note) note = (*p)->kept_note();
  return note;
}

/* The row that has measures; NULL: this build has none. */
static const sal_provider *measurer(void)
{
  for (const sal_provider *const *p = table; *p; ++p)
    if ((*p)->measure) return *p;
  return NULL;
}

sal_err sal_providers_measure(const sal_measured_text given[], int n, const sal_model *model,
                              const char *text, const double count[], const sal_measured_list **out)
{
  const sal_provider *row = measurer();
  const bool own = row && text && sal_providers_keyed(SAL_PROVIDES_MODELS, text) == row;

  *out = NULL;
  if (row && (n > 0 || (own && has_key(text, "measure"))))
    return row->measure(given, n, model, own ? text : NULL, count, out);
  if (n == 0) return SAL_OK;
  return sal_fail(SAL_ERR_INPUT,
                  "%s: this build has no measures: configure with "
                  "-DSAL_WITH_EQUATIONS=ON",
                  given[0].where);
}

sal_err sal_providers_measure_within(const sal_measured_list *list, double t_end)
{
  for (int i = list ? list->n_own : 0; list && i < list->n; ++i) {
    const sal_measured_term *t = &list->term[i];
    const sal_measured_column *c = &list->column[t->column];
    const bool value = t->kind == SAL_MEASURED_VALUE;
    if (t->at == 0 || t->at < t_end || (value && t->at == t_end)) continue;
    return sal_fail(SAL_ERR_INPUT,
                    "%s: measure %s: %s: the time %g; allowed: %s the end of the run, %g", c->where,
                    c->name, c->what, t->at, value ? "to" : "before", t_end);
  }
  return SAL_OK;
}

void sal_providers_drop_measures(const sal_measured_list *list)
{
  if (list) measurer()->drop_measures(list);
}

void sal_providers_finalize(void)
{
  for (const sal_provider *const *p = table; *p; ++p)
    if ((*p)->finalize) (*p)->finalize();
}
