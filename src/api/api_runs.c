/** Many runs of a model: the caller's arrays as jobs, and records as the caller's. */
#include "api.h"
#include "argument.h"
#include "base.h"
#include "compatibility.h"
#include "providers.h"
#include "tile_run.h"

/* Numbers of one run in memory: no address space has more. */
static const int64_t MOST = (int64_t)1 << 44;

/* Runs in hand. */
typedef struct {
  const saltus_runs *given;
  const sal_model *model;
  int n_param;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE]; /* presets */
  double *start;        /* [n][n_state] with the discrete states that follow; NULL: as given */
  sal_samples *samples; /* [n]; NULL: none */
  const sal_measured_list *list; /* NULL: no measures */
  sal_measured *measured;        /* [n] */
  double *value;                 /* [n][words of the list] */
  atomic_llong halted;
} runs;

static const double *param_of(const runs *r, int64_t i)
{
  return r->given->param ? r->given->param + i * r->n_param : r->param;
}

static const double *initial_of(const runs *r, int64_t i)
{
  if (r->start) return r->start + i * r->model->n_state;
  return r->given->initial ? r->given->initial + i * r->model->n_state : r->initial;
}

static sal_err check_options(const sal_model *m, const double value[])
{
  for (int o = 0; o < m->n_option; ++o) {
    int n = 0;
    while (n < SAL_MAX_CHOICE && m->option[o].choice[n]) ++n;
    const sal_field field = {.name = m->option[o].name, .most = n - 1, .whole = true};
    SAL_TRY(sal_argument_number("param", &field, value[o]));
  }
  return SAL_OK;
}

sal_err sal_api_runs_check(const sal_model *m, const double param[], const double initial[])
{
  for (int i = 0; i < m->n_param; ++i)
    SAL_TRY(sal_argument_number("param", &m->param[i], param[i]));
  SAL_TRY(check_options(m, param + m->n_param));
  for (int i = 0; i < m->n_state; ++i)
    SAL_TRY(sal_argument_number("initial", &m->state[i], initial[i]));
  const char *flaw = sal_model_flaw(m, param);
  return flaw ? sal_fail(SAL_ERR_USAGE, "param: %s", flaw) : SAL_OK;
}

static sal_err check_run(const sal_setup *s, const double param[], const double initial[])
{
  char text[SAL_COMPATIBILITY_TEXT];

  SAL_TRY(sal_api_runs_check(s->model, param, initial));
  const char *flaw = s->strategy->zoned
                         ? sal_compatibility_zone_flaw(s->model, param, initial, s->zone,
                                                       s->zone_in_time, s->t_end, text)
                         : NULL;
  return flaw ? sal_fail(SAL_ERR_USAGE, "strategy: %s", flaw) : SAL_OK;
}

/* Counts contacts, too. */
static sal_err check_runs(const runs *r, sal_setup *s)
{
  for (int64_t i = 0; i < r->given->n; ++i) {
    const int guards = sal_model_guards(s->model, param_of(r, i));
    const sal_err err = check_run(s, param_of(r, i), initial_of(r, i));
    if (err != SAL_OK) {
      sal_err_add("; in run %lld, counted from 0", (long long)i);
      return err;
    }
    if (guards > s->n_guard) s->n_guard = guards;
  }
  return SAL_OK;
}

static sal_err check_arrays(const saltus_runs *g)
{
  if (g->n < 0) return sal_fail(SAL_ERR_USAGE, "runs: n = %lld is below 0", (long long)g->n);
  if (g->samples < 0 || (g->state && g->samples == 0))
    return sal_fail(SAL_ERR_USAGE, "runs: samples = %lld; allowed with `state`: 1 or more",
                    (long long)g->samples);
  if (g->most_events < 0 || (g->event_state && !g->event))
    return sal_fail(SAL_ERR_USAGE,
                    "runs: most_events = %lld; allowed: 0 or more, and `event` with `event_state`",
                    (long long)g->most_events);
  if (g->samples > MOST / SAL_MAX_STATE || g->most_events > MOST / SAL_MAX_STATE)
    return sal_fail(SAL_ERR_USAGE, "runs: samples = %lld, most_events = %lld; allowed: up to %lld",
                    (long long)g->samples, (long long)g->most_events,
                    (long long)(MOST / SAL_MAX_STATE));
  return SAL_OK;
}

