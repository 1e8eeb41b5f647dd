/** @file src/libs/library_methods.c
 *  The libraries, in one table.
 */
#include "library_methods.h"
#include <stddef.h>
#include <strings.h>
#ifdef SALTUS_SUNDIALS
#include "sundials_methods.h"
#define SUNDIALS_METHODS sal_sundials_methods
#else
#define SUNDIALS_METHODS NULL
#endif

const sal_library sal_libraries[] = {
    {.name    = "SUNDIALS",
     .methods = SUNDIALS_METHODS,
     .missing = "install SUNDIALS 6 (libsundials-dev) and configure with -DSALTUS_SUNDIALS=ON"},
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
