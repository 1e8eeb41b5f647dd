/** Sets of cores, by glibc. */
#include "environment.h"
#include <sched.h>
#include <string.h>

enum { CORES = 8 * SAL_CORES_BYTES };

void sal_cores_allowed(unsigned char set[SAL_CORES_BYTES])
{
  cpu_set_t *cores = CPU_ALLOC(CORES);

  memset(set, 0, SAL_CORES_BYTES);
  if (cores && sched_getaffinity(0, SAL_CORES_BYTES, cores) == 0)
    for (int i = 0; i < CORES; ++i)
      if (CPU_ISSET_S((size_t)i, SAL_CORES_BYTES, cores))
        set[i / 8] = (unsigned char)(set[i / 8] | 1U << i % 8);
  CPU_FREE(cores);
}

int sal_cores_count(const unsigned char set[SAL_CORES_BYTES])
{
  int n = 0;

  for (int i = 0; i < SAL_CORES_BYTES; ++i) n += __builtin_popcount(set[i]);
  return n;
}
