/** The services that engines integrate with: a batch of one lane, in which the engine takes the place
 *  of the trajectory loop.
 */
#include "engine.h"
#include "change.h"
#include "integrate_turn.h"
#include "lane_math.h"
#include "measured_lanes.h"
#include "methods/jacobian.h"
#include "methods/matrix.h"
#include "oversight.h"
#include "times.h"

_Static_assert(SAL_LANES == 1, "an engine has one trajectory at a time");

static int no_words(int n, int row)
{
  (void)n, (void)row;
  return 0;
}

const sal_method_ops sal_engine_ops_w1 = {.words = no_words};

/* ---- services of an engine ------------------------------------------------------------------ */

void sal_engine_rhs(sal_engine_run *run, double t, const double y[], double dy[])
{
  sal_method_rhs(&run->batch->s, ~sal_none(), t, y, dy);
}

void sal_engine_count_rhs(sal_engine_run *run, int64_t n) { run->batch->s.n_rhs += n; }

/* The batch looks from (t, y), until it looks from where the run stands again. */
static void look_from(sal_engine_run *run, double t, const double y[])
{
  sal_batch *b = run->batch;

  memcpy(b->at.ya, y, (size_t)run->n * sizeof *y);
  b->s.t = t;
  b->s.y = b->at.ya;
}
static void look_from_run(sal_engine_run *run)
{
  run->batch->s.t = run->t;
  run->batch->s.y = run->y;
}

void sal_engine_jacobian(sal_engine_run *run, double t, const double y[], double J[])
{
  sal_step_state *s = &run->batch->s;
  const size_t size = (size_t)run->n * (size_t)sal_matrix_row(run->n, s);

  look_from(run, t, y);
  if (!s->analytic) sal_method_rhs(s, ~sal_none(), s->t, s->y, s->f);
  sal_jacobian_form(s, ~sal_none());
  memcpy(J, s->J, size * sizeof *J);
  look_from_run(run);
}

/* Gaps do not depend on the slope. */
void sal_engine_gaps(sal_engine_run *run, double t, const double y[], double gap[])
{
  sal_batch *b = run->batch;

  memset(b->at.yb, 0, (size_t)run->n * sizeof *b->at.yb);
  sal_contacts_look(&b->s, &b->at, ~sal_none(), t, y, b->at.yb, gap, b->at.ra);
  for (int k = 0; k < run->n_gap; ++k) gap[k] *= b->at.side[k];
}

/* ---- what took place elsewhere -------------------------------------------------------------- */

void sal_engine_slope(sal_engine_run *run, double t, const double y[], double dy[])
{
  run->batch->s.flow->rhs(&run->batch->s.phase, t, y, dy);
}

void sal_engine_read_mode(sal_engine_run *run, double t, const double y[])
{
  sal_batch *b = run->batch;

  if (!b->strategy) return;
  look_from(run, t, y);
  sal_contacts_enter(&b->s, &b->at, ~sal_none());
  look_from_run(run);
}

static int64_t known(double count) { return count >= 0 ? (int64_t)count : 0; }

void sal_engine_report(sal_engine_run *run, const sal_engine_counts *counts)
{
  run->reported = true;
  run->counts = *counts;
  run->batch->s.n_rhs = known(counts->rhs);
  run->batch->s.n_jac = known(counts->jacobians);
}

/* A metric that its engine does not know is missing. */
static void write_reported(const sal_engine_run *run, double value[])
{
  const sal_engine_counts *c = &run->counts;
  const bool watches = run->batch->strategy != NULL;
  const struct {
    int metric;
    double count;
  } counts[] = {
      {SAL_METRIC_FAILED, c->failed},       {SAL_METRIC_RHS, c->rhs},
      {SAL_METRIC_JACOBIANS, c->jacobians}, {SAL_METRIC_EVENTS, watches ? c->events : NAN},
      {SAL_METRIC_RESTARTS, c->restarts},   {SAL_METRIC_GAPS, watches ? c->gaps : NAN},
      {SAL_METRIC_SD, c->seconds}};

  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
    value[counts[i].metric] = counts[i].count;
}

