/** Work that one thread of a process does at a time. */
#include "api.h"
#include "wings.h"
#include <pthread.h>

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
