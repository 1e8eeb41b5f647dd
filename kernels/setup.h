/** A task of integration: the setup that all trajectories of a batch share, and the job of each. */
#pragma once

#include "measured.h"
#include "metric.h"
#include "strategy.h"
#include <stdatomic.h>

/** How full the lanes were: a turn of the loop is one attempted step in every lane, and lost in
 *  lanes without a trajectory. */
typedef struct {
  int64_t live, all; /* lane-turns with a trajectory, and all */
} sal_lane_use;

/** Where runs end ahead of t_end: after the count-th time that a contact closes, or opens, and its
 *  jump; outcome ENDED.  Met by strategies that look for contacts. */
typedef struct {
  int contact;
  bool closes;
  int count; /* 0: nowhere */
} sal_stop;

/** Weights relative to one evaluation of f: the deterministic work of a run is the sum of its counts times
 *  these. */
typedef struct {
  double rhs, jacobian, factorisation, solve;
  /* for answers that give work as a time, with that of the steps (src/sweep/step_cost.h); runs do not read it */
  const struct sal_step_cost *time;
} sal_work_weights;

/** How far a run has come, for threads that watch it: written where its budget is looked at, every 2^14
 *  attempts or more often, of any of the lanes. */
typedef struct {
  _Atomic double t, work; /* work: in evaluations of f */
} sal_run_reached;

/** Settings common to all trajectories of a batch. */
typedef struct {
  const sal_model *model;
  const sal_method *method;
  const sal_strategy *strategy;
  double rtol, atol;   /* > 0 */
  const double *scale; /* [n_state] of each state, in place of the model's; NULL: none */
  double t_end;        /* runs start at t = 0 */
  double max_step;     /* 0: a tenth of what is left at the last (re)start */
  double fixed_step;   /* 0: adaptive; else the size, error test off */
  double zone;         /* > 0: half-width of the zone of a zoned strategy */
  bool zone_in_time;   /* is it measured in time?  Else in units of the gaps */
  int max_order;       /* 0: what the method has */
  int n_guard;         /* contacts of the job with most of them; 0: the model's own */
  bool every_contact;  /* look at each, even where the model's contacts stand in a row */
  sal_stop stop;
  sal_jacobian jacobian;
  int64_t
      max_attempts; /* steps and projections tried before the outcome is STEP_CAP; 0: 10^9, or what
                           fixed steps can need at most */
  sal_work_weights work;    /* by which the work of a job with a cutoff or a budget is counted */
  double budget;            /* of each job that has none of its own; 0: none */
  sal_run_reached *reached; /* may be NULL */
  sal_lane_use *use;        /* lane-turns are added here; may be NULL */
  const atomic_int *halt;   /* see sal_setup_halts; may be NULL */
} sal_setup;

/** The absolute tolerance of state i. */
static inline double sal_setup_atol(const sal_setup *s, int i)
{
  const double scale = s->scale ? s->scale[i] : s->model->state[i].scale;

  return scale > 0 ? s->atol * scale : s->atol;
}
/** That of the state with the least one, for quantities that are none of the states. */
static inline double sal_setup_least_atol(const sal_setup *s)
{
  double least = INFINITY;

  for (int i = 0; i < sal_model_continuous(s->model); ++i) {
    const double atol = sal_setup_atol(s, i);
    if (atol < least) least = atol;
  }
  return least;
}

/** Are the runs to end where they are?  The owner of the flag raises it, from any thread or a signal's
 *  handler, when what they come to is of no use any more; nothing else may depend on it, so that a run
 *  that is not cut has the same bits with it and without.  It is looked at in each turn of the loop, which
 *  is one attempt, or some tens of them, in every lane, and by engines in each accepted step and in each
 *  evaluation of f.  A run that is cut has the outcome HALTED, and so have those that it kept from
 *  beginning. */
static inline bool sal_setup_halts(const sal_setup *s)
{
  return s->halt && atomic_load_explicit(s->halt, memory_order_relaxed) != 0;
}

static inline void sal_setup_note_reached(const sal_setup *s, double t, double work)
{
  if (!s->reached) return;
  atomic_store_explicit(&s->reached->t, t, memory_order_relaxed);
  atomic_store_explicit(&s->reached->work, work, memory_order_relaxed);
}

