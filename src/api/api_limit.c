/** The time that a call may take: a thread of its own raises the flag that ends runs, since no thread that computes may be free
 *  to look at the clock, and signals are the caller's.
 */
#include "api.h"
#include "base.h"
#include "clock.h"
#include <time.h>

static void raise_if_due(sal_api_limit *l)
{
  const bool halted = l->lent.halt && atomic_load((const atomic_int *)l->lent.halt) != 0;

  if (halted || sal_clock_wall() >= l->due) atomic_store(&l->flag, 1);
}

static void *watch(void *given)
{
  const struct timespec pause = {.tv_nsec = 2000000};
  sal_api_limit *l = given;

  for (bool over = false; !over; nanosleep(&pause, NULL)) {
    pthread_mutex_lock(&l->lock);
    raise_if_due(l);
    over = l->over;
    pthread_mutex_unlock(&l->lock);
  }
  return NULL;
}

static void set_deadline(void *with, double seconds)
{
  sal_api_limit *l = with;

  pthread_mutex_lock(&l->lock);
  atomic_store(&l->flag, 0);
  l->due = fmin(sal_clock_wall() + seconds, l->until);
  raise_if_due(l);
  pthread_mutex_unlock(&l->lock);
}

sal_err sal_api_limit_begin(const int *halt, double seconds, sal_api_limit *l)
{
  *l = (sal_api_limit){.lent = {.halt = halt, .with = l}, .due = INFINITY, .until = INFINITY};
  if (seconds > 0 && isfinite(seconds)) {
    l->due = l->until = sal_clock_wall() + seconds;
    pthread_mutex_init(&l->lock, NULL);
    l->runs = pthread_create(&l->thread, NULL, watch, l) == 0;
    if (!l->runs) return sal_fail(SAL_ERR_MEMORY, "no thread for a limit of time");
    l->lent.flag = &l->flag;
    l->lent.deadline = set_deadline;
  } else if (halt)
    l->lent.flag = (atomic_int *)halt;
  if (l->lent.flag) sal_stop_lend(&l->lent);
  return SAL_OK;
}

void sal_api_limit_end(sal_api_limit *l)
{
  sal_stop_lend(NULL);
  if (!l->runs) return;
  pthread_mutex_lock(&l->lock);
  l->over = true;
  pthread_mutex_unlock(&l->lock);
  pthread_join(l->thread, NULL);
  pthread_mutex_destroy(&l->lock);
}
