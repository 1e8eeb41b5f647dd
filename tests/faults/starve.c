/** The program with one allocation that fails: the linker puts these in the place of sal_alloc (--wrap), so that the
 *  program itself is unchanged.  SALTUS_STARVE=N fails the N-th, none for 0; what was asked for and what was
 *  kept to the end stands in the file SALTUS_STARVE_TOLD.
 */
#include "memory.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

void *__real_sal_alloc(size_t count, size_t size);
void *__wrap_sal_alloc(size_t count, size_t size);

static atomic_long asked;
static long hungry = -1;

static void tell(void)
{
  const char *path = getenv("SALTUS_STARVE_TOLD");
  FILE *file = path ? fopen(path, "w") : NULL;

  if (!file) return;
  fprintf(file, "%ld %ld\n", atomic_load(&asked), sal_memory_live());
  fclose(file);
}

__attribute__((constructor)) static void begin(void)
{
  const char *n = getenv("SALTUS_STARVE");

  hungry = n ? strtol(n, NULL, 10) : 0;
  atexit(tell);
}

void *__wrap_sal_alloc(size_t count, size_t size)
{
  if (atomic_fetch_add(&asked, 1) + 1 == hungry) return NULL;
  return __real_sal_alloc(count, size);
}