/* The largest error of a velocity does not converge where impacts are captured within a step. */
static void write_captured(const sal_engine_run *run, double value[])
{
  const sal_model *m = run->setup->model;

  value[SAL_METRIC_EVENTS] = (double)run->impacts;
  value[SAL_METRIC_CONTACT_ROWS] = (double)run->contact_rows;
  value[SAL_METRIC_PENETRATION] = run->penetration;
  if (!m->velocity[m->watch])
    value[SAL_METRIC_MAX_ERROR] = value[SAL_METRIC_MAX_ERROR_PARTIAL] = NAN;
}

/* The counts that the engine keeps are those of the batch. */
static void take_counts(sal_engine_run *run)
{
  sal_batch *b = run->batch;

  b->steps = run->steps;
  b->failed = run->failed;
  b->s.n_lu = run->factorisations;
  b->s.n_solve = run->solves;
}

bool sal_engine_halts(const sal_engine_run *run) { return sal_setup_halts(run->setup); }

bool sal_engine_used_up(sal_engine_run *run)
{
  sal_batch *b = run->batch;

  if (run->outcome != SAL_OUT_DONE) return true;
  take_counts(run);
  sal_setup_note_reached(run->setup, b->s.t, sal_integrate_spent(b));
  sal_batch_lower_cutoffs(b, ~sal_none());
  if (sal_engine_halts(run))
    run->outcome = SAL_OUT_HALTED;
  else if (run->steps + run->failed >= run->setup->max_attempts)
    run->outcome = SAL_OUT_STEP_CAP;
  else if (sal_integrate_work(b) > b->most_work)
    run->outcome = b->most_work == 0 ? SAL_OUT_TOO_INACCURATE : SAL_OUT_OVER_CUTOFF;
  else if (sal_integrate_spent(b) > b->budget)
    run->outcome = SAL_OUT_OVER_BUDGET;
  return run->outcome != SAL_OUT_DONE;
}

/* ---- the mesh ------------------------------------------------------------------------------- */

/* Mesh points up to t1, one by one: a value is a polynomial of degree 0.  The mesh is ours: whatever
 * the library evaluates for it, a step with mesh points counts what one value costs. */
static void observe_points(sal_engine_run *run, double t1, sal_engine_dense *dense, void *with)
{
  sal_batch *b = run->batch;
  sal_observer *o = &b->observer;
  const int64_t n_rhs = b->s.n_rhs;
  const int64_t dense_rhs = o->due <= t1 ? run->setup->method->dense_rhs : 0;

  if (sal_any(o->measured)) sal_measured_lanes_ask(b, t1, dense, with);
  while (o->mesh <= t1) {
    const sal_step_span span = {.t = o->mesh,
                                .h = 1,
                                .t1 = o->mesh,
                                .n = run->n,
                                .c = b->dense.c,
                                .q = b->s.phase.q,
                                .closed = sal_batch_first_closed(b)};
    dense(with, o->mesh, b->dense.c);
    sal_observe_lanes(o, ~sal_none(), &span);
  }
  b->s.n_rhs = n_rhs + dense_rhs;
}

static bool is_finite(int n, const double y[])
{
  bool all = true;

  for (int i = 0; i < n; ++i) all = all && isfinite(y[i]);
  return all;
}

/* ---- events --------------------------------------------------------------------------------- */

static void measure_gaps(sal_batch *b)
{
  sal_step_state *s = &b->s;

  sal_method_rhs(s, ~sal_none(), s->t, s->y, s->f);
  sal_contacts_look(s, &b->at, ~sal_none(), s->t, s->y, s->f, b->at.gap, b->at.rate);
}

/* Candidates that the field after an event leads back, and those that have crossed with it. */
static bool find_more(sal_batch *b)
{
  bool any = false;

  for (int k = 0; k < b->at.n; ++k) {
    const double inside = b->at.side[k] * b->at.gap[k], speed = b->at.side[k] * b->at.rate[k];
    const bool out = b->at.starts_closed[k] ? inside <= 0 && speed < 0 : inside < 0 && speed <= 0;
    b->x.fired[k] = -(int64_t)out;
    b->x.many[k] = 1;
    any = any || out;
  }
  return any;
}

