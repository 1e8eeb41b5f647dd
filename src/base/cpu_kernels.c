/** OpenBLAS returns its choice by a function, looked up at run time so that no program must link it.
 */
#include "cpu_kernels.h"
#include "base.h"
#include <dlfcn.h>

void sal_cpu_kernels_name(void *loaded, char text[])
{
  char *(*name)(void) = NULL;

  if (loaded) *(void **)(void *)&name = dlsym(loaded, "openblas_get_corename");
  if (name) snprintf(text, SAL_CPU_KERNELS, "OpenBLAS %s", name());
}

const char *sal_cpu_kernels_own(void)
{
  static char text[SAL_CPU_KERNELS];
  void *program = dlopen(NULL, RTLD_LAZY);

  sal_cpu_kernels_name(program, text);
  if (program) dlclose(program);
  return text;
}