static void fill_job(void *with, int64_t i, sal_job *job)
{
  runs *r = with;
  const saltus_runs *g = r->given;
  const int64_t n = r->model->n_state;

  job->param = param_of(r, i);
  job->initial = initial_of(r, i);
  if (g->end) job->end = g->end + i * n;
  if (r->list) {
    r->measured[i] = (sal_measured){.list = r->list,
                                    .param = job->param,
                                    .value = r->value + (size_t)i * sal_measured_words(r->list)};
    job->measured = &r->measured[i];
  }
  if (!r->samples) return;
  r->samples[i] = (sal_samples){.n_mesh = g->samples, .state = g->state + i * (g->samples + 1) * n};
  job->samples = &r->samples[i];
}

static int64_t count_of(const sal_record *record, int metric)
{
  const double v = record->value[metric];

  return isnan(v) ? -1 : (int64_t)v;
}

static void keep_figures(const sal_record *record, saltus_figures *f)
{
  const double outcome = record->value[SAL_METRIC_OUTCOME];

  *f = (saltus_figures){.t = record->value[SAL_METRIC_T_REACHED],
                        .outcome = (int32_t)outcome,
                        .completed = sal_metric_finished(outcome),
                        .steps = count_of(record, SAL_METRIC_STEPS),
                        .failed = count_of(record, SAL_METRIC_FAILED),
                        .evaluations = count_of(record, SAL_METRIC_RHS),
                        .jacobians = count_of(record, SAL_METRIC_JACOBIANS),
                        .factorisations = count_of(record, SAL_METRIC_FACTORISATIONS),
                        .solves = count_of(record, SAL_METRIC_SOLVES),
                        .events = count_of(record, SAL_METRIC_EVENTS)};
}

static void keep_events(const saltus_runs *g, int n_state, int64_t i, const sal_events *events)
{
  const int64_t n = events->n < g->most_events ? events->n : g->most_events;

  for (int64_t e = 0; e < n; ++e) {
    const sal_event *from = &events->event[e];
    const int64_t at = i * g->most_events + e;
    g->event[at] = (saltus_event){from->t, from->guard, from->closes};
    if (g->event_state)
      memcpy(g->event_state + at * n_state, from->y, (size_t)n_state * sizeof(double));
  }
}

static void keep_run(void *with, int64_t i, const sal_record *record, const sal_events *events)
{
  runs *r = with;
  const saltus_runs *g = r->given;

  if (record->value[SAL_METRIC_OUTCOME] == SAL_OUT_HALTED)
    atomic_fetch_add_explicit(&r->halted, 1, memory_order_relaxed);
  if (g->figures) keep_figures(record, &g->figures[i]);
  if (g->event) keep_events(g, r->model->n_state, i, events);
  if (r->list)
    memcpy(g->measured + i * r->list->n_column, r->measured[i].value,
           (size_t)r->list->n_column * sizeof(double));
}

static sal_err make_room(const saltus_runs *g, runs *r)
{
  const size_t n = (size_t)g->n;

  if (g->measures && g->measures->model != r->model)
    return sal_fail(SAL_ERR_USAGE, "runs: measures are those of another model");
  if (g->state) r->samples = sal_alloc(n, sizeof *r->samples);
  r->list = g->measures && g->measured ? g->measures->list : NULL;
  if (r->list) r->measured = sal_alloc(n, sizeof *r->measured);
  if (r->list) r->value = sal_alloc(n * sal_measured_words(r->list), sizeof *r->value);
  if ((g->state && !r->samples) || (r->list && !(r->measured && r->value)))
    return sal_fail(SAL_ERR_MEMORY, "no memory for %lld runs", (long long)g->n);
  return SAL_OK;
}

