/** The questions, each of them a function in one table; and those that are asked by runs. */
#include "base.h"
#include "clock.h"
#include "compatibility.h"
#include "model_drawn.h"
#include "registry.h"

/* The gap itself, also where another one opens the contact again: that one is printed as what holds it. */
static void put_gap(sal_model_inquiry *q, int i, const bool closed[], const double f[])
{
  const sal_model *m = q->like.model;
  double gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD], held[SAL_MAX_GUARD], unused[SAL_MAX_GUARD];
  bool open[SAL_MAX_GUARD];

  memcpy(open, closed, (size_t)q->like.n_guard * sizeof *open);
  open[i] = false;
  sal_model_rates(m, q->param, open, 0, q->initial, f, gap, rate);
  sal_model_rates(m, q->param, closed, 0, q->initial, f, held, unused);
  sal_model_inquiry_put(q, SAL_MODEL_FINE, "%s%s: %s, gap %.4g, rate %.4g", i ? "; " : "",
                        sal_model_contact(m, i)->closes, closed[i] ? "closed" : "open",
                        gap[i] + 0.0, rate[i] + 0.0); /* no -0 */
  if (closed[i] && held[i] != gap[i])
    sal_model_inquiry_put(q, SAL_MODEL_FINE, ", held by %.4g", 0.0 - held[i]);
}

static sal_err ask_start(sal_model_inquiry *q)
{
  const sal_model *m = q->like.model;
  double f[SAL_MAX_STATE] = {0};
  bool closed[SAL_MAX_GUARD];
  double beyond;
  const int k = sal_model_beyond(m, q->param, q->initial, NULL, &beyond);

  if (k >= 0)
    sal_model_inquiry_put(q, SAL_MODEL_WRONG,
                          "begins beyond the surface of contact %s: its gap is %.6g",
                          sal_model_contact(m, k)->closes, beyond);
  sal_model_mode(m, q->param, 0, q->initial, closed);
  sal_model_field(m, q->param, closed, 0, q->initial, f);
  for (int i = 0; k < 0 && i < q->like.n_guard && i < SAL_MAX_CONTACT; ++i)
    put_gap(q, i, closed, f);
  if (q->like.n_guard == 0) sal_model_inquiry_put(q, SAL_MODEL_NOTE, "the model has no contacts");
  return sal_model_left_contacts(q);
}

static bool has_ended(const sal_trajectory *tr)
{
  return sal_metric_finished(tr->record.value[SAL_METRIC_OUTCOME]);
}

/* By the model's solver of reference, at a hundred points of time; where it fails, by the next that does not. */
static sal_err run_reference(sal_model_inquiry *q, sal_trajectory *tr)
{
  const sal_model *m = q->like.model;
  sal_setup setup = q->like;

  setup.strategy = sal_registry_strategy("event");
  setup.rtol = setup.atol = 1e-9;
  setup.max_attempts = 1000000;
  for (int i = 0; sal_registry_reference_at(m, i) && !(i > 0 && has_ended(tr)); ++i) {
    SAL_OWN_BY(sal_trajectory_free) sal_trajectory spare = {0};
    setup.method = sal_registry_reference_at(m, i);
    SAL_TRY(sal_trajectory_run(&setup, q->param, q->initial, setup.t_end / 100, &spare));
    if (i == 0) q->first = spare.record;
    if (i > 0 && !has_ended(&spare)) continue;
    const sal_trajectory was = *tr;
    *tr = spare;
    spare = was;
    q->solver = setup.method;
  }
  return SAL_OK;
}

/* Where the model's own solver of reference has failed: how, and whose run this is. */
static void put_first(sal_model_inquiry *q)
{
  const double *v = q->first.value;
  const int end = (int)v[SAL_METRIC_OUTCOME];

  if (sal_metric_finished(end)) return;
  sal_model_inquiry_put(q, SAL_MODEL_NOTE, "the reference by %s failed (%s at t = %.6g), ",
                        sal_registry_reference(q->like.model)->name, sal_metric_outcomes[end].label,
                        v[SAL_METRIC_T_REACHED]);
  if (has_ended(q->run))
    sal_model_inquiry_put(q, SAL_MODEL_NOTE, "this is by %s: ", q->solver->name);
  else
    sal_model_inquiry_put(q, SAL_MODEL_NOTE, "and so did all others: ");
}

