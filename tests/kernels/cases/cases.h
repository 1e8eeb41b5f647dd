/** Parts that the 25 cases share: a walk over all pairs of strategy and method that can run a model, runs
 *  at two widths, and assertions that say which pair they failed for.
 */
#pragma once

#include "kernels/event_log.h"
#include "models.h"
#include "sal_test.h"

/** Which strategies a case concerns, among those that meet its model. */
typedef enum {
  SAL_CASE_EVERY,    /* all but ess-listing1, which shows its faults on purpose */
  SAL_CASE_HELD,     /* those that look for contacts */
  SAL_CASE_LOCATING, /* those that find them on the dense output */
  SAL_CASE_ADAPTIVE  /* HELD, without fixed steps */
} case_scope;

/** One pair.  Start from {0}; case_next() moves on to the next one until it returns false. */
typedef struct {
  int next;
  const sal_method *method;
  const sal_strategy *strategy;
} case_pair;

bool case_next(case_pair *pair, const sal_model *model, case_scope scope);

/** Is it this strategy? */
bool case_is(const case_pair *pair, const char *strategy);

/** RelTol = AbsTol = tol and a cutoff on attempts that no sane run reaches; the zone of the projecting
 *  strategies is 5e-4 `unit` of time, the step of those with fixed steps 2e-3 `unit`. */
sal_setup case_setup(const case_pair *pair, const sal_model *model, double tol, double t_end,
                     double unit);

enum { CASE_MESH = 64 };

/** Results of a run: log, record and the samples at t_end j / CASE_MESH. */
typedef struct {
  logged_run log;
  double state[(CASE_MESH + 1) * SAL_MAX_STATE];
} case_run;

/** Runs at width 1 and, where the method is wider, at the widest; asserts the same bits, and that
 *  the log counts what the record counts.  Its n is then that of the events stored. */
void case_do(const case_pair *pair, const sal_setup *setup, const double param[],
             const double initial[], case_run *out);

/** A metric of the record, and state i at the end (NaN when the run did not get there). */
static inline double case_metric(const case_run *run, int metric)
{
  return run->log.record.value[metric];
}
static inline double case_end(const case_run *run, const sal_model *model, int i)
{
  return run->state[CASE_MESH * model->n_state + i];
}

/** An event that should be found. */
typedef struct {
  double t;
  int guard;
  bool closes;
} case_event;

/** Events of the rotor that starts at (0, 1), so that s = cos(rate t), in order of time; level k is
 *  watched by contact k.  Returns how many there are before t_end; `capacity` at most. */
int case_rotor_events(const double param[], double t_end, int capacity, case_event out[]);

/** Largest error of the times of the events; infinite when the run was not done, or when number,
 *  contact or kind of the events is wrong. */
double case_error(const case_run *run, int n, const case_event expected[]);

/** Expected error of times at a tolerance: methods of order 2 follow tol^(2/3), steps of `ess` are
 *  fixed and its projections of first order. */
double case_bound(const case_pair *pair, double tol);

/** Asserts, and names the pair when that fails. */
void case_expect(const case_pair *pair, bool fine, const char *what, const char *file, int line);
#define CASE_EXPECT(pair, fine) case_expect(pair, fine, #fine, __FILE__, __LINE__)

/** The 25 of them, by number (cases.def). */
#define SAL_CASE(number, function, title) void function(void);
#include "cases.def"
#undef SAL_CASE
