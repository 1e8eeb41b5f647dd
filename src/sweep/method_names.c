/** The registry's methods and those of the libraries, as one list. */
#include "base.h"
#include "providers.h"
#include "registry.h"

const sal_method *sal_method_names_at(int i)
{
  if (i < SAL_N_METHOD) return sal_registry_methods[i];
  i -= SAL_N_METHOD;
  const sal_provider *l;
  for (int k = 0; (l = sal_providers_library(k)) != NULL; ++k)
    for (const sal_method *const *m = l->methods; m && *m; ++m)
      if (i-- == 0) return *m;
  return NULL;
}

int sal_method_names_gather(const char *names[SAL_METHOD_NAMES_MOST + 1])
{
  int n = 0;

  for (const sal_method *m; (m = sal_method_names_at(n)) != NULL; ++n) {
    assert(n < SAL_METHOD_NAMES_MOST);
    names[n] = m->name;
  }
  names[n] = NULL;
  return n;
}

const sal_method *sal_method_names_find(const char *name)
{
  for (int i = 0; sal_method_names_at(i); ++i)
    if (strcmp(sal_method_names_at(i)->name, name) == 0) return sal_method_names_at(i);
  return NULL;
}

const char *sal_method_names_lacks(const char *what, const sal_provider *library,
                                   char text[SAL_METHOD_NAMES_TEXT])
{
  snprintf(text, SAL_METHOD_NAMES_TEXT, "'%.64s' needs %s, which this build lacks: %s", what,
           library->name, library->missing);
  return text;
}

const char *sal_method_names_missing(const char *name, char text[SAL_METHOD_NAMES_TEXT])
{
  const sal_provider *library = sal_providers_of(name);

  return library && !library->methods ? sal_method_names_lacks(name, library, text) : NULL;
}
