/** @file src/libs/library_methods.c
 *  The libraries, in one table.
 */
#include "library_methods.h"
#include "recorded_method.h"
#include <stddef.h>
#include <strings.h>

static const sal_method *const none[] = {NULL};

const sal_library sal_libraries[] = {
    {.name    = "recorded", /* trajectories of any program, from files */
     .methods = none,
     .make    = sal_recorded_make,
     .free    = sal_recorded_drop},
    {.name = NULL}};

const sal_library *sal_library_named(const char *name)
{
  for (const sal_library *l = sal_libraries; l->name; ++l)
    if (strcasecmp(l->name, name) == 0) return l;
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
