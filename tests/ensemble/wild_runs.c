/** One run of each cell, by a configuration that is drawn, and its reference, held against two other methods.
 */
#include "wild_runs.h"
#include "clock.h"
#include "compatibility.h"
#include "kernels/gap_grain.h"
#include "kernels/run_one.h"
#include "memory.h"
#include "reference.h"
#include "tile_run.h"
#include <float.h>
#include <stdio.h>
#include <string.h>

enum { BATCH = 8, EVERY = 4 /* of the references one is checked by other methods */ };

/* A reference is wrong where it is so many times farther from both of two other methods as they are from
 * each other and as it claims to be; distances of rounding count for nothing. */
#define APART 30.0
#define ROUNDING 1e-9

static void print_cell(const sal_sweep *sweep, const wild_cell *c)
{
  const sal_model *m = sweep->model;

  fprintf(stderr, "\n    %s, t_end %g:", m->name, sweep->t_end);
  for (int i = 0; i < m->n_param; ++i) fprintf(stderr, " %s=%.17g", m->param[i].name, c->param[i]);
  for (int i = 0; i < m->n_option; ++i)
    fprintf(stderr, " %s=%s", m->option[i].name,
            m->option[i].choice[(int)c->param[m->n_param + i]]);
  for (int i = 0; i < m->n_state; ++i)
    fprintf(stderr, " %s(0)=%.17g", m->state[i].name, c->start[i]);
}

/* ---- one run -------------------------------------------------------------------------------- */

typedef struct {
  sal_record record;
  double end[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];
} ending;

static void integrate(const sal_setup *u, double budget, const wild_cell *c, ending *out)
{
  const sal_job job = {.param = c->param,
                       .initial = c->start,
                       .budget = budget,
                       .end = out->end,
                       .end_closed = u->strategy->held && u->every_contact ? out->closed : NULL};

  run_batch(u, 1, 1, &job, &out->record);
}

static bool all_finite(int n, const double x[])
{
  for (int i = 0; i < n; ++i)
    if (!isfinite(x[i])) return false;
  return true;
}

/* Does the record say one thing? */
static bool is_consistent(const sal_setup *u, const ending *e)
{
  const int how = outcome(&e->record);
  const double t = e->record.value[SAL_METRIC_T_REACHED];

  if (how == SAL_OUT_NOT_FINITE && isnan(t)) return true; /* a projection's time may be NaN, too */
  if (how < 0 || how >= SAL_N_OUTCOME || !(t >= 0 && t <= u->t_end)) return false;
  if (how == SAL_OUT_DONE && t < u->t_end * (1 - 1e-12)) return false;
  if (how == SAL_OUT_ENDED && !sal_model_ends_runs(u->model)) return false;
  if (how == SAL_OUT_MISSED && !u->method->engine) return false;
  if (how == SAL_OUT_PENETRATES && t > 0) return false;
  return how != SAL_OUT_DONE || all_finite(u->model->n_state, e->end);
}

/* How far the gaps of contacts that are open at the end of a run are below 0, beyond their noise. */
static double depth(const sal_setup *u, const wild_cell *c, const ending *e)
{
  double deepest = 0, gap[SAL_MAX_GUARD], gap_noise[SAL_MAX_GUARD];

  gap_grain_measure(u->model, c->param, e->closed, u->t_end, e->end, gap, gap_noise);
  for (int k = 0; k < sal_model_guards(u->model, c->param); ++k)
    if (!e->closed[k]) deepest = fmax(deepest, -gap[k] - GAP_GRAIN_ROUNDINGS * gap_noise[k]);
  return deepest;
}

static sal_setup draw_config(const sal_sweep *sweep, flow_stream *from)
{
  const int n = sweep->n_method * sweep->n_strategy * sweep->n_tolerance;

  for (;;) {
    const int k = (int)flow_draw_uniform(from, 0, n);
    if (sal_tile_leaves_out(sweep, k)) continue;
    sal_setup u = sal_tile_setup(sweep, k);
    u.every_contact = u.every_contact || flow_draw_uniform(from, 0, 1) < 0.7;
    return u;
  }
}

static void run_config(const sal_sweep *sweep, flow_stream *from, const wild_cell *c, wild_tally *n)
{
  static ending e;
  const sal_setup u = draw_config(sweep, from);
  const double before = sal_clock_cpu();

  integrate(&u, sweep->budget.work, c, &e);
  const double seconds = sal_clock_cpu() - before;
  const bool keeps = u.strategy->held && u.every_contact;
  const bool fine = is_consistent(&u, &e);
  const double deep = fine && keeps && outcome(&e.record) == SAL_OUT_DONE ? depth(&u, c, &e) : 0;
  /* Where steps leap over its zone a projection misses the surface. */
  const bool projects = u.strategy->zoned;
  n->runs += 1;
  n->engine_runs += u.method->engine != NULL;
  n->longest = fmax(n->longest, seconds);
  if (fine) n->outcome[outcome(&e.record)] += 1;
  n->nowhere += !fine;
  n->below += deep > 0 && !projects;
  n->leapt += deep > 0 && projects;
  if (fine && (projects || !(deep > 0))) return;
  print_cell(sweep, c);
  fprintf(stderr, "\n      %s %s at %g: outcome %d at %.17g, %g below\n", u.method->name,
          u.strategy->name, u.rtol, outcome(&e.record), e.record.value[SAL_METRIC_T_REACHED], deep);
}

