/** Statuses of calls and their messages, turns of threads, room on stacks. */
#include "api.h"
#include "environment.h"
#include "registry.h"
#include "wings.h"
#include <pthread.h>

sal_err sal_api_given(const char *what, const void *pointer)
{
  return pointer ? SAL_OK : sal_fail(SAL_ERR_USAGE, "%s is NULL", what);
}

saltus_status sal_api_status(sal_err err) { return (saltus_status)sal_err_exit(err); }

const char *saltus_message(void) { return sal_err_message(); }

const char *saltus_version(void) { return SAL_API_VERSION; }

const char *saltus_name(saltus_list list, int i)
{
  if (list == SALTUS_MODELS && i >= 0 && i < SAL_N_MODEL) return sal_registry_models[i]->name;
  if (list == SALTUS_SOLVERS && i >= 0 && i < SAL_N_METHOD) return sal_registry_methods[i]->name;
  if (list == SALTUS_STRATEGIES && i >= 0 && i < SAL_N_STRATEGY)
    return sal_registry_strategies[i]->name;
  return NULL;
}

/* ---- Work that one thread of a process does at a time. ---- */

static pthread_mutex_t turn[SAL_API_N_TURN] = {
    [SAL_API_ADVISES] = PTHREAD_MUTEX_INITIALIZER, [SAL_API_READS] = PTHREAD_MUTEX_INITIALIZER};
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void release_in_child(void)
{
  for (int i = 0; i < SAL_API_N_TURN; ++i) turn[i] = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

static void watch_forks(void) { (void)pthread_atfork(NULL, NULL, release_in_child); }

void sal_api_turn_take(sal_api_turn which)
{
  (void)pthread_once(&once, watch_forks);
  (void)pthread_mutex_lock(&turn[which]);
}

void sal_api_turn_leave(sal_api_turn which) { (void)pthread_mutex_unlock(&turn[which]); }

/* When the library is loaded. */
static void __attribute__((constructor)) set_providers(void) { sal_providers_set(sal_wings); }

/* ---- Room on the stacks of the caller's thread and of those that a call starts. ---- */

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
