/** @file src/libs/library_named.c
 *  What is asked of the table of libraries.
 */
#include "library_methods.h"
#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

const sal_library *sal_library_named(const char *name)
{
  for (const sal_library *l = sal_libraries; l->name; ++l)
    if (strcasecmp(l->name, name) == 0) return l;
  return NULL;
}

const sal_library *sal_library_of(const char *method)
{
  for (const sal_library *l = sal_libraries; l->name; ++l) {
    const size_t n = strlen(l->name);
    size_t i = 0;
    while (i < n && method[i] == tolower((unsigned char)l->name[i])) ++i;
    if (i == n && method[n] == '-') return l;
  }
  return NULL;
}

void sal_library_free(sal_method *method)
{
  if (!method) return;
  const sal_library *l = sal_library_named(method->engine->library);
  if (l && l->free) l->free(method);
}

void sal_library_finalize(void)
{
  for (const sal_library *l = sal_libraries; l->name; ++l)
    if (l->finalize) l->finalize();
}