static sal_err ask_run(sal_model_inquiry *q)
{
  const sal_model *m = q->like.model;
  const sal_trajectory *tr = q->run;
  char text[SAL_LOST_FAULT];
  int64_t changes[SAL_MAX_CONTACT] = {0};
  const double *v = tr->record.value;
  const int end = (int)v[SAL_METRIC_OUTCOME];

  put_first(q);
  sal_model_inquiry_put(q, sal_metric_finished(end) ? SAL_MODEL_FINE : SAL_MODEL_WRONG,
                        "%s at t = %.6g, %lld event%s", sal_metric_outcomes[end].label,
                        v[SAL_METRIC_T_REACHED], (long long)tr->n_event,
                        tr->n_event == 1 ? "" : "s");
  const char *fault = sal_lost_fault(tr, m, q->param, text);
  if (fault[0]) sal_model_inquiry_put(q, SAL_MODEL_WRONG, "; %s", fault);
  for (int64_t e = 0; e < tr->n_event; ++e)
    if (tr->event[e].guard < SAL_MAX_CONTACT) ++changes[tr->event[e].guard];
  for (int k = 0; k < q->like.n_guard && k < SAL_MAX_CONTACT; ++k)
    if (changes[k] == 0)
      sal_model_inquiry_put(q, SAL_MODEL_NOTE, "; contact %s never changes",
                            sal_model_contact(m, k)->closes);
  sal_model_along_events(q, tr);
  if (isfinite(v[SAL_METRIC_ENERGY_DRIFT]))
    sal_model_inquiry_put(q, v[SAL_METRIC_ENERGY_DRIFT] < 1e-4 ? SAL_MODEL_FINE : SAL_MODEL_NOTE,
                          "; the invariant drifts by %.2g", v[SAL_METRIC_ENERGY_DRIFT]);
  return SAL_OK;
}

/* Runs of all pairs together take that long [s of CPU time] at most, about. */
static const double patience = 4;
enum {
  FIRST = 25,
  ALL = 200000
}; /* attempts by which it is judged how long a run takes; of the longest one */

/* One pair of solver and strategy. */
typedef struct {
  sal_setup setup;
  bool counted; /* its outcome counts already */
  double reached, attempt,
      expected; /* after the first attempts: t; of one, and of all of them [s] */
} pair;

/* Counts of runs. */
typedef struct {
  int n, done, named, later;
  double least; /* t that all the later ones have reached */
} tally;

static void count(sal_model_inquiry *q, const pair *p, const double v[], tally *t)
{
  const int end = (int)v[SAL_METRIC_OUTCOME];

  t->done += sal_metric_finished(end);
  if (end == SAL_OUT_STEP_CAP && p->setup.max_attempts < ALL) {
    ++t->later;
    t->least = fmin(t->least, v[SAL_METRIC_T_REACHED]);
  } else if (!sal_metric_finished(end) && t->named++ < 4) {
    sal_model_inquiry_put(q, SAL_MODEL_NOTE, "%s with %s: %s at t = %.4g; ", p->setup.method->name,
                          p->setup.strategy->name, sal_metric_outcomes[end].label,
                          v[SAL_METRIC_T_REACHED]);
  }
}

/* Runs the first attempts of a pair; it is counted if it ended within them. */
static sal_err begin_pair(sal_model_inquiry *q, pair *p, tally *t)
{
  const double began = sal_clock_cpu();
  SAL_OWN_BY(sal_trajectory_free) sal_trajectory tr = {0};

  p->setup.max_attempts = FIRST;
  SAL_TRY(sal_trajectory_run(&p->setup, q->param, q->initial, p->setup.t_end, &tr));
  p->counted = (int)tr.record.value[SAL_METRIC_OUTCOME] != SAL_OUT_STEP_CAP;
  if (p->counted) count(q, p, tr.record.value, t);
  const double used = sal_clock_cpu() - began;
  p->reached = tr.record.value[SAL_METRIC_T_REACHED];
  p->attempt = fmax(used, 1e-7) / FIRST;
  p->expected = used * p->setup.t_end / fmax(p->reached, 1e-300);
  return SAL_OK;
}

/* The whole of it, or what fits into the seconds. */
static sal_err finish_pair(sal_model_inquiry *q, pair *p, double seconds, tally *t)
{
  const double most = fmax(seconds / p->attempt, FIRST);
  SAL_OWN_BY(sal_trajectory_free) sal_trajectory tr = {0};

  p->counted = true;
  p->setup.max_attempts = most < ALL ? (int64_t)most : ALL;
  SAL_TRY(sal_trajectory_run(&p->setup, q->param, q->initial, p->setup.t_end, &tr));
  count(q, p, tr.record.value, t);
  return SAL_OK;
}

