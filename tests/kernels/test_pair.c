/** Steps that are compiled together with a model (pair_steps.h) give the bits of those that are not: in every
 *  model, by every explicit method and strategy, scored and logged or not, capped or not, at every width
 *  and in any company.
 */
#include "no_pairs.h"
#include "run_one.h"
#include "sal_test.h"
#include <string.h>

enum { JOBS = 27, MESH = 40, LOG = 24, MOST_CONTACTS = 6 };

static double param[JOBS][SAL_MAX_P], initial[JOBS][SAL_MAX_STATE], reference[MESH + 8];
static uint64_t state_of_draws;
static sal_event event[JOBS][LOG];
static double state[JOBS][(MESH + 1) * SAL_MAX_STATE];
static int64_t contacts;
static const char *const strategies[] = {"switch", "event", "ess2", "ess-listing1"};

static double draw(double lo, double hi)
{
  state_of_draws ^= state_of_draws << 13;
  state_of_draws ^= state_of_draws >> 7;
  state_of_draws ^= state_of_draws << 17;
  return lo + (hi - lo) * (double)(state_of_draws >> 11) * 0x1p-53;
}

static void draw_param(const sal_model *m, double p[])
{
  for (int k = 0; k < m->n_param; ++k) {
    const sal_field *f = &m->param[k];
    const bool count = m->counted_by == k + 1;
    p[k] = draw(f->lo, f->hi);
    if (f->whole || count) p[k] = floor(draw(f->least, fmin(f->most, f->least + MOST_CONTACTS)));
  }
  for (int k = 0; k < m->n_option; ++k) p[m->n_param + k] = floor(draw(0, 2));
}

static void draw_jobs(const sal_model *m)
{
  state_of_draws = UINT64_C(88172645463325252);
  contacts = 0;
  for (int i = 0; i < JOBS; ++i) {
    int tries = 0;
    do draw_param(m, param[i]);
    while (m->flaw && m->flaw(m->inner, param[i]) && ++tries < 100);
    for (int k = 0; k < m->n_state; ++k)
      initial[i][k] = m->state[k].preset + draw(-0.02, 0.02) * (m->state[k].hi - m->state[k].lo);
    const int own = sal_model_guards(m, param[i]);
    contacts = own > contacts ? own : contacts;
  }
  for (int j = 0; j < MESH + 8; ++j) reference[j] = 0.3 * cos(0.2 * j);
}

static void mix(uint64_t *hash, const void *from, size_t bytes)
{
  const unsigned char *byte = from;

  for (size_t i = 0; i < bytes; ++i) *hash = (*hash ^ byte[i]) * UINT64_C(1099511628211);
}

/* Every NaN is the same one. */
static void mix_number(uint64_t *hash, double x)
{
  const double value = isnan(x) ? NAN : x;

  mix(hash, &value, sizeof value);
}

/* Runs the jobs from the last to the first, or in their order, `batch` at a time; hash [JOBS]. */
static double run_jobs(const sal_setup *setup, int width, bool observed, bool backwards, int batch,
                       uint64_t hash[])
{
  static const sal_score score = {reference, MESH, 1e-3, 0.05};
  static const sal_work_stairs stairs = {.n = 2, .error = {1e-4, 1e-2}, .work = {2000, 400}};
  sal_job job[JOBS];
  sal_record record[JOBS];
  sal_samples samples[JOBS];
  sal_events log[JOBS];
  double steps = 0;

  memset(event, 0, sizeof event);
  for (int i = 0; i < JOBS; ++i) {
    const int k = backwards ? JOBS - 1 - i : i;
    samples[i] = (sal_samples){.n_mesh = MESH, .state = state[k]};
    log[i] = (sal_events){.event = event[k], .capacity = LOG};
    job[i] = (sal_job){.param = param[k],
                       .initial = initial[k],
                       .score = observed && k % 2 ? &score : NULL,
                       .samples = observed && k % 3 ? &samples[i] : NULL,
                       .events = observed ? &log[i] : NULL,
                       .most_work = k % 5 ? 0 : 300 + 40 * k,
                       .stairs = observed && k % 4 == 1 ? &stairs : NULL};
  }
  for (int i = 0; i < JOBS; i += batch)
    run_batch(setup, width, i + batch < JOBS ? batch : JOBS - i, job + i, record + i);
  for (int i = 0; i < JOBS; ++i) {
    const int k = backwards ? JOBS - 1 - i : i;
    hash[k] = UINT64_C(1469598103934665603);
    for (int m = 0; m < SAL_N_METRIC; ++m) mix_number(&hash[k], record[i].value[m]);
    if (job[i].samples)
      for (int j = 0; j < (MESH + 1) * setup->model->n_state; ++j)
        mix_number(&hash[k], state[k][j]);
    for (int j = 0; j < LOG && job[i].events; ++j) mix_number(&hash[k], event[k][j].t);
    steps += record[i].value[SAL_METRIC_STEPS];
  }
  return steps;
}

