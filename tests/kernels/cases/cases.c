/** Walk, runs and assertions of the cases; and their list as a test program. */
#include "cases.h"
#include <string.h>

static bool concerns(const sal_strategy *s, case_scope scope)
{
  if (!s->held) return scope == SAL_CASE_EVERY && !s->zoned;
  return !(scope == SAL_CASE_LOCATING && s->zoned) && !(scope == SAL_CASE_ADAPTIVE && s->fixed);
}

static int count_methods(void)
{
  int n = 0;

  while (sal_registry_methods[n]) ++n;
  return n;
}

bool case_next(case_pair *pair, const sal_model *model, case_scope scope)
{
  const int n = count_methods();

  for (;;) {
    pair->strategy = sal_registry_strategies[pair->next / n];
    if (!pair->strategy) return false;
    pair->method = sal_registry_methods[pair->next++ % n];
    if (concerns(pair->strategy, scope) && sal_strategy_meets_jumps(pair->strategy, model) &&
        sal_strategy_drives(pair->strategy, pair->method) &&
        sal_method_solves(pair->method, model) && is_frugal(pair->method))
      return true;
  }
}

bool case_is(const case_pair *pair, const char *strategy)
{
  return strcmp(pair->strategy->name, strategy) == 0;
}

sal_setup case_setup(const case_pair *pair, const sal_model *model, double tol, double t_end,
                     double unit)
{
  return (sal_setup){.model = model,
                     .method = pair->method,
                     .strategy = pair->strategy,
                     .rtol = tol,
                     .atol = tol,
                     .t_end = t_end,
                     .zone = 5e-4 * unit,
                     .zone_in_time = true,
                     .fixed_step = pair->strategy->fixed ? 2e-3 * unit : 0,
                     .max_attempts = 200000};
}

static void run_at(const case_pair *pair, int width, const sal_setup *setup, const double param[],
                   const double initial[], case_run *out)
{
  sal_samples mesh = {.n_mesh = CASE_MESH, .state = out->state};
  const sal_job job = {
      .param = param, .initial = initial, .samples = &mesh, .events = &out->log.events};

  out->log.events = log_of(setup, &out->log);
  run_batch(setup, width, 1, &job, &out->log.record);
  CASE_EXPECT(pair, out->log.events.n == n_event(&out->log.record));
  if (out->log.events.n > LOG_CAPACITY) out->log.events.n = LOG_CAPACITY;
}

static bool same_bits(const sal_model *model, const case_run *a, const case_run *b)
{
  const size_t mesh = (size_t)(CASE_MESH + 1) * (size_t)model->n_state * sizeof(double);
  bool same = a->log.events.n == b->log.events.n &&
              memcmp(&a->log.record, &b->log.record, sizeof a->log.record) == 0 &&
              memcmp(a->state, b->state, mesh) == 0;

  for (int64_t i = 0; i < a->log.events.n && same; ++i)
    same = a->log.event[i].t == b->log.event[i].t && a->log.event[i].guard == b->log.event[i].guard;
  return same;
}

void case_do(const case_pair *pair, const sal_setup *setup, const double param[],
             const double initial[], case_run *out)
{
  static case_run wide;

  run_at(pair, 1, setup, param, initial, out);
  if (!setup->method->w4 || sal_integrate_widest() == 1) return;
  run_at(pair, sal_integrate_widest(), setup, param, initial, &wide);
  CASE_EXPECT(pair, same_bits(setup->model, out, &wide));
}

/* Keeps the list in order of time. */
static int insert(int n, int capacity, case_event list[], case_event e)
{
  if (n == capacity) return n;
  int i = n;
  for (; i > 0 && list[i - 1].t > e.t; --i) list[i] = list[i - 1];
  list[i] = e;
  return n + 1;
}

int case_rotor_events(const double param[], double t_end, int capacity, case_event out[])
{
  const double turn = 2 * M_PI;
  int n = 0;

  for (int k = 0; k < ROTOR_LEVELS; ++k) {
    const double level = param[ROTOR_LEVEL + k], half = acos(level);
    if (!(fabs(level) < 1)) continue;
    for (double t = 0; t < t_end * param[ROTOR_RATE]; t += turn) {
      const case_event down = {(t + half) / param[ROTOR_RATE], k, true};
      const case_event up = {(t + turn - half) / param[ROTOR_RATE], k, false};
      if (down.t < t_end) n = insert(n, capacity, out, down);
      if (up.t < t_end) n = insert(n, capacity, out, up);
    }
  }
  return n;
}

double case_error(const case_run *run, int n, const case_event expected[])
{
  double worst = 0;

  if (outcome(&run->log.record) != SAL_OUT_DONE || run->log.events.n != n) return INFINITY;
  for (int i = 0; i < n; ++i) {
    const sal_event *e = &run->log.event[i];
    if (e->guard != expected[i].guard || e->closes != expected[i].closes) return INFINITY;
    worst = fmax(worst, fabs(e->t - expected[i].t));
  }
  return worst;
}

double case_bound(const case_pair *pair, double tol)
{
  if (pair->strategy->fixed) return 2e-4;
  return pair->method->order == 2 ? 20 * pow(tol, 2.0 / 3) : 2000 * tol;
}

void case_expect(const case_pair *pair, bool fine, const char *what, const char *file, int line)
{
  if (!fine) printf("\n    %s, %s: %s", pair->strategy->name, pair->method->name, what);
  CU_assertImplementation(fine, (unsigned)line, what, file, "", CU_FALSE);
}

int SAL_TEST_ENTRY(int argc, char *argv[])
{
  (void)argc, (void)argv;
#define SAL_CASE(number, function, title) {#number ": " title, function},
  CU_TestInfo list[] = {
#include "cases.def"
      CU_TEST_INFO_NULL};

  return sal_test_run("the 25 cases", NULL, list, 1);
}
