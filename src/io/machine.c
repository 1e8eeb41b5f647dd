/** This machine in words, and sets of machines. */
#include "machine.h"
#include "base.h"
#include "collective_error.h"
#include <gnu/libc-version.h>
#include <sys/utsname.h>

/* The choice of sysdeps/x86_64/fpu/multiarch in glibc, from the features that GLIBC_TUNABLES leaves. */
#if defined(__x86_64__) && __GLIBC_PREREQ(2, 33)
#include <sys/platform/x86.h>
static const char *variant_of_libm(void)
{
  if (CPU_FEATURE_ACTIVE(FMA) && CPU_FEATURE_ACTIVE(AVX2)) return " fma";
  return CPU_FEATURE_ACTIVE(FMA4) ? " fma4" : " sse2";
}
#elif defined(__x86_64__)
static const char *variant_of_libm(void)
{
  if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2")) return " fma";
  return __builtin_cpu_supports("fma4") ? " fma4" : " sse2";
}
#else
static const char *variant_of_libm(void) { return ""; }
#endif

sal_err sal_machine_describe(const sal_sweep *sweep, sal_text *set)
{
  struct utsname system;

  if (uname(&system)) return sal_fail(SAL_ERR_IO, "the system does not name its architecture");
  sal_text_add(set, "%s, %d lanes, glibc %s%s", system.machine, sal_integrate_widest(),
               gnu_get_libc_version(), variant_of_libm());
  const char *kernels = sal_sweep_kernels(sweep);
  if (*kernels) sal_text_add(set, ", %s", kernels);
  return set->lost ? sal_fail(SAL_ERR_MEMORY, "no memory for the name of the machine") : SAL_OK;
}

/* Length of the first machine of n bytes. */
static size_t length_of(const char *machines, size_t n)
{
  const char *end = memmem(machines, n, SAL_MACHINE_AND, strlen(SAL_MACHINE_AND));

  return end ? (size_t)(end - machines) : n;
}

static void append(sal_text *set, const char *machine, size_t n)
{
  if (set->length > 0) sal_text_append(set, SAL_MACHINE_AND, strlen(SAL_MACHINE_AND));
  sal_text_append(set, machine, n);
}

static int compare(const char *a, size_t n, const char *b, size_t m)
{
  const int order = memcmp(a, b, n < m ? n : m);

  return order ? order : (n > m) - (n < m);
}

/* Adds one of n bytes in the order of words, unless the set has it. */
static void insert(sal_text *set, const char *machine, size_t n)
{
  sal_text all = {0};
  int order = 1;

  for (size_t at = 0, one; at < set->length; at += one + strlen(SAL_MACHINE_AND)) {
    const char *old = set->string + at;
    one = length_of(old, set->length - at);
    if (order > 0) order = compare(machine, n, old, one);
    if (order < 0) append(&all, machine, n);
    order = order > 0 ? 1 : 0;
    append(&all, old, one);
  }
  if (order > 0) append(&all, machine, n);
  all.lost = all.lost || set->lost;
  sal_text_free(set);
  *set = all;
}

sal_err sal_machine_join(sal_text *set, const char *machines, size_t n)
{
  for (size_t at = 0, one; at < n; at += one + strlen(SAL_MACHINE_AND)) {
    one = length_of(machines + at, n - at);
    if (one > 0) insert(set, machines + at, one);
  }
  return set->lost ? sal_fail(SAL_ERR_MEMORY, "no memory for a list of machines") : SAL_OK;
}

sal_err sal_machine_gather(MPI_Comm comm, const sal_text *mine, sal_text *set)
{
  SAL_OWN_BY(sal_text_free) sal_text one = {0};
  SAL_OWN void *all = NULL;
  int64_t n;

  if (mine->length > 0) sal_text_add(&one, "%s" SAL_MACHINE_AND, mine->string);
  SAL_TRY(sal_collective_error(
      comm, one.lost ? sal_fail(SAL_ERR_MEMORY, "no memory for a list of machines") : SAL_OK));
  SAL_TRY(sal_collective_gather(comm, -1, (int64_t)one.length, 1, one.string, &n, &all));
  return sal_collective_error(comm, sal_machine_join(set, all, (size_t)n));
}

int sal_machine_count(const sal_text *set)
{
  int n = 0;

  for (size_t at = 0; at < set->length; ++n)
    at += length_of(set->string + at, set->length - at) + strlen(SAL_MACHINE_AND);
  return n;
}

bool sal_machine_differ(const sal_sweep *sweep, const sal_text *set)
{
  bool foreign = sweep->source && !sweep->source->provider, differ = false;

  for (int m = 0; m < sweep->n_method; ++m) foreign = foreign || sweep->method[m]->engine;
  for (size_t at = 0, one; at < set->length; at += one + strlen(SAL_MACHINE_AND)) {
    one = length_of(set->string + at, set->length - at);
    differ = differ || (at > 0 && (foreign || strncmp(set->string, set->string + at,
                                                      strcspn(set->string, ",") + 1) != 0));
  }
  return differ;
}

sal_err sal_machine_refuse(const char *where, const sal_text *set)
{
  return sal_fail(
      SAL_ERR_INPUT,
      "%s: --same-cpu: the cells come of %d machines, whose last digits may differ: %s; "
      "allowed: one.  Without --same-cpu they make one cube",
      where, sal_machine_count(set), set->string);
}
