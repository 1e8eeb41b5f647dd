/** The tangent model in a frozen mode: a model without contacts, which an ordinary method integrates from t0 on,
 *  as many columns of Phi at a time as fit.
 */
#include "variation.h"
#include "registry.h"
#include "stages.h"

/** Target of sal_phase.inner here. */
typedef struct {
  const sal_tangent_model *tangent;
  int n_guard;
  sal_m closed[SAL_MAX_GUARD];
} frozen;

static void rhs(const sal_phase *s, sal_v t, const sal_v y[], sal_v dy[])
{
  const frozen *in = s->inner;
  sal_phase base = *s;

  base.inner = in->tangent;
  base.n_guard = in->n_guard;
  base.count = in->n_guard;
  base.closed = (sal_m *)in->closed;
  base.held = ~sal_none();
  in->tangent->model.w1->rhs(&base, t, y, dy);
}

static void stages(const sal_phase *s, const sal_step *step, const sal_stage_table *table, int from,
                   int to, sal_v k[], sal_v x[])
{
  const frozen *in = s->inner;

  sal_stages(rhs, in->tangent->n_continuous * (1 + in->tangent->n_vector), s, step, table, from, to,
             k, x);
}

/* No guard or jump.  No jac: an implicit method forms differences. */
static const sal_flow flow = {.rhs = rhs, .stages = stages};

static double longest_step(const void *inner, const double param[], const double y[])
{
  return sal_model_longest_step(&((const frozen *)inner)->tangent->model, param, y);
}

static double next_stop(const void *inner, const double param[], double t, double *since)
{
  const sal_tangent_model *m = ((const frozen *)inner)->tangent;

  return m->model.next_stop(m, param, t, since);
}

static void constants(const void *inner, const double param[], double c[])
{
  const sal_tangent_model *t = ((const frozen *)inner)->tangent;

  t->model.constants(t, param, c);
}

/* The model of a mode: the tangent model's without its contacts. */
static sal_model freeze(const frozen *in)
{
  sal_model m = in->tangent->model;

  m.inner = in;
  m.n_guard = m.counted_by = 0;
  m.resets = false;
  if (m.longest_step) m.longest_step = longest_step;
  if (m.next_stop) m.next_stop = next_stop;
  if (m.constants) m.constants = constants;
  m.w1 = &flow;
  m.w4 = NULL;
  m.w8 = NULL;
  return m;
}

/* The setup of one round, whose model is that of a mode. */
static sal_setup setup_of(const sal_setup *given, const sal_model *model, double t_end)
{
  return (sal_setup){.model = model,
                     .method = given->method,
                     .strategy = sal_registry_strategy("switch"),
                     .rtol = given->rtol,
                     .atol = given->atol,
                     .t_end = t_end,
                     .max_step = given->max_step,
                     .max_order = given->max_order,
                     .max_attempts = given->max_attempts > 0 ? given->max_attempts : 1000000000,
                     .halt = given->halt};
}

static int most_columns(const sal_model *m)
{
  const int most = sal_tangent_model_most(m), fit = SAL_VARIATION_TOGETHER / m->n_state - 1;

  return fit < 1 ? 1 : fit < most ? fit : most;
}

size_t sal_variation_bytes(const sal_setup *setup)
{
  sal_tangent_model tangent;
  frozen in = {.tangent = &tangent};

  sal_tangent_model_make(setup->model, most_columns(setup->model), &tangent);
  const sal_model model = freeze(&in);
  const sal_setup one = setup_of(setup, &model, 1);
  return sal_integrate_bytes(&one, 1);
}

/* y to t1, and `columns` columns of Phi from the one of rank `first` on. */
static sal_outcome run_columns(const sal_setup *setup, const double param[], frozen in, sal_job job,
                               int first, int columns, const double y[], double end[], double Phi[],
                               void *work)
{
  const int n = setup->model->n_state;
  double v[SAL_MAX_DENSE] = {0}, full[SAL_MAX_DENSE], full_end[SAL_MAX_DENSE];
  sal_tangent_model tangent;
  sal_record record;

  sal_tangent_model_make(setup->model, columns, &tangent);
  in.tangent = &tangent;
  const sal_model model = freeze(&in);
  const sal_setup one = setup_of(setup, &model, job.t_end);
  for (int c = 0; c < columns; ++c) v[c * n + first + c] = 1;
  sal_tangent_model_load(&tangent, y, v, full);
  job.param = param;
  job.initial = full;
  job.end = full_end;
  sal_integrate(&one, 1, 1, &job, &record, work);
  const sal_outcome why = (sal_outcome)record.value[SAL_METRIC_OUTCOME];
  if (why != SAL_OUT_DONE) return why;
  sal_tangent_model_read(&tangent, full_end, end, v, NULL);
  for (int c = 0; c < columns; ++c)
    for (int i = 0; i < n; ++i) Phi[i * n + first + c] = v[c * n + i];
  return why;
}

sal_outcome sal_variation_run(const sal_setup *setup, const double param[], const bool closed[],
                              double t0, double t1, double y[], double Phi[], void *work)
{
  const int n = setup->model->n_state, most = most_columns(setup->model);
  frozen in = {.n_guard = sal_model_guards(setup->model, param)};
  double end[SAL_MAX_DENSE] = {0};

  for (int k = 0; k < in.n_guard; ++k) in.closed[k] = SAL_MASK(closed[k]);
  for (int first = 0; first < n; first += most) {
    const int columns = n - first < most ? n - first : most;
    const sal_outcome why = run_columns(setup, param, in, (sal_job){.t0 = t0, .t_end = t1}, first,
                                        columns, y, end, Phi, work);
    if (why != SAL_OUT_DONE) return why;
  }
  memcpy(y, end, (size_t)n * sizeof *y);
  return SAL_OUT_DONE;
}
