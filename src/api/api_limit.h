/** The time that a call of the C library may take. */
#pragma once

#include "err.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/** Ended by sal_api_limit_end, also after a failure. */
typedef struct {
  const int *halt;   /* the caller's flag; NULL: none */
  double until, due; /* clocks at which the call, and the work in hand, end; INFINITY: never */
  atomic_int flag;   /* that ends runs */
  bool runs, over;   /* does the thread, and may it end */
  pthread_t thread;
  pthread_mutex_t lock; /* of due, flag and over */
} sal_api_limit;

/** Until the end, runs end (stop.h) where *halt is raised or the work in hand has no time left; seconds 0: any. */
sal_err sal_api_limit_begin(const int *halt, double seconds, sal_api_limit *limit);
void sal_api_limit_end(sal_api_limit *limit);

/** Work may take this share of the time that is left. */
void sal_api_limit_share(sal_api_limit *limit, double share);

/** [s] until the call ends; INFINITY: any. */
double sal_api_limit_left(const sal_api_limit *limit);

/** Has the caller raised the flag? */
bool sal_api_limit_halted(const sal_api_limit *limit);