/* Starts with their discrete states, where some follow from the others. */
static sal_err begin_runs(runs *r)
{
  const sal_model *m = r->model;
  const size_t n = (size_t)m->n_state;

  if (!m->begin) return SAL_OK;
  double *start = sal_alloc((size_t)r->given->n, n * sizeof *start);
  if (!start) return sal_fail(SAL_ERR_MEMORY, "no memory for %lld runs", (long long)r->given->n);
  for (int64_t i = 0; i < r->given->n; ++i) {
    memcpy(start + (size_t)i * n, initial_of(r, i), n * sizeof *start);
    m->begin(m->inner, param_of(r, i), start + (size_t)i * n);
  }
  r->start = start;
  return SAL_OK;
}

static sal_err run(const saltus_runs *g, sal_api_setup *s, runs *r)
{
  const sal_many_runs many = {.setup = &s->setup,
                              .n = g->n,
                              .width = s->lanes,
                              .threads = s->threads,
                              .most_events = g->event ? g->most_events : 0,
                              .job = fill_job,
                              .done = keep_run,
                              .with = r};

  SAL_TRY(begin_runs(r));
  SAL_TRY(check_runs(r, &s->setup));
  SAL_TRY(make_room(g, r));
  SAL_TRY(sal_providers_measure_within(r->list, s->setup.t_end));
  SAL_TRY(sal_many_runs_now(&many));
  const long long halted = atomic_load(&r->halted);
  return halted == 0
             ? SAL_OK
             : sal_fail(SAL_ERR_STOPPED, "halted: %lld of %lld runs have not come to an end",
                        halted, (long long)g->n);
}

static sal_err integrate(const saltus_model *model, const saltus_setup *setup, const saltus_runs *g)
{
  const saltus_setup presets = {.solver = NULL};
  const sal_model *m = model->model;
  runs r = {.given = g, .model = m, .n_param = m->n_param + m->n_option};
  sal_api_setup s;

  SAL_TRY(check_arrays(g));
  SAL_TRY(sal_api_setup_check(model, setup ? setup : &presets, &s));
  sal_parameter_presets(m, r.param, r.initial);
  const sal_err err = run(g, &s, &r);
  sal_free_all(r.samples, r.start, r.measured, r.value);
  sal_api_setup_free(&s);
  return err;
}

static sal_err check_call(const saltus_model *model, const saltus_setup *setup,
                          const saltus_runs *given)
{
  SAL_TRY(sal_api_given("integrate: model", model));
  SAL_TRY(sal_api_given("integrate: runs", given));
  SAL_TRY(sal_api_stack_check(setup ? setup->threads : 1));
  return sal_api_functions_outside("saltus_integrate");
}

saltus_status saltus_integrate(const saltus_model *model, const saltus_setup *setup,
                               const saltus_runs *given)
{
  sal_err_clear();
  const sal_err flaw = check_call(model, setup, given);
  if (flaw != SAL_OK) return sal_api_status(flaw);
  sal_api_functions_begin(model);
  return sal_api_functions_status(model, integrate(model, setup, given));
}

const char *saltus_outcome(int outcome, const char **sentence)
{
  static const sal_metric_word halted = {"halted", "stopped where it was, as it was asked to"};
  static const sal_metric_word unknown = {"unknown", "no outcome of a run"};
  const sal_metric_word *word = outcome == SAL_OUT_HALTED ? &halted
                                : outcome >= 0 && outcome < SAL_N_OUTCOME
                                    ? &sal_metric_outcomes[outcome]
                                    : &unknown;

  if (sentence) *sentence = word->what;
  return word->label;
}
