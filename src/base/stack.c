/** Room on the stacks of threads. */
#include "base.h"
#include "environment.h"
#include <ctype.h>
#include <sys/resource.h>

/* Bytes. Runs with orbits have needed 700 kB, and events of 1024 states in eight lanes 1.1 MB. */
enum { LEAST = 2 << 20, LEFT = LEAST - (128 << 10) };

size_t sal_stack_limit(void)
{
  struct rlimit limit;

  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  return (size_t)limit.rlim_cur;
}

/* Bytes of a word as OpenMP has them, "256k": B, K, M or G, kilobytes without a unit; 0: not such a word. */
static size_t bytes_of(const char *word)
{
  static const char units[] = "BKMG";
  char *end;
  const unsigned long long n = strtoull(word, &end, 10);
  int power = 1;

  while (isspace((unsigned char)*end)) ++end;
  for (int i = 0; *end && units[i]; ++i)
    if (toupper((unsigned char)*end) == units[i]) power = i;
  return n > SIZE_MAX >> 30 ? SIZE_MAX : (size_t)n << (10 * power);
}

/* Bytes that a thread of OpenMP has. */
static size_t size_of_others(void)
{
  const char *word = getenv("OMP_STACKSIZE");

  if (!word) word = getenv("GOMP_STACKSIZE");
  return word && bytes_of(word) > 0 ? bytes_of(word) : sal_stack_limit();
}

sal_err sal_stack_check(size_t left, int threads)
{
  if (left < LEFT)
    return sal_fail(
        SAL_ERR_USAGE,
        "the stack of this thread has %zu kB left; at least %d kB are needed: ulimit -s "
        "8192, or a thread with a larger stack",
        left / 1024, LEFT / 1024);
  const size_t others = threads > 1 ? size_of_others() : SIZE_MAX;
  return others >= LEAST ? SAL_OK
                         : sal_fail(SAL_ERR_USAGE,
                                    "the stacks of threads have %zu kB; at least %d kB are needed: "
                                    "OMP_STACKSIZE=8M, and ulimit -s 8192 where that is not set",
                                    others / 1024, LEAST / 1024);
}
