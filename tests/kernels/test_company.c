/** The same bits at every width and in any company, over all models, methods and strategies, with
 *  tolerances, zones, Jacobians, scores and cutoffs that differ from one configuration to the next.
 *
 *  With SALTUS_HASHES set it prints a hash of every configuration at width 1: two builds that print
 *  the same text compute the same bits, and the first line that differs shows where they do not.
 */
#include "models/flow_draw.h"
#include "run_one.h"
#include "sal_test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS = 15, MESH = 24, LOG = 10 };

/** Results of a batch: records, and a hash of samples, ends and event logs. */
typedef struct {
  sal_record record[JOBS];
  uint64_t rest[JOBS];
} harvest;

static double param[JOBS][SAL_MAX_P], initial[JOBS][SAL_MAX_STATE], reference[MESH + 8];

/* ---- hashes --------------------------------------------------------------------------------- */

static uint64_t hash_bytes(uint64_t hash, size_t n, const void *what)
{
  const unsigned char *byte = what;

  for (size_t i = 0; i < n; ++i) hash = (hash ^ byte[i]) * 1099511628211U;
  return hash;
}

/* Any NaN is like any other. */
static uint64_t hash_numbers(uint64_t hash, size_t n, const double x[])
{
  for (size_t i = 0; i < n; ++i) {
    uint64_t bits = 0x7ff8000000000000U;
    if (!isnan(x[i])) memcpy(&bits, &x[i], sizeof bits);
    hash = hash_bytes(hash, sizeof bits, &bits);
  }
  return hash;
}

static uint64_t hash_events(uint64_t hash, const sal_events *log, int n_state)
{
  hash = hash_bytes(hash, sizeof log->n, &log->n);
  for (int k = 0; k < log->n && k < log->capacity; ++k) {
    const sal_event *e = &log->event[k];
    hash = hash_numbers(hash, 1, &e->t);
    hash = hash_numbers(hash, (size_t)n_state, e->y);
    hash = hash_numbers(hash, (size_t)n_state, e->ahead);
    hash = hash_numbers(hash, 3, (double[]){e->gap, e->rate, e->steep});
    hash = hash_bytes(hash, sizeof e->guard, &e->guard);
    hash = hash_bytes(hash, sizeof e->closes, &e->closes);
  }
  return hash;
}

/* The first metric that differs, SAL_N_METRIC where only samples, ends or events do, -1 for none. */
static int difference(const harvest *a, const harvest *b, int job)
{
  for (int k = 0; k < SAL_N_METRIC; ++k)
    if (hash_numbers(0, 1, &a->record[job].value[k]) !=
        hash_numbers(0, 1, &b->record[job].value[k]))
      return k;
  return a->rest[job] == b->rest[job] ? -1 : SAL_N_METRIC;
}

/* ---- jobs ----------------------------------------------------------------------------------- */

/* Presets, points of the default ranges, and points far outside: some of them blow up beside their
 * neighbours. */
static void draw_jobs(const sal_model *m)
{
  flow_stream s = flow_draw_stream(m->name);

  for (int i = 0; i < JOBS; ++i) {
    const double size = pow(10, flow_draw_uniform(&s, 1, 8));
    const double far = i % 5 != 3 ? 1 : flow_draw_uniform(&s, 0, 1) < 0.7 ? -size : size;
    const flow_point at = flow_draw_point(&s, m, flow_draw_guards(m));
    memcpy(param[i], at.param, sizeof param[i]);
    for (int k = 0; k < m->n_state; ++k)
      initial[i][k] = i == 0 || k >= sal_model_continuous(m) ? m->state[k].preset : far * at.y[k];
  }
  for (int j = 0; j < MESH + 8; ++j) reference[j] = 0.3 * cos(0.2 * j);
}

