/** The time that a call of the C library may take. */
#pragma once

#include "err.h"
#include "stop.h"
#include <pthread.h>

/** Ended by sal_api_limit_end, also after a failure. */
typedef struct {
  sal_stop_lent lent;
  double until, due; /* clocks at which the call, and the work in hand, end; INFINITY: never */
  atomic_int flag;   /* that ends runs */
  bool runs, over;   /* does the thread, and may it end */
  pthread_t thread;
  pthread_mutex_t lock; /* of due, flag and over */
} sal_api_limit;

/** Until the end, runs end (stop.h) where *halt is raised or the work in hand has no time left, by sal_stop_deadline or of the
 *  whole call; seconds 0: any. */
sal_err sal_api_limit_begin(const int *halt, double seconds, sal_api_limit *limit);
void sal_api_limit_end(sal_api_limit *limit);