/* The pair not yet counted that is expected to end first; NULL: all are counted. */
static pair *shortest(pair all[], int n, int *left)
{
  pair *best = NULL;

  *left = 0;
  for (int i = 0; i < n; ++i) {
    if (all[i].counted) continue;
    ++*left;
    if (!best || all[i].expected < best->expected) best = &all[i];
  }
  return best;
}

/* Pairs of solvers and strategies that can run the model, one after the other from `at` on; false: there are no more. */
static bool next_pair(const sal_model_inquiry *q, int *at, sal_setup *setup)
{
  char text[SAL_COMPATIBILITY_TEXT];
  int n = 0;

  for (const sal_method *const *method = sal_registry_methods; *method; ++method)
    for (const sal_strategy *const *strategy = sal_registry_strategies; *strategy; ++strategy) {
      if (n++ < *at) continue;
      *at = n;
      *setup = q->like;
      setup->method = *method;
      setup->strategy = *strategy;
      setup->rtol = setup->atol = 1e-6;
      if ((*method)->engine || (*strategy)->zoned || (*strategy)->fixed) continue;
      if (!sal_compatibility_flaw(setup, text)) return true;
    }
  return false;
}

static sal_err run_pairs(sal_model_inquiry *q, pair all[], tally *t)
{
  const double began = sal_clock_cpu();
  int left;

  for (int i = 0; i < t->n; ++i) SAL_TRY(begin_pair(q, &all[i], t));
  for (pair *p; (p = shortest(all, t->n, &left)) != NULL;) {
    const double seconds = fmax(patience - (sal_clock_cpu() - began), 0);
    SAL_TRY(finish_pair(q, p, p->expected < seconds ? seconds : seconds / left, t));
  }
  return SAL_OK;
}

static sal_err ask_solvers(sal_model_inquiry *q)
{
  tally t = {.least = INFINITY};
  sal_setup setup;

  for (int at = 0; next_pair(q, &at, &setup);) ++t.n;
  SAL_OWN pair *all = sal_alloc((size_t)t.n + 1, sizeof *all);
  if (!all) return sal_fail(SAL_ERR_MEMORY, "no memory for pairs of solver and strategy");
  for (int at = 0, i = 0; next_pair(q, &at, &setup); ++i) all[i].setup = setup;
  SAL_TRY(run_pairs(q, all, &t));
  sal_model_inquiry_put(q, SAL_MODEL_FINE,
                        "%d of %d pairs of solver and strategy come to the end at rtol 1e-6",
                        t.done, t.n);
  if (t.later > 0)
    sal_model_inquiry_put(q, SAL_MODEL_FINE,
                          "; %d others take long, and were right until t = %.4g at least", t.later,
                          t.least);
  return SAL_OK;
}

static const struct {
  const char *question;
  sal_err (*ask)(sal_model_inquiry *q);
} questions[] = {{"start", ask_start},
                 {"slopes", sal_model_drawn_slope},
                 {"Jacobian", sal_model_drawn_jacobian},
                 {"rates", sal_model_drawn_rates},
                 {"jumps", sal_model_drawn_jumps},
                 {"parameters", sal_model_drawn_parameters},
                 {"run", ask_run},
                 {"solvers", ask_solvers}};

sal_err sal_model_verdicts(const sal_setup *like, const double param[], const double initial[],
                           sal_model_verdict_take *take, void *with, int *wrong, sal_lost *lost)
{
  sal_model_verdict v;
  sal_model_inquiry q = {.like = *like, .param = param, .initial = initial, .v = &v};

  SAL_OWN_BY(sal_trajectory_free) sal_trajectory tr = {0};

  *wrong = 0;
  q.like.n_guard = sal_model_guards(like->model, param);
  SAL_TRY(run_reference(&q, &tr));
  q.run = &tr;
  sal_lost_find(&tr, like->model, param, lost);
  for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i) {
    v = (sal_model_verdict){.question = questions[i].question};
    SAL_TRY(questions[i].ask(&q));
    *wrong += v.kind == SAL_MODEL_WRONG;
    take(with, &v);
  }
  return SAL_OK;
}