/* Configurations that follow on each other differ in all that a sweep may choose. */
static sal_setup configure(const sal_model *model, const sal_method *method,
                           const sal_strategy *strategy, int number)
{
  static const double tolerance[] = {1e-4, 1e-3, 1e-6};
  const double tol = tolerance[number % 3];

  return (sal_setup){.model = model,
                     .method = method,
                     .strategy = strategy,
                     .rtol = tol,
                     .atol = number % 4 ? tol : 1e-2 * tol,
                     .t_end = fmin(model->span, 6),
                     .max_step = number % 5 ? 0 : 0.3,
                     .fixed_step = strategy->fixed ? 8e-3 : 0,
                     .zone = number % 2 ? 4e-3 : 5e-4,
                     .zone_in_time = number / 2 % 2 && !strategy->in_gap,
                     .n_guard = flow_draw_guards(model),
                     .every_contact = number % 7 == 0,
                     .jacobian = number % 2 ? SAL_JACOBIAN_ANALYTIC : SAL_JACOBIAN_DIFFERENCES,
                     .max_attempts = 500,
                     .work = {1, 1, 0.5, 0.25}};
}

/* Orders of the jobs in the lanes: jobs in their order, the last one first, and by strides, split in two. */
typedef struct {
  int first, stride, batch;
} company;

static void reap(const sal_setup *u, int width, const company *with, harvest *out)
{
  static double state[JOBS][(MESH + 1) * SAL_MAX_STATE], end[JOBS][SAL_MAX_STATE];
  static sal_event event[JOBS][LOG];
  static double at_events[JOBS][LOG * 2 * SAL_MAX_STATE];
  static const sal_score score = {reference, MESH, 0.01, 0.05};
  sal_job job[JOBS];
  sal_samples samples[JOBS];
  sal_events log[JOBS];
  sal_record record[JOBS];

  memset(state, 0, sizeof state);
  for (int j = 0; j < JOBS; ++j) {
    const int i = (with->first + j * with->stride) % JOBS;
    samples[i] = (sal_samples){.n_mesh = MESH, .state = state[i]};
    log[i] = (sal_events){
        .event = event[i], .capacity = LOG, .state = at_events[i], .n_state = u->model->n_state};
    job[j] = (sal_job){.param = param[i],
                       .initial = initial[i],
                       .score = i % 3 ? &score : NULL,
                       .samples = i % 4 ? NULL : &samples[i],
                       .events = i % 2 ? NULL : &log[i],
                       .t_end = i % 12 == 9 ? 1 : 0,
                       .most_work = i % 6 == 1 ? 120 : 0,
                       .budget = i % 5 == 3 ? 150 : 0,
                       .end = end[i]};
    if (job[j].t_end > 0) job[j].score = NULL, job[j].samples = NULL;
  }
  for (int j = 0; j < JOBS; j += with->batch)
    run_batch(u, width, j + with->batch <= JOBS ? with->batch : JOBS - j, job + j, record + j);
  for (int j = 0; j < JOBS; ++j) {
    const int i = (with->first + j * with->stride) % JOBS;
    const size_t n = (size_t)u->model->n_state;
    out->record[i] = record[j];
    out->rest[i] = hash_numbers(14695981039346656037U, n, end[i]);
    if (job[j].samples) out->rest[i] = hash_numbers(out->rest[i], (MESH + 1) * n, state[i]);
    if (job[j].events) out->rest[i] = hash_events(out->rest[i], &log[i], (int)n);
  }
}

/* ---- comparison ----------------------------------------------------------------------------- */

static void name_setup(const sal_setup *u, int number)
{
  printf("\n%s %s %s %d", u->model->name, u->method->name, u->strategy->name, number);
}

static void compare(const sal_setup *u, int number, const harvest *a, const harvest *b, int width,
                    int which)
{
  for (int i = 0; i < JOBS; ++i) {
    const int what = difference(a, b, i);
    if (what >= 0) {
      name_setup(u, number);
      printf(": job %d, width %d, company %d differs in %s", i, width, which,
             what < SAL_N_METRIC ? sal_metrics[what].name : "samples, end or events");
      if (what < SAL_N_METRIC)
        printf(": %.17g %.17g", a->record[i].value[what], b->record[i].value[what]);
    }
    CU_ASSERT(what < 0);
  }
}

