/** An engine: a method that owns its loop, such as an integrator of another library, and the
 *  services that it integrates a trajectory with.
 *
 *  To bring one, write its `run`, put an sal_engine beside it, and point `engine` of an sal_method
 *  (with SAL_ENGINE_OPS) at it.  Engines run at width 1.  All that is asked of a trajectory, be it the
 *  mode, jumps, the mesh that is scored, the log of events, cutoffs, or the record, is done by the services
 *  below, so that an engine's record differs in nothing from any other one.
 *
 *  The life of a run: sal_engine_run.y is the initial state and the mode is set.  The engine
 *  integrates by its own steps, with sal_engine_rhs and sal_engine_jacobian; after each step that it
 *  accepts it calls sal_engine_advance, which ends the run by returning false.  Where `n_gap` is above
 *  0 the strategy wants contacts to be located: the engine watches the functions sal_engine_gaps, which
 *  are above 0 inside the mode, stops where one falls through 0, calls sal_engine_meet up to there, with
 *  the ones that have fired, and begins anew from run->y.
 *  An engine that gives up sets `outcome` and, if it has one, `reason`.
 *
 *  *A step that has passed over a crossing is refused*: a gap at its end is on the wrong side of the mode.
 *  The run stays where it was, and sal_engine_begins_anew returns whether it continues there: by a shorter
 *  first step where a whole flight was passed over, in another mode where a contact fell at once or its flights
 *  have become so low that it rests.  Else it has ended, with the outcome MISSED.
 *
 *  The engine keeps the counts of its steps, failed steps, factorisations and solves; evaluations of
 *  f, Jacobians, gaps and events are counted by the services.
 */
#pragma once

#include "setup.h"

struct sal_batch_w1;

/** Counts of another library; NaN: not known, or it does not apply.  seconds: thread CPU time of the
 *  solution. */
typedef struct {
  double failed, rhs, jacobians, events, restarts, gaps, seconds;
} sal_engine_counts;

/** One trajectory in the hands of an engine; read only unless said. */
typedef struct {
  const sal_setup *setup;
  const sal_job *job;
  int n;        /* states that are integrated */
  int n_gap;    /* gaps to be watched; 0: steps go on over all contacts */
  double t_end; /* of the run, or its next stop: from there `run` is called again */
  double hmax;  /* longest step, from the setup; infinite: any */
  double t, *y; /* where it stands; y [n], the engine's own steps may work on a copy alone */
  double first; /* longest first step from there; infinite: any */

  /* To be kept by the engine. */
  int64_t steps, failed, factorisations, solves;
  sal_outcome outcome;           /* DONE at the start; what it gave up with */
  sal_library_reason reason;     /* in the library's own words; SAL_LIBRARY_NONE at the start */
  int64_t contact_rows, impacts; /* of time stepping: rows of all contact problems, and impacts */
  double penetration;            /* the deepest of its step ends */
  double zero; /* a gap where a step begins that it takes for 0, and does not watch */

  bool refused;  /* of engine.c: sal_engine_begins_anew */
  bool reported; /* of engine.c: sal_engine_report */
  sal_engine_counts counts;
  struct sal_batch_w1 *batch;
} sal_engine_run;

/** Static storage, or as long-lived as its method. */
typedef struct sal_engine {
  const char *library; /* "PETSc" */
  /** Its version, such as "3.18.5"; static storage. */
  const char *(*version)(void);
  /** Its numerical kernels that are selected by the CPU, such as "OpenBLAS Haswell", or ""; static storage.  NULL: none. */
  const char *(*kernels)(void);
  const char *type;     /* what the library calls it: "rosw ra34pw2" */
  const char *select;   /* lines of code or options that select it, ended by line feeds */
  const void *settings; /* the engine's own */
  bool one_thread;      /* runs on the main thread of its process alone */
  bool replays;         /* runs that took place elsewhere: their time is reported, not measured */
  /** Prepares for runs of a setup, as one thread will do them in sequence; n is the number of states
   *  that are integrated.  Returns what `run` finds in `own`; NULL: it cannot, which ends each run with
   *  the outcome LIBRARY.  May be NULL itself. */
  void *(*open)(const sal_setup *setup, int n);
  void (*run)(sal_engine_run *run, void *own);
  void (*close)(void *own);
} sal_engine;

