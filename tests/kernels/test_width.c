/** The same bits at every width and in every batch: records, samples and events. */
#include "monopod_sets.h"
#include "run_one.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

enum { JOBS = 11, MESH = 60, LOG = 40, STATES = 4 };

/** Everything a batch leaves behind. */
typedef struct {
  sal_record record[JOBS];
  double state[JOBS][(MESH + 1) * STATES];
  uint8_t closed[JOBS][MESH + 1];
  sal_event event[JOBS][LOG];
  double at_events[JOBS][LOG][2 * STATES];
  int64_t n_event[JOBS];
  double end[JOBS][STATES];
} harvest;

static double param[JOBS][7], initial[JOBS][STATES], reference[MESH + 8];

/* Easy and hard cells side by side, one that breaks down, one that hits a wall, one that rests. */
static void fill(const sal_model *model)
{
  const bool monopod = model->n_state == 4;

  for (int i = 0; i < JOBS; ++i) {
    const double ground[7] = {1 + 0.1 * i, i % 3 ? 40 + 30 * i : 4000, 0.4 * i};
    memcpy(param[i], monopod ? set_param[i] : ground, sizeof param[i]);
    const double high[STATES] = {0.5, 0, 1.5, 0}, low[STATES] = {0.2 + 0.05 * i, -0.1 * i};
    memcpy(initial[i], monopod ? high : low, sizeof initial[i]);
  }
  if (monopod) initial[3][2] = 1.4;
  param[6][monopod ? 0 : 2] = NAN; /* the ground's damping */
  if (monopod) param[5][0] = 1e200;
  initial[7][0] = 0;
  initial[7][1] = monopod ? 0.1 : 0;
  for (int j = 0; j < MESH + 8; ++j) reference[j] = 0.3 * cos(0.2 * j);
}

/* Runs the jobs in the order of `order`, `batch` at a time. */
static void reap(const sal_setup *setup, int width, const int order[], int batch, harvest *out)
{
  static const sal_score score = {reference, MESH, 0.01, 0.05};
  sal_job job[JOBS];
  sal_samples samples[JOBS];
  sal_events log[JOBS];
  sal_record record[JOBS];
  const int n = setup->model->n_state;

  memset(out, 0, sizeof *out);
  for (int i = 0; i < JOBS; ++i) {
    const int k = order[i];
    samples[i] = (sal_samples){.n_mesh = MESH, .state = out->state[k], .closed = out->closed[k]};
    log[i] = (sal_events){
        .event = out->event[k], .capacity = LOG, .state = *out->at_events[k], .n_state = n};
    job[i] = (sal_job){.param = param[k],
                       .initial = initial[k],
                       .score = k % 2 ? &score : NULL,
                       .samples = &samples[i],
                       .events = &log[i],
                       .end = out->end[k]};
  }
  for (int i = 0; i < JOBS; i += batch)
    run_batch(setup, width, i + batch <= JOBS ? batch : JOBS - i, job + i, record + i);
  for (int i = 0; i < JOBS; ++i) {
    out->record[order[i]] = record[i];
    out->n_event[order[i]] = log[i].n;
  }
}

/* Any NaN is like any other. */
static bool same_numbers(size_t n, const double a[], const double b[])
{
  for (size_t i = 0; i < n; ++i)
    if (memcmp(a + i, b + i, sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i]))) return false;
  return true;
}

static bool same(const harvest *a, const harvest *b)
{
  bool all = memcmp(a->closed, b->closed, sizeof a->closed) == 0 &&
             memcmp(a->n_event, b->n_event, sizeof a->n_event) == 0;

  for (int k = 0; k < JOBS; ++k) {
    all &= same_numbers(SAL_N_METRIC, a->record[k].value, b->record[k].value);
    all &= same_numbers((MESH + 1) * STATES, a->state[k], b->state[k]);
    all &= same_numbers(STATES, a->end[k], b->end[k]);
    all &= same_numbers(LOG * 2 * STATES, *a->at_events[k], *b->at_events[k]);
    for (int i = 0; i < LOG && i < a->n_event[k]; ++i) {
      const sal_event *p = &a->event[k][i], *q = &b->event[k][i];
      all &= same_numbers(1, &p->t, &q->t) && p->guard == q->guard && p->closes == q->closes;
    }
  }
  return all;
}