/* Counts of outcomes, so that equal hashes are not trivial. */
static int n_outcome[SAL_N_OUTCOME], n_scored, n_projected, n_failed, n_configuration;

static void take_stock(const harvest *h)
{
  for (int i = 0; i < JOBS; ++i) {
    const double *value = h->record[i].value;
    ++n_outcome[(int)value[SAL_METRIC_OUTCOME]];
    n_scored += value[SAL_METRIC_IAE] > 0;
    n_projected += value[SAL_METRIC_PROJECTIONS] > 0;
    n_failed += value[SAL_METRIC_FAILED] > 0;
  }
  ++n_configuration;
}

static void check(const sal_setup *u, int number)
{
  static const company forward = {0, 1, JOBS}, other[] = {{JOBS - 1, JOBS - 1, JOBS}, {3, 4, 6}};
  static harvest plain, wide;
  const int widest = u->method->w4 ? sal_integrate_widest() : 1;

  reap(u, 1, &forward, &plain);
  take_stock(&plain);
  if (getenv("SALTUS_HASHES")) {
    uint64_t hash = 0;
    for (int i = 0; i < JOBS; ++i) {
      hash = hash_numbers(hash, SAL_N_METRIC, plain.record[i].value);
      hash = hash_bytes(hash, sizeof plain.rest[i], &plain.rest[i]);
    }
    name_setup(u, number);
    printf(" %016lx", (unsigned long)hash);
  }
  for (int width = 4; width < widest; width *= 2) {
    reap(u, width, &forward, &wide);
    compare(u, number, &plain, &wide, width, 0);
  }
  for (int k = 0; k < 2; ++k) {
    reap(u, widest, &other[k], &wide);
    compare(u, number, &plain, &wide, widest, k + 1);
  }
}

static void all_have_the_same_bits(void)
{
  int number = 0;

  for (int i = 0; sal_registry_models[i]; ++i) {
    draw_jobs(sal_registry_models[i]);
    for (int s = 0; sal_registry_strategies[s]; ++s)
      for (int m = 0; sal_registry_methods[m]; ++m) {
        const sal_setup u = configure(sal_registry_models[i], sal_registry_methods[m],
                                      sal_registry_strategies[s], number);
        if (!sal_strategy_drives(u.strategy, u.method) ||
            !sal_strategy_meets_jumps(u.strategy, u.model) ||
            !sal_strategy_meets_ends(u.strategy, u.model) || !sal_method_solves(u.method, u.model))
          continue;
        check(&u, number++);
      }
  }
  CU_ASSERT(n_configuration > 300);
  CU_ASSERT(n_outcome[SAL_OUT_DONE] > 1000 && n_outcome[SAL_OUT_OVER_CUTOFF] > 100);
  CU_ASSERT(n_outcome[SAL_OUT_OVER_BUDGET] > 100);
  CU_ASSERT(n_outcome[SAL_OUT_NOT_FINITE] + n_outcome[SAL_OUT_UNDERFLOW] > 10);
  CU_ASSERT(n_scored > 1000 && n_projected > 100 && n_failed > 1000);
}

/* The comparison itself sees one bit. */
static void one_bit_is_seen(void)
{
  const sal_setup u = config("monopod", "ode23s", "event", 1e-4, 4);
  const company alone = {0, 1, 1};
  harvest a, b;

  draw_jobs(u.model);
  reap(&u, 1, &alone, &a);
  reap(&u, 1, &alone, &b);
  CU_ASSERT(difference(&a, &b, 4) == -1);
  b.record[4].value[SAL_METRIC_T_REACHED] = nextafter(a.record[4].value[SAL_METRIC_T_REACHED], 9);
  CU_ASSERT(difference(&a, &b, 4) == SAL_METRIC_T_REACHED);
  b = a;
  initial[4][0] = nextafter(initial[4][0], 9);
  reap(&u, 1, &alone, &b);
  CU_ASSERT(difference(&a, &b, 4) >= 0 && difference(&a, &b, 8) == -1);
}

SAL_TEST_MAIN("any company", NULL, {"all have the same bits", all_have_the_same_bits},
              {"one bit is seen", one_bit_is_seen})