/* The mode, or the form of the model, has changed where the run stands: what follows from that. */
static bool begin_anew(sal_engine_run *run)
{
  sal_batch *b = run->batch;
  const sal_m all = ~sal_none();

  for (;;) {
    b->restarts += 1;
    measure_gaps(b);
    if (sal_any(sal_change_note_rebound(b, all))) run->outcome = SAL_OUT_BAD_JUMP;
    if (sal_any(sal_change_unheld(b, all))) run->outcome = SAL_OUT_ZENO;
    if (sal_any(sal_change_stuck(b))) run->outcome = SAL_OUT_STUCK;
    if (sal_any(b->ended)) run->outcome = SAL_OUT_ENDED;
    if (sal_any(b->s.unsolved)) run->outcome = SAL_OUT_UNSOLVED;
    if (run->outcome != SAL_OUT_DONE || !find_more(b)) break;
    sal_change_mode(b, all, all);
  }
  return run->outcome == SAL_OUT_DONE && run->t < run->t_end;
}

/* The candidates b->x.fired change sides where the run stands; idle: no time has passed. */
static bool change(sal_engine_run *run, sal_m idle)
{
  sal_change_mode(run->batch, ~sal_none(), idle);
  return begin_anew(run);
}

/* Has the run come to a stop, after which it goes on? */
static bool passes_stop(sal_engine_run *run)
{
  sal_batch *b = run->batch;

  if (run->outcome != SAL_OUT_DONE || run->refused || run->t < run->t_end) return false;
  if (!sal_any(sal_times_pass(b, ~sal_none(), sal_none()))) return false;
  run->t_end = b->s.t_end;
  if (run->t >= b->t_last) return false;
  if (b->strategy) return begin_anew(run);
  b->restarts += 1;
  return true;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Some contact was well inside its mode, or has not been seen by a shorter step either. */
static void miss(sal_engine_run *run)
{
  for (int k = 0; k < run->n_gap; ++k) run->batch->unmet += run->batch->x.fired[k] != 0;
  run->outcome = SAL_OUT_MISSED;
}

/* A whole flight lies within the step.  It is repeated, shorter; where no shorter step can show the flight, the
 * contact rests, or falls if its last change was earlier.  An engine that has not heeded the last refusal
 * would not heed another one. */
static void go_on_from_flight(sal_engine_run *run, double t1, double first)
{
  enum { LEAST = 16 }; /* spacings of time: the smallest step of our own methods */
  sal_batch *b = run->batch;

  if (t1 > run->t + run->first) {
    miss(run);
  } else if (first > LEAST * sal_lane_spacing(run->t)) {
    run->first = first;
    b->guarded += 1;
  } else if (sal_any(sal_change_rest(b, ~sal_none()))) {
    b->restarts += 1;
    measure_gaps(b);
    if (sal_any(sal_change_unheld(b, ~sal_none()))) run->outcome = SAL_OUT_ZENO;
  } else {
    change(run, ~sal_none());
  }
}

/* Refuses a step that has passed over a crossing. */
static bool refuse(sal_engine_run *run, const sal_oversight_step *step)
{
  sal_batch *b = run->batch;
  double first;

  if (!b->strategy || run->setup->method->engine->replays) return false;
  const sal_oversight found = sal_oversight_find(b, step, &first);
  if (found == SAL_OVERSIGHT_NONE) return false;
  run->refused = true;
  if (found == SAL_OVERSIGHT_MISSED)
    miss(run);
  else if (found == SAL_OVERSIGHT_FALL)
    change(run, ~sal_none());
  else
    go_on_from_flight(run, step->t1, first);
  sal_engine_used_up(run);
  return true;
}

static bool advance(sal_engine_run *run, const sal_oversight_step *step, sal_engine_dense *dense,
                    void *with)
{
  sal_batch *b = run->batch;

  if (!is_finite(run->n, step->y1)) {
    run->outcome = SAL_OUT_NOT_FINITE;
    return false;
  }
  if (step->t1 > run->t) {
    if (refuse(run, step)) return false;
    observe_points(run, step->t1, dense, with);
    b->idle = 0;
    run->first = INFINITY;
    if (b->strategy) sal_contacts_leave(&b->at, ~sal_none());
  }
  memcpy(run->y, step->y1, (size_t)run->n * sizeof *step->y1);
  run->t = b->s.t = step->t1;
  return !sal_engine_used_up(run) && run->t < run->t_end;
}

bool sal_engine_advance(sal_engine_run *run, double t1, const double y1[], sal_engine_dense *dense,
                        void *with)
{
  const sal_oversight_step step = {.t1 = t1, .y1 = y1, .zero = run->zero};

  return advance(run, &step, dense, with);
}

bool sal_engine_meet(sal_engine_run *run, double t1, const double y1[], const bool fired[],
                     sal_engine_dense *dense, void *with)
{
  const sal_oversight_step step = {.t1 = t1, .y1 = y1, .fired = fired, .zero = run->zero};
  sal_batch *b = run->batch;
  bool falls[SAL_MAX_GUARD];

  const bool any = sal_oversight_drop(b, &step, falls);
  if (!advance(run, &step, dense, with)) return false;
  for (int k = 0; k < b->at.n; ++k) {
    b->x.fired[k] = -(int64_t)falls[k];
    b->x.many[k] = 1;
  }
  return !any || change(run, sal_none());
}

bool sal_engine_begins_anew(sal_engine_run *run)
{
  const bool anew = run->refused && run->outcome == SAL_OUT_DONE && run->t < run->t_end;

  run->refused = false;
  return anew;
}

/* ---- jobs ----------------------------------------------------------------------------------- */

static void run_job(sal_batch *b, const sal_engine *engine, void *own, sal_record *out)
{
  const sal_setup *u = b->setup;
  sal_engine_run run = {.setup = u,
                        .job = &b->queue->job[b->which[0]],
                        .n = b->s.n,
                        .n_gap = b->strategy ? b->at.n : 0,
                        .t_end = b->s.t_end,
                        .hmax = sal_min(u->max_step > 0 ? u->max_step : INFINITY, b->longest),
                        .y = b->s.y,
                        .first = INFINITY,
                        .outcome = SAL_OUT_DONE,
                        .reason = SAL_LIBRARY_NONE,
                        .batch = b};

  const bool beyond = sal_any(sal_change_enter(b, ~sal_none()));
  sal_method_rhs(&b->s, ~sal_none(), 0, b->s.y, b->s.f); /* a state without a slope goes nowhere */
  b->s.n_rhs = 0;
  if (beyond)
    run.outcome = SAL_OUT_PENETRATES;
  else if (b->strategy && sal_any(sal_change_unheld(b, ~sal_none())))
    run.outcome = SAL_OUT_ZENO;
  else if (sal_any(b->ended))
    run.outcome = SAL_OUT_ENDED;
  else if (engine->open && !own) {
    run.outcome = SAL_OUT_LIBRARY;
    run.reason = SAL_LIBRARY_UNPREPARED;
  } else {
    do engine->run(&run, own);
    while (passes_stop(&run));
  }
  if (run.outcome == SAL_OUT_DONE && run.refused) run.outcome = SAL_OUT_MISSED;
  take_counts(&run);
  if (sal_setup_halts(u)) return; /* one that has just come to its end may go with it */
  sal_m fresh = sal_none();
  sal_batch_retire(b, ~sal_none(), run.outcome, &fresh);
  b->ended = sal_none();
  out->value[SAL_METRIC_REASON] = run.reason;
  if (run.reported) write_reported(&run, out->value);
  if (u->method->captures) write_captured(&run, out->value);
}

size_t sal_engine_bytes(const sal_setup *setup)
{
  sal_batch b;

  sal_batch_prepare(&b, setup);
  return sal_batch_lay_out(&b, NULL) * sizeof(sal_v);
}

void sal_engine_integrate(const sal_setup *setup, int64_t n, const sal_job *job, sal_record *out,
                          void *work)
{
  const sal_engine *engine = setup->method->engine;
  sal_queue queue = {.job = job, .out = out, .n = n};
  sal_batch b;

  if (n <= 0) return;
  sal_batch_prepare(&b, setup);
  memset(work, 0, sal_engine_bytes(setup));
  sal_batch_lay_out(&b, work);
  b.s.phase.p = b.p;
  if (engine->replays) b.s.phase.since = NULL; /* its steps end where they ended */
  b.s.phase.held = setup->strategy->held ? ~sal_none() : sal_none();
  b.queue = &queue;
  b.live = ~sal_none();
  void *own = engine->open ? engine->open(setup, b.s.n) : NULL;
  sal_batch_load(&b, 0, queue.next++);
  for (int64_t i = 0; i < n && !sal_setup_halts(setup); ++i) run_job(&b, engine, own, &out[i]);
  sal_batch_halt(&b);
  if (own && engine->close) engine->close(own);
}
