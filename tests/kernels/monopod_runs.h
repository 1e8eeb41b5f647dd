/** All 13 sets of the hopper in one batch, sampled on a mesh. */
#pragma once

#include "monopod_sets.h"
#include "run_one.h"

enum { SET_MAX_MESH = 5000 };

/** The samples of one configuration on every set; large, so keep it static. */
typedef struct {
  double state[SETS][(SET_MAX_MESH + 1) * SET_STATES];
  sal_event event[SETS][SET_MAX_EVENT];
  double at_events[SETS][SET_MAX_EVENT][2 * SET_STATES];
  sal_events log[SETS];
  sal_record record[SETS];
} set_runs;

/** Runs every set at the widest lanes; samples at t = 50 j / n_mesh. */
static inline void set_run_all(const char *method, const char *strategy, double tol, int n_mesh,
                               set_runs *out)
{
  const sal_setup setup = config("monopod", method, strategy, tol, set_span);
  sal_samples samples[SETS];
  sal_job job[SETS];

  for (int i = 0; i < SETS; ++i) {
    samples[i] = (sal_samples){.n_mesh = n_mesh, .state = out->state[i]};
    out->log[i] = (sal_events){.event = out->event[i],
                               .capacity = SET_MAX_EVENT,
                               .state = *out->at_events[i],
                               .n_state = SET_STATES};
    job[i] = (sal_job){.param = set_param[i],
                       .initial = set_initial,
                       .samples = &samples[i],
                       .events = &out->log[i]};
  }
  run_batch(&setup, sal_integrate_widest(), SETS, job, out->record);
}

/** The names of the methods that stand for those of the MATLAB suite. */
static const char *const set_suite[] = {"ode23",  "ode45",  "ode113", "ode15s",
                                        "ode23s", "ode23t", "ode23tb"};
enum { SET_SUITE = sizeof set_suite / sizeof *set_suite };
