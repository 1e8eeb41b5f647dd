/** @file src/libs/library_named.c
 *  What is asked of the table of libraries.
 */
#include "cpu_kernels.h"
#include "library_methods.h"
#include <ctype.h>
#include <dlfcn.h>
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

const char *sal_library_kernels(int n, const sal_method *const method[])
{
  static char text[SAL_CPU_KERNELS];
  void *program;

  for (int i = 0; i < n; ++i) {
    const sal_engine *e = method[i]->engine;
    if (e && e->kernels && *e->kernels()) return e->kernels();
  }
  program = dlopen(NULL, RTLD_LAZY);
  sal_cpu_kernels_name(program, text);
  if (program) dlclose(program);
  return text;
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
