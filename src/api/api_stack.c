/** Room on the stacks of the caller's thread and of those that a call starts. */
#include "api.h"
#include "environment.h"
#include <pthread.h>

/* glibc's. Its header declares it with _GNU_SOURCE, under which it takes the sched.h of our own folder for its own. */
extern int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr);

/* The lowest address of this thread's stack, which does not change; NULL: not looked for, or not known. */
static _Thread_local const char *lowest;

static void find_lowest(void)
{
  pthread_attr_t attr;
  void *low = NULL;
  size_t size = 0;

  if (pthread_getattr_np(pthread_self(), &attr) != 0) return;
  if (pthread_attr_getstack(&attr, &low, &size) == 0) lowest = low;
  (void)pthread_attr_destroy(&attr);
}

sal_err sal_api_stack_check(int threads)
{
  const char here = 0;

  if (!lowest) find_lowest();
  return sal_stack_check(lowest && &here > lowest ? (size_t)(&here - lowest) : SIZE_MAX, threads);
}
