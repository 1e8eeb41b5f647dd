/** Runs of linear-ground with their event log, held against the exact bounces. */
#pragma once

#include "bounces.h"
#include "run_one.h"

enum { LOG_CAPACITY = 400, LOG_STATES = 8 };

typedef struct {
  sal_event event[LOG_CAPACITY];
  double at_events[LOG_CAPACITY][2 * LOG_STATES];
  sal_events events;
  sal_record record;
} logged_run;

/** An empty log; of each state the first LOG_STATES members. */
static inline sal_events log_of(const sal_setup *setup, logged_run *out)
{
  const int n = setup->model->n_state;

  return (sal_events){.event = out->event,
                      .capacity = LOG_CAPACITY,
                      .state = *out->at_events,
                      .n_state = n < LOG_STATES ? n : LOG_STATES};
}

/** Runs with a cutoff on the attempts that no sane run here reaches. */
static inline void run_logged(const sal_setup *setup, const double param[], const double initial[],
                              logged_run *out)
{
  sal_setup capped = *setup;

  if (capped.max_attempts == 0) capped.max_attempts = 100000;
  out->events = log_of(setup, out);
  out->record = run_one(&capped, param, initial, NULL, &out->events);
}

/** Do contacts close and open in turn, each later than the one before, as often as counted? */
static inline bool log_alternates(const logged_run *run)
{
  bool fine = n_event(&run->record) == run->events.n;

  for (int i = 1; i < run->events.n && i < LOG_CAPACITY; ++i)
    fine = fine && run->event[i].t > run->event[i - 1].t &&
           run->event[i].closes != run->event[i - 1].closes;
  return fine;
}

/** Largest error of the times of the events; infinite when their number or kind is wrong. */
static inline double log_error(const logged_run *run, const bounces *exact)
{
  double worst = 0;

  if (outcome(&run->record) != SAL_OUT_DONE || run->events.n != exact->n - 1) return INFINITY;
  for (int i = 0; i < run->events.n; ++i) {
    if (run->event[i].closes != exact->phase[i + 1].closed) return INFINITY;
    worst = fmax(worst, fabs(run->event[i].t - (double)exact->phase[i + 1].t));
  }
  return worst;
}