/** f at (t, y) into dy [n], in the mode of the run; counted. */
void sal_engine_rhs(sal_engine_run *run, double t, const double y[], double dy[]);

/** Counts n evaluations of f that the engine has made by itself. */
void sal_engine_count_rhs(sal_engine_run *run, int64_t n);

/** Is the Jacobian a band; elements of its rows, n where it is full; and the state of row p. */
static inline bool sal_engine_has_band(const sal_model *m)
{
  return m->band.lower + m->band.upper > 0;
}
static inline int sal_engine_row(const sal_model *m)
{
  const int row = 2 * m->band.lower + m->band.upper + 1;

  return sal_engine_has_band(m) ? row : sal_model_continuous(m);
}
static inline int sal_engine_state(const sal_model *m, int p)
{
  return m->band.order ? m->band.order[p] : p;
}

/** The Jacobian J[i * n + j] = df_i/dy_j at (t, y), by forward differences from f there or from the
 *  model, as the setup states; counted.  In the order of a band: J[p * sal_engine_row + q - p + lower]. */
void sal_engine_jacobian(sal_engine_run *run, double t, const double y[], double J[]);

/** side * gap of each candidate [n_gap] at (t, y): above 0 inside the mode.  Counted as one. */
void sal_engine_gaps(sal_engine_run *run, double t, const double y[], double gap[]);

/** Values between the ends of the engine's last step: y [n] at t. */
typedef void sal_engine_dense(void *with, double t, double y[]);

/** A step has been accepted, or a part of one up to an event: moves the run to (t1, y1 [n]), and scores
 *  the mesh points passed.  `dense` is called for them, in order of time, none before run->t or after
 *  t1.  Evaluations of f in it are not counted; a step with mesh points counts the method's dense_rhs.
 *  Returns false when the run is over (`outcome` has the reason), or when the step is refused. */
bool sal_engine_advance(sal_engine_run *run, double t1, const double y1[], sal_engine_dense *dense,
                        void *with);

/** The same for a step at whose end the candidates `fired` [n_gap] change sides: counts and logs the event
 *  and applies the model's jumps.  Contacts that the field after leads back at once, or that have crossed
 *  with them, change as well.  Where it returns true, too, the engine begins anew from run->y: the history
 *  of the method is of no use after it. */
bool sal_engine_meet(sal_engine_run *run, double t1, const double y1[], const bool fired[],
                     sal_engine_dense *dense, void *with);

/** Has the last step been refused, so that the engine begins anew from run->y at run->t, by a first step of
 *  run->first at most?  The step counts as a failed one, in `failed` and not in `steps`. */
bool sal_engine_begins_anew(sal_engine_run *run);

/** Is the run to end where it is?  To be called where f is evaluated, so that a step which is never
 *  accepted ends, too; whatever the engine reports for such a run, it is halted. */
bool sal_engine_halts(const sal_engine_run *run);

/** Has the run used up its attempts, steps + failed, or its work, or is it halted?  Sets `outcome`. */
bool sal_engine_used_up(sal_engine_run *run);

/** f at (t, y) into dy [n], not counted: for values that no user of the method pays for. */
void sal_engine_slope(sal_engine_run *run, double t, const double y[], double dy[]);

/** The frozen mode becomes that of the gaps' signs at (t, y): for a run whose changes of mode took place
 *  elsewhere (src/libs/recorded).  Does nothing where the strategy looks for no contacts. */
void sal_engine_read_mode(sal_engine_run *run, double t, const double y[]);

/** The run's counts are these, in place of what the services count; `steps`, `factorisations` and `solves`
 *  are the engine's own as ever, and so is `failed`, which the cutoffs on a run read. */
void sal_engine_report(sal_engine_run *run, const sal_engine_counts *counts);

/** Integrates n jobs one by one: sal_integrate for engines. */
size_t sal_engine_bytes(const sal_setup *setup);
void sal_engine_integrate(const sal_setup *setup, int64_t n, const sal_job *job, sal_record *out,
                          void *work);

/** The operations of an sal_method that is an engine: none, but for the size of its memory. */
extern const struct sal_method_ops_w1 sal_engine_ops_w1;
#define SAL_ENGINE_OPS .w1 = &sal_engine_ops_w1