/** Error against a reference on the uniform mesh t_j = t_end j / n_mesh, accumulated on the fly. */
typedef struct {
  const double *reference; /* [n_watched][n_mesh + 8] watched states on the mesh; 7 more are read */
  int64_t n_mesh;
  double epsilon, floor; /* eq. (32): relative error epsilon, where |reference| >= floor */
} sal_score;

/** The trajectory on the uniform mesh t_j = span j / n_mesh; the caller owns the arrays. */
typedef struct {
  int64_t n_mesh;
  double span; /* <= t_end; 0: t_end.  Ignored beside a score, whose mesh is shared */
  /* [n_mesh + 1][n_state]: NaN after the end of a failed run, the last state after a terminal one */
  double *state;
  uint8_t *closed; /* [n_mesh + 1] is contact 0 closed?  May be NULL */
} sal_samples;

/** One change of sides of a contact. */
typedef struct {
  double t;
  double *y, *ahead; /* [n_state] after the event and ahead of it, in the log; NULL without */
  double gap, rate;  /* of the contact ahead of it: 0 as far as it was located; d gap/dt */
  double steep;      /* rate / (|Dh| |f|): 0 where the surface is only grazed */
  int guard;
  bool closes;
} sal_event;

/** Event log; n counts on when the capacity is exceeded, the surplus is not stored. */
typedef struct {
  sal_event *event; /* [capacity], caller's */
  int64_t capacity, n;
  double *state; /* [capacity][2][n_state] the first states after and ahead of each; may be NULL */
  int n_state;
  bool *closed; /* [capacity][n_guard] the mode after each; may be NULL */
  bool *start;  /* [n_guard] the mode ahead of the first, where there is one; may be NULL */
} sal_events;

/** Bytes of a log with states, in one block. */
static inline size_t sal_events_bytes(int64_t capacity, int n_state)
{
  return (size_t)capacity * (sizeof(sal_event) + 2 * (size_t)n_state * sizeof(double));
}
static inline sal_events sal_events_of(void *block, int64_t capacity, int n_state)
{
  sal_event *event = (sal_event *)block;

  return (sal_events){.event = event,
                      .capacity = capacity,
                      .state = (double *)(void *)(event + capacity),
                      .n_state = n_state};
}

/** Caps on the work of a run that fall as its error grows: once its largest error on the mesh so far is
 *  above error[k], it may do work[k], in evaluations of f.  Errors ascend.  Work 0: no question is left that
 *  such a run might answer, and it ends with the outcome TOO_INACCURATE. */
enum { SAL_MAX_STAIR = 16 };
typedef struct {
  int n;
  double error[SAL_MAX_STAIR], work[SAL_MAX_STAIR];
} sal_work_stairs;

/** One trajectory to be run.  All but param and initial may be NULL. */
typedef struct {
  const double *param;   /* [n_param + n_option] */
  const double *initial; /* [n_state] */
  const sal_score *score;
  sal_samples *samples;
  sal_events *events;
  const sal_measured *measured;
  double t0;    /* its start, 0 as a rule; without samples and score */
  double t_end; /* > 0: its own end, ahead of the setup's; without samples and score */
  double
      most_work; /* > 0: in evaluations of f; beyond it the run ends with the outcome OVER_CUTOFF */
  /* > 0: likewise, with OVER_BUDGET; 0: that of the setup.  It costs nothing: a lane is looked at when its attempts have come
   * to a 64th of it, or to 2^14, and then again after half of what seems to be left. */
  double budget;
  const sal_work_stairs *stairs; /* further cutoffs, of a run with a score */
  double *end;                   /* [n_state] receives the state at t_reached */
  /* [n_guard] the mode it starts in; NULL: the gaps say.  A contact whose gap is 0 there has just
   * changed to that side.  Only for strategies that freeze the mode, with every_contact. */
  const bool *closed;
  int changed; /* with closed: 1 + the contact that has changed there, so that its gap is 0 but for rounding; 0: none */
  bool *end_closed; /* [n_guard] receives the mode at t_reached, likewise */
} sal_job;
