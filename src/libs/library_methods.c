/** @file src/libs/library_methods.c
 *  The libraries, in one table.
 */
#include "library_methods.h"
#include "petsc_methods.h"
#include "petsc_start.h"
#include <stddef.h>
#include <strings.h>

const sal_library sal_libraries[] = {{.name = "PETSc",
#ifdef SALTUS_PETSC_TS
                                      .methods = sal_petsc_methods,
                                      .make    = sal_petsc_make,
                                      .free    = sal_petsc_free,
#endif
                                      .missing  = "configure with -DSALTUS_PETSC_TS=ON",
                                      .finalize = sal_petsc_end},
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
