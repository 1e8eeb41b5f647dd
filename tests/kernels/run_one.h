/** Integrates from a test: the call's work space is made here, and a configuration is one expression.
 */
#pragma once

#include "integrate.h"
#include "registry.h"
#include <math.h>
#include <stdlib.h>

/** RelTol = AbsTol = tol, everything else at its preset; a zone and, where the strategy wants one,
 *  a fixed step as a sweep presets them. */
static inline sal_setup config(const char *model, const char *method, const char *strategy,
                               double tol, double t_end)
{
  const sal_strategy *s = sal_registry_strategy(strategy);

  return (sal_setup){.model = sal_registry_model(model),
                     .method = sal_registry_method(method),
                     .strategy = s,
                     .rtol = tol,
                     .atol = tol,
                     .t_end = t_end,
                     .zone = 5e-4,
                     .zone_in_time = true,
                     .fixed_step = s->fixed ? 0.002 : 0};
}

static inline void run_batch(const sal_setup *setup, int width, int64_t n, const sal_job job[],
                             sal_record out[])
{
  const size_t bytes = (sal_integrate_bytes(setup, width) + 63) / 64 * 64;
  void *work = aligned_alloc(64, bytes);

  if (!work) abort();
  sal_integrate(setup, width, n, job, out, work);
  free(work);
}

static inline sal_record run_one(const sal_setup *setup, const double param[],
                                 const double initial[], sal_samples *samples, sal_events *events)
{
  const sal_job job = {.param = param, .initial = initial, .samples = samples, .events = events};
  sal_record out;

  run_batch(setup, 1, 1, &job, &out);
  return out;
}

/** Can a test afford it at any tolerance?  An estimate of order q takes steps of tol^(1/(q+1)): with
 *  q = 1 they are too many for tight ones. */
static inline bool is_frugal(const sal_method *method) { return method->embedded != 1; }

/** Shorthands for values of a record. */
static inline int outcome(const sal_record *r) { return (int)r->value[SAL_METRIC_OUTCOME]; }
/** 0 where the strategy looks for none and their number is missing. */
static inline int n_event(const sal_record *r)
{
  const double n = r->value[SAL_METRIC_EVENTS];
  return isnan(n) ? 0 : (int)n;
}