/* ---- references ----------------------------------------------------------------------------- */

static double apart(const sal_model *m, const double a[], const double b[])
{
  double far = 0;

  for (int i = 0; i < sal_model_continuous(m); ++i) far = fmax(far, fabs(a[i] - b[i]));
  return far;
}

static double size_of(const sal_model *m, const double y[])
{
  double most = 1;

  for (int i = 0; i < sal_model_continuous(m); ++i) most = fmax(most, fabs(y[i]));
  return most;
}

static bool run_tightly(const sal_sweep *sweep, const wild_cell *c, const char *method, ending *out)
{
  sal_setup u = sal_tile_setup(sweep, 0);
  char text[SAL_COMPATIBILITY_TEXT];

  u.method = sal_registry_method(method);
  u.strategy = sal_registry_strategy("event");
  u.fixed_step = 0;
  u.rtol = u.atol = 1e-12;
  u.jacobian = SAL_JACOBIAN_ANALYTIC;
  u.max_step = sweep->t_end / 500;
  if (sal_compatibility_flaw(&u, text)) return false;
  integrate(&u, 5 * sweep->budget.work, c, out);
  return sal_metric_finished(outcome(&out->record));
}

/* By two methods that share no stage with it. */
static void check_reference(const sal_sweep *sweep, const wild_cell *c, const sal_reference *r,
                            wild_tally *n)
{
  static ending a, b;
  const double *end = r->state + sweep->n_mesh * sweep->model->n_state;

  if (!run_tightly(sweep, c, "tsit5", &a) || !run_tightly(sweep, c, "radau5", &b)) return;
  const double here = apart(sweep->model, a.end, b.end);
  const double there = fmin(apart(sweep->model, a.end, end), apart(sweep->model, b.end, end));
  const double claim = r->error + ROUNDING * size_of(sweep->model, end);
  const bool wrong = there > APART * (here + claim), silent = there > 1e5 * claim;
  n->checked += 1;
  n->wrong += wrong;
  n->silent += silent;
  if (!wrong && !silent) return;
  print_cell(sweep, c);
  fprintf(stderr, "\n      reference claims %g, is %g from two methods, which are %g apart\n",
          r->error, there, here);
}

static bool is_marked(const sal_sweep *sweep, const sal_reference *r)
{
  const double *end = r->state + sweep->n_mesh * sweep->model->n_state;

  return !sal_metric_finished(r->outcome) || !(r->error <= 1e-6 * size_of(sweep->model, end));
}

typedef struct {
  sal_reference of[BATCH], spare[BATCH];
  void *space;
} references;

static void run_batch_of_cells(const sal_sweep *sweep, flow_stream *from, int count,
                               references *refs, wild_tally *n)
{
  const sal_model *m = sweep->model;
  const int n_p = m->n_param + m->n_option, width = m->w4 ? sal_integrate_widest() : 1;
  double param[BATCH * (SAL_MAX_PARAM + SAL_MAX_OPTION)], start[BATCH * SAL_MAX_STATE];
  wild_cell cell[BATCH];

  for (int i = 0; i < count; ++i) {
    cell[i] = wild_draw(from, m, sweep->n_guard);
    memcpy(param + (size_t)i * (size_t)n_p, cell[i].param, (size_t)n_p * sizeof *param);
    memcpy(start + (size_t)i * (size_t)m->n_state, cell[i].start,
           (size_t)m->n_state * sizeof *start);
  }
  sal_reference_run(sweep, width, count, param, start, refs->of, refs->spare, refs->space, NULL);
  for (int i = 0; i < count; ++i) {
    const sal_reference *r = &refs->of[i];
    n->cells += 1;
    n->references += sal_metric_finished(r->outcome);
    if (r->outcome >= 0) n->reference_outcome[r->outcome] += 1;
    n->nowhere += r->outcome < 0;
    n->marked += is_marked(sweep, r);
    run_config(sweep, from, &cell[i], n);
    if (sal_metric_finished(r->outcome) && n->cells % EVERY == 0)
      check_reference(sweep, &cell[i], r, n);
  }
}

void wild_run(const sal_sweep *sweep, flow_stream *from, int64_t cells, wild_tally *tally)
{
  references refs = {.space = sal_alloc(sal_reference_bytes(sweep, sal_integrate_widest()), 1)};
  bool room = refs.space != NULL;
  const double before = sal_clock_cpu();

  for (int i = 0; i < BATCH; ++i)
    room = room && sal_reference_alloc(sweep, &refs.of[i]) &&
           sal_reference_alloc(sweep, &refs.spare[i]);
  for (int64_t done = 0; room && done < cells; done += BATCH)
    run_batch_of_cells(sweep, from, (int)(cells - done < BATCH ? cells - done : BATCH), &refs,
                       tally);
  for (int i = 0; i < BATCH; ++i) {
    sal_reference_free(&refs.of[i]);
    sal_reference_free(&refs.spare[i]);
  }
  sal_free(refs.space);
  tally->seconds += sal_clock_cpu() - before;
}