/* That the comparison has something to compare. */
/* A strategy that is as printed, faults included, may lose any trajectory. */
static void check_harvest(const harvest *h, const sal_strategy *strategy)
{
  const bool held = strategy->held, printed = strategy->zoned && !held;

  int done = 0, failed = 0, events = 0, moved = 0, scored = 0;

  for (int k = 0; k < JOBS; ++k) {
    done += outcome(&h->record[k]) == SAL_OUT_DONE;
    failed += outcome(&h->record[k]) != SAL_OUT_DONE;
    events += n_event(&h->record[k]) > 0 && h->n_event[k] > 0 && h->event[k][0].t > 0;
    moved += h->state[k][STATES] != h->state[k][0];
    scored += h->record[k].value[SAL_METRIC_IAE] > 0;
  }
  CU_ASSERT(printed || (done >= JOBS - 3 && failed >= 1 && moved >= 9 && scored >= 4));
  CU_ASSERT(held ? events >= 8 : events == 0);
}

typedef void check_setup(const sal_setup *setup);

static void for_every_config(check_setup *check)
{
  static const char *const names[] = {"monopod", "linear-ground"};

  for (size_t mo = 0; mo < sizeof names / sizeof *names; ++mo) {
    const sal_model *model = sal_registry_model(names[mo]);
    fill(model);
    for (int m = 0; sal_registry_methods[m]; ++m)
      for (int s = 0; sal_registry_strategies[s]; ++s) {
        if (!sal_strategy_drives(sal_registry_strategies[s], sal_registry_methods[m])) continue;
        const sal_setup setup = {.model = model,
                                 .method = sal_registry_methods[m],
                                 .strategy = sal_registry_strategies[s],
                                 .rtol = 1e-5,
                                 .atol = 1e-5,
                                 .t_end = 12,
                                 .zone = 5e-4,
                                 .zone_in_time = true,
                                 .fixed_step = sal_registry_strategies[s]->fixed ? 0.01 : 0,
                                 .max_attempts = 20000};
        check(&setup);
      }
  }
}

static const int forward[JOBS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
static const int backward[JOBS] = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
static harvest plain, other;

static void check_widths(const sal_setup *setup)
{
  reap(setup, 1, forward, JOBS, &plain);
  check_harvest(&plain, setup->strategy);
  for (int width = 4; width <= sal_integrate_widest(); width *= 2) {
    reap(setup, width, forward, JOBS, &other);
    if (!same(&plain, &other))
      printf("%s %s %s at width %d ", setup->model->name, setup->method->name,
             setup->strategy->name, width);
    CU_ASSERT(same(&plain, &other));
  }
}

static void every_width_gives_the_same_bits(void) { for_every_config(check_widths); }

static void check_batch(const sal_setup *setup)
{
  const int widest = sal_integrate_widest();

  reap(setup, widest, forward, JOBS, &plain);
  reap(setup, widest, backward, JOBS, &other);
  CU_ASSERT(same(&plain, &other));
  reap(setup, widest, forward, 1, &other);
  CU_ASSERT(same(&plain, &other));
  reap(setup, widest, forward, 3, &other);
  CU_ASSERT(same(&plain, &other));
}

static void a_trajectory_does_not_depend_on_its_batch(void) { for_every_config(check_batch); }

/* The comparison itself sees one bit. */
static void one_bit_of_difference_is_seen(void)
{
  sal_setup setup = config("monopod", "ode45", "event", 1e-5, 12);

  fill(setup.model);
  reap(&setup, 1, forward, JOBS, &plain);
  other = plain;
  CU_ASSERT(same(&plain, &other));
  other.state[4][17] = nextafter(other.state[4][17], 9);
  CU_ASSERT(!same(&plain, &other));
  other = plain;
  other.record[9].value[SAL_METRIC_RHS] += 1;
  CU_ASSERT(!same(&plain, &other));
  other = plain;
  other.event[2][0].t = nextafter(other.event[2][0].t, 0);
  CU_ASSERT(!same(&plain, &other));
}

SAL_TEST_MAIN("lane width", NULL,
              {"every width gives the same bits", every_width_gives_the_same_bits},
              {"a trajectory does not depend on its batch",
               a_trajectory_does_not_depend_on_its_batch},
              {"one bit of difference is seen", one_bit_of_difference_is_seen})