static void expect_same(const uint64_t a[], const uint64_t b[], const sal_setup *u,
                        const char *what)
{
  const bool same = memcmp(a, b, JOBS * sizeof *a) == 0;

  if (!same) printf(" %s %s %s: %s", u->model->name, u->method->name, u->strategy->name, what);
  CU_ASSERT(same);
}

static void compare(const sal_model *model, const sal_method *method, const char *strategy,
                    bool observed)
{
  const int widest = sal_integrate_widest();
  sal_setup u = config(model->name, method->name, strategy, observed ? 1e-5 : 1e-3, 1.5);
  uint64_t own[JOBS], other[JOBS];
  sal_model bare;
  const bool jumps = sal_strategy_meets_jumps(u.strategy, model);

  if (!jumps || !sal_strategy_drives(u.strategy, method)) return;
  u.n_guard = (int)contacts;
  u.max_attempts = 1500;
  u.work = (sal_work_weights){1, 1, 1, 1, NULL};
  CU_ASSERT(run_jobs(&u, widest, observed, false, JOBS, own) > 10 * JOBS);
  run_jobs(&u, widest, observed, true, 5, other);
  expect_same(own, other, &u, "in other company");
  run_jobs(&u, 1, observed, false, JOBS, other);
  expect_same(own, other, &u, "at width 1");
  no_pairs_w1(model, &bare);
  u.model = &bare;
  run_jobs(&u, 1, observed, false, JOBS, other);
  expect_same(own, other, &u, "by the loop's own steps at width 1");
  (widest == 8   ? SAL_W8(no_pairs_w8)
   : widest == 4 ? SAL_W4(no_pairs_w4)
                 : no_pairs_w1)(model, &bare);
  run_jobs(&u, widest, observed, false, JOBS, other);
  expect_same(own, other, &u, "by the loop's own steps in lanes");
}

static void compiled_steps_have_the_same_bits(void)
{
  int pairs = 0;

  for (const sal_model *const *model = sal_registry_models; *model; ++model) {
    draw_jobs(*model);
    for (const sal_method *const *method = sal_registry_methods; *method; ++method) {
      if ((*method)->implicit || (*method)->engine || (SAL_WIDEST > 1 && !(*method)->w4)) continue;
      ++pairs;
      for (size_t s = 0; s < sizeof strategies / sizeof *strategies; ++s) {
        compare(*model, *method, strategies[s], false);
        compare(*model, *method, strategies[s], true);
      }
    }
  }
  CU_ASSERT(pairs >= 4 * SAL_N_MODEL);
}

/* Lanes with an event wait for other ones (sal_pair_waits): beside a mass that strikes its stops all the time stands one that
 * never does, and some between. */
static void lanes_that_wait_have_the_same_bits(void)
{
  static const double room[] = {0.02, 1e3, 1e3, 0.5, 1e3, 0.1, 1e3};
  static const char *const methods[] = {"ode23", "ode45", "tsit5", "dop853"};
  const sal_model *m = sal_registry_model("vibro-impact");

  draw_jobs(m);
  for (int i = 0; i < JOBS; ++i) {
    const double p[] = {0.05, 0.5 + 0.05 * i, 1, room[i % 7], 0.8};
    memcpy(param[i], p, sizeof p);
    initial[i][0] = 0.01;
  }
  for (int k = 0; k < 4; ++k) {
    sal_setup u = config(m->name, methods[k], "event", 1e-5, 40);
    uint64_t own[JOBS], other[JOBS];
    u.max_attempts = 20000;
    run_jobs(&u, 1, true, false, JOBS, own);
    CU_ASSERT(event[0][LOG - 1].t > 0 && event[1][0].t == 0);
    for (int width = 4; width <= sal_integrate_widest(); width *= 2)
      for (int backwards = 0; backwards < 2; ++backwards) {
        run_jobs(&u, width, true, backwards, backwards ? 11 : JOBS, other);
        expect_same(own, other, &u, "among lanes that wait");
      }
  }
}

SAL_TEST_MAIN("pair", NULL,
              {"compiled steps have the same bits", compiled_steps_have_the_same_bits},
              {"lanes that wait have the same bits", lanes_that_wait_have_the_same_bits})
